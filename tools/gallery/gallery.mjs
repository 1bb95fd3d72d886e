// The gallery: reports of all models in models/ as build/gallery/*.html with an index, pictures of them, and of the chosen
// ones docs/gallery/*.png and docs/gallery.md.
//     node tools/gallery/gallery.mjs [NAME ...]     # only these models; docs/gallery.md and the index are left alone
// playwright-core and upng-js are looked for in viewer/node_modules. CHROMIUM names another browser than /usr/bin/chromium.
import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const top = join(dirname(fileURLToPath(import.meta.url)), '../..');
const out = join(top, 'build/gallery'), docs = join(top, 'docs/gallery');
const from = createRequire(join(top, 'viewer/package.json')), {chromium} = from('playwright-core'), png = from('upng-js');

const SIZE = {width: 960, height: 600}; // [px]
const MOST = 150e3, COLOURS = 256;      // of a picture in docs/: bytes; shades it is reduced to

// Moment of the picture as a part of the time, whether plots are beside it, and the line in docs/gallery.md.
const CHOSEN = {
  double_pendulum: {at: 0.3, panel: true, line: 'Two rods with rotational springs and dampers, the second one very stiff; signals beside the picture.'},
  bricard: {at: 0.47, line: 'Five rods and six hinges in a closed loop, which moves although a count of equations says it cannot.'},
  hmmwv: {at: 0.35, panel: true, line: 'An off-road vehicle of 14 bodies, one corner file used four times, drives over a bump; the camera follows it.'},
  double_wishbone: {at: 0.25, panel: true, line: 'Two double wishbones made of one corner file and its mirror image; toe and camber over the travel.'},
  excavator: {at: 0.5, panel: true, line: 'An excavator digs: three cylinders of two bodies each; the path of the teeth, forces and powers.'},
  walking_leg: {at: 0.55, panel: true, line: "A robot's leg walks on a test stand: motors with gains, gears and a maximum, stops, friction, a foot on the floor."},
  six_axis_arm: {at: 0.4, line: 'A robot arm whose six motors go to 4 rad.'},
  stewart: {at: 0.4, line: 'A platform on six legs that follow a path.'},
  docking: {at: 0.5, line: 'Two craft that a grip holds from the moment it is switched on.'},
  net: {at: 1, line: 'A net of slender rods with ball joints, held at one corner, after a second of falling.'},
  andrews: {at: 0.5, line: "Andrews' squeezing mechanism: seven bodies in the plane, three loops, driven by a torque."},
  flyball: {at: 0.4, line: 'A stiff flyball governor: springs with dampers carry the sleeve.'},
  walker: {at: 0.4, line: 'Legs of four bars and two loops each on one crank, which a motor turns.'},
  valve_train: {at: 0.4, line: 'Valves moved by an elastic camshaft through tappets, push rods and rockers.'},
  double_pendulum_3d: {at: 0.4, line: 'A double pendulum in space with a ball joint, a hinge, a bushing and springs.'},
  impact_stop: {at: 0.4, line: 'A slider-crank whose slider is pushed against a stop, bounces, and comes to rest.'},
  stops: {at: 0.2, panel: true, line: 'Two blocks between stops: one meets smooth stops that give back 0.6 of its speed, the other rigid ones.'},
  clutch: {at: 0.3, panel: true, line: 'A clutch brings a load to the speed of a shaft, and a brake stops both: friction that sticks and slips, and its torques.'},
  shoe_brake: {at: 0.1, line: 'A shoe is pressed on a wheel, which stops, and then holds a load without creep.'},
  newtons_cradle: {at: 0.06, line: "Newton's cradle: five balls on threads that touch by the law of Hertz."},
  billiard_break: {at: 0.5, line: 'Sixteen discs: one breaks the triangle of the others.'},
  geneva_drive: {at: 0.12, line: 'A Geneva drive: a pin in slots, and studs on a shoulder that lock the wheel.'},
  gripper: {at: 0.6, line: 'A gripper closes on a block and lifts it by friction that does not creep.'},
  spinning_disc: {at: 0.3, line: 'A disc rolls on its rim about a centre that rests.'},
  tippe_top: {at: 0.45, line: 'A tippe top turns over by friction.'},
  ladder: {at: 0.85, line: 'Rungs and rails with a loop for each rung; colours follow the list of bodies.'},
};
const plain = {at: 0.4};

const title = name => /^title: *(.*)$/m.exec(readFileSync(join(top, 'models', `${name}.yaml`), 'utf8'))?.[1] ?? name;
/** The first sentence of a model file's comment. */
function about(name) {
  const [comment] = /^(#.*\n)*/.exec(readFileSync(join(top, 'models', `${name}.yaml`), 'utf8'));
  return /^.*?[.;](?= |$)/.exec(comment.replace(/^# ?/gm, '').replaceAll('\n', ' '))?.[0].replace(/;$/, '.') ?? '';
}

function report(name) {
  const started = performance.now(), page = join(out, `${name}.html`);
  execFileSync(join(top, 'build/bin/holonom'), ['run', join('models', `${name}.yaml`), '-q', '--report', page],
    {cwd: top, stdio: ['ignore', 'ignore', 'inherit']});
  console.log(`${name}: ${(statSync(page).size / 1e6).toFixed(2)} MB, ${((performance.now() - started) / 1e3).toFixed(1)} s`);
}

/** Until the page has taken its size and is drawn. */
const settle = page => page.evaluate(() =>
  new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 200)))));

async function picture(browser, name) {
  const {at, panel} = CHOSEN[name] ?? plain, errors = [];
  const page = await browser.newPage({viewport: SIZE, colorScheme: 'light'});
  page.on('pageerror', error => errors.push(error.message));
  await page.goto(pathToFileURL(join(out, `${name}.html`)).href);
  await page.evaluate(() => window.holonom.ready);
  if (!panel) await page.click('#panel-toggle');
  await settle(page);
  await page.evaluate(part => {
    const {start, end} = window.holonom;
    window.holonom.setTime(start + part * (end - start));
    document.getElementById('fit').click();
  }, at);
  await settle(page);
  await page.screenshot({path: join(out, `${name}.png`)});
  await page.close();
  if (errors.length) throw new Error(`${name}: ${errors.join('; ')}`);
}

/** To docs/, of those chosen. */
function publish(name) {
  const all = readFileSync(join(out, `${name}.png`)), image = png.decode(all.buffer.slice(all.byteOffset, all.byteOffset + all.length));
  const small = Buffer.from(png.encode(png.toRGBA8(image), image.width, image.height, COLOURS));
  if (small.length > MOST) throw new Error(`${name}.png has ${small.length} bytes, the most is ${MOST}`);
  writeFileSync(join(docs, `${name}.png`), small);
}

const escape = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

function writeIndex(names) {
  const items = names.map(name => `<a href="${name}.html"><img src="${name}.png" alt="" loading="lazy" width="480" height="300">` +
    `<b>${escape(title(name))}</b><span>${escape(about(name))}</span></a>`);
  writeFileSync(join(out, 'index.html'), `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>holonom: gallery</title>
<meta name="viewport" content="width=device-width">
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 1480px; padding: 0 1em; color: #222; background: #f5f6f8 }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 1.2em }
a { color: inherit; text-decoration: none; background: #fff; border-radius: 8px; overflow: hidden; display: flex; flex-direction: column }
a:hover { outline: 2px solid #0072b2 }
img { width: 100%; height: auto }
b, span { padding: 0.3em 0.9em 0 } span { padding-bottom: 0.8em; color: #555 }
</style>
<h1>holonom: the models</h1>
<main>
${items.join('\n')}
</main>
</html>
`);
}

function writeDocument() {
  const items = Object.entries(CHOSEN).map(([name, {line}]) =>
    `## ${title(name)}\n\n![${title(name)}](gallery/${name}.png)\n\n${line} [models/${name}.yaml](../models/${name}.yaml)`);
  writeFileSync(join(top, 'docs/gallery.md'), `# Gallery

Reports of models in models/, as \`holonom run MODEL --report FILE.html\` writes them: pages that play the motion. Shapes that
a model does not give follow from its joints, markers and inertia.

    make gallery     # all of them, in build/gallery/index.html, and the pictures here

${items.join('\n\n')}
`);
}

mkdirSync(out, {recursive: true});
mkdirSync(docs, {recursive: true});
const all = readdirSync(join(top, 'models')).filter(f => f.endsWith('.yaml')).map(f => f.slice(0, -5)).sort();
const names = process.argv.length > 2 ? process.argv.slice(2) : all;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
for (const name of names) {
  report(name);
  await picture(browser, name);
  if (CHOSEN[name]) publish(name);
}
await browser.close();
if (names === all) {
  writeIndex(all);
  writeDocument();
}
