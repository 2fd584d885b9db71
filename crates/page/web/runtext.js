// A run in words, for those who listen to it and for those who like to read.

import { h } from './dom.js';
import { fullName, stepText } from './wording.js';

const MOST = 3000;

function messageText(message, told) {
  const [from, to] = [fullName(told.lifelines[message.from]), fullName(told.lifelines[message.to])];
  if (message.put === message.taken) return `${from} → ${to}: ${message.text}`;
  return `${to} ${message.kind === 'read' ? 'reads' : 'takes'} ${message.text}, which ${from} put in step ${message.put + 1}`;
}

/** A list of all rows. `look` is asked to look at a state. */
export function runText(told, { rows }, at, look) {
  const messages = new Map();
  for (const message of told.messages) messages.set(message.taken, [...(messages.get(message.taken) ?? []), message]);
  const item = (here, text, lines) => h('li', { data: { at: here }, 'aria-current': here === at ? 'step' : null },
    h('button', { class: 'link', onclick: () => look(here) }, text), lines.length > 0 ? h('ul', {}, lines.map((line) => h('li', {}, line))) : '');
  const items = rows.slice(0, MOST).map((row) => {
    if (row.kind === 'start') return item(0, 'Initially', told.lifelines.filter((line) => line.born === null && line.labels[0]?.[0] === null).map((line) => `${fullName(line)}: ${line.labels[0][1]}`));
    if (row.kind === 'fold') return row.isOpen ? null : h('li', { class: 'muted' }, `… ${row.text} (${row.from + 1} to ${row.to})`);
    if (row.kind === 'end') return h('li', {}, told.outcome ?? (told.loop ? `and so on for ever, from the state after ${told.loop.to} steps` : 'the end'), h('ul', {}, told.pending.map(({ from, to, text }) => h('li', {}, `${fullName(told.lifelines[from])} ${text} ${fullName(told.lifelines[to])}`))));
    const step = told.steps[row.step];
    return item(row.step + 1, `Step ${row.step + 1}: ${stepText(told, step)}`, [...step.changes, ...(messages.get(row.step) ?? []).map((message) => messageText(message, told))]);
  });
  const rest = rows.length > MOST ? h('p', { class: 'muted' }, `and ${rows.length - MOST} more; export the run as text to read them`) : '';
  return h('div', {}, h('ol', { class: 'plain' }, items), rest);
}
