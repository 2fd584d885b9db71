// The engine: the module with its buffers, asked by name of operation and request.
// Loaded as a worker of its own, it does one job and tells its news.

export class Engine {
  /** `tell` is called with news of a job. */
  constructor(module, tell) {
    this.failure = null;
    const text = (address, length) =>
      new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, address, length));
    const kinfold = {
      now: () => performance.now(),
      tell: (address, length) => tell(JSON.parse(text(address, length))),
      fail: (address, length) => { this.failure = text(address, length); },
    };
    this.exports = new WebAssembly.Instance(module, { kinfold }).exports;
    this.exports.open();
  }

  /** The answer, or `{error}`. Throws if the engine is broken, which ends it. */
  ask(operation, request) {
    const encoder = new TextEncoder();
    const [name, body] = [operation, JSON.stringify(request)].map((text) => encoder.encode(text));
    const address = this.exports.reserve(name.length + body.length);
    const room = new Uint8Array(this.exports.memory.buffer, address, name.length + body.length);
    room.set(name);
    room.set(body, name.length);
    const length = this.exports.ask(name.length);
    const answer = new Uint8Array(this.exports.memory.buffer, this.exports.answer_at(), length);
    return JSON.parse(new TextDecoder().decode(answer));
  }
}

/** A fault of Kinfold, as the interface says it. */
export function internal(engine, fault) {
  const message = engine?.failure ?? String(fault?.message ?? fault);
  return { error: { code: "internal", message: `this is a fault of Kinfold: ${message}` } };
}

// `{module, sources, operation, request}` begins a job: the models that were changed, and what is asked.
function work({ data: { module, sources, operation, request } }) {
  let engine;
  try {
    engine = new Engine(module, (news) => self.postMessage({ news }));
    for (const [model, source] of Object.entries(sources)) engine.ask("write", { model, source });
    self.postMessage({ end: engine.ask(operation, request) });
  } catch (fault) {
    self.postMessage({ end: internal(engine, fault) });
  }
}

if (self.name === "job") self.onmessage = work;
