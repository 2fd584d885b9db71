// A run with all that helps to read it: folding, a filter by lifeline, searching, zoom, details of a step, and the same as
// text. It is used by the page and by runs that were exported.

import { counted, h, settled } from './dom.js';
import { Chart, KIND_SIGNS, ZOOMS } from './lifelines.js';
import { fullName, stepText } from './wording.js';
import { matches, rowsOf } from './rows.js';
import { panelButton } from './menu.js';
import { showFullTexts } from './tooltip.js';
import { runText } from './runtext.js';

const KINDS = [['thread', 'Threads'], ['object', 'Objects'], ['place', 'Places'], ['transition', 'Transitions']];

export class RunView extends EventTarget {
  constructor(tools, body) {
    super();
    this.told = null;
    this.at = 0;
    this.foldRounds = false;
    this.hiddenNames = new Set();
    this.unfolded = new Set();
    this.found = [];
    this.outcome = h('div', { class: 'banner', data: { test: 'outcome' }, hidden: true });
    this.frame = h('div', { class: 'run-frame' });
    this.text = h('div', { class: 'run-as-text', hidden: true, tabindex: '0', role: 'region', 'aria-label': 'The run as text', data: { test: 'run-text' } });
    this.details = h('div', { class: 'run-details', data: { test: 'step-details' }, role: 'region', 'aria-label': 'Step looked at', tabindex: '0' });
    body.append(this.outcome, this.frame, this.text, this.details);
    this.chart = new Chart(this.frame);
    showFullTexts(this.frame);
    this.chart.addEventListener('look', ({ detail }) => this.look(detail.at));
    this.chart.addEventListener('fold', ({ detail }) => this.toggleFold(detail.key));
    this.makeTools(tools);
  }

  makeTools(host) {
    this.words = h('input', { type: 'search', placeholder: 'Find in run', 'aria-label': 'Find in run', class: 'find', data: { test: 'run-find' } });
    this.count = h('span', { class: 'muted', role: 'status', data: { test: 'run-found' } });
    this.words.addEventListener('input', settled(() => this.find(), 120));
    this.words.addEventListener('keydown', (event) => event.key === 'Enter' && this.nextFound(event.shiftKey ? -1 : 1));
    this.filter = h('button', { class: 'small', data: { test: 'run-filter' } }, 'Lifelines');
    panelButton(this.filter, 'Which lifelines are shown', () => this.filterPanel());
    this.rounds = h('button', { class: 'small', 'aria-pressed': 'false', data: { test: 'run-fold' }, title: 'Fold rounds that are repeated', onclick: () => this.setFoldRounds(!this.foldRounds) }, 'Fold rounds');
    this.asText = h('button', { class: 'small', 'aria-pressed': 'false', data: { test: 'run-as-text' }, onclick: () => this.setText(this.text.hidden) }, 'As text');
    const zoom = (by, sign, name) => h('button', { class: 'small', 'aria-label': name, title: name, data: { test: `run-zoom-${by > 0 ? 'in' : 'out'}` }, onclick: () => this.setZoom(by) }, sign);
    host.append(this.words, this.count, this.filter, this.rounds, h('span', { class: 'group' }, zoom(-1, '−', 'Smaller'), zoom(1, '+', 'Larger')), this.asText);
  }

  /** Forgets what was hidden and unfolded: the next run is of another model. */
  reset() {
    this.hiddenNames.clear();
    this.unfolded.clear();
  }

  /** Shows another run, or the same one with more steps. */
  show(told) {
    this.told = told;
    this.refresh();
    const text = told.outcome ?? (told.loop ? `↻ ${this.chart.loopText()}` : '');
    this.outcome.hidden = text === '';
    this.outcome.replaceChildren(this.outcomeText(text), told.loop ? this.takenPlaces(told.loop) : '');
  }

  outcomeText(text) {
    const lines = text.split('\n');
    if (lines.length === 1) return h('strong', {}, text);
    return h('details', {}, h('summary', {}, h('strong', {}, lines[0])), h('pre', {}, lines.slice(1).join('\n')));
  }

  takenPlaces({ replaced }) {
    const moved = Object.entries(replaced ?? {}).filter(([now, before]) => now !== before);
    if (moved.length === 0) return '';
    return h('div', { class: 'muted' }, moved.slice(0, 12).map(([now, before]) => `${now} is then where ${before} was`).join(', '), moved.length > 12 ? ', …' : '');
  }

  get columns() {
    return this.told.lifelines.map((_, i) => i).filter((i) => !this.hiddenNames.has(this.told.lifelines[i].name));
  }

  /** Works out rows and columns again. */
  refresh(isRevealed = false) {
    const { columns } = this;
    const isFiltered = columns.length < this.told.lifelines.length;
    const shown = isFiltered ? new Set(columns) : null;
    this.laid = rowsOf(this.told, { shown, foldRounds: this.foldRounds, unfolded: this.unfolded });
    this.chart.show(this.told, this.laid, columns);
    this.chart.setPosition(this.at, isRevealed);
    this.filter.textContent = isFiltered ? `Lifelines ${columns.length}/${this.told.lifelines.length}` : 'Lifelines';
    this.rounds.disabled = isFiltered;
    if (this.words.value !== '') this.find();
    if (!this.text.hidden) this.showText();
    this.showDetails();
  }

  setPosition(at, isRevealed = true) {
    this.at = at;
    if (this.told === null || at > this.told.steps.length) return;
    this.chart.setPosition(at, isRevealed);
    this.showDetails();
    for (const item of this.text.querySelectorAll('[aria-current]')) item.removeAttribute('aria-current');
    this.text.querySelector(`[data-at="${at}"]`)?.setAttribute('aria-current', 'step');
  }

  look(at) {
    this.dispatchEvent(new CustomEvent('look', { detail: { at } }));
  }

  toggleFold(key) {
    if (!this.unfolded.delete(key)) this.unfolded.add(key);
    this.refresh();
  }

  setFoldRounds(isOn) {
    this.foldRounds = isOn;
    this.rounds.setAttribute('aria-pressed', String(isOn));
    this.unfolded.clear();
    this.refresh(true);
    if (isOn) this.count.textContent = this.laid.folds === 0 ? 'no rounds are repeated' : counted(this.laid.folds, 'fold');
    else this.count.textContent = '';
  }

  setZoom(by) {
    this.chart.setZoom(Math.max(0, Math.min(ZOOMS.length - 1, this.chart.zoom + by)));
  }

  setText(isText) {
    this.text.hidden = !isText;
    this.frame.hidden = isText;
    this.asText.setAttribute('aria-pressed', String(isText));
    if (isText) this.showText();
    else this.refresh();
  }

  showText() {
    this.text.replaceChildren(runText(this.told, this.laid, this.at, (at) => this.look(at)));
  }

  find() {
    this.found = matches(this.told, this.laid.rows, this.words.value);
    this.chart.setFound(this.found);
    this.count.textContent = this.words.value.trim() === '' ? '' : `${this.found.length} found`;
  }

  nextFound(direction) {
    if (this.found.length === 0) return;
    const now = this.laid.ofState(this.at);
    const after = direction > 0 ? this.found.find((row) => row > now) : this.found.findLast((row) => row < now);
    const row = this.laid.rows[after ?? (direction > 0 ? this.found[0] : this.found.at(-1))];
    this.look(row.kind === 'fold' ? row.to : row.step + 1);
  }

  /** Check boxes for all lifelines, by kind. */
  filterPanel() {
    const list = h('div', { class: 'checks' });
    const words = h('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'Filter lifelines', data: { test: 'filter-words' } });
    const boxes = [];
    for (const [kind, title] of KINDS) {
      const lines = this.told.lifelines.filter((lifeline) => lifeline.kind === kind);
      if (lines.length === 0) continue;
      const group = h('fieldset', {}, h('legend', {}, `${KIND_SIGNS[kind]} ${title}`));
      for (const lifeline of lines) {
        const box = h('input', { type: 'checkbox', data: { name: lifeline.name }, onchange: () => this.setShown([lifeline.name], box.checked) });
        box.checked = !this.hiddenNames.has(lifeline.name);
        const row = h('label', {}, box, ' ', fullName(lifeline), ' ', h('button', { class: 'link only', onclick: (event) => { event.preventDefault(); only(lifeline.name); } }, 'only'));
        boxes.push({ box, row, lifeline });
        group.append(row);
      }
      list.append(group);
    }
    const set = (isOn) => {
      const seen = boxes.filter(({ row }) => !row.hidden);
      for (const { box } of seen) box.checked = isOn;
      this.setShown(seen.map(({ lifeline }) => lifeline.name), isOn);
    };
    const only = (name) => {
      for (const { box, lifeline } of boxes) box.checked = lifeline.name === name;
      this.hiddenNames = new Set(boxes.map(({ lifeline }) => lifeline.name).filter((other) => other !== name));
      this.refresh(true);
    };
    words.addEventListener('input', () => {
      for (const { row, lifeline } of boxes) row.hidden = !fullName(lifeline).toLowerCase().includes(words.value.toLowerCase());
    });
    return [h('div', { class: 'group' }, words, h('button', { class: 'small', data: { test: 'filter-all' }, onclick: () => set(true) }, 'All'), h('button', { class: 'small', data: { test: 'filter-none' }, onclick: () => set(false) }, 'None')),
      h('p', { class: 'muted' }, 'Steps of others are folded.'), list];
  }

  setShown(names, isShown) {
    for (const name of names) {
      if (isShown) this.hiddenNames.delete(name);
      else this.hiddenNames.add(name);
    }
    this.refresh(true);
  }

  /** The step that led to the state looked at, in full. */
  showDetails() {
    const step = this.told.steps[this.at - 1];
    if (!step) {
      this.details.replaceChildren(h('span', { class: 'muted' }, this.told.steps.length === 0 ? 'No step was taken yet. Choose one under Next.' : 'The initial state.'));
      return;
    }
    const causes = step.causes.map((cause) => h('button', { class: 'link', onclick: () => this.look(cause + 1) }, `step ${cause + 1}`));
    this.details.replaceChildren(
      h('div', {}, h('strong', {}, `Step ${this.at}: `), h('span', { class: 'mono' }, stepText(this.told, step))),
      step.changes.length > 0 ? h('ul', { class: 'changes' }, step.changes.map((change) => h('li', {}, change))) : '',
      causes.length > 0 ? h('div', { class: 'muted' }, 'needs what was left by ', causes.flatMap((cause, i) => (i === 0 ? [cause] : [', ', cause]))) : '');
  }
}
