// Where the panes are: side by side with splitters on a wide window, one at a time behind tabs on a narrow one.

import { byId, h, kept } from './dom.js';

/** All panes in the order of tabs; those of the bottom have tabs on a wide window, too. */
export const PANES = [
  { id: 'source', title: 'Source', key: 's' },
  { id: 'run', title: 'Run', key: 'r' },
  { id: 'next', title: 'Next', key: 'n' },
  { id: 'state', title: 'State', key: 't' },
  { id: 'graph', title: 'Graph', key: 'g', isBottom: true },
  { id: 'properties', title: 'Properties', key: 'p', isBottom: true },
  { id: 'search', title: 'Search', key: 'f', isBottom: true },
  { id: 'coverage', title: 'Coverage', key: 'c', isBottom: true },
];

const NARROW = '(max-width: 999px)';

/** Sizes that splitters change: share of the width or height in per cent, and how far it may go. */
const SIZES = {
  left: { normal: 27, least: 12, most: 60, axis: 'x', label: 'Width of Source' },
  right: { normal: 25, least: 14, most: 55, axis: 'x', label: 'Width of Next and State', isReverse: true },
  side: { normal: 46, least: 10, most: 90, axis: 'y', label: 'Height of Next' },
  bottom: { normal: 34, least: 8, most: 85, axis: 'y', label: 'Height of the lower panes', isReverse: true },
};

export class Layout extends EventTarget {
  constructor() {
    super();
    this.main = byId('panes');
    this.shown = { narrow: 'next', bottom: kept.get('bottom', 'properties') };
    this.media = matchMedia(NARROW);
    this.tabs = new Map();
    this.makeTabs(byId('narrow-tabs'), PANES, 'narrow');
    this.makeTabs(byId('bottom-tabs'), PANES.filter((pane) => pane.isBottom), 'bottom');
    for (const name of Object.keys(SIZES)) this.makeSplitter(byId(`split-${name}`), name);
    this.media.addEventListener('change', () => this.arrange());
    this.arrange();
  }

  get isNarrow() {
    return this.media.matches;
  }

  /** Shows a pane and moves the focus into it. */
  show(id, isFocused = true) {
    const pane = PANES.find((one) => one.id === id);
    this.shown.narrow = id;
    if (pane.isBottom) {
      this.shown.bottom = id;
      kept.set('bottom', id);
    }
    this.arrange();
    if (!isFocused) return;
    const target = byId(id).querySelector('[data-focus]') ?? byId(id);
    if (target === byId(id)) target.tabIndex = -1;
    target.focus();
  }

  isShown(id) {
    return !byId(id).hidden;
  }

  makeTabs(host, panes, group) {
    const list = h('div', { role: 'tablist', 'aria-label': group === 'narrow' ? 'Panes' : 'Lower panes' });
    for (const pane of panes) {
      const tab = h('button', {
        role: 'tab', id: `tab-${group}-${pane.id}`, class: 'tab', 'aria-controls': pane.id,
        data: { test: `tab-${pane.id}` }, onclick: () => this.show(pane.id, false),
      }, pane.title);
      list.append(tab);
      this.tabs.set(`${group}.${pane.id}`, tab);
    }
    list.addEventListener('keydown', (event) => this.onTabKey(event, panes, group));
    host.append(list);
  }

  onTabKey(event, panes, group) {
    const ids = panes.map((pane) => pane.id);
    const now = ids.indexOf(this.shown[group]);
    const target = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: ids.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const id = ids[(target + ids.length) % ids.length];
    this.show(id, false);
    this.tabs.get(`${group}.${id}`).focus();
  }

  /** Puts roles, names and visibility right for the width of the window. */
  arrange() {
    const group = this.isNarrow ? 'narrow' : 'bottom';
    this.main.dataset.layout = this.isNarrow ? 'narrow' : 'wide';
    byId('narrow-tabs').hidden = !this.isNarrow;
    byId('bottom-tabs').hidden = this.isNarrow;
    for (const pane of PANES) {
      const element = byId(pane.id);
      const isTabbed = this.isNarrow || pane.isBottom;
      const isShown = !isTabbed || this.shown[group] === pane.id;
      element.hidden = !isShown;
      if (isTabbed) element.setAttribute('role', 'tabpanel');
      else element.removeAttribute('role');
      element.setAttribute('aria-labelledby', isTabbed ? `tab-${group}-${pane.id}` : `${pane.id}-title`);
      const tab = this.tabs.get(`${group}.${pane.id}`);
      tab?.setAttribute('aria-selected', String(isShown));
      if (tab) tab.tabIndex = isShown ? 0 : -1;
      if (tab && isShown && this.isNarrow) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
    byId('bottom').hidden = this.isNarrow && !PANES.find((pane) => pane.id === this.shown.narrow).isBottom;
    this.dispatchEvent(new CustomEvent('change'));
  }

  makeSplitter(element, name) {
    const size = SIZES[name];
    const sizes = kept.get('sizes', {});
    const set = (percent) => {
      const value = Math.round(Math.max(size.least, Math.min(size.most, percent)) * 10) / 10;
      this.main.style.setProperty(`--${name}`, String(value));
      element.setAttribute('aria-valuenow', String(Math.round(value)));
      kept.set('sizes', { ...kept.get('sizes', {}), [name]: value });
      this.dispatchEvent(new CustomEvent('change'));
    };
    const attributes = {
      role: 'separator', tabindex: '0', 'aria-label': size.label, 'aria-valuemin': size.least, 'aria-valuemax': size.most,
      'aria-orientation': size.axis === 'x' ? 'vertical' : 'horizontal', title: `${size.label}: drag, or arrow keys`,
    };
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.dataset.test = `split-${name}`;
    set(sizes[name] ?? size.normal);
    const now = () => Number(this.main.style.getPropertyValue(`--${name}`));
    const sign = size.isReverse ? -1 : 1;
    element.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 2, ArrowDown: 2, ArrowLeft: -2, ArrowUp: -2 }[event.key];
      if (by !== undefined) set(now() + by * sign);
      else if (event.key === 'Home') set(size.least);
      else if (event.key === 'End') set(size.most);
      else if (event.key === 'Enter') set(size.normal);
      else return;
      event.preventDefault();
    });
    element.addEventListener('dblclick', () => set(size.normal));
    element.addEventListener('pointerdown', (event) => {
      element.setPointerCapture(event.pointerId);
      const box = name === 'side' ? this.sideBox() : this.main.getBoundingClientRect();
      const whole = size.axis === 'x' ? box.width : box.height;
      const start = size.axis === 'x' ? event.clientX : event.clientY;
      const before = now();
      const move = (moved) => {
        const here = size.axis === 'x' ? moved.clientX : moved.clientY;
        set(before + ((here - start) / whole) * 100 * sign);
      };
      const end = () => {
        element.removeEventListener('pointermove', move);
        element.removeEventListener('pointerup', end);
        element.removeEventListener('pointercancel', end);
      };
      element.addEventListener('pointermove', move);
      element.addEventListener('pointerup', end);
      element.addEventListener('pointercancel', end);
    });
  }

  /** The height that Next and State share. */
  sideBox() {
    const [next, state] = [byId('next').getBoundingClientRect(), byId('state').getBoundingClientRect()];
    return { width: next.width, height: next.height + state.height };
  }
}
