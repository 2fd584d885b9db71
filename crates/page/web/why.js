// Who can take a statement, and why others cannot; who waits for what.

import { h } from './dom.js';

const listed = (reasons) => (Array.isArray(reasons) ? reasons : [reasons]).filter(Boolean);

/** The answer of `why`. `reveal` shows a line, `close` takes the panel away. */
export function whyPanel(answer, session, reveal, close) {
  const { statement, can, cannot } = answer;
  const name = (one) => one.name ?? (one.thread === null || one.thread === undefined ? 'it' : `thread ${one.thread}`);
  const able = can.map((one) => h('li', { class: 'good-mark', data: { test: 'why-can' } },
    h('strong', {}, name(one)), ' can take it ',
    h('button', { class: 'small', data: { test: 'why-take' }, onclick: () => session.take(one.index) }, 'Take'),
    h('div', { class: 'muted mono' }, one.text)));
  const unable = cannot.map((one) => h('li', { class: 'bad-mark', data: { test: 'why-cannot' } },
    h('strong', {}, name(one)),
    one.line ? [' is at ', h('button', { class: 'link', onclick: () => reveal(one.line) }, `line ${one.line}`), one.at ? h('span', { class: 'mono' }, `: ${one.at}`) : null] : one.at ? ` is at ${one.at}` : '',
    h('ul', {}, listed(one.reasons).map((reason) => h('li', {}, reason)))));
  const nobody = can.length + cannot.length === 0 && h('p', { class: 'muted' }, 'There is nobody who could take it.');
  return h('div', {},
    h('div', { class: 'drawer-head' },
      h('h3', {}, `Line ${statement.line}: `, h('code', {}, statement.text)),
      h('button', { class: 'small', 'aria-label': 'Close', data: { test: 'why-close' }, onclick: close }, '✕')),
    h('ul', { class: 'plain' }, able, unable), nobody);
}

/** `waits` of a state, as a list; null if nobody waits. */
export function waitsList(waits, reveal) {
  if (!waits || waits.length === 0) return null;
  return h('ul', { class: 'plain waits', data: { test: 'waits' } }, waits.map((wait) => h('li', {},
    h('span', { class: 'wait-mark', 'aria-hidden': 'true' }, '‖ '), wait.text,
    wait.line ? [' ', h('button', { class: 'link', onclick: () => reveal(wait.line) }, `line ${wait.line}`)] : null)));
}
