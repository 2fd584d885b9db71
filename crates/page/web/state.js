// State: what there is after the last step, by thread, object and place, and what that step changed.

import { byId, counted, h } from './dom.js';
import { waitsList } from './why.js';
import { pictureOf } from './picture.js';

const MOST = 300;

export class StatePane {
  constructor(session, reveal) {
    this.session = session;
    this.reveal = reveal;
    this.body = byId('state-body');
    this.content = h('div', { data: { test: 'state-content', focus: '' }, tabindex: '-1' });
    this.layers = h('div', { class: 'layers', hidden: true, data: { test: 'layers' } });
    this.draw = h('button', { class: 'small', 'aria-pressed': 'false', data: { test: 'draw-layers' }, title: 'The three-layered graph of the state', onclick: () => this.toggleLayers() }, 'Layers');
    byId('state-tools').append(this.draw);
    this.body.append(this.layers, this.content);
    session.addEventListener('state', () => this.show());
    session.addEventListener('model', () => byId('state').classList.toggle('frozen', session.isFrozen));
  }

  show() {
    const { state } = this.session;
    this.draw.disabled = state === null;
    if (state === null) {
      this.content.replaceChildren();
      return;
    }
    const waits = waitsList(state.waits, this.reveal);
    this.content.replaceChildren(
      this.classLine(state.class),
      this.section('What the last step changed', state.changes.length > 0 ? h('ul', { class: 'changes', data: { test: 'changes' } }, state.changes.map((change) => h('li', {}, change))) : null),
      this.section('Who waits for what', waits),
      this.section(`Threads (${state.threads.length})`, this.threads(state.threads)),
      this.section('Shared variables', this.variables(state.globals)),
      this.section(`Objects (${state.objects.length})`, this.objects(state.objects)),
      this.section('Places', this.places(state.places)));
    if (!this.layers.hidden) this.showLayers();
  }

  section(title, content) {
    return content === null ? '' : h('section', { class: 'part' }, h('h3', {}, title), content);
  }

  /** The class that the state folds to. */
  classLine(found) {
    if (!found) return '';
    const alike = found.alike === null || found.alike === undefined ? '' : found.alike === '1' ? ', the only state of it' : `, one of ${grouped(found.alike)} states alike`;
    return h('div', { class: 'class-line', data: { test: 'class', class: found.id } },
      h('details', {}, h('summary', {}, `Class ${found.id}${alike}`), h('pre', { class: 'mono' }, found.text)));
  }

  changed(isChanged) {
    return isChanged ? h('span', { class: 'changed-mark', title: 'changed by the last step' }, '●', h('span', { class: 'unseen' }, ' changed')) : null;
  }

  threads(threads) {
    if (threads.length === 0) return null;
    const rows = threads.slice(0, MOST).map((thread) => h('tr', { class: thread.changed ? 'changed' : '', data: { test: 'thread', pid: thread.pid } },
      h('th', { scope: 'row' }, thread.name ?? thread.pid, this.changed(thread.changed)),
      h('td', {},
        thread.line ? [h('button', { class: 'link', onclick: () => this.reveal(thread.line) }, `line ${thread.line}`), ' '] : null,
        h('span', { class: 'mono' }, placeOf(thread)), thread.label ? h('span', { class: 'badge' }, thread.label) : null,
        thread.calls?.length > 0 ? h('div', { class: 'muted' }, 'called from ', thread.calls.map((call) => `${call.routine} (line ${call.line})`).join(', ')) : null,
        thread.variables?.length > 0 ? h('div', { class: 'mono values' }, thread.variables.map(({ name, value }) => h('span', {}, `${name} = ${value}`))) : null)));
    return [h('table', { class: 'rows' }, h('tbody', {}, rows)), this.rest(threads)];
  }

  variables(variables) {
    if (variables.length === 0) return null;
    return h('table', { class: 'rows' }, h('tbody', {}, variables.map((one) => h('tr', { class: one.changed ? 'changed' : '', data: { test: 'global', name: one.name } },
      h('th', { scope: 'row' }, one.name, this.changed(one.changed)), h('td', { class: 'mono' }, one.value)))));
  }

  objects(objects) {
    if (objects.length === 0) return null;
    const rows = objects.slice(0, MOST).map((object) => h('tr', { class: object.changed ? 'changed' : '', data: { test: 'object', name: object.name } },
      h('th', { scope: 'row' }, object.name, this.changed(object.changed)),
      h('td', { class: 'mono values' }, object.fields.map(({ name, value }) => h('span', {}, `${name} = ${value}`)))));
    return [h('table', { class: 'rows' }, h('tbody', {}, rows)), this.rest(objects)];
  }

  places(places) {
    if (places.length === 0) return null;
    const rows = places.slice(0, MOST).map((place) => h('tr', { class: place.changed ? 'changed' : '', data: { test: 'place', name: place.name } },
      h('th', { scope: 'row' }, place.name, this.changed(place.changed)),
      h('td', { class: 'mono values' }, place.tokens.map(({ text, count }) => h('span', {}, String(count) === '1' ? text : `${count} × ${text}`)))));
    return [h('table', { class: 'rows' }, h('tbody', {}, rows)), this.rest(places)];
  }

  rest(all) {
    return all.length > MOST ? h('p', { class: 'muted' }, `and ${counted(all.length - MOST, 'more', 'more')}`) : '';
  }

  toggleLayers() {
    this.layers.hidden = !this.layers.hidden;
    this.draw.setAttribute('aria-pressed', String(!this.layers.hidden));
    if (!this.layers.hidden) this.showLayers();
  }

  async showLayers() {
    const { prefix } = this.session;
    try {
      const { svg } = await this.session.ask('layers', { run: prefix });
      if (prefix.length === this.session.at) this.layers.replaceChildren(pictureOf(svg, 'The three-layered graph of this state'));
    } catch (error) {
      this.layers.replaceChildren(h('p', { class: 'bad-text' }, error.message));
    }
  }
}

/** Where a thread is, without the line, which is said before. */
function placeOf({ at, line }) {
  const said = `line ${line}: `;
  return line && at.startsWith(said) ? at.slice(said.length) : at;
}

/** A long number in groups of three digits. */
function grouped(digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
