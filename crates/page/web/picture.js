// A picture that the engine has drawn, put into the page without anything that could act.

import { h } from './dom.js';

const ALLOWED = new Set(['svg', 'g', 'path', 'line', 'rect', 'circle', 'ellipse', 'polygon', 'polyline', 'text', 'tspan', 'title', 'desc', 'defs', 'marker', 'clipPath', 'use']);

function clean(element) {
  for (const child of [...element.children]) {
    if (!ALLOWED.has(child.localName)) child.remove();
    else clean(child);
  }
  for (const { name, value } of [...element.attributes]) {
    const isAddress = name === 'href' || name === 'xlink:href';
    if (name.startsWith('on') || name === 'style' || (isAddress && !value.startsWith('#'))) element.removeAttribute(name);
  }
}

/** The picture in a frame that can be scrolled with the keyboard. */
export function pictureOf(text, name) {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (parsed.localName !== 'svg') return h('p', { class: 'bad-text' }, 'The picture cannot be shown.');
  clean(parsed);
  const svg = document.importNode(parsed, true);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', name);
  return h('div', { class: 'paper', tabindex: '0', role: 'group', 'aria-label': name }, svg);
}
