// Symbols of joints, drivers and forces, and the feet of those on ground.
import {DynamicDrawUsage, Quaternion, Vector3} from 'three';
import {MARKS} from './colours.js';
import {along, Attached, Instances} from './instances.js';
import {rotation} from './motion.js';

const Z = [0, 0, 1];

/** What stands for a type: parts [kind, colour, scale of x y z in typical lengths]. */
const PIN = [['cylinder', 'symbol', [0.055, 0.055, 0.14]], ['cylinder', 'pin', [0.033, 0.033, 0.17]]];
const BALL = [['sphere', 'symbol', [0.068, 0.068, 0.068]]];
const SLIDER = [['box', 'symbol', [0.12, 0.12, 0.24]]];
const SQUARE = [['box', 'symbol', [0.11, 0.11, 0.11]]];
const DOT = [['sphere', 'symbol', [0.04, 0.04, 0.04]]];
const SYMBOLS = {
  revolute: PIN, universal: PIN, gear: PIN, 'parallel-axes': DOT, spherical: BALL, 'constant-velocity': BALL,
  translational: SLIDER, cylindrical: [...SLIDER, PIN[1]], screw: [...SLIDER, PIN[1]], 'in-line': SLIDER, 'rack-pinion': DOT,
  fixed: SQUARE, bushing: SQUARE, 'rotational-spring-damper': [['ring', 'spring', [0.09, 0.09, 0.09]]],
  torque: [['ring', 'driver', [0.09, 0.09, 0.09]]],
};
const DRIVER = [['ring', 'driver', [0.1, 0.1, 0.1]]];
const SLIDES = new Set(['translational', 'cylindrical', 'in-line', 'screw', 'stroke']);

const isSpring = type => type.includes('spring') && !type.includes('rotational');

/** How something with two ends is drawn between them, if it is. */
function line(joint, apart) {
  if (joint.ends.length < 2 || joint.type === 'contact') return null; // shapes are what touches
  if (isSpring(joint.type)) return 'spring';
  if (joint.type === 'distance' || joint.type === 'beam') return 'rod';
  return apart && !SYMBOLS[joint.type] ? 'rod' : null;
}

const quaternion = q => new Quaternion(q[1], q[2], q[3], q[0]);

/** Symbols which are fixed to the last end. */
class Parts {
  constructor(scene, world, up, layer) {
    const groups = new Map();
    const add = (joint, body, position, turn, [kind, colour, scale]) => {
      if (!groups.has(kind)) groups.set(kind, []);
      groups.get(kind).push({joint, body, position, turn, colour, scale: scale.map(x => x * scene.length)});
    };
    const flat = scene.dimension === 2;
    scene.joints.forEach((joint, j) => {
      const end = joint.ends[joint.ends.length - 1];
      if (!end) return;
      let q = end.quaternion;
      if (flat && SLIDES.has(joint.type)) { // x is the axis of a planar slider
        const t = quaternion(q).multiply(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(1, 0, 0)));
        q = [t.w, t.x, t.y, t.z];
      }
      const turn = rotation(q, 0, new Float64Array(9), 0);
      const place = flat ? [end.position[0], end.position[1], layer] : end.position;
      for (const part of parts(joint)) add(j, end.body, place, turn, part);
      for (const {body, position} of joint.ends) {
        if (body >= 0 || joint.kind === 'driver' || joint.type === 'contact' || joint.ends.length < 2) continue;
        const foot = new Quaternion().setFromUnitVectors(new Vector3(...Z), up);
        const m = rotation([foot.w, foot.x, foot.y, foot.z], 0, new Float64Array(9), 0);
        add(j, -1, flat ? [position[0], position[1], -0.3 * scene.length] : position, m, ['anchor', 'ground', [0.13, 0.13, 0.13]]);
      }
    });
    this.groups = [...groups.values()];
    this.sets = [...groups].map(([kind, group]) => {
      const set = new Attached(kind, group.length);
      group.forEach((s, i) => set.place(i, world.index(s.body), s.position, s.turn, s.scale));
      set.mesh.castShadow = !flat;
      return set;
    });
  }
}

function parts(joint) {
  if (joint.kind === 'driver') return joint.type === 'distance' ? [] : DRIVER;
  if (joint.kind === 'joint') return SYMBOLS[joint.type] ?? DOT;
  return SYMBOLS[joint.type] ?? [];
}

/** Springs and rods between two ends. */
class Links {
  constructor(scene, world) {
    this.scene = scene;
    this.world = world;
    const a = [0, 0, 0], b = [0, 0, 0];
    const groups = {spring: [], rod: []};
    scene.joints.forEach((joint, j) => {
      const [from, to] = joint.ends;
      const apart = to && distance(world.point(from.body, from.position, a), world.point(to.body, to.position, b)) > 0.02 * scene.length;
      const kind = line(joint, apart);
      if (kind) groups[kind].push(j);
    });
    this.joints = Object.values(groups).filter(g => g.length);
    this.sets = Object.entries(groups).filter(([, g]) => g.length).map(([kind, g]) => {
      const set = new Instances(kind === 'rod' ? 'capsule' : kind, g.length);
      set.sizes.setUsage(DynamicDrawUsage);
      set.radius = scene.length * (kind === 'spring' ? 0.06 : 0.018);
      set.mesh.castShadow = scene.dimension === 3;
      return set;
    });
    this.a = new Vector3();
    this.b = new Vector3();
    this.out = [0, 0, 0];
  }

  update() {
    const {scene, world, a, b, out} = this, lift = scene.dimension === 2 ? 1.5 * scene.length : 0;
    this.sets.forEach((set, s) => {
      const joints = this.joints[s];
      for (let i = 0; i < joints.length; ++i) {
        const {ends} = scene.joints[joints[i]];
        a.fromArray(world.point(ends[0].body, ends[0].position, out));
        b.fromArray(world.point(ends[1].body, ends[1].position, out)).sub(a);
        a.z += lift;
        const length = b.length();
        along(set.matrices, i, a.addScaledVector(b, 0.5), length > 0 ? b : b.set(0, 0, 1), 1, 1);
        set.size[2 * i] = set.radius;
        set.size[2 * i + 1] = length;
      }
      set.sizes.needsUpdate = true;
      set.changed();
    });
  }
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

export class Symbols {
  /** @param {object} scene @param {import('./motion.js').World} world @param {Vector3} up */
  constructor(scene, world, up) {
    this.scene = scene;
    this.world = world;
    this.parts = new Parts(scene, world, up, 1.6 * scene.length);
    this.links = new Links(scene, world);
    this.sets = [...this.parts.sets, ...this.links.sets];
  }

  /** @param {boolean} joints @param {boolean} links whether they are seen */
  show(joints, links) {
    for (const set of this.parts.sets) set.mesh.visible = joints;
    for (const set of this.links.sets) set.mesh.visible = links;
  }

  update() {
    for (const set of this.parts.sets) if (set.mesh.visible) set.update(this.world);
    if (this.links.sets.some(set => set.mesh.visible)) this.links.update();
  }

  /** @param {(joint: number) => string | null} mark colour of what is marked */
  paint(theme, mark) {
    const marks = MARKS[theme];
    this.parts.groups.forEach((group, g) => group.forEach(({joint, colour}, i) =>
      this.parts.sets[g].setColour(i, colour === 'symbol' && mark(joint) || marks[colour])));
    this.links.joints.forEach((joints, s) => joints.forEach((j, i) =>
      this.links.sets[s].setColour(i, mark(j) ?? (this.scene.joints[j].kind === 'driver' ? marks.driver : marks.spring))));
  }
}
