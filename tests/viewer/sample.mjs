// Makes report pages without the program, to try and test the page alone:
//     node sample.mjs TEMPLATE csv RESULT.csv OUT.html       from a result, with capsules between markers
//     node sample.mjs TEMPLATE names OUT.html                names that would break a careless page
//     node sample.mjs TEMPLATE kinds OUT.html                every shape, symbol and element
//     node sample.mjs TEMPLATE single OUT.html               one frame, nothing else
//     node sample.mjs TEMPLATE damaged OUT.html              data cut off
//     node sample.mjs TEMPLATE large BODIES FRAMES OUT.html  many bodies
import {readFileSync, writeFileSync} from 'node:fs';
import {deflateSync} from 'node:zlib';

const KINDS = {p: 3, o: 3, s: 7};

// ---- coding -------------------------------------------------------------------------------------------------------

/** One channel as 16-bit numbers; `box` of lengths. */
function quantise(kind, channel, values, {min, edge}) {
  if (channel < 2 || channel === 2 && kind !== 'p') return values.map(x => Math.round((x - min[channel]) / edge * 65535));
  if (kind === 'p') return values.map(x => Math.round(x / (2 * Math.PI) * 65536) & 65535);
  return values.map(x => Math.round(x * 32767) + 32768);
}

/** @param {number[][][]} bodies numbers of each channel of each body */
function codePoses(kinds, bodies, box) {
  const frames = bodies[0][0].length, channels = bodies.reduce((n, b) => n + b.length, 0);
  const bytes = Buffer.alloc(2 * channels * frames);
  let row = 0;
  bodies.forEach((body, i) => body.forEach((values, c) => {
    const x = quantise(kinds[i], c, values, box);
    for (let k = 0; k < frames; ++k) {
      const d = (x[k] - (k > 1 ? 2 * x[k - 1] - x[k - 2] : k ? x[0] : 0)) << 16 >> 16;
      const u = (d << 1 ^ d >> 31) & 65535;
      bytes[row * frames + k] = u & 255;
      bytes[channels * frames + row * frames + k] = u >> 8;
    }
    ++row;
  }));
  return bytes;
}

function boxOf(kinds, bodies) {
  const min = [Infinity, Infinity, Infinity], max = [-Infinity, -Infinity, -Infinity];
  bodies.forEach((body, i) => body.slice(0, kinds[i] === 'p' ? 2 : 3).forEach((values, c) => {
    for (const x of values) {
      min[c] = Math.min(min[c], x);
      max[c] = Math.max(max[c], x);
    }
  }));
  for (let c = 0; c < 3; ++c) if (min[c] > max[c]) min[c] = max[c] = 0;
  return {min, max, edge: Math.max(...max.map((x, i) => x - min[i]), 1e-12)};
}

const doubles = values => Buffer.from(Float64Array.from(values).buffer);

function planes(values) {
  const from = doubles(values), n = values.length, to = Buffer.alloc(from.length);
  for (let k = 0; k < 8; ++k) for (let i = 0; i < n; ++i) to[k * n + i] = from[8 * i + k];
  return to;
}

/**
 * The page. @param {object} scene without what follows from the rest
 * @param {{kinds: string, time: number[], bodies: number[][][], valueTime: number[], values: number[][], blocks?: object}} data
 */
export function makePage(template, scene, data) {
  const box = boxOf(data.kinds, data.bodies);
  const whole = {
    title: '', gravity: null, length: 1, shapes: [], meshes: [], joints: [], loops: [], signals: [], notices: [],
    summary: [], check: [], findings: [], model: {file: '', text: '', set: []}, version: 'holonom 0.1.0', ...scene,
    frames: data.time.length, box: {min: box.min, max: box.max}, channels: data.kinds,
  };
  const blocks = {
    scene: Buffer.from(JSON.stringify(whole)), time: doubles(data.time),
    poses: codePoses(data.kinds, data.bodies, box), value_time: doubles(data.valueTime),
    values: planes(data.values.flat()), ...data.blocks,
  };
  const table = {}, parts = [];
  let offset = 0;
  for (const [name, raw] of Object.entries(blocks)) {
    const bytes = deflateSync(raw);
    table[name] = {offset, bytes: bytes.length, raw: raw.length};
    parts.push(bytes);
    offset += bytes.length;
  }
  const escape = text => text.replace(/[&<>]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;'})[c]);
  return template.replace('<!--TITLE-->', () => escape(whole.title))
    .replace('<!--HEAD-->', () => JSON.stringify({format: 1, blocks: table}))
    .replace('<!--DATA-->', () => Buffer.concat(parts).toString('base64'));
}

// ---- from a result ------------------------------------------------------------------------------------------------

export function readResult(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const notes = lines.filter(l => l.startsWith('#')).map(l => l.slice(2));
  const rows = lines.filter(l => !l.startsWith('#'));
  const names = rows[0].split(',');
  const columns = names.map(() => []);
  for (const row of rows.slice(1)) row.split(',').forEach((x, i) => columns[i].push(Number(x)));
  const units = (notes.find(n => n.startsWith('units: ')) ?? 'units: ').slice(7).split(',');
  return {notes, names, units, column: new Map(names.map((n, i) => [n, columns[i]])), columns};
}

/** Local coordinates of a global point at the first row. */
export function toBody(spatial, pose, point) {
  const d = point.map((x, i) => x - pose[i][0]);
  if (!spatial) {
    const a = pose[2][0], c = Math.cos(a), s = Math.sin(a);
    return [c * d[0] + s * d[1], c * d[1] - s * d[0], 0];
  }
  const [w, x, y, z] = pose.slice(3).map(v => v[0]);
  const r = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
    2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  return [0, 1, 2].map(i => r[i] * d[0] + r[3 + i] * d[1] + r[6 + i] * d[2]);
}

/** Orientation whose z axis is a. */
function alongZ(a) {
  const n = Math.hypot(...a), w = 1 + a[2] / n;
  if (w < 1e-9) return [0, 1, 0, 0];
  const q = [w, -a[1] / n, a[0] / n, 0], m = Math.hypot(...q);
  return q.map(x => x / m);
}

// Joints of models whose points do not stand in the result: name, bodies, position at the start, axis.
const KNOWN = {
  'Bricard mechanism': [['P0', -1, 0, [0, 0, 0], [0, 1, 0]], ['P1', 0, 1, [1, 0, 0], [0, 0, 1]],
    ['P2', 1, 2, [1, -1, 0], [1, 0, 0]], ['P3', 2, 3, [1, -1, 1], [0, 1, 0]], ['P4', 3, 4, [0, -1, 1], [0, 0, 1]],
    ['P5', 4, -1, [0, 0, 1], [1, 0, 0]]],
};

function fromResult(template, file) {
  const r = readResult(file), col = n => r.column.get(n);
  const bodies = r.names.filter(n => /\.(theta|qw)$/.test(n)).map(n => n.replace(/\.[^.]*$/, '')).filter(b => col(b + '.x'));
  const spatial = r.names.some(n => n.endsWith('.qw')), kinds = (spatial ? 's' : 'p').repeat(bodies.length);
  const axes = spatial ? ['x', 'y', 'z'] : ['x', 'y'];
  const poses = bodies.map(b => (spatial ? [...axes, 'qw', 'qx', 'qy', 'qz'] : [...axes, 'theta']).map(a => col(`${b}.${a}`)));
  const signals = r.names.slice(1).map((name, i) => ({name, unit: r.units[i + 1] ?? '1', doc: ''}));
  const at = new Map(signals.map((s, i) => [s.name, i]));
  const title = r.notes[0].replace(/^[^:]*: /, '');
  const joints = [], points = bodies.map(() => []);
  const end = (body, global, axis) => {
    const q = axis ? alongZ(axis) : [1, 0, 0, 0];
    if (body < 0) return {body, position: global, quaternion: q};
    const position = toBody(spatial, poses[body], global);
    points[body].push(position);
    return {body, position, quaternion: q};
  };
  const reaction = name => {
    const find = (a, b) => at.get(`${name}.${a}`) ?? at.get(`${name}.${b}`) ?? -1;
    return find('Fx') < 0 ? null :
      {columns: [find('Fx'), find('Fy'), find('Fz')], torque: [find('Tx'), find('Ty'), find('Tz', 'T')], axes: 'end'};
  };
  for (const [name, a, b, p, axis] of KNOWN[title] ?? []) {
    joints.push({name, kind: 'joint', type: 'revolute', ends: [end(a, p, axis), end(b, p, axis)], cut: false, reaction: reaction(name)});
  }
  bodies.forEach((b, i) => { // markers in the result
    for (const n of r.names) {
      const m = n.startsWith(b + '.') && n.endsWith('.x') && n.slice(b.length + 1, -2);
      if (m && !m.includes('.')) end(i, axes.map(a => col(`${b}.${m}.${a}`)[0]).concat(spatial ? [] : [0]));
    }
  });
  for (const note of joints.length ? [] : r.notes) {
    const m = /^(\S+): on ([^. ]+)(?:\.(\S+))?$/.exec(note), b = m ? bodies.indexOf(m[2]) : -1;
    if (b < 0 || m[3] && !col(`${m[2]}.${m[3]}.x`)) continue;
    const p = axes.map(a => col(m[3] ? `${m[2]}.${m[3]}.${a}` : `${m[2]}.${a}`)[0]).concat(spatial ? [] : [0]);
    const other = bodies.findIndex((_, i) => i !== b && points[i].some(l =>
      Math.hypot(...toBody(spatial, poses[i], p).map((x, k) => x - l[k])) < 1e-6));
    const q = [1, 0, 0, 0];
    joints.push({name: m[1], kind: 'joint', type: 'revolute', cut: false, reaction: reaction(m[1]), ends: [
      other < 0 ? {body: -1, position: p, quaternion: q} : {body: other, position: toBody(spatial, poses[other], p), quaternion: q},
      {body: b, position: toBody(spatial, poses[b], p), quaternion: q}]});
  }
  const length = 1, shapes = [];
  points.forEach((list, body) => {
    const ends = list.length > 1 ? list : [[-0.5, 0, 0], [0.5, 0, 0]];
    for (let i = 1; i < ends.length; ++i) {
      const d = ends[i].map((x, k) => x - ends[0][k]), l = Math.hypot(...d);
      if (l < 1e-9) continue;
      shapes.push({body, type: 'capsule', size: [0.04 * length, l], position: ends[0].map((x, k) => x + d[k] / 2),
        quaternion: alongZ(d), color: null, inferred: true});
    }
  });
  const model = /model (\S+),/.exec(r.notes[1])[1];
  return makePage(template, {
    title, dimension: spatial ? 3 : 2, gravity: [0, -9.81, 0], length, bodies, shapes, joints, signals,
    loops: [{joints: joints.map((_, i) => i), bodies: bodies.map((_, i) => i)}],
    summary: [['method', 'hht, tol 1e-06'], ['steps', '1986 (0 rejected)'], ['joints open by at most', '4.3e-09 of the model\'s size (A0, y)'],
      ['energy lost or made by errors', 'at most 0.0626 J']],
    check: [['bodies', String(bodies.length)], ['coordinates', String(poses.flat().length)]],
    findings: ['one equation is redundant: the reactions of P0, P1 are not unique'],
    model: {file: model, text: readFileSync(model, 'utf8'), set: []},
  }, {kinds, time: col('t'), bodies: poses, valueTime: col('t'), values: r.columns.slice(1)});
}

// ---- made up ------------------------------------------------------------------------------------------------------

const times = (n, end) => Array.from({length: n}, (_, i) => i / (n - 1) * end);
const one = [1, 0, 0, 0];

export const STRANGE = ['"quoted" \'name\'', '</script><script>window.hacked = 1</script>', '<img src=x onerror="window.hacked=2">',
  '__proto__', 'constructor', 'Rad größe 車 🚗', '-->', '<!--', '${1}', 'a\u202eb\u2028c', ''];

function names(template) {
  const time = times(50, 5), n = STRANGE.length;
  const bodies = STRANGE.map((_, i) => [time.map(t => i + 0.3 * Math.cos(t)), time.map(t => Math.sin(t + i)), time.map(t => t + i)]);
  return makePage(template, {
    title: '</title><script>window.hacked = 3</script> "strange" & names', dimension: 2, gravity: [0, -9.81, 0], bodies: STRANGE,
    shapes: STRANGE.map((_, body) => ({body, type: 'capsule', size: [0.05, 0.8], position: [0, 0, 0],
      quaternion: alongZ([1, 0, 0]), color: null, inferred: true})),
    joints: STRANGE.map((name, i) => ({name, kind: 'joint', type: 'revolute', cut: false, reaction: null,
      ends: [{body: i, position: [0.4, 0, 0], quaternion: one}]})),
    loops: [{joints: [0, 1], bodies: [0, 1]}],
    signals: STRANGE.flatMap(s => [{name: s + '.x', unit: 'm', doc: s}, {name: s, unit: s, doc: s}]),
    notices: STRANGE, summary: STRANGE.map(s => [s, s]), check: STRANGE.map(s => [s, s]), findings: STRANGE,
    model: {file: STRANGE[1], text: STRANGE.join('\n'), set: STRANGE}, version: STRANGE[2],
  }, {kinds: 'p'.repeat(n), time, bodies, valueTime: time, values: bodies.flatMap(b => [b[0], b[1]])});
}

const TYPES = ['revolute', 'spherical', 'translational', 'fixed', 'cylindrical', 'universal', 'planar', 'screw', 'gear', 'in-line',
  'parallel-axes', 'something-new'];

function kinds(template) {
  const time = times(100, 4), n = TYPES.length;
  const bodies = TYPES.map((_, i) => [time.map(() => i % 4 * 1.5), time.map(() => Math.floor(i / 4) * 1.5),
    time.map(t => 1 + 0.3 * Math.sin(t * Math.PI / 2 + i)), time.map(t => Math.cos(t * 0.3)), time.map(() => 0), time.map(() => 0),
    time.map(t => Math.sin(t * 0.3))]);
  const forms = [{type: 'box', size: [0.5, 0.3, 0.2]}, {type: 'cylinder', size: [0.2, 0.4]}, {type: 'sphere', size: [0.25]},
    {type: 'capsule', size: [0.08, 0.6]}, {type: 'polyline', size: [0.04], closed: true,
      points: [[-0.3, -0.3, 0], [0.3, -0.3, 0], [0.3, 0.3, 0], [-0.3, 0.3, 0]]}, {type: 'mesh', size: [], mesh: 0}];
  const corner = [[0.35, 0, -0.2], [-0.2, 0.3, -0.2], [-0.2, -0.3, -0.2], [0, 0, 0.35]];
  return makePage(template, {
    title: 'every kind', dimension: 3, gravity: [0, 0, -9.81], bodies: TYPES,
    shapes: TYPES.map((_, body) => ({body, position: [0, 0, 0], quaternion: one, color: body === 1 ? '#aa3377' : null,
      inferred: false, ...forms[body % forms.length]})),
    meshes: [{positions: 'mesh0.positions', indices: 'mesh0.indices'}],
    joints: TYPES.map((type, body) => ({name: type, kind: 'joint', type, cut: body === 2, reaction: null,
      ends: [{body: -1, position: [bodies[body][0][0], bodies[body][1][0], 0], quaternion: one},
        {body, position: [0, 0, -0.5], quaternion: one}]})).concat(
      ['spring-damper', 'bushing', 'torque', 'friction'].map((type, i) => ({name: `force ${i}`, kind: 'force', type, cut: false,
        reaction: {columns: [0, 1, 2], torque: [-1, -1, -1], axes: 'global'},
        ends: [{body: i, position: [0, 0, 0.2], quaternion: one}, {body: i + 4, position: [0, 0, 0.2], quaternion: one}]})),
      [{name: 'rod', kind: 'joint', type: 'distance', cut: false, reaction: null, ends: [
        {body: 8, position: [0, 0, 0], quaternion: one}, {body: 9, position: [0, 0, 0], quaternion: one}]},
      {name: 'motor', kind: 'driver', type: 'angle', cut: false, reaction: null, ends: [
        {body: -1, position: [0, 3, 0.4], quaternion: one}, {body: 8, position: [0, 0, -0.5], quaternion: one}]}]),
    loops: [{joints: [0, 1], bodies: [0, 1]}, {joints: [2, 3], bodies: [2, 3]}],
    signals: ['Fx', 'Fy', 'Fz'].map(name => ({name, unit: 'N', doc: ''})),
    notices: ['frames: every 2nd of 200 is drawn'],
  }, {kinds: 's'.repeat(n), time, bodies, valueTime: time, values: [time.map(t => Math.sin(t)), time.map(() => 1), time.map(t => t)],
    blocks: {'mesh0.positions': Buffer.from(Float32Array.from(corner.flat()).buffer),
      'mesh0.indices': Buffer.from(Uint32Array.from([0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 2, 1]).buffer)}});
}

/** A hanging net which sways. */
function large(template, n, frames) {
  const side = Math.ceil(Math.sqrt(n)), time = times(frames, 10);
  const bodies = [], shapes = [], joints = [];
  for (let i = 0; i < n; ++i) {
    const u = i % side, v = Math.floor(i / side), phase = 0.15 * u + 0.1 * v;
    bodies.push([time.map(t => u + 0.2 * Math.sin(t + phase)), time.map(t => v + 0.2 * Math.cos(1.3 * t + phase)),
      time.map(t => 2 * Math.sin(0.7 * t + phase))]);
    shapes.push({body: i, type: 'capsule', size: [0.06, 0.9], position: [0, 0, 0], quaternion: alongZ([1, v % 2, 0]), color: null, inferred: true});
    joints.push({name: `j${i}`, kind: 'joint', type: 'spherical', cut: false, reaction: null, ends: [
      {body: i, position: [0.45, 0, 0], quaternion: one}]});
  }
  return makePage(template, {title: `${n} bodies`, dimension: 3, gravity: [0, 0, -9.81], bodies: bodies.map((_, i) => `b${i}`), shapes, joints,
    signals: [{name: 'b0.x', unit: 'm', doc: 'position'}]},
  {kinds: 'o'.repeat(n), time, bodies, valueTime: time, values: [bodies[0][0]]});
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const [, , templateFile, what, ...rest] = process.argv;
  const template = readFileSync(templateFile, 'utf8'), out = rest.pop();
  const pages = {
    csv: () => fromResult(template, rest[0]), names: () => names(template), kinds: () => kinds(template),
    single: () => makePage(template, {title: '', dimension: 3, bodies: ['a']}, {kinds: 's', time: [0],
      bodies: [[[1], [2], [3], [1], [0], [0], [0]]], valueTime: [], values: []}),
    damaged: () => names(template).replace(/(id="holonom-data"[^>]*>.{200})[^<]*/, '$1'),
    large: () => large(template, Number(rest[0]), Number(rest[1])),
  };
  writeFileSync(out, pages[what]());
}
