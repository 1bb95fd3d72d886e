// Curves of signals over time, one chart for each unit, linked to the playback; above them pictures over other signals.
import uPlot from 'uplot';
import {CURVES} from './colours.js';
import {format, get, make} from './dom.js';
import {findBefore} from './motion.js';
import {axes, OverSignal, unitText} from './over.js';

const MOST_MATCHES = 200, MOST_CURVES = 100;
const LOWEST = 150, HIGHEST = 340; // [px] of a chart
const LOOKED_AT = 50; // bodies, for one that moves
const VALUES_EVERY = 80; // [ms] between changes of the numbers while playing

/** What the upright axis shows: about all that there is. */
const heights = (a, b) => a === null ? [null, null] : a === 0 && b === 0 ? [-1, 1] : uPlot.rangeNum(a, b, 0.1, true);

export class Plots {
  /** @param {import('./signals.js').Signals} signals @param {import('./clock.js').Clock} clock */
  constructor(signals, clock) {
    this.signals = signals;
    this.clock = clock;
    this.time = Array.from(signals.time);
    this.chosen = [];
    this.pictures = []; // {x, y: [..]}
    this.charts = [];
    this.theme = 'light';
    this.range = null;
    this.row = 0;
    this.written = 0;
    this.lower = signals.list.map(s => s.name.toLowerCase());
    this.box = get('charts');
    clock.listeners.push(t => this.setTime(t));
    new ResizeObserver(() => this.resize()).observe(this.box);
    this.bindSearch();
  }

  // ---- choice -----------------------------------------------------------------------------------------------

  /** What the model asks for, or a choice of ours. @param {{open: number[], plots: {x: number, y: number[]}[]}} scene */
  chooseFirst({open, plots, bodies, length}) {
    this.pictures = plots.flatMap(({x, y}) => this.byUnit(y).map(list => ({x, y: list})));
    if (open.length || this.pictures.length) this.choose(open);
    else this.chooseDefault(bodies, 1e-3 * length);
  }

  /** Lists of signals of one unit. */
  byUnit(list) {
    const units = new Map();
    for (const i of list) {
      const {unit} = this.signals.list[i];
      if (!units.has(unit)) units.set(unit, []);
      units.get(unit).push(i);
    }
    return [...units.values()];
  }

  /** Energies and where the first body is that goes farther than `far`. @param {string[]} bodies @param {number} far [m] */
  chooseDefault(bodies, far) {
    const {number} = this.signals, known = names => names.map(name => number.get(name)).filter(i => i !== undefined);
    const position = body => known(['x', 'y', 'z'].map(a => `${body}.${a}`));
    const moving = bodies.slice(0, LOOKED_AT).find(body => position(body).some(i => this.span(i) > far)) ?? bodies[0];
    const found = [...known(['energy.kinetic', 'energy.potential', 'energy.total']), ...position(moving)];
    this.choose(found.length ? found : this.signals.list.map((_, i) => i).slice(0, 3));
  }

  span(signal) {
    let low = Infinity, high = -Infinity;
    for (let row = 0; row < this.signals.rows; ++row) {
      const x = this.signals.at(signal, row);
      if (x < low) low = x;
      if (x > high) high = x;
    }
    return high - low;
  }

  choose(list) {
    this.chosen = this.signals.rows ? list.slice(0, MOST_CURVES) : [];
    this.build();
  }

  toggle(i) {
    this.choose(this.chosen.includes(i) ? this.chosen.filter(k => k !== i) : [...this.chosen, i]);
  }

  bindSearch() {
    const search = get('search'), matches = get('matches');
    const refresh = () => this.listMatches(search.value);
    search.addEventListener('input', refresh);
    search.addEventListener('focus', refresh);
    search.addEventListener('keydown', event => {
      event.stopPropagation();
      if (event.key === 'Escape') {
        matches.hidden = true;
        search.blur();
      } else if (event.key === 'Enter') matches.querySelector('button')?.click();
      else if (event.key === 'ArrowDown') {
        event.preventDefault();
        matches.querySelector('button')?.focus();
      }
    });
    matches.addEventListener('keydown', event => {
      event.stopPropagation();
      const next = {ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling'}[event.key];
      if (next) {
        event.preventDefault();
        (document.activeElement[next] ?? search).focus();
      } else if (event.key === 'Escape') {
        matches.hidden = true;
        search.focus();
      }
    });
    document.addEventListener('pointerdown', event => {
      if (!event.target.closest('#matches, #search')) matches.hidden = true;
    });
    get('plots-reset').addEventListener('click', () => this.setRange(null));
    get('plots-clear').addEventListener('click', () => {
      this.pictures = [];
      this.choose([]);
    });
  }

  /** Lists signals whose names contain all words. */
  listMatches(text) {
    const words = text.toLowerCase().split(/[\s,]+/).filter(Boolean), found = [];
    let n = 0;
    this.lower.forEach((name, i) => {
      if (words.every(w => name.includes(w)) && ++n <= MOST_MATCHES) found.push(i);
    });
    const matches = get('matches'), {list} = this.signals;
    matches.replaceChildren(...found.map(i => {
      const button = make('button', {title: list[i].doc ?? ''}, make('span', null, list[i].name), make('i', null, unitText(list[i].unit)));
      button.setAttribute('role', 'option');
      button.setAttribute('aria-selected', this.chosen.includes(i));
      button.addEventListener('click', () => {
        this.toggle(i);
        button.setAttribute('aria-selected', this.chosen.includes(i));
      });
      return button;
    }));
    if (n > found.length) matches.append(make('p', null, `and ${n - found.length} more; type more of the name`));
    if (!n) matches.append(make('p', null, 'no signal has such a name'));
    matches.hidden = false;
  }

  // ---- charts -----------------------------------------------------------------------------------------------

  build() {
    for (const chart of this.charts) chart.plot.destroy();
    const lists = this.byUnit(this.chosen);
    this.box.replaceChildren();
    this.charts = this.signals.rows ? this.pictures.map(picture => this.over(picture)) : [];
    if (!lists.length && !this.charts.length) {
      this.box.append(make('p', {className: 'empty'}, this.signals.rows
        ? 'No curves. Type part of a name above to add signals.' : 'The result holds no signals.'));
    }
    lists.forEach((list, k) => this.charts.push(this.chart(list, k + 1 === lists.length)));
    this.setTime(this.clock.t, true); // legends have their height by their numbers
    this.resize();
  }

  over(picture) {
    const chart = new OverSignal(this.signals, this.clock, picture.x, picture.y, this.theme, () => {
      this.pictures = this.pictures.filter(other => other !== picture);
      this.build();
    });
    this.box.append(chart.element);
    chart.open();
    return chart;
  }

  chart(list, last) {
    const element = make('div', {className: 'chart'}), colours = CURVES[this.theme], {unit} = this.signals.list[list[0]];
    this.box.append(element);
    const data = [this.time, ...list.map(i => this.signals.column(i))];
    const plot = new uPlot({
      width: 300, height: LOWEST, padding: [6, 16, 0, 0], legend: {show: false},
      cursor: {
        sync: {key: 'holonom', setSeries: false}, drag: {x: true, y: false, dist: 4}, points: {size: 6}, focus: {prox: 24},
        bind: {dblclick: () => () => this.setRange(null)},
      },
      scales: {x: {time: false, range: (u, a, b) => this.range ?? this.whole(a, b)}, y: {range: (u, a, b) => heights(a, b)}},
      axes: axes(last ? 'time [s]' : undefined, unitText(unit)),
      series: [{}, ...list.map((i, k) => ({
        label: this.signals.list[i].name, stroke: colours[k % colours.length], width: 1.6, points: {show: this.time.length < 30},
        dash: k < colours.length ? undefined : [6, 3],
      }))],
      hooks: {setSelect: [u => this.zoom(u)], draw: [() => this.setTime(this.clock.t, true)]},
    }, data, element);
    const now = make('div', {className: 'now'});
    plot.over.append(now);
    this.bindPointer(plot);
    const values = list.map(() => make('output'));
    const legend = make('div', {className: 'legend'}, ...list.map((i, k) => {
      const swatch = make('i', {className: 'swatch'});
      swatch.style.background = colours[k % colours.length];
      const remove = make('button', {title: 'Remove', ariaLabel: `Remove ${this.signals.list[i].name}`}, '×');
      remove.addEventListener('click', () => this.toggle(i));
      return make('div', {title: this.signals.list[i].doc ?? ''}, swatch, make('span', null, this.signals.list[i].name), values[k], remove);
    }));
    element.append(legend);
    const move = (t, row, u, write) => {
      const x = plot.valToPos(t, 'x');
      now.hidden = !(x >= 0 && x <= plot.over.clientWidth + 1);
      now.style.left = `${x}px`;
      if (write) list.forEach((i, k) => { values[k].textContent = `${format(this.signals.between(i, row, u))} ${unitText(unit)}`; });
    };
    return {plot, list, legend, element, move, overTime: true};
  }

  /** Clicking sets the time, and so does moving while nothing plays. */
  bindPointer(plot) {
    let down = null;
    const set = event => {
      const x = event.clientX - plot.over.getBoundingClientRect().left;
      this.clock.set(plot.posToVal(x, 'x'));
    };
    plot.over.addEventListener('pointerdown', event => {
      down = event.clientX;
    });
    plot.over.addEventListener('pointermove', event => {
      if (!this.clock.playing && !event.buttons) set(event);
    });
    plot.over.addEventListener('click', event => {
      if (down !== null && Math.abs(event.clientX - down) < 4) set(event);
      down = null;
    });
  }

  whole(a, b) {
    return a === b ? [a - 0.5, a + 0.5] : [a, b];
  }

  zoom(u) {
    const {left, width} = u.select;
    if (width < 4) return;
    const range = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
    u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
    this.setRange(range);
  }

  setRange(range) {
    this.range = range;
    const [min, max] = range ?? this.whole(this.time[0], this.time[this.time.length - 1]);
    for (const {plot, overTime} of this.charts) if (overTime) plot.setScale('x', {min, max});
    this.setTime(this.clock.t);
  }

  resize() {
    const width = this.box.clientWidth, n = this.charts.length;
    if (!width || !n) return;
    const legends = this.charts.reduce((h, c) => h + c.legend.offsetHeight + 10, 0);
    const height = Math.min(Math.max((this.box.clientHeight - legends) / n, LOWEST), HIGHEST);
    for (const {plot} of this.charts) plot.setSize({width, height: Math.floor(height)});
    this.setTime(this.clock.t);
  }

  /** Moves the lines and, not too often, the numbers. */
  setTime(t, now = false) {
    if (!this.charts.length) return;
    const stamp = performance.now(), write = now || !this.clock.playing || stamp - this.written > VALUES_EVERY;
    if (write) {
      this.written = stamp;
      this.row = findBefore(this.signals.time, t, this.row);
    }
    const {time} = this.signals, row = this.row;
    const u = row + 1 < time.length ? Math.min(Math.max((t - time[row]) / (time[row + 1] - time[row]), 0), 1) : 0;
    for (const chart of this.charts) chart.move(t, row, u, write);
  }

  setTheme(theme) {
    this.theme = theme;
    this.build();
  }

  /** How many points the curve of a signal has, or -1 if it is not plotted. */
  points(name) {
    const i = this.signals.number.get(name);
    for (const {plot, list, overTime} of this.charts) {
      const k = overTime ? list.indexOf(i) : -1;
      if (k >= 0) return plot.data[k + 1].length;
    }
    return -1;
  }
}
