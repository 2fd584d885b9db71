// The part of the address behind `#`: the token, and which run of which model is looked at.

/** `0.2.1` as numbers. What is no number ends the run there. */
function numbers(text) {
  const found = [];
  for (const part of text === '' ? [] : text.split('.')) {
    if (!/^\d{1,9}$/.test(part)) break;
    found.push(Number(part));
  }
  return found;
}

/** `2;1.2:1.1,1.3:1.2`: where a loop leads back to, and who takes whose place. */
function readLoop(text) {
  const [to, pairs = ''] = text.split(';');
  if (!/^\d{1,9}$/.test(to)) return null;
  const replaced = {};
  for (const pair of pairs.split(',')) {
    const [now, before] = pair.split(':');
    if (now && before) replaced[now] = before;
  }
  return { to: Number(to), replaced };
}

function writeLoop(loop) {
  const pairs = Object.entries(loop.replaced ?? {}).map(([now, before]) => `${now}:${before}`);
  return pairs.length > 0 ? `${loop.to};${pairs.join(',')}` : String(loop.to);
}

/** What a link says: token, model, run, at, loop, property, text typed in; null for what it does not say. */
export function readLink(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const run = numbers(fields.get('run') ?? '');
  const at = /^\d{1,9}$/.test(fields.get('at') ?? '') ? Number(fields.get('at')) : run.length;
  const loop = fields.get('loop');
  return {
    token: fields.get('token'),
    model: fields.get('model'),
    run,
    at: Math.min(at, run.length),
    loop: loop === null ? null : readLoop(loop),
    property: fields.get('property'),
    typed: fields.get('with'),
  };
}

/** The link to a run, as it stands behind `#`. */
export function writeLink({ token, model, run, at, loop, property, typed }) {
  const parts = [];
  const add = (name, value) => parts.push(`${name}=${encodeURIComponent(value).replace(/%(3B|3A|2C)/g, (code) => decodeURIComponent(code))}`);
  if (token) add('token', token);
  if (model) add('model', model);
  if (run.length > 0) add('run', run.join('.'));
  if (at !== run.length) add('at', at);
  if (loop) add('loop', writeLoop(loop));
  if (property) add('property', property);
  if (typed) add('with', typed);
  return `#${parts.join('&')}`;
}
