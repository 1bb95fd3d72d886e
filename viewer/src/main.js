// The report page: reads the data in it, builds the picture and the plots, and wires them to the clock.
import {Vector3} from 'three';
import {Clock} from './clock.js';
import {bindKeys, bindTheme, bindTransport, bindView} from './controls.js';
import {bindImpacts, fillContacts} from './contacts.js';
import {get, make} from './dom.js';
import {decodePoses, Motion} from './motion.js';
import {bindModes, prepareModes} from './modes.js';
import {bindPanel, fillPanel} from './panel.js';
import {Plots} from './plots.js';
import {Blocks, PageError} from './read.js';
import {meshGeometry} from './shapes.js';
import {Signals} from './signals.js';
import {Stage} from './stage.js';
import {upward, View} from './view.js';

/** report.html#plain draws without shadows and smooth edges. */
const PLAIN = location.hash === '#plain';

/** Lets the browser show what has been written. */
const pause = () => new Promise(resolve => setTimeout(resolve));

async function say(text) {
  const message = get('message');
  message.textContent = text ?? '';
  message.hidden = !text;
  await pause();
}

async function readMotion(blocks, scene) {
  await say('Reading the poses …');
  const time = await blocks.float64('time'), planes = new Uint8Array(await blocks.buffer('poses'));
  const channels = Motion.countChannels(scene.channels);
  if (time.length !== scene.frames || !time.length || planes.length !== 2 * channels * time.length) {
    throw new PageError('The data in this page are damaged: poses and times do not fit together. Make the report again.');
  }
  return new Motion(scene, time, decodePoses(planes, channels, time.length));
}

async function readSignals(blocks, scene) {
  await say('Reading the signals …');
  const time = await blocks.float64('value_time'), values = await blocks.planes64('values');
  if (values.length !== time.length * scene.signals.length) {
    throw new PageError('The data in this page are damaged: signals and times do not fit together. Make the report again.');
  }
  return new Signals(scene.signals, time, values);
}

async function readMeshes(blocks, scene) {
  const meshes = [];
  for (const {positions, indices} of scene.meshes ?? []) {
    meshes.push(meshGeometry(new Float32Array(await blocks.buffer(positions)), new Uint32Array(await blocks.buffer(indices))));
  }
  return meshes;
}

function openStage(scene) {
  try {
    return new Stage(get('canvas'), scene.dimension === 2, upward(scene), PLAIN);
  } catch {
    return null;
  }
}

/** The picture, or a message where this browser cannot draw it; the plots work without. */
async function openView(scene, motion, signals, meshes) {
  await say('Drawing …');
  const stage = openStage(scene);
  if (!stage) {
    for (const id of ['tools', 'gizmo']) get(id).hidden = true;
    await say('This browser does not offer WebGL 2, so the motion is not drawn. Plots and texts are complete.');
    return null;
  }
  const view = new View(stage, scene, motion, signals, meshes, PLAIN);
  await say(null);
  return view;
}

function fillHead(scene) {
  get('title').textContent = scene.title || 'holonom';
  get('subtitle').textContent = [scene.summary.find(([label]) => label === 'method')?.[1], scene.version].filter(Boolean).join(' · ');
  const notices = get('notices');
  notices.replaceChildren(...scene.notices.map(text => make('p', null, text)));
  notices.hidden = !scene.notices.length;
}

/** What tests ask the page. */
function hooks(api, {scene, motion, signals, clock, view, plots}) {
  const body = name => name === 'ground' ? -1 : scene.bodies.indexOf(name);
  return Object.assign(api, {
    frames: motion.frames, bodies: scene.bodies, length: scene.length, joints: scene.joints.length, rows: signals.rows,
    start: clock.start, end: clock.end, modes: scene.modes,
    time: () => clock.t,
    setTime: t => clock.set(t),
    play: () => clock.play(),
    pause: () => clock.pause(),
    playing: () => clock.playing,
    plotPoints: name => plots.points(name),
    plotted: () => plots.chosen.map(i => scene.signals[i].name),
    pictures: () => plots.pictures.map(({x, y}) => ({x: scene.signals[x].name, y: y.map(i => scene.signals[i].name)})),
    plot: name => plots.choose([plots.signals.number.get(name)]),
    frameTime: i => motion.time[i],
    notices: scene.notices,
    /** Global position of a point of a body as drawn. */
    position: (name, local) => view.world.point(body(name), local, [0, 0, 0]),
    /** Its place on the canvas [CSS pixels]. */
    project: (name, local) => {
      view.stage.camera.updateMatrixWorld();
      return view.stage.project(new Vector3(...view.world.point(body(name), local, [0, 0, 0])));
    },
    /** Where a body stands: position of its centre of mass, rotation matrix row after row. */
    axes: name => {
      const i = view.world.index(body(name));
      return {position: [...view.world.p.slice(3 * i, 3 * i + 3)], rotation: [...view.world.r.slice(9 * i, 9 * i + 9)]};
    },
    /** From global coordinates to those of the clip space: 4 x 4, column after column. */
    camera: () => {
      const {camera} = view.stage;
      camera.updateMatrixWorld();
      return camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).toArray();
    },
    /** Whether all shapes of a body were inferred, so that they contain its origin. */
    inferred: name => scene.shapes.every(s => s.body !== body(name) || s.inferred),
    pick: (x, y) => {
      const found = view.pick(x, y);
      return found === null ? null : scene.bodies[found];
    },
    /** The arrow of a joint's force as drawn: where it begins and its direction, not of length 1; null: there is none. */
    arrow: name => {
      const all = [...view.arrows.joints, ...view.touching.list], i = all.findIndex(one => one.name === name);
      if (i < 0) return null;
      view.arrows.visible = true;
      view.arrows.update(view.t);
      const n = view.arrows.joints.length, [set] = i < n ? view.arrows.joint : view.arrows.contact, k = i < n ? i : i - n;
      const m = set.matrices.slice(16 * k, 16 * k + 16);
      return {from: [...m.slice(12, 15)], direction: [...m.slice(8, 11)]};
    },
    /** A contact as drawn: where its disc is, along what, and how it touches; null: there is none of this name. */
    contact: name => {
      const i = view.touching.list.findIndex(one => one.name === name);
      if (i < 0) return null;
      const m = view.discs.sets[0].matrices.slice(16 * i, 16 * i + 16);
      return {at: [...m.slice(12, 15)], normal: [...m.slice(8, 11)], radius: Math.hypot(...m.slice(0, 3)), state: view.discs.states[i]};
    },
    touches: scene.touches?.rows,
    select: name => view.select(name === null ? null : body(name)),
    selected: () => view.selected === null ? null : scene.bodies[view.selected],
    follow: name => {
      view.followed = name === null ? -1 : body(name);
    },
    view: name => view.fit(name),
    /** Draws now. @returns {number} time of the script for it [ms] */
    draw: () => {
      const start = performance.now();
      view.stage.drawNow();
      return performance.now() - start;
    },
    /** Mean time of the script for moving everything to one of n times [ms], without drawing. */
    measure: (n = 60) => {
      const start = performance.now();
      for (let i = 0; i < n; ++i) view.set(clock.start + (i + 0.5) / n * (clock.end - clock.start));
      const passed = (performance.now() - start) / n;
      view.set(clock.t);
      return passed;
    },
  });
}

async function open(api) {
  const started = performance.now();
  const onTheme = bindTheme();
  const blocks = new Blocks(document);
  await say('Reading the model …');
  const scene = await blocks.json('scene');
  fillHead(scene);
  if (scene.modes) prepareModes();
  fillPanel(scene);
  const bindContacts = fillContacts(scene);
  const motion = await readMotion(blocks, scene), signals = await readSignals(blocks, scene);
  const meshes = await readMeshes(blocks, scene);
  const clock = new Clock(motion.time), repeat = bindTransport(clock);
  const impacts = bindImpacts(scene, clock);
  bindContacts?.(clock);
  const view = await openView(scene, motion, signals, meshes);
  const plots = scene.modes ? null : new Plots(signals, clock);
  if (view) {
    clock.listeners.push(t => view.set(t));
    bindView(view, plots);
  }
  onTheme(theme => {
    view?.setTheme(theme);
    view?.refreshTraces();
    plots?.setTheme(theme);
    impacts(theme);
  });
  bindPanel(() => plots?.resize());
  bindKeys(clock, view, repeat);
  plots?.chooseFirst(scene);
  api.mode = scene.modes && bindModes(scene.modes, motion, clock, () => view?.refreshTraces());
  if (api.mode) {
    api.mode(0);
    get('show-ghost').click();
  } else {
    clock.set(clock.start);
  }
  hooks(api, {scene, motion, signals, clock, view, plots});
  api.opened = performance.now() - started;
}

window.holonom = {};
window.holonom.ready = new Promise((resolve, reject) => {
  document.addEventListener('DOMContentLoaded', () => {
    open(window.holonom).then(resolve, error => {
      const known = error instanceof PageError;
      get('message').textContent = known ? error.message : `The page could not be opened: ${error.message}`;
      get('message').hidden = false;
      if (!known) console.error(error);
      reject(error);
    });
  });
});
window.holonom.ready.catch(() => {}); // told in the page
