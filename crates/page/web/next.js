// Next: every step that can be taken, chosen with the keyboard first.

import { byId, counted, h } from './dom.js';

const MOST_SHOWN = 400;

export class NextPane {
  constructor(session) {
    this.session = session;
    this.selected = 0;
    this.words = h('input', { type: 'search', class: 'find', placeholder: 'Filter', 'aria-label': 'Filter steps', data: { test: 'next-filter' }, oninput: () => this.show() });
    this.count = h('span', { class: 'muted', data: { test: 'next-count' } });
    byId('next-tools').append(this.count, this.words);
    this.end = h('div', { data: { test: 'end' } });
    this.list = h('div', { class: 'steps', role: 'listbox', tabindex: '0', 'aria-label': 'Steps that can be taken', data: { test: 'next-list', focus: '' } });
    byId('next-body').append(this.end, this.list, this.randomForm());
    this.list.addEventListener('click', (event) => this.onClick(event));
    this.list.addEventListener('keydown', (event) => this.onKey(event));
    session.addEventListener('state', () => {
      this.selected = 0;
      this.show(true);
    });
    session.addEventListener('model', () => this.show());
    session.addEventListener('run', () => this.showEnd());
  }

  /** The steps that pass the filter. */
  get steps() {
    const words = this.words.value.trim().toLowerCase();
    const { state } = this.session;
    if (!state) return [];
    return state.next.filter((step) => words === '' || [step.text, ...step.changes].some((text) => text.toLowerCase().includes(words)));
  }

  show(isNew = false) {
    const { state, run, at } = this.session;
    const { steps } = this;
    const taken = at < run.length ? steps.findIndex((step) => step.index === run[at]) : -1;
    if (isNew && taken >= 0) this.selected = taken;
    this.selected = Math.max(0, Math.min(this.selected, steps.length - 1));
    this.count.textContent = state ? (steps.length === state.next.length ? String(steps.length) : `${steps.length} of ${state.next.length}`) : '';
    this.words.hidden = !state || state.next.length < 8;
    byId('next').classList.toggle('frozen', this.session.isFrozen);
    const options = steps.slice(0, MOST_SHOWN).map((step, i) => this.option(step, i, i === taken));
    if (steps.length > MOST_SHOWN) options.push(h('div', { class: 'muted pad', role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, `${steps.length - MOST_SHOWN} more; filter to see them`));
    this.list.hidden = options.length === 0;
    this.list.replaceChildren(...options);
    this.showEnd();
    this.mark();
  }

  option(step, i, isTaken) {
    const binding = step.binding.filter(({ name }) => !this.isOwn(name)).map(({ name, value }) => `${name} = ${value}`).join(', ');
    return h('div', { class: `choice${step.fault ? ' faulty' : ''}`, role: 'option', id: `next-${i}`, data: { index: step.index, position: i, test: 'next-step' }, 'aria-selected': 'false' },
      h('span', { class: 'step-number', 'aria-hidden': 'true' }, String(step.index)),
      h('div', { class: 'step-main' },
        h('div', { class: 'step-text' }, step.text, isTaken ? h('span', { class: 'badge' }, 'in this run') : null),
        binding && !step.text.includes(binding) ? h('div', { class: 'muted mono' }, binding) : null,
        step.fault ? h('div', { class: 'bad-text' }, `⚠ ${step.fault}`) : null,
        step.changes.length > 0 ? h('ul', { class: 'changes' }, step.changes.map((change) => h('li', {}, change))) : null));
  }

  /** Whether a variable is one of the compiler's own, which say nothing to people. */
  isOwn(name) {
    return this.session.info.kind === 'processes' && /^v\d+$/.test(name);
  }

  /** Why it does not go on, or how. */
  showEnd() {
    const { state, loop, at, run } = this.session;
    const parts = [];
    if (this.session.isFrozen) parts.push(h('div', { class: 'banner warn' }, 'The model has errors; what is shown is from before. Steps can be taken again once they are fixed.'));
    if (state?.fault) parts.push(h('div', { class: 'banner bad' }, `⚠ ${state.fault.text}`));
    const ends = {
      deadlock: ['bad', '■ Deadlock: nobody can go on.'],
      terminated: ['good', '✓ Terminated: all threads have ended.'],
      rest: ['good', '◦ At rest: all threads are idle.'],
      fault: ['bad', '⚠ Something goes wrong here.'],
    };
    if (state?.end && ends[state.end] && !(state.end === 'fault' && state.fault)) {
      const [kind, text] = ends[state.end];
      parts.push(h('div', { class: `banner ${kind}`, data: { test: 'end-banner', end: state.end } }, text));
    }
    if (loop && at === run.length) {
      const again = loop.to === run.length ? 'Nothing happens any more: the run stays here for ever.' : `From here it goes on as after ${counted(loop.to, 'step')}, for ever.`;
      parts.push(h('div', { class: 'banner', data: { test: 'loop-banner' } }, `↻ ${again} `, loop.to === run.length ? '' : h('button', { class: 'small', data: { test: 'go-round' }, onclick: () => this.session.goRound() }, 'Go round again')));
    }
    this.end.replaceChildren(...parts);
  }

  mark() {
    for (const option of this.list.children) {
      const isSelected = Number(option.dataset.position) === this.selected;
      option.classList.toggle('selected', isSelected);
      option.setAttribute('aria-selected', String(isSelected));
      if (isSelected) this.keepInSight(option);
    }
    if (this.list.children.length > 0) this.list.setAttribute('aria-activedescendant', `next-${this.selected}`);
    else this.list.removeAttribute('aria-activedescendant');
  }

  keepInSight(option) {
    const body = byId('next-body');
    const [box, room] = [option.getBoundingClientRect(), body.getBoundingClientRect()];
    if (box.top < room.top) body.scrollTop -= room.top - box.top + 4;
    else if (box.bottom > room.bottom) body.scrollTop += Math.min(box.bottom - room.bottom + 4, box.top - room.top);
  }

  move(by) {
    const { length } = this.steps;
    if (length === 0) return;
    this.selected = Math.max(0, Math.min(Math.min(length, MOST_SHOWN) - 1, this.selected + by));
    this.mark();
  }

  take() {
    const step = this.steps[this.selected];
    if (step) return this.session.take(step.index);
    return this.session.say('There is no step to take.');
  }

  onClick(event) {
    const option = event.target.closest('[data-index]');
    if (!option || String(getSelection()) !== '') return;
    this.session.take(Number(option.dataset.index));
  }

  onKey(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity, PageDown: 8, PageUp: -8 }[event.key];
    if (by !== undefined) this.move(by);
    else if (event.key === ' ' || event.key === 'Enter') this.take();
    else return;
    event.preventDefault();
  }

  /** Random steps, until something. */
  randomForm() {
    const count = h('input', { type: 'number', min: '1', max: '10000', value: '10', id: 'random-steps', data: { test: 'random-steps' } });
    const kind = h('select', { id: 'until-kind', data: { test: 'until-kind' }, 'aria-label': 'Run until' },
      [['none', 'no condition'], ['predicate', 'a predicate holds'], ['line', 'a line is reached'], ['deadlock', 'a deadlock']].map(([value, text]) => h('option', { value }, text)));
    const what = h('input', { id: 'until-what', data: { test: 'until-what' }, 'aria-label': 'Until what', hidden: true });
    const mistake = h('div', { class: 'bad-text', role: 'alert', data: { test: 'until-mistake' } });
    kind.addEventListener('change', () => {
      what.hidden = kind.value === 'none' || kind.value === 'deadlock';
      what.placeholder = kind.value === 'line' ? 'number of the line' : 'predicate, such as ended(main)';
      if (kind.value !== 'none') count.value = '10000';
      mistake.textContent = '';
    });
    const form = h('form', { class: 'random', data: { test: 'random-form' } },
      h('h3', {}, 'At random'),
      h('div', { class: 'fields' },
        h('label', {}, 'Steps ', count), h('label', {}, 'until ', kind), what,
        h('button', { type: 'submit', data: { test: 'random-go' } }, 'Run')), mistake);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const until = { none: undefined, predicate: { predicate: what.value }, line: { line: Number(what.value) }, deadlock: { deadlock: true } }[kind.value];
      mistake.textContent = '';
      this.random(Number(count.value) || 1, until).catch((error) => { mistake.textContent = error.message; });
    });
    return form;
  }

  /** Goes on at random from the state looked at. */
  async random(steps, until = undefined) {
    const { session } = this;
    if (session.isFrozen) return session.sayFrozen();
    const { prefix } = session;
    const answer = await session.ask('random', { run: prefix, steps, until });
    const added = answer.run.length - prefix.length;
    const ends = { until: 'it is reached', steps: 'the limit of steps is reached', end: 'no step is left', fault: 'something goes wrong' };
    await session.go({ run: answer.run }, session.at < session.run.length ? 'left for random steps' : null);
    return session.say(`${counted(added, 'step')} at random (seed ${answer.seed}): ${ends[answer.stopped] ?? answer.stopped}.`);
  }
}
