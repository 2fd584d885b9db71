// Which rows a chart of a run has: its steps, and stretches of steps that are folded into one row.
//
// Row 0 is the initial state. A step is looked at as the state after it.

const LONGEST_ROUND = 60;
const LEAST_FOLDED = 6;

/** How often what begins at `from` with `period` keys is repeated at once. */
function repeats(keys, from, period) {
  let i = from;
  while (i + period < keys.length && keys[i] === keys[i + period]) i += 1;
  return Math.floor((i - from) / period) + 1;
}

/**
 * Rounds that follow each other: `{from, period, times}`, from left to right, none inside another. At each step it is the
 * period that covers most, and the shortest of those.
 */
export function rounds(keys) {
  const found = [];
  let from = 0;
  while (from < keys.length) {
    let best = null;
    const longest = Math.min(LONGEST_ROUND, Math.floor((keys.length - from) / 2));
    for (let period = 1; period <= longest; period += 1) {
      if (keys[from] !== keys[from + period]) continue;
      const times = repeats(keys, from, period);
      const folded = (times - 1) * period;
      if (times >= 2 && folded >= LEAST_FOLDED && (best === null || folded > (best.times - 1) * best.period)) best = { from, period, times };
    }
    if (best !== null) found.push(best);
    from += best === null ? 1 : best.period * best.times;
  }
  return found;
}

/** What makes two steps the same for rounds: the statement or transition and who does it, but not in which life. */
function keyOf(step, lifelines) {
  const who = step.actors.map((actor) => lifelines[actor].noun || lifelines[actor].kind);
  return `${step.name}|${step.line ?? ''}|${step.column ?? ''}|${who.join(',')}`;
}

/** Whether a step has to do with any of the lifelines that are shown. */
function concerns(step, isShown) {
  return step.actors.some(isShown) || step.seen.some(isShown) || step.ended.some(isShown) || step.born.some(([parent, child]) => isShown(parent) || isShown(child));
}

function foldedRounds(told) {
  const stretches = [];
  for (const { from, period, times } of rounds(told.steps.map((step) => keyOf(step, told.lifelines)))) {
    stretches.push({ from: from + period, to: from + period * times, text: `${times - 1} more ${times === 2 ? 'round' : 'rounds'} of ${period} ${period === 1 ? 'step' : 'steps'}`, kind: 'rounds' });
  }
  return stretches;
}

function foldedOthers(told, isShown) {
  const stretches = [];
  told.steps.forEach((step, i) => {
    if (concerns(step, isShown)) return;
    const last = stretches.at(-1);
    if (last?.to === i) last.to = i + 1;
    else stretches.push({ from: i, to: i + 1, kind: 'others' });
  });
  for (const stretch of stretches) {
    const count = stretch.to - stretch.from;
    stretch.text = `${count} ${count === 1 ? 'step' : 'steps'} of others`;
  }
  return stretches;
}

/**
 * The rows of a chart. `shown` is the set of lifelines shown, or null for all; `unfolded` has the keys of stretches that
 * were opened. Rows are `{kind: 'start'}`, `{kind: 'step', step}`, `{kind: 'fold', from, to, text, key, isOpen}` and
 * `{kind: 'end'}`; `ofStep` says which row a step is in, and `ofState` which row the state after some steps.
 */
export function rowsOf(told, { shown = null, foldRounds = false, unfolded = new Set() }) {
  const stretches = shown !== null ? foldedOthers(told, (line) => shown.has(line)) : foldRounds ? foldedRounds(told) : [];
  const rows = [{ kind: 'start' }];
  const ofStep = new Array(told.steps.length);
  const fold = new Map(stretches.map((stretch) => [stretch.from, stretch]));
  for (let i = 0; i < told.steps.length; ) {
    const stretch = fold.get(i);
    if (stretch === undefined) {
      ofStep[i] = rows.length;
      rows.push({ kind: 'step', step: i });
      i += 1;
      continue;
    }
    const key = `${stretch.kind}:${stretch.from}`;
    const isOpen = unfolded.has(key);
    const row = rows.length;
    rows.push({ ...stretch, kind: 'fold', key, isOpen });
    for (; i < stretch.to; i += 1) {
      ofStep[i] = isOpen ? rows.length : row;
      if (isOpen) rows.push({ kind: 'step', step: i, isInside: true });
    }
  }
  if (told.pending.length > 0 || told.outcome || told.loop) rows.push({ kind: 'end' });
  return { rows, ofStep, ofState: (at) => (at === 0 ? 0 : ofStep[at - 1]), folds: stretches.length };
}

/** The rows whose text has what is looked for. */
export function matches(told, rows, words) {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  const has = (text) => text !== null && text !== undefined && text.toLowerCase().includes(wanted);
  const isFound = (step) => has(step.text) || step.changes.some(has) || step.actors.some((actor) => has(told.lifelines[actor].name));
  return rows.flatMap((row, i) => {
    if (row.kind === 'step') return isFound(told.steps[row.step]) ? [i] : [];
    if (row.kind === 'fold' && !row.isOpen) return told.steps.slice(row.from, row.to).some(isFound) ? [i] : [];
    return [];
  });
}
