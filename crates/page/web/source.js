// Source: the text of the model, with the line of every thread, mistakes at their lines, and statements to ask about.

import { byId, counted, h } from './dom.js';
import { byLine, pieces } from './listing.js';
import { Editor } from './editor.js';
import { whyPanel } from './why.js';

export class SourcePane {
  constructor(session) {
    this.session = session;
    this.body = byId('source-body');
    this.drawer = byId('why');
    this.rows = [];
    this.missed = new Map();
    this.asked = null;
    this.editor = new Editor(session, this.body);
    session.addEventListener('model', () => this.showText());
    session.addEventListener('state', () => this.showThreads());
    this.body.addEventListener('keydown', (event) => this.onKey(event));
    this.body.addEventListener('click', (event) => this.onClick(event));
  }

  showText() {
    const { info } = this.session;
    if (this.editor.isOpen) this.editor.showDiagnostics();
    const lines = info.source.split('\n');
    if (lines.at(-1) === '' && lines.length > 1) lines.pop();
    const statements = byLine(info.statements ?? [], lines.length);
    const marks = byLine(info.diagnostics, lines.length);
    this.buttons = new Map();
    this.rows = lines.map((text, i) => this.row(i + 1, text, info, statements[i + 1], marks[i + 1]));
    const name = h('span', { class: 'muted', data: { test: 'file' } }, info.file);
    this.editor.tools(byId('source-tools'), name);
    const listing = h('div', { class: 'listing', data: { test: 'listing', generation: info.generation, focus: '' }, role: 'group', tabindex: '-1', 'aria-label': `Text of ${info.name}` },
      this.rows.map((row) => row.element));
    if (!this.editor.isOpen) this.body.replaceChildren(this.summary(info), listing);
    const first = this.body.querySelector('.stmt[role=button]');
    if (first) first.tabIndex = 0;
    this.closeWhy();
    this.showThreads();
    this.showCoverage();
  }

  /** What is wrong with the text, in short. */
  summary(info) {
    if (info.diagnostics.length === 0) return '';
    const errors = info.diagnostics.filter((one) => one.severity === 'error').length;
    const warnings = info.diagnostics.length - errors;
    const parts = [errors > 0 && counted(errors, 'error'), warnings > 0 && counted(warnings, 'warning')].filter(Boolean);
    return h('div', { class: errors > 0 ? 'banner bad' : 'banner warn', data: { test: 'diagnostics-summary' } },
      h('span', {}, errors > 0 ? '✗ ' : '⚠ ', parts.join(', ')),
      info.diagnostics.slice(0, 8).map((one) => h('button', { class: 'link', onclick: () => this.reveal(one.line) }, `line ${one.line}`)));
  }

  row(line, text, info, statements, marks) {
    const code = h('code', { class: 'code' });
    const cut = pieces(line, text, info.tokens[line - 1] ?? [], statements, marks);
    let open = null;
    let place = code;
    for (const piece of cut) {
      if (piece.statement !== open) {
        open = piece.statement;
        place = open === null ? code : this.statement(open, code);
      }
      const classes = [piece.kind && `tok-${piece.kind}`, piece.mark && `squiggle-${piece.mark.severity}`].filter(Boolean);
      place.append(classes.length > 0 ? h('span', { class: classes.join(' ') }, piece.text) : piece.text);
    }
    const threads = h('span', { class: 'line-threads' });
    const cover = h('span', { class: 'line-cover' });
    const notes = marks.filter((one) => one.line === line).map((one) => this.diagnostic(one));
    const element = h('div', { class: 'line', data: { line } },
      h('div', { class: 'line-main' }, h('span', { class: 'line-number' }, String(line)), cover, threads, code), notes);
    return { element, threads, cover };
  }

  /** A piece of a statement; the first is a button for the keyboard and for screen readers. */
  statement(statement, code) {
    const key = `${statement.line}:${statement.column}`;
    const piece = h('span', { class: 'stmt', data: { statement: key } });
    if (!this.buttons.has(key)) {
      piece.setAttribute('role', 'button');
      piece.title = 'Who can take this now?';
      piece.tabIndex = -1;
      this.buttons.set(key, piece);
    }
    code.append(piece);
    return piece;
  }

  diagnostic(one) {
    const sign = one.severity === 'error' ? '✗' : '⚠';
    const labels = one.labels.filter((label) => label.text);
    return h('div', { class: `diagnostic ${one.severity}`, data: { test: 'diagnostic', line: one.line, code: one.code ?? '' } },
      h('div', {}, `${sign} ${one.severity}${one.code ? ` ${one.code}` : ''}: ${one.message}`),
      labels.map((label) => h('div', { class: 'muted' }, label.line === one.line ? label.text : `line ${label.line}: ${label.text}`)),
      one.help && h('div', {}, `→ ${one.help}`));
  }

  /** Marks the line of every thread. */
  showThreads() {
    const { state } = this.session;
    for (const row of this.rows) {
      if (row.threads.firstChild) row.threads.replaceChildren();
      row.element.classList.remove('occupied', 'current');
    }
    if (!state || this.session.isFrozen) return;
    const at = new Map();
    for (const thread of state.threads) if (thread.line) at.set(thread.line, [...(at.get(thread.line) ?? []), thread]);
    for (const [line, threads] of at) {
      const row = this.rows[line - 1];
      if (!row) continue;
      const names = threads.map((thread) => `${thread.name}${thread.label ? ` at ${thread.label}` : ''}`).join(', ');
      const text = threads.length > 2 ? `${threads[0].pid} +${threads.length - 1}` : threads.map((thread) => thread.pid).join(' ');
      row.element.classList.add('occupied');
      if (threads.some((thread) => thread.changed)) row.element.classList.add('current');
      row.threads.replaceChildren(h('span', { class: 'chip', title: names, data: { test: 'thread-mark', line } }, `▸${text}`, h('span', { class: 'unseen' }, ` is here: ${names}`)));
    }
  }

  /** Marks the lines that coverage found never reached. `lines` has whether each line was. */
  setCoverage(lines) {
    this.missed = lines;
    this.showCoverage();
  }

  showCoverage() {
    this.rows.forEach((row, i) => {
      const fired = this.missed.get(i + 1);
      row.element.classList.toggle('missed', fired === false);
      if (fired === false) row.cover.replaceChildren(h('span', { title: 'never reached', data: { test: 'never-reached' } }, '⊘', h('span', { class: 'unseen' }, ' never reached')));
      else if (row.cover.firstChild) row.cover.replaceChildren();
    });
  }

  /** Brings a line into sight. */
  reveal(line) {
    const element = this.rows[line - 1]?.element;
    if (!element) return;
    element.scrollIntoView({ block: 'center' });
    element.classList.remove('flash');
    void element.offsetWidth;
    element.classList.add('flash');
  }

  onClick(event) {
    const piece = event.target.closest('.stmt');
    if (piece && String(getSelection()) === '') this.ask(piece.dataset.statement);
  }

  onKey(event) {
    const piece = event.target.closest?.('.stmt[role=button]');
    if (!piece) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      this.ask(piece.dataset.statement, true);
      return;
    }
    const all = [...this.buttons.values()];
    const now = all.indexOf(piece);
    const target = { ArrowDown: now + 1, ArrowRight: now + 1, ArrowUp: now - 1, ArrowLeft: now - 1, Home: 0, End: all.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const other = all[Math.max(0, Math.min(all.length - 1, target))];
    piece.tabIndex = -1;
    other.tabIndex = 0;
    other.focus();
  }

  /** Who can take a statement now, and why others cannot. */
  async ask(key, isFocused = false) {
    if (this.session.isFrozen) return this.session.sayFrozen();
    const [line, column] = key.split(':').map(Number);
    const { prefix } = this.session;
    try {
      const answer = await this.session.ask('why', { run: prefix, line, column });
      this.asked = key;
      for (const piece of this.body.querySelectorAll('.stmt.asked')) piece.classList.remove('asked');
      for (const piece of this.body.querySelectorAll(`.stmt[data-statement="${key}"]`)) piece.classList.add('asked');
      this.drawer.replaceChildren(whyPanel(answer, this.session, (to) => this.reveal(to), () => this.closeWhy(true)));
      this.drawer.hidden = false;
      if (isFocused) this.drawer.querySelector('button')?.focus();
    } catch (error) {
      this.session.sayError(error);
    }
    return undefined;
  }

  closeWhy(isFocused = false) {
    if (this.drawer.hidden) return;
    this.drawer.hidden = true;
    const button = this.buttons?.get(this.asked);
    for (const piece of this.body.querySelectorAll('.stmt.asked')) piece.classList.remove('asked');
    if (isFocused) button?.focus();
  }

  /** The state has changed: the answer is of another one. */
  refreshWhy() {
    if (!this.drawer.hidden && this.asked !== null && !this.session.isFrozen) this.ask(this.asked);
  }
}
