// Coverage and growth: what never happens, which transitions make new classes, and how the classes grow over depth.

import { byId, counted, h } from './dom.js';
import { ProgressLine, limitFields, start } from './jobs.js';
import { growthPlot } from './plot.js';

export class CoveragePane {
  constructor(session, source) {
    this.session = session;
    this.source = source;
    this.go = h('button', { data: { test: 'coverage-go', focus: '' }, onclick: () => this.explore() }, 'Explore');
    this.limits = limitFields('coverage');
    this.progress = new ProgressLine('coverage');
    this.note = h('p', { class: 'muted', role: 'status', data: { test: 'coverage-note' } }, 'Explores all states, and says what never happens and where they come from.');
    this.result = h('div', { data: { test: 'coverage-result' } });
    byId('coverage-body').append(h('div', { class: 'fields' }, this.go, this.limits.element), this.progress.element, this.note, this.result);
    session.addEventListener('model', () => this.onModel());
  }

  onModel() {
    const { info } = this.session;
    this.go.disabled = !info.is_right;
    const shown = `${info.name}:${info.generation}`;
    if (this.shown === shown) return;
    if (this.shown !== undefined) {
      this.job?.stop();
      this.result.replaceChildren();
      this.note.textContent = '';
    }
    this.shown = shown;
    this.source.setCoverage(new Map());
  }

  async explore() {
    if (this.session.isFrozen) return void this.session.sayFrozen();
    await this.job?.stop();
    this.note.textContent = '';
    try {
      const job = await start(this.session, 'coverage', this.limits.get());
      this.job = job;
      this.progress.follow(job);
      job.addEventListener('result', ({ detail }) => job === this.job && this.show(detail));
      job.addEventListener('end', ({ detail }) => {
        if (job === this.job && (detail.why || detail.state !== 'done')) this.note.textContent = `${detail.state === 'done' ? '' : `${detail.state}. `}${detail.why ?? ''}`;
      });
    } catch (error) {
      this.session.sayError(error);
    }
  }

  show(found) {
    this.source.setCoverage(new Map(found.lines.map(({ line, fired }) => [line, Boolean(fired)])));
    const missed = found.lines.filter(({ fired }) => !fired);
    const partly = found.complete ? '' : ' so far; not all states were looked at';
    this.result.replaceChildren(
      h('p', { data: { test: 'coverage-summary' } }, `${counted(found.classes, 'state')}, ${counted(found.edges, 'edge')}${partly}.`),
      h('div', { class: 'columns' },
        h('div', {}, this.never(found.never_fired, found.complete), this.lines(missed), this.places(found.never_marked), this.growing(found.growing)),
        h('div', {}, h('h3', {}, 'Growth over depth'), growthPlot(found.depths), this.makers(found.new_classes))));
  }

  never(transitions, isComplete) {
    const title = h('h3', {}, isComplete ? 'Never fired' : 'Not fired so far');
    if (transitions.length === 0) return [title, h('p', { class: 'muted' }, '✓ Everything fires.')];
    return [title, h('ul', { class: 'plain', data: { test: 'never-fired' } }, transitions.map((one) => h('li', {}, '⊘ ', this.place(one.line), h('span', { class: 'mono' }, one.text ?? one.transition))))];
  }

  lines(missed) {
    if (missed.length === 0) return null;
    return [h('h3', {}, 'Lines never reached'), h('p', { data: { test: 'lines-missed' } }, missed.map(({ line }) => [this.place(line)]))];
  }

  places(names) {
    if (names.length === 0) return null;
    return [h('h3', {}, 'Places never marked'), h('ul', { class: 'plain mono', data: { test: 'never-marked' } }, names.map((name) => h('li', {}, `⊘ ${name}`)))];
  }

  growing(growing) {
    if (growing.length === 0) return null;
    return [h('h3', {}, 'What grows'), h('ul', { class: 'plain', data: { test: 'growing' } }, growing.map(({ what, before, after }) => h('li', {}, `${what}: ${before} → ${after}`)))];
  }

  place(line) {
    return line ? [h('button', { class: 'link', onclick: () => this.source.reveal(line) }, `line ${line}`), ' '] : null;
  }

  makers(makers) {
    if (makers.length === 0) return null;
    const most = Math.max(1, ...makers.map((one) => one.count));
    return [h('h3', {}, 'Where new states come from'), h('table', { class: 'rows', data: { test: 'new-classes' } }, h('tbody', {}, makers.slice(0, 40).map((one) => {
      const bar = h('span', { class: 'share-bar' });
      bar.style.width = `${Math.max(1, Math.round((60 * one.count) / most))}px`;
      return h('tr', {}, h('th', { scope: 'row', class: 'number' }, one.count.toLocaleString('en')), h('td', {}, bar), h('td', {}, this.place(one.line), h('span', { class: 'mono' }, one.text ?? one.transition)));
    })))];
  }
}
