// Single keys for everything that is done often, and the help that lists them.

import { byId, h, kept, takesText } from './dom.js';
import { PANES } from './layout.js';

const LEADER_TIME = 1500;

export class Keys {
  /** `actions` are by key: `{keys, about, run}`. */
  constructor(layout, actions) {
    this.layout = layout;
    this.actions = actions;
    this.isOn = kept.get('keys', true);
    this.leader = 0;
    document.addEventListener('keydown', (event) => this.onKey(event));
    byId('help').addEventListener('click', () => this.help());
  }

  onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (takesText(event.target) || document.querySelector('dialog[open]')) return;
    if (event.key === '?') return this.act(event, () => this.help());
    if (!this.isOn) return undefined;
    if (performance.now() - this.leader < LEADER_TIME) {
      this.leader = 0;
      const pane = PANES.find((one) => one.key === event.key);
      if (pane) return this.act(event, () => this.layout.show(pane.id));
    }
    if (event.key === 'g') return this.act(event, () => { this.leader = performance.now(); });
    if (event.key === 'Enter' && event.target.closest('button, a, summary, [role=button], [role=menuitem], [role=tab], [role=separator]')) return undefined;
    const action = this.actions.find((one) => one.keys.includes(event.key));
    return action && this.act(event, action.run);
  }

  act(event, run) {
    event.preventDefault();
    run();
  }

  /** What there is, and which key does what. */
  help() {
    const rows = [...this.actions.map(({ keys, about }) => [keys, about]), ...PANES.map((pane) => [[`g ${pane.key}`], `to ${pane.title}`]), [['?'], 'this help']];
    const box = h('input', { type: 'checkbox', data: { test: 'keys-on' }, onchange: () => {
      this.isOn = box.checked;
      kept.set('keys', this.isOn);
    } });
    box.checked = this.isOn;
    const dialog = h('dialog', { class: 'help', 'aria-labelledby': 'help-title', data: { test: 'help-dialog' } },
      h('div', { class: 'drawer-head' }, h('h2', { id: 'help-title' }, 'Help'), h('button', { class: 'small', 'aria-label': 'Close', data: { test: 'help-close' }, onclick: () => dialog.close() }, '✕')),
      h('p', {}, 'Choose a step under Next to take it. The run so far is drawn as lifelines; a click on one of its steps looks at the state after it, and a step taken there begins another run. The address in the browser is always a link to what is shown.'),
      h('table', { class: 'rows keys' }, h('tbody', {}, rows.map(([keys, about]) => h('tr', {}, h('th', { scope: 'row' }, keys.flatMap((key, i) => [i > 0 ? ' or ' : '', h('kbd', {}, key === 'Enter' ? '↵ Enter' : key)])), h('td', {}, about))))),
      h('p', { class: 'muted' }, 'In lists: arrow keys, Home and End. In Source: arrow keys go from statement to statement, Enter asks who can take it. In Graph: arrow keys move, + and − zoom, 0 shows all, n and p select, Enter opens a run. Splitters: arrow keys.'),
      h('label', {}, box, ' Single keys act (off: only in lists and with buttons)'));
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
  }
}
