// The picture: everything that is drawn of a scene at the time of the clock, and what is marked in it.
import {Raycaster, Vector2, Vector3} from 'three';
import {Arrows} from './arrows.js';
import {MARKS} from './colours.js';
import {Discs, Touching} from './contacts.js';
import {get} from './dom.js';
import {Gizmo} from './gizmo.js';
import {Labels} from './labels.js';
import {World} from './motion.js';
import {Shapes} from './shapes.js';
import {Symbols} from './symbols.js';
import {Traces} from './traces.js';

const SAMPLES = 40, FEWEST = 5, SPHERES = 2e5; // poses looked at to see where the motion goes, and what of them is looked at
const TRAVELS = 3;  // sizes of the mechanism; one that goes farther is followed
const PICK = 4;     // [px]

/** The axis nearest to the opposite of gravity; z (planar: y) if there is none. */
export function upward({gravity, dimension}) {
  const up = dimension === 2 ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
  if (!gravity || Math.hypot(...gravity) === 0) return up;
  const k = gravity.reduce((best, g, i) => Math.abs(g) > Math.abs(gravity[best]) ? i : best, 0);
  return new Vector3().setComponent(k, -Math.sign(gravity[k]));
}

/** One list of all. @param {ArrayLike<number>[]} lists */
function join(lists) {
  const joined = new Float64Array(lists.reduce((n, list) => n + list.length, 0));
  lists.reduce((o, list) => (joined.set(list, o), o + list.length), 0);
  return joined;
}

export class View {
  /**
   * @param {import('./stage.js').Stage} stage
   * @param {object} scene
   * @param {import('./motion.js').Motion} motion
   * @param {import('./signals.js').Signals} signals
   * @param {import('three').BufferGeometry[]} meshes
   * @param {boolean} plain without shadows
   */
  constructor(stage, scene, motion, signals, meshes, plain) {
    this.stage = stage;
    this.scene = scene;
    this.flat = scene.dimension === 2;
    this.motion = motion;
    this.world = new World(motion);
    this.theme = 'light';
    this.selected = null;
    this.loop = -1;
    this.followed = -1;
    this.t = motion.time[0];
    /** called when another body is picked */
    this.onPick = () => {};
    this.shapes = new Shapes(scene, meshes, this.world, !plain);
    this.symbols = new Symbols(scene, this.world, stage.up);
    this.touching = new Touching(scene, signals);
    this.discs = new Discs(scene, this.touching);
    this.arrows = new Arrows(scene, this.world, signals, this.touching);
    this.traces = new Traces(this.stage.scene, this.world);
    this.labels = new Labels(get('labels'), this.stage, this.world);
    this.gizmo = new Gizmo(get('gizmo'));
    for (const set of [...this.shapes.sets, ...this.symbols.sets, ...this.discs.sets, ...this.arrows.sets]) this.stage.scene.add(set.mesh);
    this.ray = new Raycaster();
    this.mouse = new Vector2();
    this.before = new Vector3();
    this.after = new Vector3();
    this.out = [0, 0, 0];
    this.stage.prepare = () => {
      this.labels.update();
      this.gizmo.draw(this.stage.camera);
    };
    this.stage.refit = () => this.fit();
    this.frame();
    if (this.shapes.castsShadows) this.stage.castShadows();
    this.bindPicking();
  }

  /** Looks at the whole motion, or goes with the largest body if that travels far. */
  frame() {
    const {motion, world, shapes, stage, scene} = this, up = stage.up;
    const all = [];
    let low = Infinity, first = null;
    const samples = Math.min(Math.max(SPHERES / (2 * shapes.count || 1), FEWEST), SAMPLES);
    const step = Math.max(1, (motion.frames - 1) / samples);
    for (let f = 0; f < motion.frames; f += step) {
      world.set(motion.time[Math.floor(f)]);
      shapes.update();
      const s = shapes.spheres();
      low = Math.min(low, shapes.lowest(up));
      first ??= s;
      all.push(s);
    }
    world.set(motion.time[0]);
    const feet = this.feet(), joined = join([...all, feet]);
    const near = this.sizeOf(join([first, feet])), far = this.sizeOf(joined), travels = near > 0 && far > TRAVELS * near;
    const ground = low > -0.02 * near && low < 0.5 * near ? 0 : low - 0.02 * scene.length;
    const seen = travels ? first : joined;
    stage.setExtent(seen.length ? seen : new Float64Array([0, 0, 0, scene.length]), scene.length, Number.isFinite(ground) ? ground : 0);
    if (travels) this.followed = this.mostJoined();
    stage.fit(stage.direction('iso'));
  }

  sizeOf(spheres) {
    if (!spheres.length) return 0;
    this.stage.setExtent(spheres, this.scene.length, 0);
    return this.stage.size;
  }

  /** Spheres around all ends on ground. */
  feet() {
    const feet = [];
    for (const {ends} of this.scene.joints) {
      for (const {body, position} of ends) if (body < 0) feet.push(...position, 0.15 * this.scene.length);
    }
    return feet;
  }

  /** The body with the most ends of joints and forces. */
  mostJoined() {
    const ends = new Int32Array(this.motion.bodies);
    for (const joint of this.scene.joints) for (const {body} of joint.ends) if (body >= 0) ++ends[body];
    return ends.reduce((best, n, i) => n > ends[best] ? i : best, 0);
  }

  /** Moves everything to time t. */
  set(t) {
    const {world, stage} = this;
    this.t = t;
    const follow = this.followed >= 0;
    if (follow) this.before.fromArray(world.p, 3 * this.followed);
    world.set(t);
    if (follow) stage.shift(this.after.fromArray(world.p, 3 * this.followed).sub(this.before));
    this.shapes.update();
    this.symbols.update();
    this.discs.update(t);
    this.arrows.update(t);
    this.traces.update();
    stage.draw();
  }

  /** Fits as at the start: what travels is looked at where it is. @param {'front' | 'top' | 'iso'} [view] */
  fit(view) {
    const {stage} = this;
    stage.touched = false;
    const direction = view && stage.direction(view);
    stage.fit(direction);
    if (this.followed >= 0) { // the spheres are those of the start
      const start = new Float64Array(3), q = new Float64Array(4);
      this.motion.pose(this.followed, 0, 0, start, q, 0);
      stage.shift(this.after.fromArray(this.world.p, 3 * this.followed).sub(this.before.fromArray(start)));
      stage.controls.update();
    }
  }

  setTheme(theme) {
    this.theme = theme;
    this.stage.setTheme(theme);
    this.traces.setTheme(theme);
    this.paint();
  }

  select(body) {
    this.selected = body;
    this.paint();
    this.onPick(body);
  }

  setLoop(loop) {
    this.loop = loop;
    this.paint();
  }

  /** Colours all by what is marked. */
  paint() {
    const marks = MARKS[this.theme], loop = this.scene.loops[this.loop];
    const bodies = loop && new Set(loop.bodies), joints = loop && new Set(loop.joints);
    this.shapes.paint(this.theme, body => {
      if (body === this.selected && body >= 0) return marks.select;
      if (!loop || body < 0) return null;
      return bodies.has(body) ? marks.loop : marks.dim;
    });
    this.symbols.paint(this.theme, joint => loop ? joints.has(joint) ? marks.select : marks.dim : null);
    this.discs.paint(this.theme);
    this.arrows.paint(this.theme);
    this.stage.draw();
  }

  showGhost(on) {
    if (on && !this.shapes.ghosts) {
      const start = new World(this.motion);
      for (const set of this.shapes.makeGhosts(start)) this.stage.scene.add(set.mesh);
      this.paint();
    }
    for (const set of this.shapes.ghosts ?? []) set.mesh.visible = on;
    this.stage.draw();
  }

  /** A click picks, a drag does not. */
  bindPicking() {
    const {canvas} = this.stage;
    let down = null;
    canvas.addEventListener('pointerdown', event => {
      down = event.isPrimary ? [event.clientX, event.clientY] : null;
      this.stage.touched = true;
    });
    canvas.addEventListener('wheel', () => {
      this.stage.touched = true;
    }, {passive: true});
    canvas.addEventListener('pointerup', event => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4) {
        const box = canvas.getBoundingClientRect();
        this.select(this.pick(event.clientX - box.left, event.clientY - box.top));
      }
      down = null;
    });
  }

  /** Body at a place of the canvas in CSS pixels; null for none. */
  pick(x, y) {
    const {canvas, camera, controls} = this.stage;
    this.mouse.set(x / canvas.clientWidth * 2 - 1, 1 - y / canvas.clientHeight * 2);
    this.ray.setFromCamera(this.mouse, camera);
    const body = this.shapes.pick(this.ray.ray, PICK * this.stage.pixel(controls.target));
    return body === null || body < 0 ? null : body;
  }
}
