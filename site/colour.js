// Colours models with the grammar that editors use: at each place of a text the pattern that matches first, and of those
// that match at the same place the one that stands first in the grammar. That is what TextMate does with a grammar whose
// patterns are matches, and regions without patterns inside; `build` puts the grammar before this file as KIN.
"use strict";

/** The classes of the themes, by the beginnings of scopes. */
const CLASSES = [
  ["comment", "hljs-comment"],
  ["entity.name.type", "hljs-type"],
  ["entity.name.function.call", "hljs-built_in"],
  ["entity.name.function", "hljs-title"],
  ["storage.type", "hljs-type"],
  ["constant.numeric", "hljs-number"],
  ["constant.language", "hljs-literal"],
  ["keyword.operator.kin", null],
  ["keyword", "hljs-keyword"],
  ["variable", "hljs-symbol"],
];

function classOf(scope) {
  const found = CLASSES.find(([begins]) => scope === begins || scope.startsWith(begins + "."));
  return found === undefined ? null : found[1];
}

/** The patterns of a grammar, in order, without those that only include others. */
function flat(grammar, patterns) {
  return patterns.flatMap((pattern) => {
    if (pattern.include !== undefined) {
      return flat(grammar, grammar.repository[pattern.include.slice(1)].patterns);
    }
    const source = pattern.match ?? `${pattern.begin}[\\s\\S]*?(?:${pattern.end}|(?![\\s\\S]))`;
    return [{ regex: new RegExp(source, "dmg"), name: pattern.name, captures: pattern.captures }];
  });
}

/** A text as a list of pieces `[text, class or null]`. */
function pieces(grammar, text) {
  const patterns = flat(grammar, grammar.patterns);
  const nexts = patterns.map(() => undefined);
  const list = [];
  const add = (start, end, scope) => {
    if (start < end) {
      list.push([text.slice(start, end), scope === undefined ? null : classOf(scope)]);
    }
  };
  let at = 0;
  for (;;) {
    let first = -1;
    patterns.forEach(({ regex }, index) => {
      if (nexts[index] === undefined || (nexts[index] !== null && nexts[index].index < at)) {
        regex.lastIndex = at;
        nexts[index] = regex.exec(text);
      }
      const next = nexts[index];
      if (next !== null && next[0] !== "" && (first < 0 || next.index < nexts[first].index)) {
        first = index;
      }
    });
    if (first < 0) {
      break;
    }
    const { name, captures } = patterns[first];
    const found = nexts[first];
    const end = found.index + found[0].length;
    add(at, found.index);
    at = found.index;
    for (const [number, { name: scope }] of Object.entries(captures ?? {})) {
      const [start, stop] = found.indices[Number(number)];
      add(at, start, name);
      add(start, stop, scope);
      at = stop;
    }
    add(at, end, name);
    at = end;
  }
  add(at, text.length);
  return list;
}

function colour(block) {
  const coloured = pieces(KIN, block.textContent).map(([text, className]) => {
    const span = document.createElement("span");
    span.textContent = text;
    if (className !== null) {
      span.className = className;
    }
    return span;
  });
  block.replaceChildren(...coloured);
  block.classList.add("hljs");
}

if (typeof document !== "undefined") {
  document.querySelectorAll("code.language-kin").forEach(colour);
} else {
  module.exports = { pieces };
}
