// A line of source text cut into pieces: each of one kind of token, inside one innermost statement.

const isBefore = (line, column, otherLine, otherColumn) => line < otherLine || (line === otherLine && column < otherColumn);

/** Whether a statement covers a position. */
function covers(statement, line, column) {
  return !isBefore(line, column, statement.line, statement.column) && isBefore(line, column, statement.end_line, statement.end_column);
}

function isInside(inner, outer) {
  const starts = !isBefore(inner.line, inner.column, outer.line, outer.column);
  return starts && !isBefore(outer.end_line, outer.end_column, inner.end_line, inner.end_column);
}

/** The columns at which something begins or ends in a line, from 1. */
function cuts(line, length, tokens, statements, marks) {
  const found = new Set([1, length + 1]);
  for (const [column, size] of tokens) {
    found.add(column);
    found.add(column + size);
  }
  for (const range of [...statements, ...marks]) {
    if (range.line === line) found.add(range.column);
    if (range.end_line === line) found.add(range.end_column);
  }
  return [...found].filter((column) => column >= 1 && column <= length + 1).sort((a, b) => a - b);
}

/**
 * The pieces of a line: `{text, column, kind, statement, mark}`. `statements` and `marks` are those that touch the line;
 * `statement` and `mark` are the innermost of them around the piece, or null.
 */
export function pieces(line, text, tokens, statements, marks) {
  const characters = [...text];
  const columns = cuts(line, characters.length, tokens, statements, marks);
  const innermost = (ranges, column) => {
    let best = null;
    for (const range of ranges) if (covers(range, line, column) && (best === null || isInside(range, best))) best = range;
    return best;
  };
  const result = [];
  for (let i = 0; i + 1 < columns.length; i += 1) {
    const column = columns[i];
    const token = tokens.find(([start, size]) => column >= start && column < start + size);
    result.push({
      text: characters.slice(column - 1, columns[i + 1] - 1).join(''),
      column,
      kind: token ? token[2] : null,
      statement: innermost(statements, column),
      mark: innermost(marks, column),
    });
  }
  return result;
}

/** Which of some ranges touch which lines: a list for each line from 1. */
export function byLine(ranges, lines) {
  const found = Array.from({ length: lines + 2 }, () => []);
  for (const range of ranges) {
    const last = Math.min(range.end_line ?? range.line, lines);
    for (let line = range.line; line <= last; line += 1) found[line].push(range);
  }
  return found;
}
