// What takes long: started, followed by its events, and stopped.

import { bytes, counted, h } from './dom.js';

const POLL = 2000;

/** Events of jobs that nobody has claimed yet: they may come before the answer that names the job. */
class Mailbox {
  constructor(client) {
    this.jobs = new Map();
    this.early = [];
    for (const name of ['progress', 'verdict', 'result', 'end']) {
      client.addEventListener(name, ({ detail }) => {
        const job = this.jobs.get(detail.job);
        if (job) job.hear(name, detail);
        else {
          this.early.push([name, detail]);
          if (this.early.length > 500) this.early.shift();
        }
      });
    }
  }

  claim(job) {
    this.jobs.set(job.id, job);
    const mine = this.early.filter(([, detail]) => detail.job === job.id);
    this.early = this.early.filter(([, detail]) => detail.job !== job.id);
    for (const [name, detail] of mine) job.hear(name, detail);
  }
}

const mailboxes = new WeakMap();

/** A job under way. Events: `progress`, `verdict`, `result`, `end`, with their fields as `detail`. */
export class Job extends EventTarget {
  isRunning = true;
  verdicts = 0;
  hasResult = false;
  heard = 0;

  constructor(client, id) {
    super();
    this.client = client;
    this.id = id;
    this.timer = setInterval(() => this.poll(), POLL);
  }

  hear(name, detail) {
    if (!this.isRunning) return;
    this.heard = performance.now();
    if (name === 'verdict') this.verdicts += 1;
    if (name === 'result') this.hasResult = true;
    if (name === 'end') {
      this.isRunning = false;
      clearInterval(this.timer);
    }
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Asks for what events did not tell, if they are silent. */
  async poll() {
    if (performance.now() - this.heard < POLL) return;
    const known = await this.client.ask('job', { job: this.id }).catch((error) => (error.code === 'no_such_job' ? { state: 'failed', why: error.message, verdicts: [] } : null));
    if (known === null || !this.isRunning) return;
    if (known.progress) this.hear('progress', { ...known.progress });
    for (const verdict of known.verdicts.slice(this.verdicts)) this.hear('verdict', verdict);
    if (known.result && !this.hasResult) this.hear('result', known.result);
    if (known.state !== 'running') this.hear('end', { state: known.state, why: known.why });
  }

  async stop() {
    await this.client.ask('stop', { job: this.id }).catch(() => {});
  }
}

/** Starts a job. */
export async function start(session, operation, request) {
  const { client } = session;
  if (!mailboxes.has(client)) mailboxes.set(client, new Mailbox(client));
  const { job } = await session.ask(operation, request);
  const started = new Job(client, job);
  setTimeout(() => mailboxes.get(client).claim(started));
  return started;
}

/** Numbers of a job under way, and a button to stop it, which stays where it is while they grow. */
export class ProgressLine {
  constructor(name) {
    this.numbers = h('span', { class: 'mono', data: { test: `${name}-progress` } });
    this.stop = h('button', { class: 'small', data: { test: `${name}-stop` }, onclick: () => this.job?.stop() }, 'Stop');
    this.bar = h('progress', { 'aria-label': 'under way' });
    this.element = h('div', { class: 'progress', hidden: true, data: { test: `${name}-job` } }, this.bar, this.stop, this.numbers);
  }

  follow(job) {
    this.job = job;
    this.element.hidden = false;
    this.numbers.textContent = 'starting …';
    job.addEventListener('progress', ({ detail }) => {
      this.numbers.textContent = progressText(detail);
      this.element.dataset.classes = detail.classes;
    });
    job.addEventListener('end', () => { this.element.hidden = true; });
  }
}

function progressText({ classes = 0, rate = 0, memory = 0, depth = null, seconds = 0 }) {
  const parts = [counted(classes, 'state'), `${Math.round(rate).toLocaleString('en')}/s`, bytes(memory)];
  if (depth !== null) parts.push(`depth ${depth}`);
  parts.push(`${seconds.toFixed(seconds < 10 ? 1 : 0)} s`);
  return parts.join(' · ');
}

/** Limits that a person may give: fields, and what they say. */
export function limitFields(name) {
  const memory = h('input', { type: 'number', min: '1', class: 'narrow', placeholder: 'MiB', data: { test: `${name}-memory` } });
  const seconds = h('input', { type: 'number', min: '1', class: 'narrow', placeholder: 's', data: { test: `${name}-seconds` } });
  const value = (field) => (field.value === '' ? undefined : Number(field.value));
  return {
    element: h('span', { class: 'fields' }, h('label', {}, 'Memory ', memory), h('label', {}, 'Time ', seconds)),
    get: () => ({ memory: value(memory), seconds: value(seconds) }),
  };
}
