// What is looked at: a model, a run of it, and a position in that run. Panes listen to it and ask it to go elsewhere.
//
// Events: `model` (its text was read), `run` (the run as lifelines), `position` (where in it), `state` (the state there),
// `say` (a text for the status line), `busy`.

import { counted } from './dom.js';
import { writeLink } from './link.js';
import { Refused } from './client.js';

const SAME = (a, b) => a.length === b.length && a.every((number, i) => number === b[i]);

export class Session extends EventTarget {
  /** Name of the model, and what `model` says of its newest text. */
  model = null;
  info = null;
  /** Generation of the text that the run belongs to: the newest that was right. */
  generation = null;
  /** The numbers of the steps, how many of them lead to the state looked at, and how it goes on for ever. */
  run = [];
  at = 0;
  loop = null;
  property = null;
  /** How often the loop has been gone round. */
  round = 0;
  /** Answers of `run` and `state`. */
  told = null;
  state = null;
  /** Runs that were left for others, the latest last. */
  earlier = [];

  constructor(client, token) {
    super();
    this.client = client;
    this.token = token;
    this.asked = 0;
    this.wantsRun = false;
    this.showing = null;
    this.busy = 0;
    client.addEventListener('model', ({ detail }) => this.onSaved(detail));
    client.addEventListener('file', ({ detail }) => detail.model === this.model && this.onFile(detail));
    client.addEventListener('connection', ({ detail }) => detail.isConnected && this.info && this.reread());
  }

  /** Whether the newest text has errors. The run is kept for when they are fixed. */
  get isFrozen() {
    return this.info !== null && !this.info.is_right;
  }

  /** The run up to the state looked at. */
  get prefix() {
    return this.run.slice(0, this.at);
  }

  emit(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  say(text, kind = 'info') {
    this.emit('say', { text, kind });
  }

  /** Shows what went wrong; what is no refusal is a fault of the page and goes on to the console. */
  sayError(error) {
    if (!(error instanceof Refused)) console.error(error);
    this.say(error.message, 'error');
  }

  /** Asks about this model, as of the text that the run belongs to. */
  async ask(operation, request = {}) {
    this.busy += 1;
    this.emit('busy');
    try {
      return await this.client.ask(operation, { model: this.model, generation: this.generation ?? undefined, ...request });
    } finally {
      this.busy -= 1;
      this.emit('busy');
    }
  }

  link() {
    return writeLink({ ...this, token: this.token });
  }

  /** Opens what a link says. */
  async open({ model, run, at, loop, property }) {
    if (model !== this.model || this.info === null) {
      this.model = model;
      this.generation = null;
      this.earlier = [];
      this.info = await this.client.ask('model', { model });
      this.generation = this.info.is_right ? this.info.generation : null;
      this.emit('model');
    }
    this.run = [];
    await this.go({ run, at, loop, property }, null);
  }

  /** Looks at another run. `why` names the one that is left, if that is worth coming back to. */
  async go({ run, at = run.length, loop = null, property = null }, why = null) {
    if (why !== null && !SAME(this.run, run)) this.remember(why);
    this.run = run;
    this.at = Math.min(at, run.length);
    this.loop = loop;
    this.property = property;
    this.round = 0;
    await this.show(true);
  }

  remember(why) {
    if (this.run.length === 0) return;
    const { run, at, loop, property } = this;
    this.earlier = this.earlier.filter((one) => !SAME(one.run, run));
    this.earlier.push({ run, at, loop, property, why });
    if (this.earlier.length > 30) this.earlier.shift();
  }

  /** Goes back to a run that was left. */
  async back(index = this.earlier.length - 1) {
    const [one] = this.earlier.splice(index, 1);
    if (one) await this.go(one, 'left for an earlier run');
  }

  /** Takes a step from the state looked at. If the run takes another one there, that becomes an earlier run. */
  async take(index) {
    if (this.isFrozen) return this.sayFrozen();
    if (this.run[this.at] === index) return this.look(this.at + 1);
    const run = [...this.prefix, index];
    return this.go({ run }, this.at < this.run.length ? `branched off after ${counted(this.at, 'step')}` : null);
  }

  sayFrozen() {
    this.say('The model has errors. Fix them to go on; the run is kept.', 'error');
  }

  /** Looks at the state after some steps of the same run. */
  async look(at) {
    const target = Math.max(0, Math.min(at, this.run.length));
    if (target === this.at) return undefined;
    if (this.isFrozen) return this.sayFrozen();
    this.at = target;
    return this.show(false);
  }

  /** One step back, and forward again. Past the end of a loop it goes on where that begins. */
  async undo() {
    if (this.at === 0) this.say('This is the initial state.');
    else await this.look(this.at - 1);
  }

  async redo() {
    if (this.at < this.run.length) await this.look(this.at + 1);
    else if (this.loop) await this.goRound();
    else this.say('The run ends here. Choose a step to go on.');
  }

  async goRound() {
    this.round += 1;
    const { to } = this.loop;
    if (to === this.run.length) return this.say('Nothing happens any more: the run stays in this state for ever.');
    await this.look(to);
    this.say(`Round ${this.round + 1}: it goes on as after ${counted(to, 'step')}.`);
  }

  /** Asks for what is to be shown. While an answer is awaited, only the latest of what is asked meanwhile is asked next. */
  show(isOtherRun) {
    this.asked += 1;
    this.wantsRun ||= isOtherRun;
    this.emit('position');
    this.showing ??= this.showLatest();
    return this.showing;
  }

  async showLatest() {
    let shown = null;
    while (shown !== this.asked) {
      await null;
      shown = this.asked;
      try {
        await this.showOnce(shown);
      } catch (error) {
        if (shown === this.asked) this.onRefused(error);
      }
    }
    this.showing = null;
  }

  async showOnce(asked) {
    const isLate = () => asked !== this.asked;
    if (this.generation === null) {
      Object.assign(this, { told: null, state: null });
      this.emit('run');
      this.emit('state');
      return;
    }
    const state = this.ask('state', { run: this.run, at: this.at });
    const told = this.wantsRun ? this.askRun() : null;
    told?.catch(() => {});
    this.state = await state;
    if (isLate()) return;
    this.emit('state');
    if (told === null) return;
    const lifelines = await told;
    if (isLate()) return;
    this.wantsRun = false;
    this.told = lifelines;
    this.emit('run');
  }

  askRun() {
    const { run, property, loop } = this;
    return this.ask('run', { run, property: property ?? undefined, loop: loop ?? undefined });
  }

  onRefused(error) {
    if (error.code === 'no_such_step') {
      const at = Math.max(0, Math.min(error.at ?? 0, this.run.length - 1));
      this.say(`The run is possible up to step ${at} only: ${error.message}`, 'error');
      this.go({ run: this.run.slice(0, at) });
    } else if (error.code === 'outdated' || error.code === 'model_wrong') this.reread();
    else this.sayError(error);
  }

  onSaved({ model, generation }) {
    if (model === this.model && this.info !== null && generation !== this.info.generation) this.reread();
  }

  onFile({ missing }) {
    if (missing) this.say(`The file of the model cannot be read: ${missing}. What was read last stays.`, 'warning');
    else this.say('The file of the model can be read again.');
  }

  /** Reads the model again, and replays the run as far as it still goes. */
  async reread(info = null) {
    try {
      const read = info ?? (await this.client.ask('model', { model: this.model }));
      if (read.name !== this.model || read.generation === this.info?.generation) return;
      this.info = read;
      this.emit('model');
      if (!read.is_right) return this.sayWrong();
      const carried = await this.carry();
      this.generation = read.generation;
      this.say(carried.text, carried.lost > 0 ? 'warning' : 'info');
      await this.go(carried);
    } catch (error) {
      this.sayError(error);
    }
  }

  sayWrong() {
    const errors = this.info.diagnostics.filter((one) => one.severity === 'error').length;
    const kept = this.run.length > 0 ? ' The run is kept for when it is fixed.' : '';
    this.say(`The model was read again and has ${counted(errors, 'error')}.${kept}`, 'error');
  }

  /** What is left of the run in the newest text. */
  async carry() {
    const { run, at, loop, property, generation } = this;
    const read = 'The model was read again.';
    if (run.length === 0 || generation === null) return { run, at, loop, property, lost: 0, text: read };
    const answer = await this.client.ask('carry', { model: this.model, generation, run }).catch((error) => {
      if (error.code === 'unreachable') throw error;
      return { run: [], lost: run.length, why: error.message };
    });
    const isWhole = answer.lost === 0;
    const lost = `${counted(answer.lost, 'step')} of the run ${answer.lost === 1 ? 'was' : 'were'} lost: ${answer.why}`;
    if (!isWhole) this.remember('before the model was read again');
    return {
      run: answer.run,
      at: Math.min(at, answer.run.length),
      loop: isWhole ? loop : null,
      property: isWhole ? property : null,
      lost: answer.lost,
      text: isWhole ? `${read} The run still goes as it did.` : `${read} ${lost}`,
    };
  }
}
