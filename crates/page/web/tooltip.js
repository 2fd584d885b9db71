// Texts in full where they are shown shortened: on hover, and on focus.

import { h } from './dom.js';

let shown = null;

function hide() {
  shown?.remove();
  shown = null;
}

function show(target, x, y) {
  hide();
  const text = target.dataset.full;
  if (!text) return;
  shown = h('div', { class: 'tooltip', role: 'tooltip' }, text);
  document.body.append(shown);
  const room = document.documentElement.clientWidth - shown.offsetWidth - 6;
  shown.style.left = `${Math.max(6, Math.min(x + 10, room))}px`;
  const below = y + 16;
  const isBelow = below + shown.offsetHeight < document.documentElement.clientHeight;
  shown.style.top = `${isBelow ? below : Math.max(4, y - shown.offsetHeight - 10)}px`;
}

/** Shows `data-full` of whatever has it inside an element. */
export function showFullTexts(host) {
  host.addEventListener('pointerover', (event) => {
    const target = event.target.closest('[data-full]');
    if (target) show(target, event.clientX, event.clientY);
    else hide();
  });
  host.addEventListener('pointerleave', hide);
  host.addEventListener('scroll', hide, true);
  host.addEventListener('focusin', (event) => {
    const target = event.target.closest('[data-full]');
    if (!target || !target.matches(':focus-visible')) return;
    const box = target.getBoundingClientRect();
    show(target, box.left, box.bottom - 10);
  });
  host.addEventListener('focusout', hide);
  host.addEventListener('keydown', (event) => event.key === 'Escape' && hide());
}
