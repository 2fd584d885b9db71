// Editing the text, where the engine lets us: in the playground.

import { h, settled } from './dom.js';

const DELAY = 350;

export class Editor {
  constructor(session, body) {
    this.session = session;
    this.body = body;
    this.isOpen = false;
    this.write = settled(() => this.send(), DELAY);
  }

  /** The buttons above the text. */
  tools(host, name) {
    const { info } = this.session;
    if (!info.can_write) {
      host.replaceChildren(name);
      return;
    }
    const button = h('button', { class: 'small', data: { test: 'edit' }, 'aria-pressed': String(this.isOpen), onclick: () => (this.isOpen ? this.close() : this.open()) },
      this.isOpen ? 'Done' : 'Edit');
    host.replaceChildren(name, button);
    this.button = button;
  }

  open() {
    this.isOpen = true;
    this.text = h('textarea', {
      class: 'editor', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', 'aria-label': 'Text of the model', data: { test: 'editor' },
      oninput: () => {
        this.number();
        this.write();
      },
      onscroll: () => { this.numbers.scrollTop = this.text.scrollTop; },
      onkeydown: (event) => this.onKey(event),
    });
    this.text.value = this.session.info.source;
    this.numbers = h('pre', { class: 'editor-numbers', 'aria-hidden': 'true' });
    this.mistakes = h('div', { class: 'editor-mistakes', data: { test: 'editor-mistakes' } });
    this.body.replaceChildren(h('div', { class: 'editor-frame' }, this.numbers, this.text), this.mistakes);
    this.number();
    this.showDiagnostics();
    if (this.button) {
      this.button.textContent = 'Done';
      this.button.setAttribute('aria-pressed', 'true');
    }
    this.text.focus();
    this.text.setSelectionRange(0, 0);
    this.text.scrollTop = 0;
  }

  async close() {
    await this.send();
    this.isOpen = false;
    this.session.emit('model');
  }

  number() {
    const count = this.text.value.split('\n').length;
    if (count === this.count) return;
    this.count = count;
    this.numbers.textContent = Array.from({ length: count }, (_, i) => i + 1).join('\n');
  }

  onKey(event) {
    if (event.key === 'Escape') this.close();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.close();
  }

  async send() {
    const source = this.text.value;
    const { model, info } = this.session;
    if (source === info.source) return;
    try {
      const answer = await this.session.client.ask('write', { model, source });
      if (model === this.session.model) await this.session.reread(answer);
    } catch (error) {
      this.session.sayError(error);
    }
  }

  /** What is wrong with the text as written. */
  showDiagnostics() {
    const { diagnostics } = this.session.info;
    this.mistakes.replaceChildren(...diagnostics.map((one) => h('button', { class: `diagnostic ${one.severity}`, data: { test: 'diagnostic', line: one.line }, onclick: () => this.goTo(one) },
      `${one.severity === 'error' ? '✗' : '⚠'} line ${one.line}: ${one.message}${one.help ? ` → ${one.help}` : ''}`)));
  }

  goTo({ line, column }) {
    const lines = this.text.value.split('\n');
    const position = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    this.text.focus();
    this.text.setSelectionRange(position, position);
    this.text.scrollTop = Math.max(0, (line - 5) * Number.parseFloat(getComputedStyle(this.text).lineHeight));
  }
}
