// Graph: the classes around the state looked at, grown on demand.

import { byId, counted, h } from './dom.js';
import { GraphView } from './graphview.js';

const AT_ONCE = 250;
/** A graph with at most so many classes is shown whole at once. */
const SMALL = 60;

export class GraphPane {
  constructor(session, layout) {
    this.session = session;
    this.layout = layout;
    this.isStale = true;
    this.tools = h('div', { class: 'fields graph-tools' });
    this.depth = h('input', { type: 'number', min: '1', max: '20', value: '1', class: 'narrow', data: { test: 'graph-depth' }, onchange: () => this.load() });
    this.growAll = h('button', { class: 'small', data: { test: 'grow-all' }, title: `Find the successors of up to ${AT_ONCE} classes that are not grown yet`, onclick: () => this.growFrontier() }, 'Grow all');
    this.whole = h('button', { class: 'small', data: { test: 'graph-whole' }, onclick: () => this.loadWhole(5000) }, 'Whole graph');
    this.note = h('span', { class: 'muted', role: 'status', data: { test: 'graph-note' } });
    this.tools.append(this.growAll, this.whole, h('label', {}, 'Around ', this.depth));
    byId('graph-body').append(this.tools);
    this.view = new GraphView(this.tools, byId('graph-body'), (node) => this.actions(node));
    this.tools.append(this.note);
    this.view.addEventListener('open', ({ detail }) => this.open(detail.id));
    this.view.addEventListener('grow', ({ detail }) => this.grow([detail.id]));
    session.addEventListener('model', () => this.onModel());
    session.addEventListener('state', () => {
      this.onModel();
      this.isStale = true;
      this.loadIfShown();
    });
    layout.addEventListener('change', () => this.loadIfShown());
  }

  onModel() {
    const { info } = this.session;
    const shown = `${info.name}:${info.generation}:${this.session.typed ?? ''}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.isStale = true;
    this.known = null;
  }

  actions(node) {
    return [
      h('button', { class: 'small', data: { test: 'graph-open' }, onclick: () => this.open(node.id) }, 'Open run to it'),
      h('button', { class: 'small', data: { test: 'graph-grow' }, disabled: node.is_grown, onclick: () => this.grow([node.id]) }, 'Grow'),
    ];
  }

  loadIfShown() {
    if (this.isStale && this.layout.isShown('graph') && this.session.state && !this.session.isFrozen) this.load();
  }

  /** The classes around the state looked at; those known already stay. A small graph is shown whole. */
  async load() {
    this.isStale = false;
    if (this.known === null && (await this.loadWhole(SMALL))) return null;
    const depth = Math.max(1, Number(this.depth.value) || 1);
    return this.ask({ run: this.session.prefix, depth });
  }

  grow(ids) {
    return this.ask({ run: this.session.prefix, depth: 0, grow: ids });
  }

  growFrontier() {
    const frontier = [...this.view.layered.nodes.values()].filter((node) => !node.is_grown).map((node) => node.id).slice(0, AT_ONCE);
    if (frontier.length === 0) {
      this.note.textContent = 'All of it is here.';
      return null;
    }
    return this.ask({ run: this.session.prefix, depth: 0, grow: frontier, most: 2000 });
  }

  /** All of it, if it has at most so many classes. Gives whether it has. */
  async loadWhole(most) {
    const { shown } = this;
    try {
      const answer = await this.session.ask('graph', { whole: true, most });
      if (shown === this.shown) this.show({ ...answer, at: this.view.at?.id });
    } catch (error) {
      if (most !== SMALL) this.note.textContent = error.message;
      return false;
    }
    await this.ask({ run: this.session.prefix, depth: 0 });
    return true;
  }

  async ask(request) {
    const { shown } = this;
    this.asked = (this.asked ?? 0) + 1;
    const { asked } = this;
    try {
      const answer = await this.session.ask('graph', request);
      if (shown !== this.shown || asked !== this.asked) return;
      this.show(answer);
    } catch (error) {
      this.note.textContent = error.message;
    }
  }

  /** Answers are parts of what is known: put together, as long as the text is the same. */
  show(answer) {
    const isFirst = this.known === null;
    this.known ??= { classes: new Map(), edges: new Map() };
    for (const one of answer.classes) this.known.classes.set(one.id, one);
    for (const edge of answer.edges) this.known.edges.set(`${edge.from}>${edge.to}`, edge);
    this.view.show({ classes: [...this.known.classes.values()], edges: [...this.known.edges.values()], at: answer.at }, isFirst);
    if (!isFirst && this.view.at) this.view.reveal(this.view.at);
    const left = [...this.known.classes.values()].filter((one) => !one.is_grown).length;
    this.note.textContent = answer.complete && left === 0 ? 'This is the whole graph.' : `${counted(left, 'state')} not grown yet`;
    this.growAll.disabled = left === 0;
  }

  /** Loads a run to a class. */
  async open(id) {
    try {
      const { run } = await this.session.ask('way', { run: this.session.prefix, class: id });
      const isLonger = this.session.prefix.every((index, i) => run[i] === index);
      await this.session.go({ run, typed: this.session.typed }, isLonger && this.session.at === this.session.run.length ? null : `left for state ${id}`);
      this.session.say(`A run of ${counted(run.length, 'step')} to state ${id}.`);
    } catch (error) {
      this.session.sayError(error);
    }
  }
}
