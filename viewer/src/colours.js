// Colours of bodies, curves and marks.

/** Okabe and Ito's colours for curves, those that stand out first. */
export const CURVES = {
  light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#000000', '#e69f00', '#56b4e9'],
  dark: ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#f0e442', '#d55e00', '#ffffff'],
};

/** Calm tones of the same hues for bodies. */
const BODIES = ['#5b8db8', '#d69a5c', '#6aa893', '#b98aa6', '#8fb3cf', '#c9b35f', '#8d90b8', '#b07f6c'];
/** Ends of the runs of colour which many bodies get along their list. */
const RUN = ['#4f7ea8', '#68a69a', '#d2b46c', '#c58268'];
const MANY = 16;

/** Colours that say something, in the two themes. */
export const MARKS = {
  light: {
    back: '#f5f6f8', grid: '#b9c0ca', ground: '#9aa3ae', symbol: '#59636f', pin: '#f3f4f6', spring: '#6b7480', driver: '#d55e00',
    select: '#e69f00', loop: '#2f80b8', dim: '#c9ced6', force: '#d55e00', trace: '#0072b2', ghost: '#7f8a99',
    smooth: '#0072b2', sticks: '#009e73', slides: '#d55e00', lasts: '#8b95a1',
  },
  dark: {
    back: '#14171c', grid: '#3d4550', ground: '#66707d', symbol: '#aab3bf', pin: '#2a3038', spring: '#9aa5b3', driver: '#e69f00',
    select: '#f0c24a', loop: '#4a9fd4', dim: '#3a414b', force: '#e69f00', trace: '#56b4e9', ghost: '#8a96a6',
    smooth: '#56b4e9', sticks: '#2cc497', slides: '#e69f00', lasts: '#7b8694',
  },
};

const parse = colour => [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16));

/** Colour of a body that has none of its own. @param {number} body @param {number} n how many there are */
export function bodyColour(body, n) {
  if (n <= MANY) return BODIES[body % BODIES.length];
  const x = body / (n - 1) * (RUN.length - 1), i = Math.min(Math.floor(x), RUN.length - 2);
  const a = parse(RUN[i]), b = parse(RUN[i + 1]);
  return '#' + a.map((v, k) => Math.round(v + (x - i) * (b[k] - v)).toString(16).padStart(2, '0')).join('');
}
