// The explorer page: puts its parts together.

import { byId, counted, h, paced } from './dom.js';
import { createClient } from './client.js';
import { readLink } from './link.js';
import { Session } from './session.js';
import { Layout } from './layout.js';
import { Keys } from './keys.js';
import { SourcePane } from './source.js';
import { RunPane } from './run.js';
import { NextPane } from './next.js';
import { StatePane } from './state.js';
import { GraphPane } from './graph.js';
import { PropertiesPane } from './properties.js';
import { SearchPane } from './search.js';
import { CoveragePane } from './coverage.js';
import { exportMenu } from './exports.js';
import { menuButton } from './menu.js';
import { themeButton } from './theme.js';
import { showFullTexts } from './tooltip.js';
import { measureFrames } from './frames.js';

/** Browsers let the address be changed a hundred times in half a minute, and no more. */
const BURST = 20;
const PACE = 400;

const said = byId('status');

function say(text, kind = 'info') {
  said.dataset.kind = kind;
  said.textContent = text;
}

/** The address always says what is shown; the body says it for tests. */
function keepLink(session) {
  const replace = paced(() => {
    const link = session.link();
    if (location.hash !== link) history.replaceState(null, '', link);
  }, BURST, PACE);
  const write = () => {
    replace();
    Object.assign(document.body.dataset, { model: session.model, run: session.run.join('.'), at: String(session.at), generation: String(session.info?.generation ?? ''), frozen: String(session.isFrozen) });
  };
  session.addEventListener('position', write);
  session.addEventListener('model', write);
  session.addEventListener('state', () => { document.body.dataset.stateAt = String(session.at); });
  session.addEventListener('busy', () => { document.body.dataset.busy = String(session.busy); });
}

function headerButtons(session) {
  const on = (id, act) => byId(id).addEventListener('click', act);
  on('undo', () => session.undo());
  on('redo', () => session.redo());
  on('to-start', () => session.look(0));
  on('to-end', () => session.look(session.run.length));
  on('restart', () => session.go({ run: [] }, 'left for a new run'));
  menuButton(byId('earlier'), () => {
    if (session.earlier.length === 0) return [{ label: 'None yet', about: 'A run is kept here when another takes its place', run: () => {} }];
    return session.earlier.map((one, i) => ({ label: `${counted(one.run.length, 'step')}${one.property ? ` of ${one.property}` : ''}`, about: one.why, test: 'earlier-run', run: () => session.back(i) })).reverse();
  });
  session.addEventListener('position', () => {
    const round = session.round > 0 ? ` ↻${session.round + 1}` : '';
    byId('position').textContent = `${session.at} / ${session.run.length}${session.loop ? ' ↻' : ''}${round}`;
    byId('position').title = `after ${counted(session.at, 'step')} of ${session.run.length}${session.loop ? ', then for ever' : ''}`;
    byId('undo').disabled = session.at === 0;
    byId('to-start').disabled = session.at === 0;
    byId('redo').disabled = session.at === session.run.length && !session.loop;
    byId('to-end').disabled = session.at === session.run.length;
    byId('restart').disabled = session.run.length === 0;
  });
}

function connectionSign(client) {
  const show = () => {
    byId('connection').textContent = client.isConnected ? '● connected' : '○ not connected';
    byId('connection').dataset.connected = String(client.isConnected);
  };
  client.addEventListener('connection', show);
  show();
}

function modelChooser(session, models) {
  const chooser = byId('model-chooser');
  chooser.replaceChildren(...models.map((model) => h('option', { value: model.name }, model.name)));
  chooser.addEventListener('change', () => open(session, { model: chooser.value, run: [], at: 0, loop: null, property: null }));
  session.addEventListener('model', () => {
    chooser.value = session.model;
    document.title = `${session.model} – Kinfold explorer`;
  });
}

async function open(session, link) {
  try {
    await session.open(link);
    if (session.isFrozen) session.sayWrong();
  } catch (error) {
    session.sayError(error);
  }
}

function actionsOf(session, next, layout) {
  return [
    { keys: ['j'], about: 'select the next step', run: () => next.move(1) },
    { keys: ['k'], about: 'select the previous step', run: () => next.move(-1) },
    { keys: ['Enter'], about: 'take the step selected', run: () => next.take() },
    { keys: ['u', 'h'], about: 'one step back', run: () => session.undo() },
    { keys: ['U', 'l'], about: 'one step forward again; round again in a loop', run: () => session.redo() },
    { keys: ['H'], about: 'to the initial state', run: () => session.look(0) },
    { keys: ['L'], about: 'to the end of the run', run: () => session.look(session.run.length) },
    { keys: ['b'], about: 'back to the run that was left last', run: () => (session.earlier.length > 0 ? session.back() : session.say('No run was left for another yet.')) },
    { keys: ['r'], about: 'a step at random', run: () => next.random(1).catch((error) => session.sayError(error)) },
    { keys: ['R'], about: 'ten steps at random', run: () => next.random(10).catch((error) => session.sayError(error)) },
    { keys: ['/'], about: 'search for a state', run: () => layout.show('search') },
  ];
}

/** What was asked for, and what is there. */
function chosenModel(name, models) {
  if (name !== null && !models.some((one) => one.name === name)) say(`There is no model named ${name} here.`, 'error');
  return models.find((one) => one.name === name)?.name ?? models[0].name;
}

async function begin() {
  const link = readLink(location.hash);
  const client = createClient(link.token);
  const layout = new Layout();
  const session = new Session(client, link.token);
  session.addEventListener('say', ({ detail }) => say(detail.text, detail.kind));
  const source = new SourcePane(session);
  const reveal = (line) => {
    if (layout.isNarrow) layout.show('source', false);
    source.reveal(line);
  };
  const graph = new GraphPane(session, layout);
  themeButton(byId('theme'), () => graph.view.recolour());
  const run = new RunPane(session);
  const next = new NextPane(session);
  new StatePane(session, reveal);
  new PropertiesPane(session, reveal, layout);
  new SearchPane(session, layout);
  new CoveragePane(session, { reveal, setCoverage: (lines) => source.setCoverage(lines) });
  session.addEventListener('state', () => source.refreshWhy());
  keepLink(session);
  headerButtons(session);
  connectionSign(client);
  showFullTexts(byId('next-body'));
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    layout.show('next');
  });
  new Keys(layout, actionsOf(session, next, layout));
  globalThis.kinfold = { session, client, layout, run: run.view, graph: graph.view, measureFrames };

  const { models, formats, host } = await client.ask('models');
  document.body.dataset.host = host;
  modelChooser(session, models);
  exportMenu(session, formats);
  if (host === 'playground') {
    byId('connection').textContent = 'Playground';
    say('The engine runs in this browser, on one thread and in its memory. What needs files or several threads needs the kinfold command.');
  }
  const model = chosenModel(link.model, models);
  await open(session, { ...link, model });
  const { missing } = models.find((one) => one.name === model);
  if (missing) session.onFile({ missing });
  addEventListener('hashchange', () => {
    const asked = readLink(location.hash);
    if (asked.token !== null && asked.token !== session.token) location.reload();
    else open(session, { ...asked, model: chosenModel(asked.model, models) });
  });
  document.body.dataset.ready = 'true';
}

begin().catch((error) => {
  const hint = error.code === 'unauthorized' ? ' Open the link that `kinfold serve` printed: it has the token behind #.' : '';
  say(`${error.message}${hint}`, 'error');
  document.body.dataset.ready = 'failed';
  if (error.code === undefined) console.error(error);
});
