// Search: the nearest state where a predicate holds, loaded as a run.

import { byId, counted, h } from './dom.js';
import { ProgressLine, limitFields, start } from './jobs.js';
import { mistakeIn } from './mistake.js';

export class SearchPane {
  constructor(session, layout) {
    this.session = session;
    this.layout = layout;
    this.words = h('input', { id: 'predicate', class: 'wide mono', autocomplete: 'off', spellcheck: 'false', placeholder: 'ended(main) and count(worker) > 0', 'aria-describedby': 'search-mistake', data: { test: 'predicate', focus: '' } });
    this.mistake = h('div', { id: 'search-mistake', role: 'alert', data: { test: 'search-mistake' } });
    this.result = h('div', { role: 'status', data: { test: 'search-result' } });
    this.progress = new ProgressLine('search');
    this.limits = limitFields('search');
    const form = h('form', { class: 'ask' },
      h('label', { for: 'predicate' }, 'The nearest state where this holds'),
      h('div', { class: 'fields' }, this.words, h('button', { type: 'submit', data: { test: 'search-go' } }, 'Search'), this.limits.element), this.mistake);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.search();
    });
    this.recent = h('div', { class: 'recent' });
    byId('search-body').append(form, this.progress.element, this.result, this.recent);
    session.addEventListener('model', () => {
      this.words.placeholder = session.info.kind === 'processes' || !session.info.places?.length ? 'ended(main) and count(worker) > 0' : `count(${session.info.places[0]}) > 0`;
    });
  }

  async search() {
    const predicate = this.words.value.trim();
    if (predicate === '') return;
    if (this.session.isFrozen) return void this.session.sayFrozen();
    this.mistake.replaceChildren();
    this.result.replaceChildren();
    await this.job?.stop();
    try {
      const job = await start(this.session, 'search', { predicate, ...this.limits.get() });
      this.follow(job, predicate);
    } catch (error) {
      this.mistake.replaceChildren(mistakeIn(predicate, error));
    }
  }

  follow(job, predicate) {
    this.job = job;
    this.progress.follow(job);
    let hasResult = false;
    job.addEventListener('result', ({ detail }) => {
      if (job !== this.job) return;
      hasResult = true;
      this.showResult(detail, predicate);
    });
    job.addEventListener('end', ({ detail }) => {
      if (job !== this.job) return;
      if (!hasResult) this.result.replaceChildren(h('p', { class: 'banner warn', data: { found: 'unknown' } }, `${detail.state === 'stopped' ? 'Stopped before it was found.' : 'No answer.'} ${detail.why ?? ''}`));
    });
  }

  async showResult(result, predicate) {
    if (!result.found) {
      const text = result.complete ? 'There is no such state: all states were looked at.' : 'Not found so far; not all states were looked at.';
      this.result.replaceChildren(h('p', { class: `banner ${result.complete ? '' : 'warn'}`, data: { found: 'false' } }, text));
      return;
    }
    this.result.replaceChildren(h('p', { class: 'banner good', data: { found: 'true' } }, `✓ Found after ${counted(result.run.length, 'step')}; it is loaded as the run. `,
      h('button', { class: 'small', onclick: () => this.load(result) }, 'Load again')));
    this.remember(predicate, result);
    await this.load(result);
  }

  async load({ run, with: typed }) {
    await this.session.go({ run, typed: typed ?? null }, 'left for a search');
    if (this.layout.isNarrow) this.layout.show('run');
  }

  remember(predicate, result) {
    const button = h('button', { class: 'link mono', onclick: () => this.load(result) }, predicate);
    this.recent.prepend(h('div', {}, button, h('span', { class: 'muted' }, ` ${counted(result.run.length, 'step')}`)));
    while (this.recent.children.length > 8) this.recent.lastChild.remove();
  }
}
