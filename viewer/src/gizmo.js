// The global axes as seen, drawn into a corner.
import {Vector3} from 'three';

const AXES = [['x', [1, 0, 0], '#d55e00'], ['y', [0, 1, 0], '#009e73'], ['z', [0, 0, 1], '#0072b2']];
const SIZE = 76;

export class Gizmo {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.scale = Math.min(devicePixelRatio, 2);
    canvas.width = canvas.height = SIZE * this.scale;
    this.v = new Vector3();
  }

  draw(camera) {
    const c = this.canvas.getContext('2d'), r = SIZE * 0.34;
    c.setTransform(this.scale, 0, 0, this.scale, SIZE * this.scale / 2, SIZE * this.scale / 2);
    c.clearRect(-SIZE, -SIZE, 2 * SIZE, 2 * SIZE);
    c.font = '600 11px system-ui, sans-serif';
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.lineWidth = 2;
    c.lineCap = 'round';
    const seen = AXES.map(([name, axis, colour]) => {
      const {x, y, z} = this.v.set(...axis).transformDirection(camera.matrixWorldInverse);
      return {name, colour, x, y: -y, z};
    });
    seen.sort((a, b) => a.z - b.z);
    for (const {name, colour, x, y} of seen) {
      c.strokeStyle = c.fillStyle = colour;
      if (Math.hypot(x, y) < 0.05) continue;
      c.beginPath();
      c.moveTo(0, 0);
      c.lineTo(r * x, r * y);
      c.stroke();
      c.fillText(name, 1.3 * r * x, 1.3 * r * y);
    }
  }
}
