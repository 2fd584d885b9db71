// Growth over depth as a plot: bars for each depth, and how many there are up to it.

import { h, s } from './dom.js';

const WIDTH = 560;
const HEIGHT = 210;
const EDGE = { left: 56, right: 56, top: 12, bottom: 32 };

/** A round number not below another: 1, 2 or 5 times a power of ten. */
function ceiling(number) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, number)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= number);
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** The plot, and a table that says the same. `depths` has how many classes there are at each depth. */
export function growthPlot(depths) {
  const total = [];
  depths.reduce((sum, count) => (total.push(sum + count), sum + count), 0);
  const [most, all] = [ceiling(Math.max(1, ...depths)), ceiling(Math.max(1, total.at(-1) ?? 1))];
  const width = WIDTH - EDGE.left - EDGE.right;
  const height = HEIGHT - EDGE.top - EDGE.bottom;
  const slot = width / Math.max(1, depths.length);
  const y = (share) => EDGE.top + height * (1 - share);
  const svg = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'plot', role: 'img', 'aria-label': `${depths.length} depths, ${total.at(-1) ?? 0} classes in all, at most ${Math.max(0, ...depths)} at one depth` });
  for (const share of [0, 0.5, 1]) {
    svg.append(s('line', { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(share), y2: y(share), class: 'grid' }),
      s('text', { x: EDGE.left - 6, y: y(share) + 4, 'text-anchor': 'end', class: 'bars-text' }, compact.format(most * share)),
      s('text', { x: WIDTH - EDGE.right + 6, y: y(share) + 4, class: 'line-text' }, compact.format(all * share)));
  }
  depths.forEach((count, depth) => {
    const bar = s('rect', { x: EDGE.left + depth * slot + slot * 0.12, width: Math.max(0.6, slot * 0.76), y: y(count / most), height: (height * count) / most, class: 'bar' });
    bar.append(s('title', {}, `depth ${depth}: ${count} states, ${total[depth]} up to here`));
    svg.append(bar);
  });
  const points = total.map((count, depth) => `${(EDGE.left + (depth + 0.5) * slot).toFixed(1)},${y(count / all).toFixed(1)}`);
  svg.append(s('polyline', { points: points.join(' '), class: 'total' }));
  const every = Math.max(1, Math.ceil(depths.length / 12));
  for (let depth = 0; depth < depths.length; depth += every) svg.append(s('text', { x: EDGE.left + (depth + 0.5) * slot, y: HEIGHT - EDGE.bottom + 15, 'text-anchor': 'middle' }, String(depth)));
  svg.append(s('text', { x: EDGE.left + width / 2, y: HEIGHT - 3, 'text-anchor': 'middle' }, 'depth'));
  return h('figure', { class: 'figure', data: { test: 'growth' } }, svg,
    h('figcaption', { class: 'muted' }, '▮ new classes at each depth (left), ─ all up to it (right)'),
    h('details', {}, h('summary', {}, 'As a table'), h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Growth over depth' }, h('table', { class: 'rows' },
      h('thead', {}, h('tr', {}, ['Depth', 'New states', 'All'].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, depths.map((count, depth) => h('tr', {}, h('td', {}, String(depth)), h('td', {}, count.toLocaleString('en')), h('td', {}, total[depth].toLocaleString('en')))))))));
}
