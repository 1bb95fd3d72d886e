// Poses over time: 16-bit numbers as they are stored, turned to frame after frame; the world at one time.

/** Channels of a body by its letter: planar, point, spatial. */
const CHANNELS = {p: 3, o: 3, s: 7};
const TILE = 32; // channels turned together
const ANGLE = 2 * Math.PI / 65536;

/**
 * Undoes the coding of block "poses": zigzag, second differences along time, low bytes before high bytes.
 * @param {Uint8Array} planes 2 x channels x frames bytes, channel after channel
 * @returns {Uint16Array} frames x channels, frame after frame
 */
export function decodePoses(planes, channels, frames) {
  const poses = new Uint16Array(channels * frames);
  const high = channels * frames;
  const tile = new Uint16Array(TILE * frames);
  for (let first = 0; first < channels; first += TILE) {
    const width = Math.min(TILE, channels - first);
    for (let c = 0; c < width; ++c) {
      const from = (first + c) * frames;
      let x1 = 0, x2 = 0;
      for (let f = 0; f < frames; ++f) {
        const u = planes[from + f] | planes[high + from + f] << 8;
        const d = u >>> 1 ^ -(u & 1);
        const x = (f < 2 ? x1 : 2 * x1 - x2) + d & 0xffff;
        tile[c * frames + f] = x;
        x2 = x1;
        x1 = x;
      }
    }
    for (let f = 0, to = first; f < frames; ++f, to += channels) {
      for (let c = 0, from = f; c < width; ++c, from += frames) poses[to + c] = tile[from];
    }
  }
  return poses;
}

/** Index of the last element which is not after x, found from a guess; 0 if all are. */
export function findBefore(array, x, guess) {
  let i = Math.min(Math.max(guess, 0), array.length - 1);
  if (array[i] <= x && (i + 1 === array.length || array[i + 1] > x)) return i;
  let low = 0, high = array.length;
  while (high - low > 1) {
    i = low + high >> 1;
    if (array[i] <= x) low = i;
    else high = i;
  }
  return low;
}

/** The motion of all bodies. */
export class Motion {
  /**
   * @param {{channels: string, frames: number, box: {min: number[], max: number[]}}} scene
   * @param {Float64Array} time of each frame [s]
   * @param {Uint16Array} poses frames x channels
   */
  constructor(scene, time, poses) {
    this.kinds = scene.channels;
    this.bodies = scene.channels.length;
    this.frames = time.length;
    this.time = time;
    this.poses = poses;
    this.channels = Motion.countChannels(scene.channels);
    this.show(0, this.frames);
    this.min = scene.box.min;
    this.unit = Math.max(...scene.box.max.map((x, i) => x - scene.box.min[i])) / 65535;
    this.offset = new Int32Array(this.bodies);
    for (let i = 1; i < this.bodies; ++i) this.offset[i] = this.offset[i - 1] + CHANNELS[this.kinds[i - 1]];
  }

  /** Frames that are played: paths are drawn along them. */
  show(first, frames) {
    this.first = first;
    this.shown = frames;
  }

  static countChannels(kinds) {
    let n = 0;
    for (const kind of kinds) n += CHANNELS[kind];
    return n;
  }

  /**
   * Pose of a body between frame f and the next: lengths linear, angles the short way, quaternions linear and made unit.
   * @param {number} u part of the way to frame f + 1
   * @param {Float64Array} p 3 numbers written from 3*i on @param {Float64Array} q 4 numbers written from 4*i on
   */
  pose(body, f, u, p, q, i) {
    const {poses, channels, unit, min} = this;
    const a = f * channels + this.offset[body], b = f + 1 < this.frames ? a + channels : a;
    const kind = this.kinds.charCodeAt(body);
    p[3 * i] = min[0] + unit * (poses[a] + u * (poses[b] - poses[a]));
    p[3 * i + 1] = min[1] + unit * (poses[a + 1] + u * (poses[b + 1] - poses[a + 1]));
    if (kind === 112) { // p
      const turn = poses[b + 2] - poses[a + 2] << 16 >> 16;
      const half = 0.5 * ANGLE * (poses[a + 2] + u * turn);
      p[3 * i + 2] = 0;
      q[4 * i] = Math.cos(half);
      q[4 * i + 1] = q[4 * i + 2] = 0;
      q[4 * i + 3] = Math.sin(half);
      return;
    }
    p[3 * i + 2] = min[2] + unit * (poses[a + 2] + u * (poses[b + 2] - poses[a + 2]));
    if (kind === 111) { // o
      q[4 * i] = 1;
      q[4 * i + 1] = q[4 * i + 2] = q[4 * i + 3] = 0;
      return;
    }
    let dot = 0;
    for (let k = 3; k < 7; ++k) dot += (poses[a + k] - 32768) * (poses[b + k] - 32768);
    const v = dot < 0 ? -u : u;
    let norm = 0;
    for (let k = 0; k < 4; ++k) {
      const x = (1 - u) * (poses[a + 3 + k] - 32768) + v * (poses[b + 3 + k] - 32768);
      q[4 * i + k] = x;
      norm += x * x;
    }
    norm = 1 / Math.sqrt(norm || 1);
    for (let k = 0; k < 4; ++k) q[4 * i + k] *= norm;
  }
}

/** Where everything is at one time. Ground has the place after the last body. */
export class World {
  /** @param {Motion} motion */
  constructor(motion) {
    const n = motion.bodies + 1;
    this.motion = motion;
    this.ground = motion.bodies;
    /** origins, 3 per body */
    this.p = new Float64Array(3 * n);
    /** unit quaternions w x y z, 4 per body */
    this.q = new Float64Array(4 * n);
    /** rotation matrices, 9 per body, row after row */
    this.r = new Float64Array(9 * n);
    this.q[4 * this.ground] = 1;
    this.frame = 0;
    rotation(this.q, 4 * this.ground, this.r, 9 * this.ground);
    this.set(motion.time[0]);
  }

  /** Number of a body of the scene, in which ground is -1. */
  index(body) {
    return body < 0 ? this.ground : body;
  }

  /** Moves everything to time t. */
  set(t) {
    const {motion} = this, {time} = motion;
    const f = this.frame = findBefore(time, t, this.frame);
    const u = f + 1 < time.length ? Math.min(Math.max((t - time[f]) / (time[f + 1] - time[f]), 0), 1) : 0;
    for (let i = 0; i < motion.bodies; ++i) {
      motion.pose(i, f, u, this.p, this.q, i);
      rotation(this.q, 4 * i, this.r, 9 * i);
    }
  }

  /** Global position of a point given in body axes; out gets 3 numbers. */
  point(body, local, out) {
    const i = this.index(body), {p, r} = this;
    for (let k = 0; k < 3; ++k) {
      out[k] = p[3 * i + k] + r[9 * i + 3 * k] * local[0] + r[9 * i + 3 * k + 1] * local[1] + r[9 * i + 3 * k + 2] * local[2];
    }
    return out;
  }
}

/** Rotation matrix of a unit quaternion w x y z, row after row. */
export function rotation(q, i, r, j) {
  const w = q[i], x = q[i + 1], y = q[i + 2], z = q[i + 3];
  r[j] = 1 - 2 * (y * y + z * z);
  r[j + 1] = 2 * (x * y - w * z);
  r[j + 2] = 2 * (x * z + w * y);
  r[j + 3] = 2 * (x * y + w * z);
  r[j + 4] = 1 - 2 * (x * x + z * z);
  r[j + 5] = 2 * (y * z - w * x);
  r[j + 6] = 2 * (x * z - w * y);
  r[j + 7] = 2 * (y * z + w * x);
  r[j + 8] = 1 - 2 * (x * x + y * y);
  return r;
}
