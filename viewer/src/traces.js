// Paths of points.
import {Line2} from 'three/addons/lines/Line2.js';
import {LineGeometry} from 'three/addons/lines/LineGeometry.js';
import {LineMaterial} from 'three/addons/lines/LineMaterial.js';
import {CURVES} from './colours.js';
import {rotation} from './motion.js';

export const MOST = 60; // traces

/** A path: the whole faint, what has been strong. */
class Trace {
  constructor(world, point, colour, width) {
    this.world = world;
    this.point = point;
    const {motion} = world, n = motion.frames, p = new Float64Array(3), q = new Float64Array(4), r = new Float64Array(9);
    const i = world.index(point.body), l = point.position;
    this.path = new Float32Array(3 * n);
    for (let f = 0; f < n; ++f) {
      if (i === world.ground) {
        this.path.set(l, 3 * f);
        continue;
      }
      motion.pose(i, f, 0, p, q, 0);
      rotation(q, 0, r, 0);
      for (let k = 0; k < 3; ++k) this.path[3 * f + k] = p[k] + r[3 * k] * l[0] + r[3 * k + 1] * l[1] + r[3 * k + 2] * l[2];
    }
    const line = (opacity, order) => {
      const geometry = new LineGeometry();
      geometry.setPositions(this.path);
      const object = new Line2(geometry, new LineMaterial({color: colour, linewidth: width, transparent: true, opacity}));
      object.frustumCulled = false;
      object.renderOrder = order;
      return object;
    };
    this.whole = line(0.25, 1);
    this.past = line(0.95, 2);
    this.moved = -1;
    this.now = [0, 0, 0];
  }

  update() {
    const {world, path, past: {geometry}} = this, f = Math.min(world.frame, world.motion.frames - 2);
    if (f < 0) return;
    const {array} = geometry.attributes.instanceEnd.data;
    if (this.moved >= 0) for (let k = 0; k < 3; ++k) array[6 * this.moved + 3 + k] = path[3 * this.moved + 3 + k];
    world.point(this.point.body, this.point.position, this.now);
    for (let k = 0; k < 3; ++k) array[6 * f + 3 + k] = this.now[k];
    this.moved = f;
    geometry.instanceCount = f + 1;
    geometry.attributes.instanceEnd.data.needsUpdate = true;
  }
}

export class Traces {
  /** @param {import('three').Scene} into */
  constructor(into, world) {
    this.into = into;
    this.world = world;
    this.list = [];
    this.theme = 'light';
  }

  /** @param {{key: string, body: number, position: number[]}[]} points @returns {boolean} false if there were too many */
  set(points) {
    for (const {whole, past} of this.list) {
      for (const line of [whole, past]) {
        this.into.remove(line);
        line.geometry.dispose();
        line.material.dispose();
      }
    }
    const colours = CURVES[this.theme];
    this.list = points.slice(0, MOST).map((point, i) => new Trace(this.world, point, colours[i % colours.length], 2));
    for (const {whole, past} of this.list) this.into.add(whole, past);
    this.update();
    return points.length <= MOST;
  }

  update() {
    for (const trace of this.list) trace.update();
  }

  setTheme(theme) {
    this.theme = theme;
    const colours = CURVES[theme];
    this.list.forEach(({whole, past}, i) => {
      for (const line of [whole, past]) line.material.color.set(colours[i % colours.length]);
    });
  }
}
