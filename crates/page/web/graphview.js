// A graph of classes that can be moved through, with a list of what is around the class selected. It is used by the page
// and by graphs that were exported.

import { counted, eachFrame, h, settled, shortened } from './dom.js';
import { Viewport } from './viewport.js';
import { Layered } from './layered.js';
import { colours } from './canvas.js';
import { Painter } from './painter.js';

const KINDS = { initial: 'initial', deadlock: 'deadlock', terminated: 'terminated', fault: 'fault' };
const REACH = 18;
const GLIDE = 220;

export class GraphView extends EventTarget {
  /** `actions(node)` makes buttons for the class selected. */
  constructor(tools, host, actions) {
    super();
    this.actions = actions;
    this.layered = new Layered();
    this.found = [];
    this.canvas = h('canvas', { class: 'graph-canvas', tabindex: '0', role: 'application', 'aria-roledescription': 'graph of classes', 'aria-label': 'Graph of classes', 'aria-describedby': 'graph-keys', data: { test: 'graph-canvas', focus: '' } });
    this.side = h('div', { class: 'graph-side', data: { test: 'graph-side' }, tabindex: '0', role: 'region', 'aria-label': 'Class selected, and its neighbours' });
    const keys = h('p', { class: 'unseen', id: 'graph-keys' }, 'Arrow keys move, plus and minus zoom, 0 shows all, n and p select the next and the previous class, s goes to a successor, Enter opens a run to the class selected, e grows it. The list beside has the neighbours.');
    const stage = h('div', { class: 'graph-stage' }, this.canvas, this.tip = h('div', { class: 'tooltip graph-tip', hidden: true }), this.legendBox = this.legend());
    host.append(h('div', { class: 'graph-frame' }, stage, this.side), keys);
    this.makeTools(tools);
    this.view = new Viewport(this.canvas);
    this.painter = new Painter(this.canvas, this.view);
    this.paint = eachFrame(() => this.paintNow());
    this.view.addEventListener('change', () => this.paint());
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.canvas.addEventListener('pointermove', (event) => this.onHover(event));
    this.canvas.addEventListener('pointerleave', () => this.hover(null));
    this.canvas.addEventListener('click', (event) => this.view.moved < 6 && this.select(this.nodeAt(event)));
    this.canvas.addEventListener('dblclick', (event) => this.open(this.nodeAt(event)));
    this.canvas.addEventListener('keydown', (event) => this.onKey(event));
  }

  makeTools(host) {
    this.words = h('input', { type: 'search', class: 'find', placeholder: 'Find class', 'aria-label': 'Find class', data: { test: 'graph-find' } });
    this.words.addEventListener('input', settled(() => this.find(), 120));
    this.words.addEventListener('keydown', (event) => event.key === 'Enter' && this.nextFound());
    this.count = h('span', { class: 'muted', data: { test: 'graph-count' } });
    const button = (test, name, text, act) => h('button', { class: 'small', 'aria-label': name, title: name, data: { test }, onclick: act }, text);
    host.append(h('span', { class: 'group' }, button('graph-zoom-out', 'Smaller', '−', () => this.view.zoom(0.8)), button('graph-zoom-in', 'Larger', '+', () => this.view.zoom(1.25)), button('graph-fit', 'Fit: show all of it', 'Fit', () => this.fit())), this.words, this.count);
  }

  legend() {
    const entry = (sign, text) => h('li', {}, h('span', { class: `legend-${text.split(' ')[0]}`, 'aria-hidden': 'true' }, sign), ` ${text}`);
    return h('details', { class: 'legend', open: true, data: { test: 'graph-legend' } }, h('summary', {}, 'Legend'), h('ul', { class: 'plain' },
      entry('◉', 'here: the state looked at'), entry('▶', 'initial'), entry('■', 'deadlock (dead end)'), entry('✓', 'terminated (dead end)'), entry('!', 'fault (dead end)'),
      entry('↻', 'component: strongly connected, with its number'), entry('◌', 'dashed: not grown yet'), entry('┄', 'dashed edge: leads back')));
  }

  /** Shows what is known. */
  show({ classes, edges, at }, isFirst = false) {
    const before = this.layered.nodes.size;
    const was = this.at?.id;
    this.layered.update(classes, edges);
    this.painter.forget();
    this.at = this.layered.nodes.get(at) ?? null;
    this.selected = (this.at?.id === was ? this.layered.nodes.get(this.selected?.id) : null) ?? this.at ?? [...this.layered.nodes.values()][0] ?? null;
    this.count.textContent = `${counted(classes.length, 'state')}, ${counted(edges.length, 'edge')}`;
    this.canvas.dataset.nodes = classes.length;
    this.canvas.setAttribute('aria-label', `Graph of ${counted(classes.length, 'state')} and ${counted(edges.length, 'edge')}`);
    if (this.words.value !== '') this.find();
    this.showSide();
    if (isFirst || before === 0) this.fit();
    else this.glide();
  }

  setAt(id) {
    this.at = this.layered.nodes.get(id) ?? null;
    if (this.at) {
      this.selected = this.at;
      this.showSide();
      this.reveal(this.at);
    }
    this.paint();
  }

  /** Moves nodes to where they belong, unless movement is unwanted. */
  glide() {
    const nodes = [...this.layered.nodes.values()];
    if (nodes.length > 800 || matchMedia('(prefers-reduced-motion: reduce)').matches) return this.paint();
    const goals = nodes.map(({ x, y }) => [x, y]);
    const start = performance.now();
    const frame = (now) => {
      const share = Math.min(1, (now - start) / GLIDE);
      const eased = 1 - (1 - share) ** 3;
      nodes.forEach((node, i) => {
        node.x = node.fromX + (goals[i][0] - node.fromX) * eased;
        node.y = node.fromY + (goals[i][1] - node.fromY) * eased;
      });
      this.paintNow();
      if (share < 1 && this.gliding === start) requestAnimationFrame(frame);
      else if (share < 1) nodes.forEach((node, i) => [node.x, node.y] = goals[i]);
    };
    this.gliding = start;
    requestAnimationFrame(frame);
    return undefined;
  }

  fit() {
    this.view.fit(this.layered.box(), 1.1);
  }

  reveal({ x, y }) {
    const sight = this.view.sight(-50);
    if (x < sight.left || x > sight.right || y < sight.top || y > sight.bottom) this.view.moveTo(x, y);
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    this.ratio = Math.min(2, devicePixelRatio || 1);
    const wasHidden = this.view.width <= 1;
    [this.view.width, this.view.height] = [clientWidth, clientHeight];
    [this.canvas.width, this.canvas.height] = [Math.round(clientWidth * this.ratio), Math.round(clientHeight * this.ratio)];
    if (wasHidden) this.legendBox.open = clientHeight > 300;
    const { isRightward } = this.layered;
    this.layered.turn(clientWidth > clientHeight * 1.25);
    if (wasHidden || isRightward !== this.layered.isRightward) this.fit();
    this.recolour();
  }

  recolour() {
    this.colour = colours(this.canvas);
    this.painter.forget();
    this.paintNow();
  }

  paintNow() {
    if (!this.colour || this.canvas.width === 0) return;
    const { layered, at, selected, found } = this;
    const goesOn = this.painter.paint({ layered, at, selected, found, focus: this.hovered ?? selected }, this.colour, this.ratio);
    if (goesOn) this.paint();
    this.canvas.dataset.scale = this.view.scale.toFixed(3);
  }

  nodeAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = this.view.toPlane(event.clientX - box.left, event.clientY - box.top);
    let best = null;
    let nearest = Math.max(REACH, 6 / this.view.scale);
    for (const node of this.layered.nodes.values()) {
      const apart = Math.hypot(node.x - x, node.y - y);
      if (apart < nearest) [best, nearest] = [node, apart];
    }
    return best;
  }

  onHover(event) {
    if (this.view.isDragging) return this.hover(null);
    const node = this.nodeAt(event);
    const box = this.canvas.getBoundingClientRect();
    return this.hover(node, event.clientX - box.left, event.clientY - box.top);
  }

  hover(node, x = 0, y = 0) {
    this.tip.hidden = node === null;
    this.canvas.classList.toggle('pointing', node !== null);
    if (node !== null) {
      this.tip.textContent = `Class ${node.id}${node.kind ? ` (${KINDS[node.kind]})` : ''}\n${shortened(node.text, 600)}`;
      this.tip.style.left = `${Math.min(x + 14, Math.max(0, this.view.width - 260))}px`;
      this.tip.style.top = `${y + 14}px`;
    }
    if (node === this.hovered) return;
    this.hovered = node;
    this.paint();
  }

  select(node, isRevealed = false) {
    if (!node) return;
    this.selected = node;
    if (isRevealed) this.reveal(node);
    this.showSide();
    this.paint();
  }

  open(node) {
    if (node) this.dispatchEvent(new CustomEvent('open', { detail: { id: node.id } }));
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ids = [...this.layered.nodes.keys()];
    const now = ids.indexOf(this.selected?.id);
    const acts = {
      0: () => this.fit(),
      n: () => this.select(this.layered.nodes.get(ids[(now + 1) % ids.length]), true),
      p: () => this.select(this.layered.nodes.get(ids[(now - 1 + ids.length) % ids.length]), true),
      s: () => this.select(this.selected?.outs.find((edge) => edge.to !== this.selected)?.to, true),
      e: () => this.selected && this.dispatchEvent(new CustomEvent('grow', { detail: { id: this.selected.id } })),
      Enter: () => this.open(this.selected),
    };
    if (!acts[event.key] || ids.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  }

  find() {
    const words = this.words.value.trim().toLowerCase();
    this.found = words === '' ? [] : [...this.layered.nodes.values()].filter((node) => String(node.id) === words || node.text.toLowerCase().includes(words) || node.kind?.includes(words));
    if (words !== '') this.count.textContent = `${this.found.length} found`;
    this.paint();
  }

  nextFound() {
    if (this.found.length === 0) return;
    const now = this.found.indexOf(this.selected);
    const node = this.found[(now + 1) % this.found.length];
    this.select(node);
    this.view.moveTo(node.x, node.y, Math.max(this.view.scale, 0.7));
  }

  /** The class selected, and its neighbours. */
  showSide() {
    const node = this.selected;
    if (!node) {
      this.side.replaceChildren(h('p', { class: 'muted' }, 'No class is selected.'));
      return;
    }
    const marks = [node === this.at && 'here', node.kind && KINDS[node.kind], node.component !== null && `component ${node.component}`, !node.is_grown && 'not grown yet'].filter(Boolean);
    this.side.replaceChildren(h('div', {},
      h('h3', { data: { test: 'graph-selected', class: node.id } }, `Class ${node.id} `, marks.map((mark) => h('span', { class: 'badge' }, mark))),
      h('div', { class: 'group' }, this.actions(node)),
      h('pre', { class: 'mono class-text' }, node.text),
      this.neighbours('Leads to', node.outs, (edge) => edge.to),
      this.neighbours('Comes from', node.ins, (edge) => edge.from)));
  }

  neighbours(title, edges, other) {
    if (edges.length === 0) return '';
    return [h('h4', {}, `${title} (${edges.length})`), h('ul', { class: 'plain', data: { test: title === 'Leads to' ? 'successors' : 'predecessors' } }, edges.slice(0, 100).map((edge) => {
      const node = other(edge);
      return h('li', {}, h('button', { class: 'link', onclick: () => this.select(node, true) }, `class ${node.id}`), node.kind ? h('span', { class: 'badge' }, KINDS[node.kind]) : '', h('div', { class: 'mono muted' }, edge.texts.slice(0, 3).join('; '), edge.texts.length > 3 ? ` and ${edge.texts.length - 3} more` : ''));
    }))];
  }
}
