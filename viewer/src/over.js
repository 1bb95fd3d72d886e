// Curves of signals over another signal, as the model asks for: a chart for each unit, with a dot at the time.
import uPlot from 'uplot';
import {CURVES} from './colours.js';
import {format, make} from './dom.js';

/** Axes of a chart: numbers in few characters, in the colours of the page. */
export function axes(x, y) {
  const style = getComputedStyle(document.documentElement), font = '11px system-ui, sans-serif';
  const line = style.getPropertyValue('--line').trim(), soft = style.getPropertyValue('--soft').trim();
  const axis = {stroke: soft, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1, size: 4}, font, labelSize: 16, labelFont: font};
  const values = digits => (u, v) => v.map(number => number === null ? '' : format(number, digits));
  return [{...axis, size: 28, space: 60, label: x, values: values(6)}, {...axis, size: 62, space: 28, label: y, values: values()}];
}

export const unitText = unit => unit === '1' ? '' : unit;
const labelled = ({name, unit}) => unitText(unit) ? `${name} [${unit}]` : name;

/** Smallest and largest number with a margin; what is constant stays a line in the middle. */
function range(columns) {
  let low = Infinity, high = -Infinity;
  for (const column of columns) {
    for (const x of column) {
      if (x === null) continue;
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  }
  if (low > high) [low, high] = [0, 0];
  const half = Math.max((high - low) / 2, 5e-5 * Math.abs(low + high) / 2, low === high && !low ? 0.5 : 0) * 1.06;
  return [(low + high) / 2 - half, (low + high) / 2 + half];
}

export class OverSignal {
  /**
   * @param {import('./signals.js').Signals} signals @param {import('./clock.js').Clock} clock
   * @param {number} x signal across @param {number[]} list of one unit, upwards
   */
  constructor(signals, clock, x, list, theme, remove) {
    Object.assign(this, {signals, clock, x, list});
    this.unit = signals.list[list[0]].unit;
    this.across = signals.column(x);
    this.columns = list.map(i => signals.column(i));
    this.colours = list.map((_, k) => CURVES[theme][k % CURVES[theme].length]);
    this.element = make('div', {className: 'chart'});
    this.remove = remove;
  }

  /** When the element stands in the page. */
  open() {
    const wide = range([this.across]), high = range(this.columns);
    this.plot = new uPlot({
      width: 300, height: 150, padding: [6, 16, 0, 0], legend: {show: false},
      cursor: {drag: {x: false, y: false}, points: {show: false}},
      scales: {x: {time: false, range: () => wide}, y: {range: () => high}},
      axes: axes(labelled(this.signals.list[this.x]), this.list.length > 1 ? unitText(this.unit) : labelled(this.signals.list[this.list[0]])),
      series: [{}, {show: true, points: {show: false}}],
      hooks: {draw: [u => this.draw(u)]},
    }, [wide, [null, null]], this.element);
    this.dots = this.colours.map(colour => make('div', {className: 'dot'}));
    this.dots.forEach((dot, k) => { dot.style.background = this.colours[k]; });
    this.plot.over.append(...this.dots);
    this.plot.over.addEventListener('click', event => this.click(event));
    this.values = this.list.map(() => make('output'));
    this.legend = make('div', {className: 'legend'}, ...this.list.map((i, k) => {
      const swatch = make('i', {className: 'swatch'}), {name, doc} = this.signals.list[i];
      swatch.style.background = this.colours[k];
      const remove = make('button', {title: 'Remove the picture', ariaLabel: `Remove ${name} over ${this.signals.list[this.x].name}`}, '×');
      remove.addEventListener('click', () => this.remove(this));
      return make('div', {title: doc ?? ''}, swatch, make('span', null, name), this.values[k], ...k ? [] : [remove]);
    }));
    this.element.append(this.legend);
  }

  /** The curves, with gaps where there is no number. */
  draw(u) {
    const {ctx, bbox} = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = 1.6 * devicePixelRatio;
    ctx.lineJoin = 'round';
    this.columns.forEach((column, k) => {
      let drawn = false;
      ctx.strokeStyle = this.colours[k];
      ctx.beginPath();
      column.forEach((y, row) => {
        const x = this.across[row], there = x !== null && y !== null;
        if (there) ctx[drawn ? 'lineTo' : 'moveTo'](u.valToPos(x, 'x', true), u.valToPos(y, 'y', true));
        drawn = there;
      });
      ctx.stroke();
    });
    ctx.restore();
  }

  /** Sets the time to that of the nearest row. */
  click(event) {
    const box = this.plot.over.getBoundingClientRect(), left = event.clientX - box.left, top = event.clientY - box.top;
    let best = Infinity, found = -1;
    for (const column of this.columns) {
      column.forEach((y, row) => {
        const x = this.across[row];
        if (x === null || y === null) return;
        const far = (this.plot.valToPos(x, 'x') - left) ** 2 + (this.plot.valToPos(y, 'y') - top) ** 2;
        if (far < best) [best, found] = [far, row];
      });
    }
    if (found >= 0) this.clock.set(this.signals.time[found]);
  }

  /** The dots at part u of the way from a row to the next; write: the numbers too. */
  move(t, row, u, write) {
    const x = this.signals.between(this.x, row, u), left = this.plot.valToPos(x, 'x');
    this.list.forEach((i, k) => {
      const y = this.signals.between(i, row, u);
      this.dots[k].hidden = !Number.isFinite(x) || !Number.isFinite(y);
      this.dots[k].style.transform = `translate(${left}px, ${this.plot.valToPos(y, 'y')}px)`;
      if (write) this.values[k].textContent = `${format(y)} ${unitText(this.unit)}`;
    });
  }
}
