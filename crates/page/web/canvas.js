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
    accent: get('--accent'), bad: get('--bad'), good: get('--good'), warn: get('--warn'), special: get('--special'), soft: get('--accent-soft'),
  };
  probe.remove();
  return found;
}

/** Paths of all edges, made once for each layout: forward, and back or level. */
export function edgePaths(layered) {
  const forward = new Path2D();
  const back = new Path2D();
  for (const edge of layered.edges) addEdge(edge.to.depth > edge.from.depth ? forward : back, edge);
  return { forward, back };
}

function addEdge(path, { from, to }) {
  if (from === to) {
    path.moveTo(from.x + RADIUS * 0.7, from.y - RADIUS * 0.7);
    path.bezierCurveTo(from.x + 30, from.y - 26, from.x + 30, from.y + 26, from.x + RADIUS * 0.7, from.y + RADIUS * 0.7);
    return;
  }
  path.moveTo(from.x, from.y);
  if (to.depth > from.depth) path.lineTo(to.x, to.y);
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
  if (from === to || to.depth <= from.depth) return;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [x, y] = [to.x - ux * (RADIUS + 1), to.y - uy * (RADIUS + 1)];
  context.moveTo(x - ux * 6 - uy * 3, y - uy * 6 + ux * 3);
  context.lineTo(x, y);
  context.lineTo(x - ux * 6 + uy * 3, y - uy * 6 - ux * 3);
}

function paintBands(context, layered, sight, colour, scale) {
  context.font = `${11 / scale}px system-ui, sans-serif`;
  layered.bands.forEach((band, i) => {
    if (band.bottom < sight.top || band.top > sight.bottom) return;
    if (i % 2 === 0) {
      context.fillStyle = colour.band;
      context.fillRect(sight.left, band.top, sight.right - sight.left, band.bottom - band.top);
    }
    if ((band.bottom - band.top) * scale < 11) return;
    context.fillStyle = colour.muted;
    context.textAlign = 'left';
    context.textBaseline = 'top';
    context.fillText(`depth ${band.depth}`, sight.left + 6 / scale, band.top + 3 / scale);
  });
}

function paintEdges(context, { layered, paths, focus }, sight, colour, scale) {
  context.lineWidth = Math.max(0.7 / scale, 1);
  context.strokeStyle = colour.line;
  context.globalAlpha = layered.edges.length > 4000 ? 0.4 : 0.75;
  context.stroke(paths.forward);
  if (scale > 0.12) {
    context.setLineDash(scale > 0.3 ? [5, 4] : []);
    context.strokeStyle = colour.special;
    context.globalAlpha *= 0.8;
    context.stroke(paths.back);
    context.setLineDash([]);
  }
  context.globalAlpha = 1;
  if (scale > 0.45) {
    context.beginPath();
    const isIn = ({ x, y }) => x > sight.left && x < sight.right && y > sight.top && y < sight.bottom;
    for (const edge of layered.edges) if (isIn(edge.to)) arrowHead(context, edge);
    context.strokeStyle = colour.line;
    context.stroke();
  }
  if (!focus) return;
  const path = new Path2D();
  for (const edge of [...focus.ins, ...focus.outs]) addEdge(path, edge);
  context.lineWidth = Math.max(2 / scale, 2);
  context.strokeStyle = colour.accent;
  context.stroke(path);
}

/** Nodes of one look are one path. */
function paintNodes(context, { layered, at, selected, found }, sight, colour, scale) {
  const groups = new Map();
  const visible = [];
  for (const node of layered.nodes.values()) {
    if (node.x < sight.left || node.x > sight.right || node.y < sight.top || node.y > sight.bottom) continue;
    visible.push(node);
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
  paintMarks(context, { at, selected, found }, colour, scale);
  if (scale > 0.5) paintTexts(context, visible, colour);
}

function ring(context, node, radius, width, colour) {
  context.beginPath();
  context.arc(node.x, node.y, radius, 0, Math.PI * 2);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

function paintMarks(context, { at, selected, found }, colour, scale) {
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

/** Paints a graph: `{layered, paths, at, selected, focus, found}`. */
export function paintGraph(context, view, graph, colour, ratio) {
  const { scale } = view;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colour.surface;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(scale * ratio, 0, 0, scale * ratio, (view.width / 2 - view.x * scale) * ratio, (view.height / 2 - view.y * scale) * ratio);
  const sight = view.sight(30);
  paintBands(context, graph.layered, view.sight(), colour, scale);
  paintEdges(context, graph, sight, colour, scale);
  paintNodes(context, graph, sight, colour, scale);
}
