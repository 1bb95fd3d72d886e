// Arrows of the joints' reaction forces, and of those of contacts.
import {Quaternion, Vector3} from 'three';
import {MARKS} from './colours.js';
import {along, Instances, OVERLAY} from './instances.js';
import {findBefore} from './motion.js';

const SAMPLES = 200; // rows looked at for the usual size of a force
const LENGTH = 0.8;  // of its arrow, in typical lengths

export class Arrows {
  /**
   * @param {object} scene @param {import('./motion.js').World} world @param {import('./signals.js').Signals} signals
   * @param {import('./contacts.js').Touching} touching
   */
  constructor(scene, world, signals, touching) {
    this.scene = scene;
    this.world = world;
    this.signals = signals;
    this.joints = scene.joints.filter(j => j.reaction && j.ends.length && j.reaction.columns.some(c => c >= 0));
    this.touching = touching;
    this.count = this.joints.length + touching.list.length;
    this.scale = 1;
    this.visible = false;
    this.unit = this.usual();
    this.joint = this.pair(this.joints.length, {});
    this.contact = this.pair(touching.list.length, OVERLAY); // between shapes, which would hide them
    this.sets = [...this.joint, ...this.contact];
    for (const set of this.sets) set.mesh.visible = false;
    this.row = 0;
    this.force = new Vector3();
    this.from = new Vector3();
    this.turn = new Quaternion();
    this.own = new Quaternion();
    this.out = [0, 0, 0];
  }

  /** Shafts and heads of n arrows; none of them: no sets. */
  pair(n, options) {
    const sets = n ? [new Instances('rod', n, options), new Instances('head', n, options)] : [];
    for (const {mesh} of sets) mesh.renderOrder = options.depthTest === false ? 2 : 0;
    return sets;
  }

  /** Force which is drawn with LENGTH: nine of ten are smaller. */
  usual() {
    const sizes = [], {rows} = this.signals;
    const forces = [...this.joints.map(({reaction}) => reaction.columns), ...this.touching.list.map(({F}) => [F])];
    for (const columns of forces) {
      for (let k = 0; k < SAMPLES; ++k) {
        const row = Math.floor(k * (rows - 1) / (SAMPLES - 1));
        const size = Math.hypot(...columns.map(c => c < 0 ? 0 : this.signals.at(c, row)));
        if (Number.isFinite(size) && (columns.length > 1 || size > 0)) sizes.push(size);
      }
    }
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(0.9 * sizes.length)] || 1;
  }

  show(visible) {
    this.visible = visible;
    for (const set of this.sets) set.mesh.visible = visible;
  }

  /** The force of a joint and where it acts, into this.force and this.from. */
  ofJoint({reaction, ends}, row, u) {
    const {world, signals, force, from, turn, own, out} = this, end = ends[ends.length - 1];
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
    if (this.scene.dimension === 2) from.z += 2 * this.scene.length;
  }

  /** Arrow i of a pair of sets from this.from along this.force. */
  place([shafts, heads], i, full, thick) {
    const {scene, force, from} = this, length = force.length() * full;
    if (!(length > 1e-6 * scene.length)) { // none, or not known
      along(shafts.matrices, i, from, force.set(0, 0, 1), 0, 0);
      along(heads.matrices, i, from, force, 0, 0);
      return;
    }
    const head = Math.min(0.4 * length, 0.16 * scene.length);
    along(shafts.matrices, i, from, force, length - head, thick);
    from.addScaledVector(force, length / force.length());
    along(heads.matrices, i, from, force, head, head * 0.38);
  }

  /** Forces at time t. */
  update(t) {
    if (!this.visible || !this.sets.length) return;
    const {scene, signals, touching, joints} = this;
    const row = this.row = findBefore(signals.time, t, this.row);
    const u = row + 1 < signals.rows ? (t - signals.time[row]) / (signals.time[row + 1] - signals.time[row]) : 0;
    const full = LENGTH * scene.length * this.scale / this.unit, thick = 0.018 * scene.length;
    for (let i = 0; i < joints.length; ++i) {
      this.ofJoint(joints[i], row, u);
      this.place(this.joint, i, full, thick);
    }
    touching.set(t);
    for (let i = 0; i < touching.list.length; ++i) {
      touching.force(i, this.force);
      touching.point(i, this.from);
      this.place(this.contact, i, full, thick);
    }
    for (const set of this.sets) set.changed();
  }

  paint(theme) {
    for (const set of this.sets) for (let i = 0; i < set.count; ++i) set.setColour(i, MARKS[theme].force);
  }
}
