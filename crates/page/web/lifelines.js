// The chart of a run. Steps are rows, lifelines are columns; only what is in sight is in the document.

import { eachFrame, h, shortened } from './dom.js';
import { drawWindow } from './strokes.js';
import { actorOf, fullName, shortName, stepText } from './wording.js';

const ROW = 28;
const COLUMN = 140;
const WIDEST = 230;
const HEAD = 30;
const SPARE_ROWS = 14;
const SPARE_COLUMNS = 3;
export const ZOOMS = [0.4, 0.55, 0.75, 1, 1.3, 1.7];

export const KIND_SIGNS = { thread: '●', object: '◆', place: '◯', transition: '▬' };

export class Chart extends EventTarget {
  constructor(host) {
    super();
    this.zoom = ZOOMS.indexOf(1);
    this.told = null;
    this.at = 0;
    this.found = new Set();
    this.list = h('div', { class: 'run-list', role: 'listbox', tabindex: '0', 'aria-label': 'Steps of the run', data: { test: 'run-list', focus: '' } });
    this.head = h('div', { class: 'run-head' });
    this.corner = h('div', { class: 'run-corner' }, 'Step');
    this.names = h('div', { class: 'run-names' });
    this.bracket = h('div', { class: 'run-bracket', hidden: true, 'aria-hidden': 'true' }, h('span', { 'aria-hidden': 'true' }, '↻'));
    this.picture = h('div', { class: 'run-picture', 'aria-hidden': 'true' });
    this.sheet = h('div', { class: 'run-sheet' });
    this.scroller = h('div', { class: 'run-scroll', data: { test: 'run-scroll' } }, this.sheet);
    this.head.append(this.corner, this.names);
    this.sheet.append(this.head, this.list, this.picture);
    host.append(this.scroller);
    const paint = eachFrame(() => this.paint());
    this.scroller.addEventListener('scroll', paint, { passive: true });
    this.resized = new ResizeObserver(() => {
      this.measure();
      this.paint(true);
    });
    this.resized.observe(this.scroller);
    this.scroller.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    this.list.addEventListener('click', (event) => this.onClick(event));
    this.picture.addEventListener('click', (event) => this.onClick(event));
    this.list.addEventListener('keydown', (event) => this.onKey(event));
    this.makeDraggable();
  }

  /** Shows a run: its rows, and which lifelines are columns. */
  show(told, { rows, ofStep, ofState }, columns) {
    Object.assign(this, { told, rows, ofStep, ofState, columns });
    this.columnOf = new Map(columns.map((line, i) => [line, i]));
    this.labels = new Map();
    for (const line of columns) this.labels.set(line, new Map(told.lifelines[line].labels.map(([after, text]) => [after, text])));
    this.measure();
    this.paint(true);
  }

  /** How large everything is. */
  measure() {
    const scale = ZOOMS[this.zoom];
    this.rowHeight = Math.round(ROW * scale);
    const width = this.scroller.clientWidth;
    this.listWidth = Math.round(Math.max(104, Math.min(300, width * (width < 520 ? 0.42 : 0.36))));
    const share = (width - this.listWidth - 24) / Math.max(1, this.columns?.length ?? 1);
    const least = this.columns?.length > 30 ? 0.8 * COLUMN : COLUMN;
    this.columnWidth = Math.round(Math.max(least * scale, Math.min(WIDEST * scale, share)));
    if (!this.told) return;
    const wide = this.listWidth + this.columns.length * this.columnWidth + 24;
    const high = this.rows.length * this.rowHeight;
    this.sheet.style.width = `${Math.max(wide, width)}px`;
    this.sheet.style.height = `${high + HEAD}px`;
    this.sheet.style.setProperty('--list', `${this.listWidth}px`);
    this.sheet.style.setProperty('--row', `${this.rowHeight}px`);
    this.sheet.style.setProperty('--scale', String(Math.max(0.6, Math.min(1.25, scale))));
    this.sheet.dataset.dense = String(scale < 0.5);
    this.list.style.height = `${high}px`;
    this.drawn = null;
  }

  /** Where the middle of a column is, from the left edge of the picture. */
  x(column) {
    return column * this.columnWidth + Math.min(18, this.columnWidth / 4) + 6;
  }

  y(row) {
    return row * this.rowHeight + this.rowHeight / 2;
  }

  inSight() {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.scroller;
    return {
      top: Math.floor(scrollTop / this.rowHeight),
      bottom: Math.ceil((scrollTop + clientHeight - HEAD) / this.rowHeight),
      left: Math.floor(scrollLeft / this.columnWidth),
      right: Math.ceil((scrollLeft + clientWidth - this.listWidth) / this.columnWidth),
    };
  }

  /** Puts what is in sight into the document, with some to spare, unless it is there already. */
  paint(isForced = false) {
    if (!this.told || this.scroller.clientHeight === 0) return;
    const sight = this.inSight();
    const drawn = this.drawn;
    const isInside = drawn && sight.top >= drawn.top && Math.min(sight.bottom, this.rows.length) <= drawn.bottom
      && sight.left >= drawn.left && Math.min(sight.right, this.columns.length) <= drawn.right;
    if (isInside && !isForced) return;
    this.drawn = {
      top: Math.max(0, Math.min(sight.top, this.rows.length) - SPARE_ROWS),
      bottom: Math.min(this.rows.length, sight.bottom + SPARE_ROWS),
      left: Math.max(0, Math.min(sight.left, this.columns.length) - SPARE_COLUMNS),
      right: Math.min(this.columns.length, sight.right + SPARE_COLUMNS),
    };
    this.paintList();
    this.paintNames();
    this.picture.replaceChildren(drawWindow(this, this.drawn));
    this.paintBracket();
  }

  paintList() {
    const options = [];
    for (let i = this.drawn.top; i < this.drawn.bottom; i += 1) options.push(this.option(i));
    this.list.replaceChildren(...options, this.bracket);
    this.markPosition();
  }

  option(i) {
    const row = this.rows[i];
    const { number, who, text, full, sign, rest } = this.words(row);
    const option = h('div', {
      class: `run-row ${row.kind}${row.isInside ? ' inside' : ''}${this.found.has(i) ? ' found' : ''}`, role: 'option', id: `row-${i}`,
      'aria-setsize': this.rows.length, 'aria-posinset': i + 1, 'aria-selected': 'false', 'data-full': full,
      data: { row: i, ...(row.kind === 'step' ? { step: row.step } : {}) },
    }, h('span', { class: 'run-number' }, number), ' ', who && h('span', { class: 'run-who' }, `${who} `), h('span', { class: 'run-text' }, sign, text), rest && h('span', { class: 'unseen' }, ` ${rest}`));
    option.style.top = `${i * this.rowHeight}px`;
    return option;
  }

  /** What a row says: shortened, and in full. */
  words(row) {
    if (row.kind === 'start') return { number: '0', text: 'initially', full: 'The initial state', sign: '' };
    if (row.kind === 'end') {
      const outcome = this.told.outcome ?? (this.told.loop ? this.loopText() : 'the run ends here');
      return { number: '', text: shortened(outcome.split('\n')[0], 90), full: outcome, sign: this.told.loop ? '↻ ' : '■ ' };
    }
    if (row.kind === 'fold') {
      const range = `Steps ${row.from + 1} to ${row.to}`;
      return { number: '', text: row.text, full: `${range}: ${row.text}. Enter ${row.isOpen ? 'folds' : 'unfolds'} them.`, sign: row.isOpen ? '▾ ' : '▸ ' };
    }
    const step = this.told.steps[row.step];
    const changes = step.changes.length > 0 ? `\n${step.changes.join('\n')}` : '';
    const whole = stepText(this.told, step);
    const who = whole === step.text ? '' : shortName(actorOf(this.told, step));
    return { number: String(row.step + 1), who, text: step.text, full: `Step ${row.step + 1}: ${whole}${changes}`, sign: '', rest: step.changes.join(', ') };
  }

  loopText() {
    const { to } = this.told.loop;
    if (to === this.told.steps.length) return 'nothing happens any more, for ever';
    return `and so on for ever, as after ${to === 0 ? 'the initial state' : `step ${to}`}`;
  }

  paintNames() {
    const names = [];
    for (let i = this.drawn.left; i < this.drawn.right; i += 1) {
      const line = this.columns[i];
      const lifeline = this.told.lifelines[line];
      const name = h('button', {
        class: `run-name kind-${lifeline.kind}${this.marked === line ? ' marked' : ''}`, tabindex: '-1', 'data-full': `${fullName(lifeline)} (${lifeline.kind})`,
        data: { lifeline: line, test: 'lifeline' }, 'aria-pressed': String(this.marked === line), onclick: () => this.mark(line),
      }, h('span', { 'aria-hidden': 'true' }, `${KIND_SIGNS[lifeline.kind] ?? '●'} `), fullName(lifeline));
      name.style.left = `${i * this.columnWidth}px`;
      name.style.width = `${this.columnWidth - 4}px`;
      names.push(name);
    }
    this.names.replaceChildren(...names);
  }

  /** Draws one lifeline stronger than the others. */
  mark(line) {
    this.marked = this.marked === line ? null : line;
    this.paint(true);
  }

  paintBracket() {
    const { loop, steps } = this.told;
    this.bracket.hidden = !loop || loop.to === steps.length;
    if (this.bracket.hidden) return;
    const from = this.ofState(loop.to);
    const to = this.ofState(steps.length);
    this.bracket.style.top = `${this.y(from)}px`;
    this.bracket.style.height = `${Math.max(8, this.y(to) - this.y(from) + this.rowHeight / 2)}px`;
  }

  /** Shows which state is looked at, and brings it into sight if asked. */
  setPosition(at, isRevealed) {
    this.at = at;
    if (!this.told) return;
    this.markPosition();
    if (isRevealed) this.revealRow(this.ofState(at) ?? 0, this.told.steps[at - 1]?.actors[0]);
  }

  markPosition() {
    const current = this.ofState(Math.min(this.at, this.told.steps.length));
    for (const option of this.list.querySelectorAll('.run-row')) {
      const row = Number(option.dataset.row);
      const isCurrent = row === current;
      option.classList.toggle('current', isCurrent);
      option.classList.toggle('ahead', row > current);
      option.setAttribute('aria-selected', String(isCurrent));
    }
    this.list.setAttribute('aria-activedescendant', `row-${current}`);
    this.sheet.style.setProperty('--current', `${current * this.rowHeight + HEAD}px`);
    this.sheet.style.setProperty('--ahead', `${(current + 1) * this.rowHeight}px`);
  }

  revealRow(row, lifeline = undefined) {
    const { scroller, rowHeight } = this;
    const room = scroller.clientHeight - HEAD;
    const top = row * rowHeight;
    if (top < scroller.scrollTop + rowHeight) scroller.scrollTop = top - rowHeight * 2;
    else if (top + rowHeight * 2 > scroller.scrollTop + room) scroller.scrollTop = top + rowHeight * 3 - room;
    const column = this.columnOf.get(lifeline);
    if (column !== undefined) {
      const left = column * this.columnWidth;
      const width = scroller.clientWidth - this.listWidth;
      if (left < scroller.scrollLeft) scroller.scrollLeft = left;
      else if (left + this.columnWidth > scroller.scrollLeft + width) scroller.scrollLeft = left + this.columnWidth - width;
    }
    this.paint();
  }

  setFound(rows) {
    this.found = new Set(rows);
    this.paint(true);
  }

  setZoom(zoom) {
    const row = this.scroller.scrollTop / this.rowHeight;
    const column = this.scroller.scrollLeft / this.columnWidth;
    this.zoom = Math.max(0, Math.min(ZOOMS.length - 1, zoom));
    this.measure();
    this.scroller.scrollTop = row * this.rowHeight;
    this.scroller.scrollLeft = column * this.columnWidth;
    this.paint(true);
  }

  onWheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.setZoom(this.zoom + (event.deltaY < 0 ? 1 : -1));
  }

  onClick(event) {
    if (this.wasDragged) return;
    const box = this.list.getBoundingClientRect();
    const target = event.target.closest('[data-row]');
    const row = target ? Number(target.dataset.row) : Math.floor((event.clientY - box.top) / this.rowHeight);
    this.choose(row);
    this.list.focus({ preventScroll: true });
  }

  choose(row) {
    const chosen = this.rows[row];
    if (!chosen) return;
    if (chosen.kind === 'fold') this.dispatchEvent(new CustomEvent('fold', { detail: { key: chosen.key } }));
    else {
      const at = chosen.kind === 'start' ? 0 : chosen.kind === 'end' ? this.told.steps.length : chosen.step + 1;
      this.dispatchEvent(new CustomEvent('look', { detail: { at } }));
    }
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / this.rowHeight) - 3);
    const at = this.ofState(this.at);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -at, End: this.rows.length }[event.key];
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') this.scroller.scrollLeft += (event.key === 'ArrowLeft' ? -1 : 1) * this.columnWidth;
    else if (event.key === 'Enter' || event.key === ' ') {
      if (!this.unfoldNear(at)) return;
    } else if (by === undefined) return;
    else this.moveTo(at, by);
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves over rows to one that is a state. */
  moveTo(at, by) {
    const isState = (row) => this.rows[row].kind === 'start' || this.rows[row].kind === 'step' || (this.rows[row].kind === 'fold' && !this.rows[row].isOpen);
    let row = Math.max(0, Math.min(this.rows.length - 1, at + by));
    const direction = by > 0 ? 1 : -1;
    while (row > 0 && row < this.rows.length - 1 && !isState(row)) row += direction;
    while (row > 0 && !isState(row)) row -= 1;
    const chosen = this.rows[row];
    if (chosen.kind === 'fold') this.dispatchEvent(new CustomEvent('look', { detail: { at: chosen.to } }));
    else this.choose(row);
  }

  /** Opens or closes the stretch that the state looked at is in, or that is next to it. Gives whether there is one. */
  unfoldNear(at) {
    let inside = at;
    while (inside > 0 && this.rows[inside].isInside) inside -= 1;
    const row = [at, at + 1, at - 1, inside].find((one) => this.rows[one]?.kind === 'fold');
    if (row !== undefined) this.choose(row);
    return row !== undefined;
  }

  /** The picture can be dragged. */
  makeDraggable() {
    this.picture.addEventListener('pointerdown', (event) => {
      this.wasDragged = false;
      if (event.button !== 0 || event.pointerType === 'touch') return;
      const start = { x: event.clientX, y: event.clientY, left: this.scroller.scrollLeft, top: this.scroller.scrollTop };
      const move = (moved) => {
        const [dx, dy] = [moved.clientX - start.x, moved.clientY - start.y];
        if (Math.abs(dx) + Math.abs(dy) > 4) this.wasDragged = true;
        this.scroller.scrollLeft = start.left - dx;
        this.scroller.scrollTop = start.top - dy;
      };
      const end = () => {
        removeEventListener('pointermove', move);
        removeEventListener('pointerup', end);
      };
      addEventListener('pointermove', move);
      addEventListener('pointerup', end);
    });
  }
}
