// How a graph is painted on a canvas. Forms and signs say what colours say.

const RADIUS = 11;

/** Colours as the style sheet has them now. */
export function colours(element) {
  const probe = document.createElement('span');
  element.parentElement.append(probe);
  const get = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const found = {
    ink: get('--ink'), muted: get('--muted'), line: get('--line-strong'), surface: get('--surface'), band: get('--sunken'),
    accent: get('--accent'), bad: get('--bad'), good: get('--good'), warn: get('--warn'), special: get('--special'), faint: get('--line'), faintSpecial: get('--special-line'),
  };
  probe.remove();
  return found;
}

function addEdge(path, { from, to }) {
  if (from === to) {
    path.moveTo(from.x + RADIUS * 0.7, from.y - RADIUS * 0.7);
    path.bezierCurveTo(from.x + 30, from.y - 26, from.x + 30, from.y + 26, from.x + RADIUS * 0.7, from.y + RADIUS * 0.7);
    return;
  }
  path.moveTo(from.x, from.y);
  if (to.level > from.level) path.lineTo(to.x, to.y);
  else {
    const bend = 0.18;
    path.quadraticCurveTo((from.x + to.x) / 2 + (to.y - from.y) * bend + 14, (from.y + to.y) / 2 - (to.x - from.x) * bend, to.x, to.y);
  }
}

function addShape(path, node, radius) {
  const { x, y, kind } = node;
  if (kind === 'deadlock') path.rect(x - radius, y - radius, radius * 2, radius * 2);
  else if (kind === 'terminated') {
    path.moveTo(x - radius, y);
    for (const [px, py] of [[x - radius / 2, y - radius], [x + radius / 2, y - radius], [x + radius, y], [x + radius / 2, y + radius], [x - radius / 2, y + radius]]) path.lineTo(px, py);
    path.closePath();
  } else if (kind === 'fault') {
    path.moveTo(x, y - radius * 1.25);
    path.lineTo(x + radius * 1.25, y);
    path.lineTo(x, y + radius * 1.25);
    path.lineTo(x - radius * 1.25, y);
    path.closePath();
  } else {
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, Math.PI * 2);
  }
}

const COLOUR_OF = { deadlock: 'bad', terminated: 'good', fault: 'warn', initial: 'accent' };
const SIGN_OF = { deadlock: '■', terminated: '✓', fault: '!', initial: '▶' };

function arrowHead(context, edge) {
  const { from, to } = edge;
  if (from === to || to.level <= from.level) return;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [x, y] = [to.x - ux * (RADIUS + 1), to.y - uy * (RADIUS + 1)];
  context.moveTo(x - ux * 6 - uy * 3, y - uy * 6 + ux * 3);
  context.lineTo(x, y);
  context.lineTo(x - ux * 6 + uy * 3, y - uy * 6 - ux * 3);
}

/** Stripes for depths. */
export function paintBands(context, layered, sight, colour, scale, hasTexts) {
  context.font = `${11 / scale}px system-ui, sans-serif`;
  context.textAlign = 'left';
  context.textBaseline = 'top';
  const { isRightward } = layered;
  const [first, last] = isRightward ? [sight.left, sight.right] : [sight.top, sight.bottom];
  layered.bands.forEach((band, i) => {
    if (band.to < first || band.from > last) return;
    const size = band.to - band.from;
    if (i % 2 === 0) {
      context.fillStyle = colour.band;
      if (isRightward) context.fillRect(band.from, sight.top, size, sight.bottom - sight.top);
      else context.fillRect(sight.left, band.from, sight.right - sight.left, size);
    }
    if (!hasTexts || band.depth === null || size * scale < 14) return;
    const text = size * scale < 46 && isRightward ? String(band.depth) : `depth ${band.depth}`;
    context.fillStyle = colour.muted;
    if (isRightward) context.fillText(text, band.from + 4 / scale, sight.top + 4 / scale);
    else context.fillText(text, sight.left + 6 / scale, band.from + 3 / scale);
  });
}

/** Strokes edges in small paths: one large path would be cut at all its crossings first. */
function strokeAll(context, edges) {
  for (let i = 0; i < edges.length; i += 40) {
    context.beginPath();
    for (const edge of edges.slice(i, i + 40)) addEdge(context, edge);
    context.stroke();
  }
}

/** The edges that may be in sight: those whose ends are not both beyond the same side. */
export function edgesInSight(edges, sight) {
  const [forward, back] = [[], []];
  for (const edge of edges) {
    const { from, to } = edge;
    if (from.x < sight.left && to.x < sight.left) continue;
    if (from.x > sight.right && to.x > sight.right) continue;
    if (from.y < sight.top && to.y < sight.top) continue;
    if (from.y > sight.bottom && to.y > sight.bottom) continue;
    (to.level > from.level ? forward : back).push(edge);
  }
  return { forward, back };
}

/** Edges that are not too many to be drawn with dashes and tips. */
export function paintEdges(context, { forward, back }, colour, scale) {
  context.lineWidth = Math.max(1, 0.8 / scale);
  context.strokeStyle = colour.line;
  strokeAll(context, forward);
  context.setLineDash([5, 4]);
  context.strokeStyle = colour.special;
  strokeAll(context, back);
  context.setLineDash([]);
  if (scale < 0.45) return;
  context.beginPath();
  for (const edge of forward) arrowHead(context, edge);
  context.strokeStyle = colour.line;
  context.stroke();
}

/** Many edges: thin and faint. */
export function paintThinEdges(context, edges, colour, scale, ratio) {
  context.lineWidth = 1 / (scale * ratio);
  context.strokeStyle = colour;
  strokeAll(context, edges);
}

/** The edges of one class, in front of the others. */
export function paintFocus(context, node, colour, scale) {
  context.lineWidth = Math.max(2 / scale, 2);
  context.strokeStyle = colour.accent;
  strokeAll(context, [...node.ins, ...node.outs]);
}

/** The classes in sight. */
export function nodesInSight(layered, sight) {
  return [...layered.nodes.values()].filter((node) => node.x >= sight.left && node.x <= sight.right && node.y >= sight.top && node.y <= sight.bottom);
}

/** Nodes of one look are one path. */
export function paintNodes(context, nodes, colour, scale) {
  const groups = new Map();
  for (const node of nodes) {
    const look = `${node.kind ?? ''}|${node.is_grown ? 1 : 0}|${node.component === null ? 0 : 1}`;
    if (!groups.has(look)) groups.set(look, { node, path: new Path2D() });
    addShape(groups.get(look).path, node, RADIUS);
  }
  for (const { node, path } of groups.values()) {
    context.fillStyle = colour.surface;
    context.fill(path);
    context.setLineDash(node.is_grown || scale < 0.35 ? [] : [3, 3]);
    context.lineWidth = node.component === null ? Math.max(1.4, 0.8 / scale) : Math.max(3, 1.4 / scale);
    context.strokeStyle = colour[COLOUR_OF[node.kind]] ?? (node.component === null ? colour.muted : colour.special);
    if (node.kind) {
      context.globalAlpha = scale < 0.35 ? 1 : 0.22;
      context.fillStyle = context.strokeStyle;
      context.fill(path);
      context.globalAlpha = 1;
    }
    context.stroke(path);
  }
  context.setLineDash([]);
  if (scale > 0.5) paintTexts(context, nodes, colour);
}

function ring(context, node, radius, width, colour) {
  context.beginPath();
  context.arc(node.x, node.y, radius, 0, Math.PI * 2);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

/** Rings around what was found, is selected, and where one is. */
export function paintMarks(context, { at, selected, found }, colour, scale) {
  const wide = Math.max(2.5, 2 / scale);
  for (const node of found) ring(context, node, Math.max(RADIUS + 3, 5 / scale), wide, colour.warn);
  if (selected) {
    context.setLineDash([6 / Math.min(1, scale), 3 / Math.min(1, scale)]);
    ring(context, selected, Math.max(RADIUS + 5, 8 / scale), wide, colour.ink);
    context.setLineDash([]);
  }
  if (at) {
    ring(context, at, Math.max(RADIUS + 5, 7 / scale), Math.max(4, 3 / scale), colour.accent);
    if (scale < 0.5) {
      context.fillStyle = colour.accent;
      context.beginPath();
      context.arc(at.x, at.y, 4 / scale, 0, Math.PI * 2);
      context.fill();
    }
  }
}

function paintTexts(context, visible, colour) {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const node of visible) {
    context.fillStyle = colour.ink;
    context.font = '9px system-ui, sans-serif';
    context.fillText(String(node.id), node.x, node.y + 0.5);
    const sign = SIGN_OF[node.kind];
    if (sign) {
      context.font = 'bold 10px system-ui, sans-serif';
      context.fillStyle = colour[COLOUR_OF[node.kind]];
      context.fillText(sign, node.x + RADIUS + 5, node.y - RADIUS + 2);
    }
    if (node.component !== null) {
      context.font = '8px system-ui, sans-serif';
      context.fillStyle = colour.special;
      context.fillText(`↻${node.component}`, node.x - RADIUS - 7, node.y - RADIUS + 1);
    }
  }
}
