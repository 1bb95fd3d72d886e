// Opens report pages in headless Chromium and checks what they show:
//     node viewer_test.mjs [--modules FOLDER] PAGE.html[=RESULT.csv] ...
// With a result the drawn positions of bodies and their markers are compared with it. PAGE.html=damaged: the page must say
// that its data are damaged. playwright-core is looked for in
// FOLDER/node_modules, by default viewer/. CHROMIUM names another browser than /usr/bin/chromium.
import {createRequire} from 'node:module';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {format} from '../../viewer/src/dom.js';
import {readResult, STRANGE, toBody} from './sample.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
const modules = args[0] === '--modules' ? args.splice(0, 2)[1] : join(here, '../../viewer');
const {chromium} = createRequire(resolve(modules, 'package.json'))('playwright-core');

const SIZE = {width: 960, height: 640}; // [px]
const PIXELS = 0.5;                      // largest error of a projected point
const BODIES = 40;                       // compared with the result
const MASKS = 2, TRIES = 8;              // found in the picture, looked for

class Failure extends Error {}

function expect(condition, text) {
  if (!condition) throw new Failure(text);
}

// ---- what runs in the page ------------------------------------------------------------------------------------------

/** Draws and keeps the picture under a name. @returns how many pixels are not of the colour of the corner */
function snap(name) {
  window.holonom.draw();
  const canvas = document.getElementById('canvas'), gl = canvas.getContext('webgl2');
  const {drawingBufferWidth: w, drawingBufferHeight: h} = gl, pixels = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  (window.pictures ??= {})[name] = {w, h, pixels: new Uint32Array(pixels.buffer)};
  let n = 0;
  for (const pixel of window.pictures[name].pixels) n += pixel !== window.pictures[name].pixels[0];
  return n;
}

/** Pixels in which two pictures differ: how many, and the box around them from the upper left corner. */
function difference([a, b]) {
  const {w, h, pixels: p} = window.pictures[a], {pixels: q} = window.pictures[b];
  const box = {n: 0, left: w, right: -1, top: h, bottom: -1};
  for (let i = 0; i < p.length; ++i) {
    if (p[i] === q[i]) continue;
    const x = i % w, y = h - 1 - Math.floor(i / w);
    ++box.n;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

// ---- checks ---------------------------------------------------------------------------------------------------------

/** Numbers are shown to the digits that are asked for, whatever their power of ten. */
function checkNumbers() {
  for (let power = -40; power <= 40; ++power) {
    for (const digit of [1, 1.5, 1.7056123, -9.99996]) {
      const x = Number(`${digit}e${power}`), shown = format(x);
      expect(Math.abs(Number(shown) - x) <= 0.5e-4 * Math.abs(x), `${x} is shown as ${shown}`);
    }
  }
  expect(format(0) === '0' && format(1.5) === '1.5' && format(100) === '100' && format(1e-10) === '1e-10', 'numbers are not as short as they can be');
}

/** The picture shows something, and something else later. */
async function checkPicture(page) {
  await page.evaluate(() => {
    document.getElementById('show-grid').click(); // a grid alone is no picture
    window.holonom.setTime(window.holonom.start);
  });
  const drawn = await page.evaluate(snap, 'first');
  expect(drawn > 200, `the picture is blank: ${drawn} pixels are drawn`);
  await page.evaluate(() => window.holonom.setTime(window.holonom.start + 0.37 * (window.holonom.end - window.holonom.start)));
  await page.evaluate(snap, 'later');
  const {n} = await page.evaluate(difference, ['first', 'later']);
  expect(n > 50, `the picture at a later time differs in ${n} pixels only`);
}

/** Projects a global point with the page's camera. */
function project(m, {width, height}, [x, y, z]) {
  const row = i => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i], w = row(3);
  return {x: (row(0) / w + 1) / 2 * width, y: (1 - row(1) / w) / 2 * height};
}

/** Points of bodies in a result: name, body, place in body axes, columns of the global position. */
function resultPoints(result, bodies) {
  const known = new Set(bodies), points = [];
  const columns = (name, channels) => channels.map(c => result.column.get(`${name}.${c}`)).filter(Boolean);
  for (const column of result.names.filter(n => n.endsWith('.x'))) {
    const name = column.slice(0, -2), at = columns(name, ['x', 'y', 'z']), body = name.replace(/\.[^.]*$/, '');
    if (known.has(name)) points.push({name, body: name, local: [0, 0, 0], at});
    else if (known.has(body)) { // a marker
      const pose = columns(body, ['x', 'y', 'z', 'theta', 'qw', 'qx', 'qy', 'qz']), spatial = pose.length === 7;
      if (pose.length === 3 && at.length === 2 || spatial && at.length === 3) {
        points.push({name, body, local: toBody(spatial, pose, at.map(c => c[0])), at});
      }
    }
  }
  return points;
}

/**
 * The page counts from centres of mass, the result from origins of body frames: adds to each point where the origin of its
 * body is, found at the first frame. It is none where the drawn centre of mass is at the origin to PIXELS.
 */
async function addOrigins(page, points, all, camera, size) {
  const at = new Map(all.filter(p => p.name === p.body).map(p => [p.body, p.at.map(c => c[0])]));
  for (const point of points) {
    const origin = at.get(point.body), drawn = await page.evaluate(name => window.holonom.axes(name), point.body);
    const d = drawn.position.map((x, i) => (origin[i] ?? 0) - x), a = project(camera, size, drawn.position);
    const b = project(camera, size, [0, 1, 2].map(i => origin[i] ?? 0));
    if (Math.hypot(a.x - b.x, a.y - b.y) <= PIXELS) continue;
    point.local = point.local.map((x, k) => x + drawn.rotation.slice(k).reduce((sum, r, i) => i % 3 ? sum : sum + r * d[i / 3], 0));
  }
}

/** Bodies and markers stand where the result says, at frames over the whole motion. */
async function checkPositions(page, result, api, size) {
  const times = result.column.get('t'), small = 1e-9 * (api.end - api.start);
  const all = resultPoints(result, api.bodies), step = Math.max(1, Math.floor(all.length / BODIES));
  const points = all.filter((_, i) => i % step === 0);
  expect(points.length > 0, 'the result has no position of a body of the page');
  await page.evaluate(() => window.holonom.setTime(window.holonom.start));
  await addOrigins(page, points, all, await page.evaluate(() => window.holonom.camera()), size);
  let compared = 0;
  for (const part of [0, 0.31, 0.73, 1]) {
    const frame = Math.round(part * (api.frames - 1));
    const t = await page.evaluate(i => window.holonom.frameTime(i), frame);
    const row = times.findIndex(x => Math.abs(x - t) <= small);
    if (row < 0) continue;
    const {drawn, camera} = await page.evaluate(([time, list]) => {
      window.holonom.setTime(time);
      return {drawn: list.map(p => window.holonom.project(p.body, p.local)), camera: window.holonom.camera()};
    }, [t, points.map(({body, local}) => ({body, local}))]);
    points.forEach(({name, at}, i) => {
      const p = project(camera, size, [at[0][row], at[1][row], at[2]?.[row] ?? 0]);
      const error = Math.hypot(p.x - drawn[i].x, p.y - drawn[i].y);
      expect(error <= PIXELS, `${name} at t = ${t}: drawn ${error.toFixed(2)} px from where the result has it`);
      ++compared;
    });
    if (part === 0.31) await checkMask(page, all, row, camera, size);
  }
  expect(compared > 0, 'no frame of the page is a row of the result');
  return compared;
}

/** What changes its colour when a body is selected surrounds the place where the result has the body. */
async function checkMask(page, points, row, camera, size) {
  const wrong = [];
  let tried = 0, seen = 0;
  await page.evaluate(() => document.getElementById('show-joints').click()); // symbols would cover the ends of bodies
  await page.evaluate(snap, 'plain');
  for (const {body, at} of points.filter(p => p.name === p.body)) {
    if (seen === MASKS || tried === TRIES) break;
    if (!await page.evaluate(name => window.holonom.inferred(name), body)) continue;
    ++tried;
    await page.evaluate(name => window.holonom.select(name), body);
    await page.evaluate(snap, 'selected');
    const box = await page.evaluate(difference, ['plain', 'selected']);
    const p = project(camera, size, [at[0][row], at[1][row], at[2]?.[row] ?? 0]);
    if (box.n < 10) continue;
    ++seen;
    const covered = ![null, body].includes(await page.evaluate(({x, y}) => window.holonom.pick(x, y), p));
    if (covered || (p.x > box.left - 2 && p.x < box.right + 2 && p.y > box.top - 2 && p.y < box.bottom + 2)) continue;
    wrong.push(body);
  }
  await page.evaluate(() => {
    window.holonom.select(null);
    document.getElementById('show-joints').click();
  });
  expect(tried === 0 || seen > 0, `none of ${tried} bodies changes its colour when it is selected`);
  expect(!wrong.length, `not drawn around the place where the result has it: ${wrong}`);
}

/** Arrows of forces in joints at named markers of planar bodies: at the marker, along the force in the axes of the body. */
async function checkArrows(page, result, api) {
  const times = result.column.get('t'), small = 1e-9 * (api.end - api.start);
  for (const note of result.notes) {
    const [, joint, marker] = /^(.+): on (\S+\.\S+)$/.exec(note) ?? [];
    const at = ['x', 'y'].map(c => result.column.get(`${marker}.${c}`));
    const force = ['Fx', 'Fy'].map(c => result.column.get(`${joint}.${c}`));
    const turn = result.column.get(`${marker?.split('.')[0]}.theta`);
    if (![...at, ...force, turn].every(Boolean)) continue;
    for (const part of [0.13, 0.52, 1]) {
      const t = await page.evaluate(i => window.holonom.frameTime(i), Math.round(part * (api.frames - 1)));
      const row = times.findIndex(x => Math.abs(x - t) <= small);
      if (row < 0) continue;
      const arrow = await page.evaluate(([time, name]) => {
        window.holonom.setTime(time);
        return window.holonom.arrow(name);
      }, [t, joint]);
      expect(arrow, `the force of ${joint} has no arrow`);
      const [fx, fy] = force.map(column => column[row]), c = Math.cos(turn[row]), s = Math.sin(turn[row]);
      const want = [c * fx - s * fy, s * fx + c * fy], [dx, dy] = arrow.direction;
      const along = (dx * want[0] + dy * want[1]) / (Math.hypot(dx, dy) * Math.hypot(...want));
      if (Math.hypot(dx, dy) > 1e-3 * api.length) expect(along > 1 - 1e-4, `the force of ${joint} points elsewhere at t = ${t}: ${along}`);
      const off = Math.hypot(arrow.from[0] - at[0][row], arrow.from[1] - at[1][row]);
      expect(off < 1e-3 * api.length, `the force of ${joint} begins ${off} away from ${marker} at t = ${t}`);
    }
  }
}

/** Contacts that touch have a disc where the result says, and an arrow along their force; the table leads to their onsets. */
async function checkContacts(page, result, api) {
  const contacts = result.names.filter(n => n.endsWith('.px')).map(n => n.slice(0, -3));
  const times = result.column.get('t'), small = 1e-9 * (api.end - api.start), states = new Set();
  const axes = ['x', 'y', 'z'], columns = (name, prefix) => axes.map(a => result.column.get(`${name}.${prefix}${a}`)).filter(Boolean);
  for (const name of contacts) {
    const F = result.column.get(`${name}.F`), point = columns(name, 'p'), normal = columns(name, 'n'), friction = columns(name, 'friction.');
    for (let row = 0; row < times.length; row += Math.max(1, Math.floor(times.length / 60))) {
      const [drawn, arrow] = await page.evaluate(([time, which]) => {
        window.holonom.setTime(time);
        return [window.holonom.contact(which), window.holonom.arrow(which)];
      }, [times[row], name]);
      expect(drawn, `the contact ${name} is not drawn`);
      expect((F[row] > 0) === (drawn.state !== 'open'), `${name} is ${drawn.state} at t = ${times[row]}, its force ${F[row]}`);
      states.add(drawn.state);
      if (drawn.state === 'open') continue;
      const off = Math.hypot(...point.map((c, i) => c[row] - drawn.at[i])), force = normal.map((c, i) => F[row] * c[row] + friction[i][row]);
      expect(off < 0.02 * api.length, `the disc of ${name} is ${off} away at t = ${times[row]}`);
      const along = force.reduce((sum, f, i) => sum + f * arrow.direction[i], 0) / (Math.hypot(...force) * Math.hypot(...arrow.direction));
      expect(along > 1 - 1e-5, `the force of ${name} points elsewhere at t = ${times[row]}`);
    }
  }
  if (!api.touches?.length) return;
  expect(states.has('sticks') || states.has('slides') || states.has('smooth'), 'no contact touches');
  await page.click('#tab-contacts');
  await page.click('table.contacts tbody tr:nth-child(2)');
  const t = await page.evaluate(() => window.holonom.time());
  expect(Math.abs(t - api.touches[1][4]) <= small, `the table leads to ${t}, the onset is at ${api.touches[1][4]}`);
  expect(await page.evaluate(() => !document.getElementById('impacts').hidden), 'the time line shows no onset');
  await page.click('#tab-plots');
}

/** Between two frames bodies stand between their two poses: they take the short way round. */
async function checkBetween(page, api) {
  const wrong = await page.evaluate(names => {
    const {frames, frameTime, setTime, axes} = window.holonom, faults = [];
    const all = t => (setTime(t), names.map(name => axes(name).rotation));
    for (let f = 0; f + 1 < frames; f += Math.max(1, Math.floor(frames / 300))) {
      const a = all(frameTime(f)), b = all(frameTime(f + 1)), middle = all((frameTime(f) + frameTime(f + 1)) / 2);
      const distance = (p, q) => Math.hypot(...p.map((x, i) => x - q[i]));
      names.forEach((name, i) => {
        const whole = distance(a[i], b[i]);
        if (distance(a[i], middle[i]) > 0.75 * whole + 2e-3) faults.push(`${name} behind frame ${f}`);
      });
    }
    return faults.slice(0, 5);
  }, api.bodies.slice(0, 5));
  expect(!wrong.length, `not between its two poses: ${wrong.join(', ')}`);
}

/** Slider, play button, keys and charts do what they should. */
async function checkControls(page, api) {
  const span = api.end - api.start, time = () => page.evaluate(() => window.holonom.time());
  const scrub = await page.locator('#scrub').boundingBox();
  await page.mouse.click(scrub.x + scrub.width / 2, scrub.y + scrub.height / 2);
  const middle = await time();
  expect(Math.abs(middle - api.start - span / 2) < 0.02 * span, `a click on the middle of the slider gives t = ${middle}`);
  await page.click('#play');
  await page.waitForFunction(t => window.holonom.time() > t, middle, {timeout: 5000});
  await page.click('#play');
  expect(!await page.evaluate(() => window.holonom.playing()), 'it still plays after a second click');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Home');
  expect(await time() === api.start, 'the key home does not go to the start');
  await page.keyboard.press('ArrowRight');
  expect(Math.abs(await time() - api.second) < 1e-9 * span, 'the right arrow does not go to the second frame');
  if (!api.plotted.length) await page.evaluate(name => window.holonom.plot(name), api.pictures[0].x); // over the time
  const over = await page.locator('.chart:not(:has(.dot)) .u-over').first().boundingBox();
  await page.mouse.click(over.x + 0.75 * over.width, over.y + over.height / 2);
  const clicked = await time();
  expect(Math.abs(clicked - api.start - 0.75 * span) < 0.02 * span, `a click at three quarters of a chart gives t = ${clicked}`);
  await page.mouse.move(5, 5);
}

/** A click on a body picks it; every page has one that can be picked, at its origin or elsewhere. */
async function checkPicking(page, api) {
  const found = await page.evaluate(names => {
    const canvas = document.getElementById('canvas'), {left, top, width, height} = canvas.getBoundingClientRect();
    const points = names.map(name => window.holonom.project(name, [0, 0, 0]));
    for (let i = 0; i < 1600; ++i) points.push({x: (i % 40 + 0.5) / 40 * width, y: (Math.floor(i / 40) + 0.5) / 40 * height});
    for (const {x, y} of points) {
      const seen = window.holonom.pick(x, y);
      if (seen !== null && document.elementFromPoint(x + left, y + top) === canvas) return {x, y, seen};
    }
    return null;
  }, api.bodies.slice(0, 100));
  expect(found, 'no body can be picked anywhere in the picture');
  await page.locator('#canvas').click({position: found});
  const selected = await page.evaluate(() => window.holonom.selected());
  expect(selected === found.seen, `a click picks ${selected} instead of ${found.seen}`);
  expect(await page.locator('#picked-name').textContent() === selected, 'the name of the picked body is not shown');
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => window.holonom.selected()) === null, 'the key escape does not deselect');
}

async function checkPlots(page, api, result) {
  expect(api.plotted.length + api.pictures.length > 0, 'nothing is plotted at the start');
  for (const {name, points} of api.plotted) {
    expect(points === api.rows, `the curve of ${name} has ${points} points of ${api.rows}`);
  }
  if (result && !api.notices.length) {
    const rows = result.columns[0].length;
    expect(api.rows === rows, `the page has ${api.rows} rows of signals, the result ${rows}`);
  }
}

/** Pictures over other signals: at the time of a row the dots lie where the values are, and on curves of their colour. */
async function checkOver(page, pictures, result) {
  const rows = result ? result.columns[0].length : 0;
  for (const [p, {x, y}] of (result ? pictures : []).entries()) {
    for (const row of [0.2, 0.4, 1].map(part => Math.ceil(part * (rows - 1)))) {
      await page.evaluate(t => window.holonom.setTime(t), result.column.get('t')[row]);
      const dots = await page.evaluate(p => {
        const chart = document.querySelectorAll('.chart:has(.dot)')[p], canvas = chart.querySelector('canvas');
        const over = chart.querySelector('.u-over'), scale = canvas.width / canvas.clientWidth;
        const {width, height} = canvas, copy = Object.assign(document.createElement('canvas'), {width, height});
        const picture = copy.getContext('2d', {willReadFrequently: true});
        picture.drawImage(canvas, 0, 0);
        return [...chart.querySelectorAll('.dot')].map(dot => {
          const [left, top] = dot.style.transform.match(/[-\d.e]+(?=px)/g).map(Number);
          const at = [over.offsetLeft + left, over.offsetTop + top].map(c => Math.round(c * scale) - 2);
          const {data} = picture.getImageData(...at, 5, 5), colour = dot.style.background.match(/\d+/g).map(Number);
          let near = 1e9;
          for (let i = 0; i < data.length; i += 4) near = Math.min(near, ...data[i + 3] > 200 ? [Math.hypot(...colour.map((c, k) => c - data[i + k]))] : []);
          return {left: left / over.clientWidth, near};
        });
      }, p);
      expect(dots.length === y.length, `${dots.length} curves over ${x}, not ${y.length}`);
      const across = result.column.get(x), low = Math.min(...across), high = Math.max(...across), middle = (low + high) / 2;
      const left = 0.5 + (across[row] - middle) / (high - low) / 1.06;
      for (const dot of dots) {
        expect(Math.abs(dot.left - left) < 0.01, `the dot over ${x} is at ${dot.left} of the width, not ${left}`);
        expect(dot.near < 60, `no curve of its colour is below the dot over ${x} in row ${row}`);
      }
    }
  }
}

/** Themes, tabs, a narrow window: nothing leaves the page. */
async function checkLayout(page) {
  const theme = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.click('#theme');
  expect(await page.evaluate(() => document.documentElement.dataset.theme) !== theme, 'the theme does not change');
  for (const tab of ['summary', 'check', 'model', 'plots']) {
    await page.click(`#tab-${tab}`);
    expect(await page.locator(`#${tab}`).isVisible(), `the tab ${tab} does not open`);
  }
  for (const size of [{width: 390, height: 780}, {width: 1920, height: 1080}, {width: 1280, height: 800}]) {
    await page.setViewportSize(size);
    const [wide, canvas] = await page.evaluate(() => [document.documentElement.scrollWidth, document.getElementById('canvas').clientHeight]);
    expect(wide <= size.width, `at ${size.width} pixels the page is ${wide} wide`);
    expect(canvas > 150, `at ${size.width} x ${size.height} the picture is ${canvas} pixels high`);
  }
}

/** Names of the model are text and nothing else. */
async function checkNames(page, api) {
  const seen = await page.evaluate(() => ({
    hacked: window.hacked, elements: document.querySelectorAll('img, iframe, object, embed').length, scripts: document.scripts.length,
    follow: [...document.querySelectorAll('#follow option')].slice(1).map(o => o.textContent),
  }));
  expect(seen.hacked === undefined, 'a name of the model has run as a script');
  expect(seen.elements === 0 && seen.scripts <= 3, 'a name of the model has become an element');
  expect(seen.follow.every((name, i) => name === api.bodies[i] || i >= api.bodies.length || name.startsWith('and ')),
    'names of bodies have changed');
  if (!STRANGE.slice(0, 3).every(name => api.bodies.includes(name))) return;
  for (const name of STRANGE) expect(api.bodies.includes(name), `the body ${JSON.stringify(name)} is missing`);
}

// ---- one page -------------------------------------------------------------------------------------------------------

/** A page whose data are cut off says so. */
async function testDamaged(browser, file) {
  const page = await browser.newPage({viewport: SIZE});
  await page.goto(pathToFileURL(resolve(file)).href);
  const told = await page.evaluate(() => window.holonom.ready.then(() => 'it opens', () => document.getElementById('message').textContent));
  await page.close();
  expect(/damaged/.test(told), `the page does not say that its data are damaged: ${told}`);
  return told;
}

/** A page of modes: each that is chosen is played alone, swings about the pose and no farther than shapes are drawn. */
async function checkModes(page, modes) {
  const shown = await page.evaluate(() => ({plots: document.getElementById('plots').checkVisibility(),
    labels: [...document.querySelectorAll('#mode-list span')].map(s => s.textContent)}));
  expect(!shown.plots && shown.labels.join() === modes.map(m => m.label).join(), 'the list is not that of the modes');
  const moved = [];
  for (const [i, {first, frames}] of modes.entries()) {
    moved.push(await page.evaluate(([i, first, frames]) => {
      const h = window.holonom, places = () => h.bodies.map(b => h.position(b, [0, 0, 0]));
      document.querySelectorAll('#mode-list button')[i].click();
      const playing = h.playing();
      h.pause();
      h.setTime(-1);
      const began = h.time() === h.frameTime(first);
      h.setTime(1e9);
      const ended = h.time() === h.frameTime(first + frames - 1), rows = [];
      for (let k = 0; k < frames; ++k) {
        h.setTime(h.frameTime(first + k));
        rows.push(places());
      }
      const far = (a, b) => Math.max(...a.map((p, n) => Math.hypot(...p.map((x, j) => x - b[n][j]))));
      const half = (frames - 1) / 2, middle = rows[0].map((p, n) => p.map((x, j) => (x + rows[half][n][j]) / 2));
      return {playing, began, ended, closed: far(rows[0], rows[frames - 1]), most: Math.max(...rows.map(r => far(r, middle)))};
    }, [i, first, frames]));
  }
  for (const [i, m] of moved.entries()) {
    expect(m.playing && m.began && m.ended, `mode ${i + 1} is not played alone`);
    expect(m.closed < 1e-12, `mode ${i + 1} does not end where it begins`);
  }
  await page.evaluate(() => window.holonom.mode(0)); // whose times the page has named
  return moved.map(m => m.most);
}

async function testPage(browser, file, result, first) {
  const page = await browser.newPage({viewport: SIZE}), trouble = [], address = pathToFileURL(resolve(file)).href;
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|software WebGL/i.test(message.text())) {
      trouble.push(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', error => trouble.push(`error: ${error.message}`));
  page.on('request', request => {
    if (request.url().split('#')[0] !== address && !/^(data|blob):/.test(request.url())) trouble.push(`request: ${request.url()}`);
  });
  try {
    await page.goto(address + '#plain'); // quick without graphics hardware
    await page.evaluate(() => window.holonom.ready);
    const modes = await page.evaluate(() => window.holonom.modes);
    if (modes) {
      const most = await checkModes(page, modes);
      await checkPicture(page);
      expect(!trouble.length, trouble.join('; '));
      return `${modes.length} modes, bodies move by up to ${Math.max(...most).toPrecision(6)} m`;
    }
    const api = await page.evaluate(() => {
      const h = window.holonom;
      return {start: h.start, end: h.end, frames: h.frames, rows: h.rows, bodies: h.bodies, length: h.length, notices: h.notices, touches: h.touches, second: h.frameTime(1),
        opened: h.opened, pictures: h.pictures(), plotted: h.plotted().map(name => ({name, points: h.plotPoints(name)}))};
    });
    const size = await page.evaluate(() => {
      const canvas = document.getElementById('canvas');
      return {width: canvas.clientWidth, height: canvas.clientHeight};
    });
    await checkPlots(page, api, result);
    await checkOver(page, api.pictures, result);
    await checkPicture(page);
    const compared = result ? await checkPositions(page, result, api, size) : 0;
    if (result) await checkArrows(page, result, api);
    if (result) await checkContacts(page, result, api);
    await checkBetween(page, api);
    await checkControls(page, api);
    await checkPicking(page, api);
    await checkNames(page, api);
    if (first) checkNumbers();
    if (first) await checkLayout(page);
    expect(!trouble.length, trouble.join('; '));
    return `${api.bodies.length} bodies, ${api.frames} frames, ${compared} positions compared, opened in ${Math.round(api.opened)} ms`;
  } catch (error) {
    throw error instanceof Failure ? error : new Failure([error.message.split('\n')[0], ...trouble].join('; '));
  } finally {
    await page.close();
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'],
});
let passed = 0, failed = 0;
for (const argument of args) {
  const [file, csv] = argument.split('='), start = Date.now();
  try {
    const told = csv === 'damaged' ? await testDamaged(browser, file) :
      await testPage(browser, file, csv && readResult(csv), passed + failed === 0);
    ++passed;
    console.log(`ok   ${basename(file)}: ${told} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failed;
    console.log(`FAIL ${basename(file)}: ${error.message}`);
  }
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed || !passed ? 1 : 0;
