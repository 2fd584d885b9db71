// Properties: checked in the background, verdicts one by one, and a run for each that has one.

import { byId, counted, h } from './dom.js';
import { ProgressLine, limitFields, start } from './jobs.js';
import { waitsList } from './why.js';
import { mistakeIn } from './mistake.js';

const SIGNS = { holds: '✓', fails: '✗', unknown: '?', refused: '⊘' };

/** What a verdict is called: one of a property that was typed in, by its text. */
function nameOf(verdict) {
  return verdict.property ?? verdict.text;
}

export class PropertiesPane {
  constructor(session, reveal, layout) {
    this.session = session;
    this.reveal = reveal;
    this.layout = layout;
    this.verdicts = new Map();
    this.list = h('ul', { class: 'plain properties', data: { test: 'properties' } });
    this.progress = new ProgressLine('check');
    this.note = h('p', { class: 'muted', role: 'status', data: { test: 'check-note' } });
    this.waits = h('div', {});
    this.all = h('button', { data: { test: 'check-all', focus: '' }, onclick: () => this.check({}) }, 'Check all');
    this.limits = limitFields('check');
    this.fairness = h('input', { class: 'medium', placeholder: 'as in the model', data: { test: 'fairness' } });
    byId('properties-body').append(h('div', { class: 'columns' },
      h('div', {},
        h('div', { class: 'fields' }, this.all, this.limits.element, h('label', {}, 'Fairness ', this.fairness)),
        this.progress.element, this.note, this.list, this.form()),
      h('section', { 'aria-labelledby': 'waits-title' }, h('h3', { id: 'waits-title' }, 'Why: who waits for what in the state looked at'), this.waits)));
    session.addEventListener('model', () => this.onModel());
    session.addEventListener('state', () => this.showWaits());
  }

  onModel() {
    const { info } = this.session;
    const isSame = this.shown === `${info.name}:${info.generation}`;
    if (!isSame) {
      this.verdicts.clear();
      this.job?.stop();
      this.note.textContent = '';
    }
    this.shown = `${info.name}:${info.generation}`;
    this.all.disabled = !info.is_right;
    this.show();
  }

  show() {
    const { info } = this.session;
    const known = info.properties ?? [];
    const names = new Set(known.map((one) => one.name));
    const typed = [...this.verdicts.values()].filter((one) => !names.has(nameOf(one)));
    const rows = [...known, ...typed.map((one) => ({ name: nameOf(one), text: one.text, line: null, isTyped: true }))];
    this.list.replaceChildren(...rows.map((one) => this.row(one)));
    if (rows.length === 0 && info.is_right) this.list.replaceChildren(h('li', { class: 'muted' }, 'The model has no properties. Type one below.'));
  }

  row(property) {
    const verdict = this.verdicts.get(property.name);
    const kind = verdict?.verdict ?? (this.job?.isRunning && this.waiting?.has(property.name) ? 'waiting' : 'none');
    const badge = h('span', { class: `verdict ${kind}`, data: { test: 'verdict' } }, kind === 'none' ? '–' : kind === 'waiting' ? '… checking' : `${SIGNS[kind]} ${kind}`);
    const check = property.isTyped ? null : h('button', { class: 'small', data: { test: 'check-one' }, disabled: !this.session.info.is_right, 'aria-label': `Check ${property.name}`, onclick: () => this.check({ properties: [property.name] }) }, 'Check');
    const open = verdict?.run ? h('button', { class: 'small strong', data: { test: 'open-run' }, 'aria-label': `Open run of ${property.name}`, onclick: () => this.open(verdict) }, verdict.loop ? h('span', { 'aria-hidden': 'true' }, '↻ ') : null, 'Open run') : null;
    return h('li', { data: { test: 'property', name: property.name, verdict: kind } },
      badge, h('div', { class: 'property-main' },
        h('div', {}, h('strong', {}, property.name), property.text && property.text !== property.name ? h('code', {}, ` ${property.text}`) : null,
          property.line ? [' ', h('button', { class: 'link', onclick: () => this.reveal(property.line) }, `line ${property.line}`)] : null),
        verdict?.why ? h('div', { class: 'muted' }, verdict.why) : null,
        verdict?.is_final === false && this.job?.isRunning ? h('div', { class: 'muted' }, 'a run that shows it is looked for …') : null,
        verdict?.outcome ? h('div', { class: 'outcome' }, verdict.outcome) : null),
      h('span', { class: 'group' }, open, check));
  }

  /** A property that is typed in and asked at once. */
  form() {
    const text = h('input', { id: 'property-text', class: 'wide mono', autocomplete: 'off', spellcheck: 'false', placeholder: 'always count(worker at critical) <= 1', 'aria-describedby': 'property-mistake', data: { test: 'property-text' } });
    const mistake = h('div', { id: 'property-mistake', role: 'alert', data: { test: 'property-mistake' } });
    const form = h('form', { class: 'ask' }, h('label', { for: 'property-text' }, 'Ask a property'), h('div', { class: 'fields' }, text, h('button', { type: 'submit', data: { test: 'property-ask' } }, 'Ask')), mistake);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (text.value.trim() === '') return;
      mistake.replaceChildren();
      const error = await this.check({ text: text.value });
      if (error) mistake.replaceChildren(mistakeIn(text.value, error));
    });
    return form;
  }

  /** Starts a check. Gives the error if there is one. */
  async check(what) {
    const { session } = this;
    if (session.isFrozen) return session.sayFrozen();
    await this.job?.stop();
    try {
      const fairness = this.fairness.value.trim() || undefined;
      const job = await start(session, 'check', { ...what, fairness, ...this.limits.get() });
      this.follow(job, what);
    } catch (error) {
      if (!what.text) session.sayError(error);
      return error;
    }
    return null;
  }

  follow(job, what) {
    this.job = job;
    this.waiting = new Set(what.properties ?? (what.text ? [] : (this.session.info.properties ?? []).map((one) => one.name)));
    for (const name of this.waiting) this.verdicts.delete(name);
    this.note.textContent = '';
    this.progress.follow(job);
    const found = new Set();
    job.addEventListener('verdict', ({ detail }) => {
      if (job !== this.job) return;
      found.add(nameOf(detail));
      this.verdicts.set(nameOf(detail), detail);
      this.waiting.delete(nameOf(detail));
      this.show();
    });
    job.addEventListener('end', ({ detail }) => {
      if (job !== this.job) return;
      this.waiting.clear();
      const states = { done: 'Done', stopped: 'Stopped', failed: 'Failed' };
      this.note.textContent = `${states[detail.state] ?? detail.state}: ${counted(found.size, 'verdict')}.${detail.why ? ` ${detail.why}` : ''}`;
      this.show();
    });
    this.show();
  }

  /** Loads the run that shows a verdict. */
  async open(verdict) {
    await this.session.go({ run: verdict.run, at: verdict.loop ? Math.min(verdict.loop.to, verdict.run.length) : verdict.run.length, loop: verdict.loop, property: verdict.property, typed: verdict.with ?? null }, `left for the run of ${nameOf(verdict)}`);
    this.session.say(`The run of ${nameOf(verdict)}: ${counted(verdict.run.length, 'step')}${verdict.loop ? `, then for ever as after ${counted(verdict.loop.to, 'step')}` : ''}.`);
    if (this.layout.isNarrow) this.layout.show('run');
  }

  showWaits() {
    const { state } = this.session;
    if (state === null) {
      this.waits.replaceChildren();
      return;
    }
    this.waits.replaceChildren(waitsList(state.waits, this.reveal) ?? h('p', { class: 'muted' }, state.next.length > 0 ? 'Nobody has to wait here.' : 'Nothing is left to do.'));
  }
}
