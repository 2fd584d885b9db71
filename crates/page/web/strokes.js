// What is drawn of a run inside a window of rows and columns.

import { s, shortened } from './dom.js';
import { stepText } from './wording.js';

const HALF = 5;

/** A text that is cut to the room it has, and has all of it for hovering. */
function label(text, x, y, room, classes, scale) {
  const most = Math.floor(room / (6.1 * scale));
  if (most < 2) return null;
  const cut = shortened(text, most);
  return s('text', { x, y: y + 3.5 * scale, class: classes, 'data-full': cut === text ? null : text }, cut);
}

/** Stretches of a lifeline from its birth to its end, with whether it is vacant there. */
function stretches(chart, line) {
  const lifeline = chart.told.lifelines[line];
  const first = lifeline.born === null ? 0 : chart.ofStep[lifeline.born];
  const last = lifeline.ended === null ? chart.rows.length - 1 + 0.5 : chart.ofStep[lifeline.ended];
  if (lifeline.vacant.length === 0) return [{ first, last, isVacant: false }];
  const vacant = new Set(lifeline.vacant);
  const found = [];
  for (const [after] of lifeline.labels) {
    const from = after === null ? first : chart.ofStep[after];
    if (found.length > 0) found.at(-1).last = from;
    found.push({ first: from, last, isVacant: vacant.has(after) });
  }
  return found;
}

function drawLifelines(chart, sight, add) {
  for (let column = sight.left; column < sight.right; column += 1) {
    const line = chart.columns[column];
    const { kind } = chart.told.lifelines[line];
    const x = chart.x(column);
    for (const { first, last, isVacant } of stretches(chart, line)) {
      const top = Math.max(first, sight.top - 1);
      const bottom = Math.min(last, sight.bottom + 1);
      if (top >= bottom) continue;
      const classes = `life kind-${kind}${isVacant ? ' vacant' : ''}${chart.marked === line ? ' marked' : ''}`;
      add(s('line', { x1: x, x2: x, y1: chart.y(top), y2: chart.y(bottom), class: classes }));
    }
  }
}

function arrow(fromX, fromY, toX, toY, classes, size) {
  const angle = Math.atan2(toY - fromY, toX - fromX);
  const point = (turn) => `${(toX - size * Math.cos(angle + turn)).toFixed(1)},${(toY - size * Math.sin(angle + turn)).toFixed(1)}`;
  return s('polyline', { points: `${point(0.45)} ${toX},${toY} ${point(-0.45)}`, class: classes });
}

function drawMessage(chart, sight, message, add, scale) {
  const [from, to] = [chart.columnOf.get(message.from), chart.columnOf.get(message.to)];
  if (from === undefined || to === undefined) return;
  const [put, taken] = [chart.ofStep[message.put], chart.ofStep[message.taken]];
  if (Math.max(put, taken) < sight.top || Math.min(put, taken) >= sight.bottom) return;
  if (Math.max(from, to) < sight.left || Math.min(from, to) >= sight.right) return;
  if (put === taken && message.put !== message.taken) return;
  const direction = to > from ? 1 : -1;
  const [x1, x2] = [chart.x(from) + direction * HALF * scale, chart.x(to) - direction * HALF * scale];
  const [y1, y2] = [chart.y(put), chart.y(taken)];
  const lifelines = chart.told.lifelines;
  const full = `${message.kind}: ${message.text} (${lifelines[message.from].name} → ${lifelines[message.to].name})`;
  const isMarked = chart.marked === message.from || chart.marked === message.to;
  const group = s('g', { class: `message ${message.kind}${isMarked ? ' marked' : ''}`, 'data-full': full });
  group.append(s('line', { x1, y1, x2, y2, class: 'hit' }), s('line', { x1, y1, x2, y2, class: 'shaft' }), arrow(x1, y1, x2, y2, 'tip', 6 * scale));
  if (scale >= 0.7 && message.text && put === taken) {
    const gap = chart.columnWidth - 2 * HALF - 14;
    const left = direction > 0 ? x2 - gap : x2 + 8;
    const text = label(message.text, direction > 0 ? x2 - 8 : left, y1 - 7.5 * scale, gap, 'message-text', scale);
    if (text && direction > 0) text.setAttribute('text-anchor', 'end');
    if (text) group.append(text);
  }
  add(group);
}

function drawStep(chart, sight, row, step, add, scale) {
  const y = chart.y(row);
  const { told, columnOf } = chart;
  const isIn = (column) => column !== undefined && column >= sight.left && column < sight.right;
  const actors = step.actors.map((line) => columnOf.get(line)).filter((column) => column !== undefined);
  if (actors.length > 1) add(s('line', { x1: chart.x(Math.min(...actors)), x2: chart.x(Math.max(...actors)), y1: y, y2: y, class: 'together' }));
  for (const [parent, child] of step.born) drawBirth(chart, columnOf.get(parent), columnOf.get(child), y, add, scale);
  for (const line of step.seen) if (isIn(columnOf.get(line))) add(s('circle', { cx: chart.x(columnOf.get(line)), cy: y, r: 3.5 * scale, class: 'seen' }));
  const ended = new Set(step.ended);
  const side = HALF * scale;
  for (const line of step.actors) {
    const column = columnOf.get(line);
    if (isIn(column)) add(s('rect', { x: chart.x(column) - side, y: y - side, width: side * 2, height: side * 2, rx: 2, class: `event${chart.marked === line ? ' marked' : ''}`, 'data-full': stepText(told, step) }));
  }
  for (const line of ended) {
    const column = columnOf.get(line);
    if (!isIn(column)) continue;
    const x = chart.x(column);
    const arm = side + 2.5;
    add(s('path', { d: `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x + arm} ${y - arm}L${x - arm} ${y + arm}`, class: 'ended', 'data-full': `${told.lifelines[line].name} ends` }));
  }
}

function drawBirth(chart, parent, child, y, add, scale) {
  if (child === undefined) return;
  const x = chart.x(child);
  if (parent !== undefined) add(s('line', { x1: chart.x(parent), x2: x, y1: y, y2: y, class: 'birth' }));
  const arm = 3 * scale;
  add(s('circle', { cx: x, cy: y, r: 6 * scale, class: 'born' }), s('path', { d: `M${x - arm} ${y}H${x + arm}M${x} ${y - arm}V${y + arm}`, class: 'born-plus' }));
}

/** What is true of each lifeline after a step, where that has changed. */
function drawLabels(chart, sight, row, after, add, scale) {
  if (scale < 0.7) return;
  for (let column = sight.left; column < sight.right; column += 1) {
    const text = chart.labels.get(chart.columns[column]).get(after);
    if (!text) continue;
    const x = chart.x(column) + 10 * scale;
    const drawn = label(text, x, chart.y(row) + 8 * scale, chart.columnWidth - 26 * scale, 'whereabouts', scale);
    if (drawn) add(drawn);
  }
}

function drawPending(chart, add, scale) {
  const y = chart.y(chart.rows.length - 1);
  for (const { from, to, text } of chart.told.pending) {
    const [a, b] = [chart.columnOf.get(from), chart.columnOf.get(to)];
    if (a === undefined || b === undefined) continue;
    const direction = b > a ? 1 : -1;
    const [x1, x2] = [chart.x(a) + direction * HALF, chart.x(b) - direction * HALF];
    const full = `${chart.told.lifelines[from].name} ${text} ${chart.told.lifelines[to].name}`;
    const shift = direction * 4;
    add(s('g', { class: 'message pending', 'data-full': full }, s('line', { x1, y1: y + shift, x2, y2: y + shift, class: 'hit' }),
      s('line', { x1, y1: y + shift, x2, y2: y + shift, class: 'shaft' }), arrow(x1, y + shift, x2, y + shift, 'tip', 6 * scale)));
  }
}

/** The picture of a window, at its place. */
export function drawWindow(chart, sight) {
  const scale = Math.max(0.6, Math.min(1.25, chart.rowHeight / 28));
  const left = sight.left * chart.columnWidth;
  const top = sight.top * chart.rowHeight;
  const width = (sight.right - sight.left) * chart.columnWidth + 12;
  const height = (sight.bottom - sight.top) * chart.rowHeight;
  const svg = s('svg', { width, height, viewBox: `${left} ${top} ${width} ${height}`, class: 'run-svg' });
  svg.style.left = `${left}px`;
  svg.style.top = `${top}px`;
  const add = (...elements) => svg.append(...elements);
  drawLifelines(chart, sight, add);
  for (const message of chart.told.messages) drawMessage(chart, sight, message, add, scale);
  for (let row = sight.top; row < sight.bottom; row += 1) {
    const { kind, step, from, to, isOpen } = chart.rows[row];
    if (kind === 'step') drawStep(chart, sight, row, chart.told.steps[step], add, scale);
    if (kind === 'fold' && !isOpen) drawFold(chart, sight, row, from, to, add);
  }
  for (let row = sight.top; row < sight.bottom; row += 1) {
    const { kind, step } = chart.rows[row];
    if (kind === 'start') drawLabels(chart, sight, row, null, add, scale);
    if (kind === 'step') drawLabels(chart, sight, row, step, add, scale);
  }
  if (sight.bottom === chart.rows.length && chart.rows.at(-1).kind === 'end') drawPending(chart, add, scale);
  return svg;
}

/** A folded stretch: a zigzag on the lifelines that take part in it. */
function drawFold(chart, sight, row, from, to, add) {
  const lines = new Set();
  for (let i = from; i < to; i += 1) for (const line of chart.told.steps[i].actors) lines.add(line);
  const y = chart.y(row);
  for (const line of lines) {
    const column = chart.columnOf.get(line);
    if (column === undefined || column < sight.left || column >= sight.right) continue;
    const x = chart.x(column);
    add(s('path', { d: `M${x} ${y - 7}l4 3.5l-8 7l4 3.5`, class: 'folded' }));
  }
}
