// A button that opens a small panel under it: a menu of commands, or a form.

import { h } from './dom.js';

let open = null;

/** Closes what is open, if anything. */
export function closeMenu(isFocused = false) {
  if (open === null) return;
  const { button, panel } = open;
  open = null;
  panel.remove();
  button.setAttribute('aria-expanded', 'false');
  if (isFocused) button.focus();
}

function place(button, panel) {
  const box = button.getBoundingClientRect();
  const width = panel.offsetWidth;
  const left = Math.max(6, Math.min(box.left, document.documentElement.clientWidth - width - 6));
  panel.style.left = `${left}px`;
  panel.style.top = `${box.bottom + 4}px`;
  panel.style.maxHeight = `${Math.max(120, document.documentElement.clientHeight - box.bottom - 16)}px`;
}

function onKey(event, panel, isMenu) {
  if (event.key === 'Escape') {
    event.stopPropagation();
    closeMenu(true);
    return;
  }
  if (event.key === 'Tab' && isMenu) closeMenu(true);
  if (!isMenu) return;
  const items = [...panel.querySelectorAll('[role=menuitem]')];
  const now = items.indexOf(document.activeElement);
  const target = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[event.key];
  if (target === undefined || items.length === 0) return;
  event.preventDefault();
  items[(target + items.length) % items.length].focus();
}

function attach(button, panel, isMenu) {
  open = { button, panel };
  panel.addEventListener('keydown', (event) => onKey(event, panel, isMenu));
  button.after(panel);
  place(button, panel);
  button.setAttribute('aria-expanded', 'true');
  panel.querySelector('[role=menuitem], input, button')?.focus();
}

/** Gives a button a menu. `items` makes `{label, about, run, test}` each time it is opened. */
export function menuButton(button, items) {
  button.addEventListener('click', () => {
    const wasOpen = open?.button === button;
    closeMenu();
    if (wasOpen) return;
    const entries = items().map(({ label, about, run, test }) => h('button', {
      role: 'menuitem', tabindex: '-1', data: { test: test ?? '' },
      onclick: () => {
        closeMenu(true);
        run();
      },
    }, h('span', {}, label), about && h('small', {}, about)));
    attach(button, h('div', { class: 'menu', role: 'menu', 'aria-label': button.textContent }, entries), true);
  });
}

/** Gives a button a panel with whatever `content` makes each time it is opened. */
export function panelButton(button, label, content) {
  button.setAttribute('aria-haspopup', 'dialog');
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => {
    const wasOpen = open?.button === button;
    closeMenu();
    if (!wasOpen) attach(button, h('div', { class: 'menu panel', role: 'dialog', 'aria-label': label }, content()), false);
  });
}

document.addEventListener('pointerdown', (event) => {
  if (open && !open.panel.contains(event.target) && !open.button.contains(event.target)) closeMenu();
});
addEventListener('resize', () => closeMenu());
