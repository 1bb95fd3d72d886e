// Builds the report page: node build.mjs [FILE]. One HTML file with three places to fill in, each standing in it once:
// <!--TITLE-->, <!--HEAD--> and <!--DATA-->.
import {build} from 'esbuild';
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, '../build/viewer/report.html'));
const LIMIT = 1.2e6; // [bytes]
const PLACES = ['<!--TITLE-->', '<!--HEAD-->', '<!--DATA-->'];

/** Bundles a file; returns the text. */
async function bundle(entry, options) {
  const result = await build({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, write: false, charset: 'ascii',
    legalComments: 'none', logLevel: 'warning', target: ['chrome100', 'firefox110', 'safari16.4'], ...options,
  });
  return result.outputFiles[0].text.trim();
}

/** What Content-Security-Policy wants to see of a script or style which stands in the page. */
const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const read = file => readFileSync(join(here, file), 'utf8');

const script = await bundle('src/main.js', {format: 'iife'});
const style = await bundle('style.css', {});
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; ` +
  `connect-src 'none'; base-uri 'none'; form-action 'none'`;
const licences = ['three', 'uplot'].map(name => `${name}\n\n${read(`node_modules/${name}/LICENSE`).trim()}`);

const parts = {POLICY: policy, STYLE: style, SCRIPT: script, LICENCES: licences.join('\n\n').replaceAll('--', '==')};
const page = read('page.html').replace(/\{\{([A-Z]+)\}\}/g, (_, name) => parts[name]);

for (const place of PLACES) {
  if (page.split(place).length !== 2) throw new Error(`${place} stands in the page ${page.split(place).length - 1} times`);
}
if (/<\/script/i.test(script)) throw new Error('the script would end the script element');
if (Buffer.byteLength(page) > LIMIT) throw new Error(`the page has ${Buffer.byteLength(page)} bytes, more than ${LIMIT}`);
mkdirSync(dirname(out), {recursive: true});
writeFileSync(out, page);
console.log(`${out}: ${Buffer.byteLength(page)} bytes`);
