// Stands for the server in the playground: answers `{id, operation, request}` by `{id, ok, answer}` or
// `{id, ok, error}`, and tells events, as docs/serve.md has them.
//
// A job takes all of the thread that it runs on. Each has a worker of its own, which is ended to stop it.

import { Engine, internal } from "./engine.js";

const MOST_JOBS = 2;
const KEPT_JOBS = 32;

const jobs = new Map();
/** The texts that were changed, by model. */
const sources = {};
const module = WebAssembly.compileStreaming(fetch(new URL("kinfold.wasm", import.meta.url)));
let engine = null;
let lastJob = 0;

const refusal = (code, message) => ({ error: { code, message } });

async function theEngine() {
  if (engine === null) {
    engine = new Engine(await module, () => {});
    for (const [model, source] of Object.entries(sources)) engine.ask("write", { model, source });
  }
  return engine;
}

async function answer(operation, request) {
  if (["check", "search", "coverage"].includes(operation)) return begin(operation, request);
  if (operation === "job" || operation === "stop") {
    const job = jobs.get(request.job);
    if (job === undefined) return refusal("no_such_job", `there is no job ${request.job}`);
    return operation === "job" ? job.told : stop(job);
  }
  try {
    const answered = (await theEngine()).ask(operation, request);
    if (operation === "write" && !answered.error) sources[request.model] = request.source;
    return answered;
  } catch (fault) {
    const said = internal(engine, fault);
    engine = null;
    return said;
  }
}

async function begin(operation, request) {
  if ([...jobs.values()].filter((job) => job.told.state === "running").length >= MOST_JOBS) {
    return refusal("too_many", `${MOST_JOBS} jobs are under way; stop one first`);
  }
  const model = (await theEngine()).ask("model", { model: request.model });
  if (model.error) return model;
  const { generation, ...asked } = request;
  if (generation !== undefined && generation !== model.generation) {
    return refusal("outdated", `${request.model} has been changed since`);
  }
  const told = {
    job: ++lastJob, operation, model: request.model, generation: model.generation,
    state: "running", progress: null, verdicts: [], result: null, why: null,
  };
  const worker = new Worker(new URL("engine.js", import.meta.url), { type: "module", name: "job" });
  const job = { told, worker };
  // What is wrong with the request is known only to the engine, which says first that it has begun.
  return new Promise((answered) => {
    worker.onmessage = ({ data: { news, end } }) => {
      const refused = end?.error;
      if (refused && !jobs.has(told.job)) {
        worker.terminate();
        answered(end);
        return;
      }
      accept(job, answered);
      if (news) hear(told, news);
      if (end) finish(job, refused ? "failed" : end.state, refused?.message ?? end.why);
    };
    worker.onerror = (event) => {
      accept(job, answered);
      finish(job, "failed", event.message ?? "the worker of the job could not be started");
    };
    module.then((module) => worker.postMessage({ module, sources, operation, request: asked }));
  });
}

/** Lets who asked know the job, if that has not been done yet, and before any news of it. */
function accept(job, answered) {
  if (jobs.has(job.told.job) || job.told.state !== "running") return;
  jobs.set(job.told.job, job);
  if (jobs.size > KEPT_JOBS) {
    const old = [...jobs.values()].find((other) => other.told.state !== "running");
    if (old) jobs.delete(old.told.job);
  }
  answered({ job: job.told.job });
}

function hear(told, { event, ...fields }) {
  if (event === "begun") return;
  if (event === "progress") told.progress = fields;
  if (event === "verdict") told.verdicts.push(fields);
  if (event === "result") told.result = fields;
  self.postMessage({ event, job: told.job, ...fields });
}

function stop(job) {
  if (job.told.state === "running") finish(job, "stopped", null);
  return {};
}

function finish({ told, worker }, state, why) {
  worker.terminate();
  Object.assign(told, { state, why: why ?? null });
  self.postMessage({ event: "end", job: told.job, state, why: told.why });
}

self.onmessage = async ({ data: { id, operation, request } }) => {
  const { error, ...answered } = await answer(operation, request ?? {});
  self.postMessage(error ? { id, ok: false, error } : { id, ok: true, answer: answered });
};
