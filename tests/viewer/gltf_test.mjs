// Checks .glb files with Khronos' validator: no error, no warning:
//     node gltf_test.mjs FILE.glb ...
// gltf-validator is looked for in viewer/node_modules.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const {validateBytes} = createRequire(join(here, '../../viewer/package.json'))('gltf-validator');
const MOST = 5; // messages shown of a file

/** Colours of screens as parts of light (IEC 61966-2-1): materials whose name is not the colour that they have. */
function wrongColours(bytes) {
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + new DataView(bytes.buffer).getUint32(12, true))));
  const level = light => Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
  const name = ([r, g, b]) => '#' + [r, g, b].map(x => level(x).toString(16).padStart(2, '0')).join('');
  return (json.materials ?? []).filter(m => name(m.pbrMetallicRoughness.baseColorFactor) !== m.name).map(m => m.name);
}

let failed = 0;
for (const file of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(file)), wrong = wrongColours(bytes);
  const {issues, info} = await validateBytes(bytes, {uri: basename(file), maxIssues: 100});
  const good = !wrong.length && issues.numErrors === 0 && issues.numWarnings === 0 && info?.animationCount >= 1;
  const bad = issues.messages.filter(m => m.severity < 2).slice(0, MOST).map(m => `; ${m.code} ${m.pointer ?? ''}: ${m.message}`);
  if (wrong.length) bad.push(`; other colours than ${wrong}`);
  console.log(`${good ? 'ok' : 'not ok'} ${basename(file)}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ` +
    `${info?.totalTriangleCount ?? 0} triangles, ${info?.animationCount ?? 0} animations${bad.join('')}`);
  failed += !good;
}
process.exit(failed > 0 ? 1 : 0);
