// How lifelines and steps are called.

/** `mutex 1 (a)`, `worker 1.1`. */
export function fullName(lifeline) {
  return `${lifeline.noun ?? ''} ${lifeline.name}`.trim();
}

/** `1.1`, where there is little room. */
export function shortName(lifeline) {
  return lifeline.pid ?? lifeline.name;
}

/** Who takes a step, where its text does not say so: in runs of processes. */
export function actorOf(told, step) {
  const lifeline = told.lifelines[step.actors[0]];
  return lifeline?.kind === 'thread' && lifeline.noun !== 'thread' ? lifeline : null;
}

/** A step in full: `worker 1.1, line 12: m.lock()`. */
export function stepText(told, step) {
  const actor = actorOf(told, step);
  const name = actor === null ? '' : fullName(actor);
  return name === '' || step.text.startsWith(name) ? step.text : `${name}, ${step.text}`;
}
