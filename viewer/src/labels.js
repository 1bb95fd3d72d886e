// Names over the picture: a bounded number, none over another.
import {Vector3} from 'three';

const MOST = 80;
const WIDTH = 7, HEIGHT = 18, PAD = 10; // [px] of a letter, of a line

export class Labels {
  /** @param {HTMLElement} layer @param {import('./stage.js').Stage} stage @param {import('./motion.js').World} world */
  constructor(layer, stage, world) {
    this.layer = layer;
    this.stage = stage;
    this.world = world;
    /** {name, body, position} of what may have a label; those first come first */
    this.points = [];
    this.pool = [];
    this.v = new Vector3();
    this.out = [0, 0, 0];
    this.taken = [];
  }

  set(points) {
    this.points = points;
    this.update();
  }

  update() {
    const {canvas} = this.stage, w = canvas.clientWidth, h = canvas.clientHeight;
    let used = 0;
    this.taken.length = 0;
    for (const {name, body, position} of this.points) {
      if (used === MOST) break;
      const {x, y, z} = this.stage.project(this.v.fromArray(this.world.point(body, position, this.out)));
      const wide = Math.min(name.length, 28) * WIDTH + PAD;
      if (z < -1 || z > 1 || x < 0 || y < 0 || x + wide > w || y > h) continue;
      if (this.taken.some(b => x < b[0] + b[2] && b[0] < x + wide && Math.abs(y - b[1]) < HEIGHT)) continue;
      this.taken.push([x, y, wide]);
      const label = this.pool[used] ?? this.make();
      if (label.textContent !== name) label.textContent = name;
      label.style.transform = `translate(${Math.round(x + 8)}px, ${Math.round(y - 20)}px)`;
      label.hidden = false;
      ++used;
    }
    for (let i = used; i < this.pool.length; ++i) this.pool[i].hidden = true;
  }

  make() {
    const label = document.createElement('span');
    label.className = 'label';
    this.layer.append(label);
    this.pool.push(label);
    return label;
  }
}
