// Playback: the time shown, running or not.

/** Multiples of the natural speed that can be chosen. */
export const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10];
const SHORT = 2, LONG = 60, WANTED = 6; // [s] a motion that lasts between the two plays in real time

/** The number of the form 1, 2 or 5 times a power of ten nearest below x. */
export function roundDown(x) {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9), m = x / power;
  return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * power;
}

export class Clock {
  /** @param {Float64Array} time of the frames [s] */
  constructor(time) {
    this.times = time;
    /** called when another part of the times is played */
    this.onRange = () => {};
    this.range(time[0], time[time.length - 1]);
    /** time that is shown as 0 */
    this.zero = 0;
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    this.last = 0;
    /** called with the time after every change */
    this.listeners = [];
    /** called when playing starts or stops */
    this.onState = () => {};
    this.tick = this.tick.bind(this);
  }

  /** Plays the times between two. */
  range(start, end) {
    const duration = end - start;
    this.start = this.zero = this.t = start;
    this.end = end;
    /** simulated seconds per second at speed 1 */
    this.base = duration >= SHORT && duration <= LONG || !(duration > 0) ? 1 : roundDown(duration / WANTED);
    this.onRange();
  }

  set(t) {
    this.t = Math.min(Math.max(t, this.start), this.end);
    for (const listener of this.listeners) listener(this.t);
  }

  /** To the frame before (-1) or after (1). */
  step(direction) {
    this.pause();
    const {times} = this, small = 1e-9 * (this.end - this.start);
    let i = 0;
    if (direction > 0) while (i < times.length - 1 && times[i] <= this.t + small) ++i;
    else for (i = times.length - 1; i > 0 && times[i] >= this.t - small;) --i;
    this.set(times[i]);
  }

  play() {
    if (this.playing || !(this.end > this.start)) return;
    if (this.t >= this.end) this.set(this.start);
    this.playing = true;
    this.last = performance.now();
    this.onState();
    requestAnimationFrame(this.tick);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.onState();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  tick(now) {
    if (!this.playing) return;
    const passed = Math.min(Math.max(now - this.last, 0), 250) / 1000;
    this.last = now;
    let t = this.t + passed * this.speed * this.base;
    if (t > this.end) {
      if (this.loop) t = this.start + (t - this.end) % (this.end - this.start);
      else this.pause();
    }
    this.set(t);
    if (this.playing) requestAnimationFrame(this.tick);
  }
}
