// Tests of what the modules work out without a browser: links, rows of charts, pieces of lines, layers of graphs.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readLink, writeLink } from './web/link.js';
import { matches, rounds, rowsOf } from './web/rows.js';
import { byLine, pieces } from './web/listing.js';
import { Layered } from './web/layered.js';

const lifeline = (name, kind = 'thread') => ({ name, kind, noun: kind === 'thread' ? 'worker' : '', labels: [], vacant: [], born: null, ended: null });
const step = (name, actor, more = {}) => ({ text: `${name} by ${actor}`, name, line: 1, column: 1, actors: [actor], seen: [], born: [], ended: [], causes: [], changes: [], ...more });
const toldOf = (steps, lifelines) => ({ lifelines, steps, messages: [], loop: null, outcome: null, pending: [] });

test('a link says again what it was made of', () => {
  const links = [
    { token: 'a-b_c', model: 'abba', run: [0, 2, 1], at: 2, loop: { to: 1, replaced: { '1.2': '1.1', 1: '1' } }, property: 'no & leak', typed: null },
    { token: null, model: 'x=y', run: [], at: 0, loop: null, property: null, typed: null },
    { token: 't', model: 'm', run: [12, 0], at: 2, loop: { to: 0, replaced: {} }, property: null, typed: 'always count(w) <= 1 & x' },
  ];
  for (const link of links) assert.deepEqual(readLink(writeLink(link)), link);
});

test('a link that is nonsense is a run that is possible to try', () => {
  assert.deepEqual(readLink('#run=0.x.1&at=99&loop=back').run, [0]);
  assert.equal(readLink('#run=0.1&at=99').at, 2);
  assert.equal(readLink('#run=0.1&at=-1').at, 2);
  assert.equal(readLink('#loop=back').loop, null);
  assert.deepEqual(readLink('').run, []);
});

test('rounds are what is repeated at once, and is long enough', () => {
  const keys = [...'xabcabcabcabcy'];
  assert.deepEqual(rounds(keys), [{ from: 1, period: 3, times: 4 }]);
  assert.deepEqual(rounds([...'abcabc']), []);
  assert.deepEqual(rounds([]), []);
  assert.deepEqual(rounds(Array(50).fill('a')), [{ from: 0, period: 1, times: 50 }]);
});

test('folded rounds leave the first, and can be opened', () => {
  const steps = [...'abababababab'].map((name) => step(name, 0));
  const told = toldOf(steps, [lifeline('1')]);
  const { rows, ofStep, ofState } = rowsOf(told, { foldRounds: true });
  assert.deepEqual(rows.map((row) => row.kind), ['start', 'step', 'step', 'fold']);
  assert.equal(rows[3].text, '5 more rounds of 2 steps');
  assert.equal(ofStep[11], 3);
  assert.equal(ofState(0), 0);
  assert.equal(ofState(2), 2);
  const opened = rowsOf(told, { foldRounds: true, unfolded: new Set([rows[3].key]) });
  assert.equal(opened.rows.length, 14);
  assert.equal(opened.ofStep[11], 13);
});

test('steps of others are folded, those that are seen, born or end are not', () => {
  const lifelines = [lifeline('1'), lifeline('1.1'), lifeline('m', 'object')];
  const steps = [step('spawn', 0, { born: [[0, 1]] }), step('rest', 0), step('rest', 0), step('work', 1), step('look', 0, { seen: [1] }), step('rest', 0)];
  const { rows } = rowsOf(toldOf(steps, lifelines), { shown: new Set([1]) });
  assert.deepEqual(rows.map((row) => row.text ?? row.kind), ['start', 'step', '2 steps of others', 'step', 'step', '1 step of others']);
});

test('what is looked for is found in steps, changes and folds', () => {
  const steps = [step('lock', 0, { changes: ['holder: none → 1'] }), step('rest', 0), step('lock', 1)];
  const told = toldOf(steps, [lifeline('1'), lifeline('1.1')]);
  const { rows } = rowsOf(told, {});
  assert.deepEqual(matches(told, rows, 'LOCK'), [1, 3]);
  assert.deepEqual(matches(told, rows, 'holder'), [1]);
  assert.deepEqual(matches(told, rows, '  '), []);
  const folded = rowsOf(told, { shown: new Set([1]) });
  assert.deepEqual(matches(told, folded.rows, 'holder'), [1]);
});

test('pieces of a line put together are the line, with the innermost statement around each', () => {
  const text = '    with a.lock() { with b.lock() {} } // 𝒳';
  const outer = { line: 1, column: 5, end_line: 1, end_column: 39 };
  const inner = { line: 1, column: 21, end_line: 1, end_column: 34 };
  const statements = byLine([outer, inner], 1)[1];
  const cut = pieces(1, text, [[5, 4, 'keyword'], [21, 4, 'keyword'], [40, 4, 'comment']], statements, []);
  assert.equal(cut.map((piece) => piece.text).join(''), text);
  const at = (column) => cut.findLast((piece) => piece.column <= column);
  assert.equal(at(6).statement, outer);
  assert.equal(at(22).statement, inner);
  assert.equal(at(36).statement, outer);
  assert.equal(at(1).statement, null);
  assert.equal(at(21).kind, 'keyword');
  assert.equal(at(40).text, '// 𝒳');
});

test('classes of one depth are in one band, and no two at one place', () => {
  const layered = new Layered();
  const classes = Array.from({ length: 300 }, (_, id) => ({ id, text: '', kind: null, depth: id === 0 ? 0 : 1 + (id % 3), component: null, is_grown: true }));
  const edges = classes.slice(1).map(({ id }) => ({ from: Math.floor(id / 2), to: id, texts: [] }));
  for (const isRightward of [false, true]) {
    layered.update(classes, edges);
    layered.turn(isRightward);
    const places = new Set([...layered.nodes.values()].map(({ x, y }) => `${x}:${y}`));
    assert.equal(places.size, 300);
    for (const node of layered.nodes.values()) {
      const band = layered.bands[node.level];
      const along = isRightward ? node.x : node.y;
      assert.ok(along >= band.from && along <= band.to);
    }
  }
});

test('classes that are found later do not change the order of those that are there', () => {
  const layered = new Layered();
  const make = (id, depth) => ({ id, text: '', kind: null, depth, component: null, is_grown: false });
  const first = [make(0, 0), make(1, 1), make(2, 1), make(3, 1)];
  const edges = [1, 2, 3].map((to) => ({ from: 0, to, texts: [] }));
  layered.update(first, edges);
  const order = () => [1, 2, 3].sort((a, b) => layered.nodes.get(a).x - layered.nodes.get(b).x);
  const before = order();
  const more = [4, 5, 6, 7].map((id) => make(id, 1));
  layered.update([...first, ...more], [...edges, ...more.map(({ id }) => ({ from: 0, to: id, texts: [] }))]);
  assert.deepEqual(order(), before);
  layered.update(first.slice(0, 2), edges.slice(0, 1));
  assert.equal(layered.nodes.size, 2);
});

test('classes that no known way leads to have places of their own', () => {
  const layered = new Layered();
  const make = (id, depth) => ({ id, text: '', kind: null, depth, component: null, is_grown: true });
  layered.update([make(0, 0), make(1, 1), make(2, null), make(3, null), make(4, null)], [{ from: 0, to: 1, texts: [] }, { from: 2, to: 3, texts: [] }, { from: 4, to: 2, texts: [] }]);
  const levels = [0, 1, 2, 3, 4].map((id) => layered.nodes.get(id).level);
  assert.deepEqual(levels, [0, 1, 4, 5, 3]);
  assert.deepEqual(layered.bands.map((band) => band.depth), [0, 1, null, null, null]);
});
