// Arrows of the joints' reaction forces.
import {Quaternion, Vector3} from 'three';
import {MARKS} from './colours.js';
import {along, Instances} from './instances.js';
import {findBefore} from './motion.js';

const SAMPLES = 200; // rows looked at for the usual size of a force
const LENGTH = 0.8;  // of its arrow, in typical lengths

export class Arrows {
  /** @param {object} scene @param {import('./motion.js').World} world @param {import('./signals.js').Signals} signals */
  constructor(scene, world, signals) {
    this.scene = scene;
    this.world = world;
    this.signals = signals;
    this.joints = scene.joints.filter(j => j.reaction && j.ends.length && j.reaction.columns.some(c => c >= 0));
    this.scale = 1;
    this.visible = false;
    this.unit = this.usual();
    this.sets = this.joints.length ? [new Instances('rod', this.joints.length), new Instances('head', this.joints.length)] : [];
    for (const set of this.sets) set.mesh.visible = false;
    this.row = 0;
    this.force = new Vector3();
    this.from = new Vector3();
    this.turn = new Quaternion();
    this.own = new Quaternion();
    this.out = [0, 0, 0];
  }

  /** Force which is drawn with LENGTH: nine of ten are smaller. */
  usual() {
    const sizes = [], {rows} = this.signals;
    for (const {reaction} of this.joints) {
      for (let k = 0; k < SAMPLES; ++k) {
        const row = Math.floor(k * (rows - 1) / (SAMPLES - 1));
        const size = Math.hypot(...reaction.columns.map(c => c < 0 ? 0 : this.signals.at(c, row)));
        if (Number.isFinite(size)) sizes.push(size);
      }
    }
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(0.9 * sizes.length)] || 1;
  }

  show(visible) {
    this.visible = visible;
    for (const set of this.sets) set.mesh.visible = visible;
  }

  /** Forces at time t. */
  update(t) {
    if (!this.visible || !this.sets.length) return;
    const {scene, world, signals, force, from, turn, own, out} = this, [shafts, heads] = this.sets;
    const row = this.row = findBefore(signals.time, t, this.row);
    const u = row + 1 < signals.rows ? (t - signals.time[row]) / (signals.time[row + 1] - signals.time[row]) : 0;
    const full = LENGTH * scene.length * this.scale / this.unit, thick = 0.018 * scene.length;
    for (let i = 0; i < this.joints.length; ++i) {
      const {reaction, ends} = this.joints[i], end = ends[ends.length - 1];
      force.set(0, 0, 0);
      for (let k = 0; k < 3; ++k) {
        const c = reaction.columns[k];
        if (c >= 0) force.setComponent(k, signals.between(c, row, u));
      }
      if (reaction.axes === 'end') {
        const q = end.quaternion, b = 4 * world.index(end.body);
        turn.set(world.q[b + 1], world.q[b + 2], world.q[b + 3], world.q[b]).multiply(own.set(q[1], q[2], q[3], q[0]));
        force.applyQuaternion(turn);
      }
      from.fromArray(world.point(end.body, end.position, out));
      if (scene.dimension === 2) from.z += 2 * scene.length;
      const length = force.length() * full;
      if (!(length > 1e-6 * scene.length)) { // none, or not known
        along(shafts.matrices, i, from, force.set(0, 0, 1), 0, 0);
        along(heads.matrices, i, from, force, 0, 0);
        continue;
      }
      const head = Math.min(0.4 * length, 0.16 * scene.length);
      along(shafts.matrices, i, from, force, length - head, thick);
      from.addScaledVector(force, length / force.length());
      along(heads.matrices, i, from, force, head, head * 0.38);
    }
    shafts.changed();
    heads.changed();
  }

  paint(theme) {
    for (const set of this.sets) for (let i = 0; i < set.count; ++i) set.setColour(i, MARKS[theme].force);
  }
}
