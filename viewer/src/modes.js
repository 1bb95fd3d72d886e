// The list of modes: which of them is played.
import {get, make} from './dom.js';

/** Turns the page of a motion into one of modes: the list of them stands where plots do. */
export function prepareModes() {
  for (const id of ['plots', 'tab-plots', 'picked-plot']) get(id).hidden = true;
  for (const id of ['modes', 'tab-modes']) get(id).hidden = false;
  get('tab-plots').setAttribute('aria-selected', false);
  get('tab-modes').setAttribute('aria-selected', true);
  get('tab-modes').tabIndex = 0;
  get('ghost-name').textContent = 'pose at rest';
}

/**
 * Fills the list and binds it.
 * @param {{label: string, first: number, frames: number}[]} modes
 * @param {() => void} changed called when another mode is played
 * @returns {(mode: number) => void} chooses one
 */
export function bindModes(modes, motion, clock, changed) {
  const list = get('mode-list');
  const buttons = modes.map(({label}, i) => {
    const button = make('button', {type: 'button'}, make('b', null, i + 1), make('span', null, label));
    button.addEventListener('click', () => {
      choose(i);
      clock.play();
    });
    return button;
  });
  list.replaceChildren(...buttons.map(button => make('li', null, button)));
  const choose = i => {
    const {first, frames} = modes[i];
    buttons.forEach((button, k) => button.setAttribute('aria-pressed', k === i));
    motion.show(first, frames);
    clock.range(motion.time[first], motion.time[first + frames - 1]);
    clock.set(clock.start);
    changed();
  };
  return choose;
}
