// The side panel: tabs, summary, findings, model text.
import {get, make} from './dom.js';

const COLOURED_LINES = 4000; // a longer text stands plain

function facts(rows) {
  const cells = rows.map(([label, text]) => make('tr', null,
    ...label ? [make('th', {scope: 'row'}, label), make('td', null, text)] : [make('td', {colSpan: 2}, text)]));
  return make('table', {className: 'facts'}, make('tbody', null, ...cells));
}

/** Columns that stand below each other on a terminal do not here: a label gets a colon. */
const unaligned = text => text.split('\n').map(line => line.replace(/(\S) {3,}(?=\S)/, '$1: ')).join('\n');

export function fillPanel(scene) {
  get('summary').append(facts([...scene.summary, ['version', scene.version]]));

  const check = get('check');
  check.append(facts(scene.check), make('h2', null, 'Findings'));
  if (scene.findings.length) check.append(make('ul', {className: 'findings'}, ...scene.findings.map(f => make('li', null, unaligned(f)))));
  else check.append(make('p', {className: 'good'}, 'Nothing to report.'));

  const {file, text, set} = scene.model, model = get('model');
  const rows = [['file', file], ...set.map(s => ['set', s]), ['version', scene.version]].filter(([, value]) => value);
  model.append(make('div', null, facts(rows)), code(text));
}

/** A text with line numbers; comments and keys of YAML stand out. */
function code(text) {
  const lines = text.replace(/\n$/, '').split('\n');
  const numbers = make('pre', {className: 'numbers', ariaHidden: 'true'}, lines.map((_, i) => i + 1).join('\n'));
  const body = make('pre', {className: 'text'});
  if (lines.length > COLOURED_LINES) body.append(text);
  else lines.forEach((line, i) => body.append(...coloured(line), i + 1 < lines.length ? '\n' : ''));
  return make('div', {className: 'code'}, numbers, body);
}

function coloured(line) {
  const comment = /(^|\s)#(?![0-9a-f]{6}\b)/i.exec(line), end = comment ? comment.index : line.length;
  const key = /^(\s*(?:- )?\{?)([\w.{}+-]+)(?=:(\s|$))/.exec(line.slice(0, end));
  const parts = key ? [key[1], make('span', {className: 'key'}, key[2]), line.slice(key[0].length, end)] : [line.slice(0, end)];
  if (comment) parts.push(make('span', {className: 'comment'}, line.slice(end)));
  return parts;
}

/** Tabs, folding, width. @param {() => void} changed called when the panel has another size */
export function bindPanel(changed) {
  const tabs = [...document.querySelectorAll('[role="tab"]:not([hidden])')];
  const open = tab => {
    for (const other of tabs) {
      other.setAttribute('aria-selected', other === tab);
      other.tabIndex = other === tab ? 0 : -1;
      get(other.getAttribute('aria-controls')).hidden = other !== tab;
    }
    changed();
  };
  tabs.forEach((tab, i) => {
    tab.addEventListener('click', () => open(tab));
    tab.addEventListener('keydown', event => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (!step) return;
      event.stopPropagation();
      const next = tabs[(i + step + tabs.length) % tabs.length];
      next.focus();
      open(next);
    });
  });
  get('panel-toggle').addEventListener('click', () => {
    const folded = document.body.classList.toggle('folded');
    get('panel-toggle').setAttribute('aria-expanded', !folded);
    changed();
  });
  const divider = get('divider'), panel = get('panel');
  const resize = width => {
    panel.style.width = `${Math.min(Math.max(width, 260), innerWidth - 320)}px`;
    changed();
  };
  if (innerWidth >= 1800) panel.style.width = '560px';
  divider.addEventListener('pointerdown', event => divider.setPointerCapture(event.pointerId));
  divider.addEventListener('pointermove', event => {
    if (divider.hasPointerCapture(event.pointerId)) resize(innerWidth - event.clientX);
  });
  divider.addEventListener('keydown', event => {
    const step = {ArrowLeft: 20, ArrowRight: -20}[event.key];
    if (!step) return;
    event.stopPropagation();
    resize(panel.offsetWidth + step);
  });
}
