// Buttons, menus and keys.
import {SPEEDS} from './clock.js';
import {CURVES} from './colours.js';
import {format, get, make} from './dom.js';
import {MOST as MOST_TRACES} from './traces.js';

const MOST_CHOICES = 2000; // entries of a menu

/** Playback. @param {import('./clock.js').Clock} clock */
export function bindTransport(clock) {
  const play = get('play'), scrub = get('scrub'), time = get('time'), speed = get('speed'), loop = get('loop');
  let span, digits, end;
  clock.onRange = () => {
    span = clock.end - clock.start || 1;
    digits = Math.min(Math.max(Math.floor(3 - Math.log10(span)), 0), 9);
    end = (clock.end - clock.zero).toFixed(digits);
    speed.replaceChildren(...SPEEDS.map(s => make('option', {value: s, selected: s === clock.speed}, `${format(s * clock.base, 3)}×`)));
  };
  clock.onRange();
  clock.listeners.push(t => {
    scrub.value = (t - clock.start) / span * 10000;
    const shown = (t - clock.zero).toFixed(digits);
    scrub.setAttribute('aria-valuetext', `${shown} s`);
    time.textContent = `${shown} / ${end} s`;
  });
  clock.onState = () => {
    play.classList.toggle('playing', clock.playing);
    play.setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
    play.title = clock.playing ? 'Pause (space)' : 'Play (space)';
  };
  const repeat = () => {
    clock.loop = !clock.loop;
    loop.setAttribute('aria-pressed', clock.loop);
  };
  play.addEventListener('click', () => clock.toggle());
  get('back').addEventListener('click', () => clock.step(-1));
  get('forward').addEventListener('click', () => clock.step(1));
  scrub.addEventListener('input', () => {
    clock.pause();
    clock.set(clock.start + scrub.value / 10000 * span);
  });
  speed.addEventListener('change', () => {
    clock.speed = Number(speed.value);
  });
  loop.addEventListener('click', repeat);
  return repeat;
}

function fill(select, first, names) {
  select.replaceChildren(make('option', {value: -1}, first),
    ...names.slice(0, MOST_CHOICES).map((name, i) => make('option', {value: i}, name)));
  if (names.length > MOST_CHOICES) {
    select.append(make('option', {disabled: true}, `and ${names.length - MOST_CHOICES} more; pick them in the picture`));
  }
  select.disabled = !names.length;
}

/** What the picture shows. @param {import('./view.js').View} view @param {import('./plots.js').Plots} plots */
export function bindView(view, plots) {
  const {scene} = view, {stage} = view;
  for (const button of document.querySelectorAll('[data-view]')) {
    button.addEventListener('click', () => view.fit(button.dataset.view));
  }
  get('views').hidden = view.flat;
  get('fit').addEventListener('click', () => view.fit());
  const show = get('show'), toggle = get('show-toggle');
  toggle.addEventListener('click', () => {
    show.hidden = !show.hidden;
    toggle.setAttribute('aria-expanded', !show.hidden);
  });
  show.addEventListener('submit', event => event.preventDefault());

  const check = (id, action) => get(id).addEventListener('change', event => {
    action(event.target.checked);
    stage.draw();
  });
  const symbols = () => {
    view.symbols.show(get('show-joints').checked, get('show-springs').checked);
    view.symbols.update();
  };
  check('show-joints', symbols);
  check('show-springs', symbols);
  check('show-ghost', on => view.showGhost(on));
  check('show-grid', on => {
    stage.grid.visible = on;
  });
  check('show-axes', on => {
    get('gizmo').hidden = !on;
  });
  check('show-shadows', on => stage.showShadows(on));
  get('show-shadows').disabled = !view.shapes.castsShadows;
  get('show-shadows').checked = view.shapes.castsShadows;
  check('show-forces', on => {
    view.arrows.show(on);
    view.arrows.update(view.t);
  });
  get('show-forces').disabled = get('force-scale').disabled = !view.arrows.count;
  check('show-contacts', on => {
    view.discs.show(on);
    view.discs.update(view.t);
  });
  get('show-contacts').disabled = !view.touching.list.length;
  get('force-scale').addEventListener('input', event => {
    view.arrows.scale = 10 ** Number(event.target.value);
    view.arrows.update(view.t);
    stage.draw();
  });

  get('show-labels').addEventListener('change', event => {
    const origin = [0, 0, 0];
    view.labels.set({
      none: () => [],
      bodies: () => scene.bodies.map((name, body) => ({name, body, position: origin})),
      joints: () => scene.joints.filter(j => j.ends.length).map(j => ({name: j.name, ...j.ends[j.ends.length - 1]})),
    }[event.target.value]());
  });

  const follow = get('follow'), loop = get('loop-choice');
  fill(follow, 'nothing', scene.bodies);
  follow.value = view.followed;
  follow.addEventListener('change', () => {
    view.followed = Number(follow.value);
  });
  fill(loop, scene.loops.length ? 'none' : 'no loops', scene.loops.map((l, i) => `loop ${i + 1}: ${l.bodies.length} bodies`));
  loop.addEventListener('change', () => view.setLoop(Number(loop.value)));

  bindTraces(view);
  bindPicked(view, plots, follow);
}

/** Points that can be traced: origins of bodies, ends of joints. */
function bindTraces(view) {
  const {scene} = view, add = get('trace-add'), list = get('trace-list');
  const points = scene.bodies.map((name, body) => ({name, body, position: [0, 0, 0]}));
  for (const {name, ends} of scene.joints) {
    const end = ends.find(e => e.body >= 0);
    if (end) points.push({name: `${name} on ${scene.bodies[end.body]}`, body: end.body, position: end.position});
  }
  fill(add, 'add a point', points.map(p => p.name));
  let chosen = [];
  view.setTraces = next => {
    chosen = next.slice(0, MOST_TRACES);
    view.traces.set(chosen);
    list.replaceChildren(...chosen.map((point, i) => {
      const swatch = make('i', {className: 'swatch'}), colours = CURVES[view.theme];
      swatch.style.background = colours[i % colours.length];
      const remove = make('button', {type: 'button', title: 'Remove', ariaLabel: `Remove the trace of ${point.name}`}, '×');
      remove.addEventListener('click', () => view.setTraces(chosen.filter(p => p !== point)));
      return make('li', null, swatch, make('span', null, point.name), remove);
    }));
    view.stage.draw();
  };
  view.addTraces = some => view.setTraces([...chosen, ...some.filter(p => !chosen.includes(p))]);
  view.refreshTraces = () => view.setTraces(chosen);
  view.tracePoints = points;
  add.addEventListener('change', () => {
    if (Number(add.value) >= 0) view.addTraces([points[Number(add.value)]]);
    add.value = -1;
  });
}

/** The card of the picked body. */
function bindPicked(view, plots, follow) {
  const card = get('picked'), {scene} = view;
  view.onPick = body => {
    card.hidden = body === null;
    if (body !== null) get('picked-name').textContent = scene.bodies[body];
  };
  get('picked-close').addEventListener('click', () => view.select(null));
  get('picked-follow').addEventListener('click', () => {
    view.followed = view.followed === view.selected ? -1 : view.selected;
    follow.value = view.followed;
  });
  get('picked-trace').addEventListener('click', () => {
    view.addTraces(view.tracePoints.filter(p => p.body === view.selected));
  });
  get('picked-plot').addEventListener('click', () => {
    const name = scene.bodies[view.selected];
    const found = ['x', 'y', 'z', 'theta'].map(a => plots.signals.number.get(`${name}.${a}`)).filter(i => i !== undefined);
    plots.choose(found.concat(plots.chosen.filter(i => !found.includes(i))));
  });
}

/**
 * Light or dark: as the system says until the button is used.
 * @returns {(apply: (theme: 'light' | 'dark') => void) => void} calls apply now and with every change
 */
export function bindTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)'), listeners = [];
  let own = null, theme;
  const set = () => {
    theme = own ?? (dark.matches ? 'dark' : 'light');
    document.documentElement.dataset.theme = theme;
    for (const apply of listeners) apply(theme);
  };
  dark.addEventListener('change', set);
  get('theme').addEventListener('click', () => {
    own = theme === 'dark' ? 'light' : 'dark';
    set();
  });
  set();
  return apply => {
    listeners.push(apply);
    apply(theme);
  };
}

/** Keys of the whole page; fields keep theirs. */
export function bindKeys(clock, view, repeat) {
  const keys = {
    ' ': () => clock.toggle(), ArrowLeft: () => clock.step(-1), ArrowRight: () => clock.step(1), f: () => view?.fit(),
    Home: () => {
      clock.set(clock.start);
      view?.fit('iso');
    },
    End: () => clock.set(clock.end), l: repeat, p: () => get('panel-toggle').click(), Escape: () => view?.select(null),
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const {target} = event, range = target.type === 'range';
    if (target.matches('input, select') && !(range && event.key === ' ') && target.type !== 'checkbox') return;
    if (event.key === ' ' && target.matches('button, input[type="checkbox"]')) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
