// Paths of points.
import {Color} from 'three';
import {Line2} from 'three/addons/lines/Line2.js';
import {LineGeometry} from 'three/addons/lines/LineGeometry.js';
import {LineMaterial} from 'three/addons/lines/LineMaterial.js';
import {CURVES, MARKS} from './colours.js';
import {rotation} from './motion.js';

export const MOST = 60; // traces
const WIDTH = 2;        // [px]

/** Not transparent, as the short pieces overlap. */
function line(path, width, order) {
  const geometry = new LineGeometry();
  geometry.setPositions(path);
  const object = new Line2(geometry, new LineMaterial({linewidth: width}));
  object.frustumCulled = false;
  object.renderOrder = order;
  return object;
}

/** A path: the whole faint, what has been strong. */
class Trace {
  constructor(world, point, width) {
    this.world = world;
    this.point = point;
    const {motion} = world, n = motion.shown, p = new Float64Array(3), q = new Float64Array(4), r = new Float64Array(9);
    const i = world.index(point.body), l = point.position;
    this.path = new Float32Array(3 * n);
    for (let f = 0; f < n; ++f) {
      if (i === world.ground) {
        this.path.set(l, 3 * f);
        continue;
      }
      motion.pose(i, motion.first + f, 0, p, q, 0);
      rotation(q, 0, r, 0);
      for (let k = 0; k < 3; ++k) this.path[3 * f + k] = p[k] + r[3 * k] * l[0] + r[3 * k + 1] * l[1] + r[3 * k + 2] * l[2];
    }
    this.whole = line(this.path, width, 1);
    this.whole.material.depthWrite = false; // what has been lies over it
    this.past = line(this.path, width, 2);
    this.moved = -1;
    this.now = [0, 0, 0];
  }

  setColours(strong, faint) {
    this.past.material.color.set(strong);
    this.whole.material.color.set(faint);
  }

  update() {
    const {world, path, past: {geometry}} = this, f = Math.min(world.frame - world.motion.first, world.motion.shown - 2);
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

  /** @param {{body: number, position: number[]}[]} points of bodies, at most MOST */
  set(points) {
    for (const {whole, past} of this.list) {
      for (const line of [whole, past]) {
        this.into.remove(line);
        line.geometry.dispose();
        line.material.dispose();
      }
    }
    this.list = points.slice(0, MOST).map(point => new Trace(this.world, point, WIDTH));
    this.setTheme(this.theme);
    for (const {whole, past} of this.list) this.into.add(whole, past);
    this.update();
  }

  update() {
    for (const trace of this.list) trace.update();
  }

  setTheme(theme) {
    this.theme = theme;
    const colours = CURVES[theme], back = new Color(MARKS[theme].back), faint = new Color();
    this.list.forEach((trace, i) => {
      const strong = colours[i % colours.length];
      trace.setColours(strong, faint.set(strong).lerp(back, 0.7));
    });
  }
}
