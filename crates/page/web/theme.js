// Light or dark, as the system has it or as chosen here.

import { kept } from './dom.js';

const NAMES = { system: 'as the system has it', light: 'light', dark: 'dark' };
const ORDER = Object.keys(NAMES);

function apply(theme, button) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  button.textContent = { system: '◐', light: '☀', dark: '☾' }[theme];
  button.setAttribute('aria-label', `Colours: ${NAMES[theme]}`);
  button.title = `Colours: ${NAMES[theme]}`;
}

/** Lets a button go through the choices. `onChange` is called when colours may have changed. */
export function themeButton(button, onChange = () => {}) {
  let theme = kept.get('theme', 'system');
  if (!ORDER.includes(theme)) theme = 'system';
  apply(theme, button);
  button.addEventListener('click', () => {
    theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
    kept.set('theme', theme);
    apply(theme, button);
    onChange();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => onChange());
}
