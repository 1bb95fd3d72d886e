// Elements of the page. Texts go in as text only.

export const get = id => document.getElementById(id);

/** An element with properties and children; children that are no nodes become text. */
export function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A number in few characters. */
export function format(x, digits = 5) {
  if (x === null || x === undefined || !Number.isFinite(x)) return 'none';
  if (x === 0) return '0';
  const size = Math.abs(x);
  const [digit, power] = (size >= 1e6 || size < 1e-4 ? x.toExponential(digits - 1) : x.toPrecision(digits)).split('e');
  const short = digit.includes('.') ? digit.replace(/\.?0+$/, '') : digit;
  return power ? `${short}e${power}` : short;
}
