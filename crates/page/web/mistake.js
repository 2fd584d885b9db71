// A mistake in a text that was typed, with its place.

import { h } from './dom.js';

/** The message, and the text with the place underlined. */
export function mistakeIn(text, error) {
  const { place } = error;
  const message = h('div', { class: 'bad-text' }, `✗ ${error.message}`);
  if (!place || (place.line ?? 1) !== 1) return message;
  const characters = [...text];
  const from = Math.max(0, Math.min(characters.length, (place.column ?? 1) - 1));
  const to = Math.max(from + 1, (place.end_line ?? 1) === 1 ? (place.end_column ?? from + 2) - 1 : characters.length);
  return h('div', {}, h('code', { class: 'typed' }, characters.slice(0, from).join(''), h('span', { class: 'squiggle-error' }, characters.slice(from, to).join('') || '␣'), characters.slice(to).join('')), message);
}
