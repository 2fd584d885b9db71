// Elements made by code. Text is always text, never markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element: `h('button', { class: 'small', onclick: go }, 'Go')`. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of a picture. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The element with an id, which the document is known to have. */
export function byId(id) {
  return document.getElementById(id);
}

/** A text in full if it is short, and else its beginning. */
export function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}

/** `1 step`, `3 steps`. */
export function counted(number, noun, plural = `${noun}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/** A number of bytes as people read it. */
export function bytes(number) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let unit = 0;
  while (number >= 1024 && unit < units.length - 1) {
    number /= 1024;
    unit += 1;
  }
  return `${number.toLocaleString('en', { maximumFractionDigits: number < 10 && unit > 0 ? 1 : 0 })} ${units[unit]}`;
}

/** Calls a function at most once for each frame, with the arguments of the last call. */
export function eachFrame(work) {
  let asked = false;
  let latest = [];
  return (...given) => {
    latest = given;
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work(...latest);
    });
  };
}

/** Calls a function once nothing has asked for it any more for a while. */
export function settled(work, milliseconds) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), milliseconds);
  };
}

/**
 * Calls a function at once, `burst` times in a row, and then no more often than once in some milliseconds. The last call is
 * never lost.
 */
export function paced(work, burst, milliseconds) {
  let left = burst;
  let last = performance.now();
  let timer = null;
  const act = () => {
    timer = null;
    const now = performance.now();
    left = Math.min(burst, left + (now - last) / milliseconds) - 1;
    last = now;
    work();
  };
  return () => {
    if (timer !== null) return;
    const missing = 1 - (left + (performance.now() - last) / milliseconds);
    if (missing <= 0) act();
    else timer = setTimeout(act, missing * milliseconds);
  };
}

/** Whether keys that are typed belong to this element. */
export function takesText(element) {
  if (!element) return false;
  if (element.isContentEditable || element.tagName === 'TEXTAREA' || element.tagName === 'SELECT') return true;
  return element.tagName === 'INPUT' && !['checkbox', 'radio', 'button', 'range'].includes(element.type);
}

/** What is kept in this browser from one visit to the next, where it lets us. */
export const kept = {
  get(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`kinfold.${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`kinfold.${name}`, JSON.stringify(value));
    } catch {
      // Nothing depends on it.
    }
  },
};
