// The one place that talks to the engine, over HTTP or to a worker in this browser. See docs/serve.md.

/** What cannot be answered, and why. */
export class Refused extends Error {
  constructor(error, status = 0) {
    super(error?.message ?? 'there is no answer');
    this.code = error?.code ?? 'internal';
    this.status = status;
    this.at = error?.at ?? null;
    this.place = error?.place ?? null;
  }
}

/** Something that asks the engine, and passes on events as `CustomEvent`s named after them. */
class Client extends EventTarget {
  /** Whether events come in. */
  isConnected = false;

  tell(event) {
    this.dispatchEvent(new CustomEvent(event.event, { detail: event }));
  }

  connected(isConnected) {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    this.dispatchEvent(new CustomEvent('connection', { detail: { isConnected } }));
  }
}

/** Asks a server. */
class HttpClient extends Client {
  constructor(token) {
    super();
    this.token = token;
    this.listen();
  }

  headers() {
    return { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
  }

  async ask(operation, request = {}) {
    let response;
    try {
      response = await fetch(`api/v1/${operation}`, { method: 'POST', headers: this.headers(), body: JSON.stringify(request) });
    } catch {
      throw new Refused({ code: 'unreachable', message: 'the server cannot be reached; is `kinfold serve` still running?' });
    }
    const answer = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    throw new Refused(answer?.error ?? { message: `the server answered with status ${response.status}` }, response.status);
  }

  /** Reads events for ever; waits longer and longer for a server that is gone. */
  async listen() {
    let wait = 250;
    for (;;) {
      try {
        const response = await fetch('api/v1/events', { headers: this.headers() });
        if (response.status === 401 || response.status === 403) return;
        if (response.ok) {
          this.connected(true);
          wait = 250;
          await this.readLines(response.body);
        }
      } catch {
        // As below: try again.
      }
      this.connected(false);
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, 8000);
    }
  }

  async readLines(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      for (const line of lines) if (line.trim() !== '') this.tell(JSON.parse(line));
    }
  }
}

/** Asks a worker of this browser, in which the engine runs. */
class WorkerClient extends Client {
  constructor(address) {
    super();
    this.waiting = new Map();
    this.count = 0;
    this.worker = new Worker(address, { type: 'module' });
    this.worker.addEventListener('message', ({ data }) => this.hear(data));
    this.worker.addEventListener('error', (event) => this.fail(event.message));
    this.connected(true);
  }

  hear(data) {
    if (data.event) {
      this.tell(data);
      return;
    }
    const asked = this.waiting.get(data.id);
    this.waiting.delete(data.id);
    if (data.ok) asked?.resolve(data.answer);
    else asked?.reject(new Refused(data.error));
  }

  fail(message) {
    for (const asked of this.waiting.values()) {
      asked.reject(new Refused({ code: 'internal', message: `the engine has failed: ${message ?? 'it could not be loaded'}` }));
    }
    this.waiting.clear();
    this.connected(false);
  }

  ask(operation, request = {}) {
    this.count += 1;
    const id = this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, operation, request });
    });
  }
}

function meta(name) {
  return document.querySelector(`meta[name="${name}"]`)?.content ?? null;
}

/** The client that the document asks for. */
export function createClient(token) {
  if (meta('kinfold-host') === 'playground') return new WorkerClient(new URL(meta('kinfold-worker') ?? 'worker.js', document.baseURI));
  return new HttpClient(token ?? '');
}
