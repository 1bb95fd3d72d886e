// Contacts: discs where shapes touch, their times on the time line, and the table.
import {Vector3} from 'three';
import {MARKS} from './colours.js';
import {get, make} from './dom.js';
import {along, Instances, OVERLAY} from './instances.js';
import {findBefore} from './motion.js';

const RADIUS = 0.16, THICK = 0.02; // of a disc, in typical lengths
const SLIDES = 0.9;                 // of the friction of sliding: what has more slides
const MOST_ROWS = 2000;             // of the table
const BEGINS = 2, NUMBERS = 4, ONSET = 4, END = 5; // places in a row of the table

/** @param {number[]} columns of a vector, -1: none @param {Vector3} out */
function vector(signals, columns, row, u, out) {
  for (let k = 0; k < 3; ++k) out.setComponent(k, columns[k] < 0 ? 0 : signals.between(columns[k], row, u));
  return out;
}

/** Contacts of a scene at one time: which touch, where, and what acts there. */
export class Touching {
  constructor(scene, signals) {
    this.signals = signals;
    this.list = scene.contacts ?? [];
    this.flat = scene.dimension === 2;
    this.length = scene.length;
    this.row = this.u = 0;
    this.friction = new Vector3();
  }

  set(t) {
    const {time, rows} = this.signals, row = this.row = findBefore(time, t, this.row);
    this.u = row + 1 < rows ? (t - time[row]) / (time[row + 1] - time[row]) : 0;
  }

  /** Normal force [N]; 0: open. */
  press(i) {
    return this.signals.between(this.list[i].F, this.row, this.u);
  }

  point(i, out) {
    vector(this.signals, this.list[i].point, this.row, this.u, out);
    if (this.flat) out.z += 2 * this.length;
    return out;
  }

  normal(i, out) {
    return vector(this.signals, this.list[i].normal, this.row, this.u, out);
  }

  /** Force on the round shape. */
  force(i, out) {
    const F = this.press(i);
    vector(this.signals, this.list[i].friction, this.row, this.u, this.friction);
    return this.normal(i, out).multiplyScalar(F).add(this.friction);
  }

  /** 'open', 'smooth' without friction, 'sticks' or 'slides'. */
  state(i) {
    const {coefficient, friction} = this.list[i], F = this.press(i);
    if (!(F > 0)) return 'open';
    if (!(coefficient > 0)) return 'smooth';
    return vector(this.signals, friction, this.row, this.u, this.friction).length() >= SLIDES * coefficient * F ? 'slides' : 'sticks';
  }
}

/** Discs along the normals where shapes touch. */
export class Discs {
  /** @param {Touching} touching */
  constructor(scene, touching) {
    this.touching = touching;
    this.length = scene.length;
    this.visible = true;
    this.theme = 'light';
    const n = touching.list.length;
    this.sets = n ? [new Instances('rod', n, OVERLAY)] : [];
    if (n) this.sets[0].mesh.renderOrder = 1;
    this.states = new Array(n).fill('');
    this.from = new Vector3();
    this.normal = new Vector3();
  }

  show(visible) {
    this.visible = visible;
    for (const set of this.sets) set.mesh.visible = visible;
  }

  update(t) {
    if (!this.visible || !this.sets.length) return;
    const {touching, from, normal, length} = this, [set] = this.sets;
    touching.set(t);
    for (let i = 0; i < touching.list.length; ++i) {
      const state = touching.state(i), open = state === 'open', thick = open ? 0 : THICK * length;
      touching.normal(i, normal);
      touching.point(i, from).addScaledVector(normal, -0.5 * thick);
      along(set.matrices, i, from, normal, thick, open ? 0 : RADIUS * length);
      if (state === this.states[i]) continue;
      this.states[i] = state;
      if (!open) set.setColour(i, MARKS[this.theme][state]);
    }
    set.changed();
  }

  paint(theme) {
    this.theme = theme;
    this.states.forEach((state, i) => MARKS[theme][state] && this.sets[0].setColour(i, MARKS[theme][state]));
  }
}

/** Onsets as strokes above the time line, and how long contacts last. @param {import('./clock.js').Clock} clock */
export function bindImpacts({touches}, clock) {
  const canvas = get('impacts'), pen = canvas.getContext('2d');
  canvas.hidden = !touches?.rows.length;
  if (canvas.hidden) return () => {};
  const draw = theme => {
    const width = canvas.clientWidth, height = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const place = t => (t - clock.start) / (clock.end - clock.start || 1) * width;
    pen.fillStyle = MARKS[theme].lasts;
    for (const row of touches.rows) pen.fillRect(place(row[ONSET]), height - 2, Math.max(place(row[END]) - place(row[ONSET]), 1), 2);
    pen.fillStyle = MARKS[theme].slides;
    for (const row of touches.rows) if (row[BEGINS] === 'met') pen.fillRect(place(row[ONSET]) - 0.5, 0, 1.2, height);
  };
  let last = 'light';
  new ResizeObserver(() => draw(last)).observe(canvas);
  return theme => draw(last = theme);
}

/** The tab with the table: a line each; a click goes to its onset. */
export function fillContacts({touches}) {
  if (!touches) return null;
  get('tab-contacts').hidden = false;
  const names = ['contact', 'shapes', 'begins', 'ends'], {columns, rows} = touches;
  const head = [...names.map(name => make('th', {scope: 'col'}, name)),
    ...columns.map(({name, unit, doc}) => make('th', {scope: 'col', title: doc}, `${name} [${unit}]`))];
  const lines = rows.slice(0, MOST_ROWS).map(row => make('tr', {tabIndex: 0},
    ...row.map((value, k) => make('td', null, k < NUMBERS ? value : value === null ? '' : Number(value.toPrecision(5)).toString()))));
  const table = make('table', {className: 'contacts'}, make('thead', null, make('tr', null, ...head)), make('tbody', null, ...lines));
  const text = rows.length > MOST_ROWS ? `The first ${MOST_ROWS} of ${rows.length} contacts.` : rows.length ? '' : 'Nothing has touched.';
  get('contacts').append(...text ? [make('p', null, text)] : [], table);
  return clock => lines.forEach((line, i) => {
    const go = () => {
      clock.pause();
      clock.set(rows[i][ONSET]);
    };
    line.addEventListener('click', go);
    line.addEventListener('keydown', event => event.key === 'Enter' && go());
  });
}
