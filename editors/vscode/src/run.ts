// What the server tells of a run, and how it is listed.

/** A place in a text, as the protocol has it. */
export interface Place {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

/** A step of a run; one that is not in the text has no place. */
export interface Step {
  text: string;
  location: Place | null;
  changes: string[];
}

/** What was found of a property. */
export interface Verdict {
  property: string;
  verdict: "holds" | "fails" | "unknown" | "refused";
  why: string | null;
  outcome: string | null;
  classes: number | null;
  steps: Step[];
}

/** A line of the list. */
export interface Item {
  label: string;
  description: string;
  detail: string;
  place: Place | null;
}

/** The steps of a run, numbered, with their lines and what they change, and behind them what is the case in the end. */
export function items(verdict: Verdict): Item[] {
  const steps = verdict.steps.map((step, index) => ({
    label: `${index + 1}. ${step.text}`,
    // The text of a step of a process says it already.
    description: step.location === null || /\bline \d/.test(step.text) ? "" : `line ${step.location.range.start.line + 1}`,
    detail: step.changes.join("; "),
    place: step.location,
  }));
  const [, ...rest] = (verdict.outcome ?? "").split("\n");
  return [...steps, ...rest.map((line) => ({ label: line.trim(), description: "", detail: "", place: null }))];
}

/** A verdict in one line. */
export function title(verdict: Verdict): string {
  const more = [verdict.why, verdict.outcome].filter((one) => one !== null);
  const said = verdict.verdict === "unknown" ? "is not known" : verdict.verdict;
  return [`${verdict.property} ${said}`, ...more.map((one) => one.split("\n")[0])].join(": ");
}

/** Whether something that came from the server is a verdict with a run. */
export function isVerdict(value: unknown): value is Verdict {
  const one = value as Verdict | null;
  return typeof one === "object" && one !== null && Array.isArray(one.steps) && typeof one.property === "string";
}
