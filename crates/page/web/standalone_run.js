// A run as one file that works from disk: the chart with its source beside it, and nothing to ask.

import { byId, h } from './dom.js';
import { RunView } from './runview.js';
import { themeButton } from './theme.js';
import { byLine, pieces } from './listing.js';

/** The text of the model, if it is there, with a mark at the line of the step looked at. */
class Listing {
  constructor(host, model) {
    const lines = model.source.split('\n');
    const none = byLine([], lines.length);
    this.rows = lines.map((text, i) => h('div', { class: 'line', data: { line: i + 1 } }, h('div', { class: 'line-main' },
      h('span', { class: 'line-number' }, String(i + 1)), h('code', { class: 'code' }, pieces(i + 1, text, model.tokens?.[i] ?? [], none[i + 1], []).map((piece) => (piece.kind ? h('span', { class: `tok-${piece.kind}` }, piece.text) : piece.text))))));
    host.append(h('div', { class: 'listing' }, this.rows));
  }

  mark(line) {
    for (const row of this.rows) row.classList.toggle('occupied', Number(row.dataset.line) === line);
    if (line) this.rows[line - 1]?.scrollIntoView({ block: 'nearest' });
  }
}

function begin() {
  const data = JSON.parse(byId('data').textContent);
  const told = data.run ?? data;
  const view = new RunView(byId('run-tools'), byId('run-body'));
  const listing = data.model?.source ? new Listing(byId('source-body'), data.model) : null;
  if (listing === null) byId('source').hidden = true;
  const look = (at) => {
    view.setPosition(at);
    listing?.mark(told.steps[at - 1]?.line);
    document.body.dataset.at = String(at);
  };
  view.addEventListener('look', ({ detail }) => look(detail.at));
  themeButton(byId('theme'));
  view.show(told);
  look(told.steps.length);
  document.body.dataset.ready = 'true';
}

begin();
