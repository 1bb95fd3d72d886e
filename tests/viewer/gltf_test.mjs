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

let failed = 0;
for (const file of process.argv.slice(2)) {
  const {issues, info} = await validateBytes(new Uint8Array(readFileSync(file)), {uri: basename(file), maxIssues: 100});
  const good = issues.numErrors === 0 && issues.numWarnings === 0 && info?.animationCount === 1;
  const bad = issues.messages.filter(m => m.severity < 2).slice(0, MOST).map(m => `; ${m.code} ${m.pointer ?? ''}: ${m.message}`);
  console.log(`${good ? 'ok' : 'not ok'} ${basename(file)}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ` +
    `${info?.totalTriangleCount ?? 0} triangles, ${info?.animationCount ?? 0} animations${bad.join('')}`);
  failed += !good;
}
process.exit(failed > 0 ? 1 : 0);
