// Paints a graph frame by frame. A graph with many edges in sight is painted bit by bit on a sheet behind; until that is
// done, the sheet painted last is shown, moved and scaled, so that no frame has to wait.

import { edgesInSight, nodesInSight, paintBands, paintEdges, paintFocus, paintMarks, paintNodes, paintThinEdges } from './canvas.js';

const FEW_EDGES = 300;
const FEW_NODES = 300;
const EDGES_A_FRAME = 500;
const NODES_A_FRAME = 350;
/** How much larger a sheet is than the window, so that there is something to see when it is moved. */
const SPARE = 1.4;

/** Makes a context draw in the coordinates of the plane. */
function aim(context, view, ratio, width, height) {
  context.setTransform(view.scale * ratio, 0, 0, view.scale * ratio, (width / 2 - view.x * view.scale) * ratio, (height / 2 - view.y * view.scale) * ratio);
}

function clear(context, colour) {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colour.surface;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
}

/** A sheet as large as the window and some more, painted in parts. */
class Sheet {
  constructor(canvas, view, layered, colour, ratio) {
    Object.assign(this, { canvas, layered, colour, ratio, x: view.x, y: view.y, scale: view.scale });
    [this.width, this.height] = [view.width * SPARE, view.height * SPARE];
    const [across, down] = [Math.ceil(this.width * ratio), Math.ceil(this.height * ratio)];
    if (canvas.width !== across) canvas.width = across;
    if (canvas.height !== down) canvas.height = down;
    this.context = canvas.getContext('2d', { alpha: false });
    const [half, tall] = [this.width / 2 / this.scale, this.height / 2 / this.scale];
    this.sight = { left: this.x - half, right: this.x + half, top: this.y - tall, bottom: this.y + tall };
    clear(this.context, colour);
    aim(this.context, this, ratio, this.width, this.height);
    paintBands(this.context, layered, this.sight, colour, this.scale, false);
    const { forward, back } = edgesInSight(layered.edges, this.sight);
    this.parts = [];
    const cut = (all, size, paint) => {
      for (let i = 0; i < all.length; i += size) this.parts.push(() => paint(all.slice(i, i + size)));
    };
    cut(forward, EDGES_A_FRAME, (edges) => paintThinEdges(this.context, edges, colour.faint, this.scale, ratio));
    cut(back, EDGES_A_FRAME, (edges) => paintThinEdges(this.context, edges, colour.faintSpecial, this.scale, ratio));
    cut(nodesInSight(layered, this.sight), NODES_A_FRAME, (nodes) => paintNodes(this.context, nodes, colour, this.scale));
  }

  get isDone() {
    return this.parts.length === 0;
  }

  goOn() {
    this.parts.shift()?.();
  }

  /** Whether it shows what a view shows. */
  isOf(view) {
    return this.x === view.x && this.y === view.y && this.scale === view.scale && this.width === view.width * SPARE && this.height === view.height * SPARE;
  }

  showOn(context, view) {
    const zoom = view.scale / this.scale;
    const left = view.width / 2 + (this.x - view.x) * view.scale - (this.width / 2) * zoom;
    const top = view.height / 2 + (this.y - view.y) * view.scale - (this.height / 2) * zoom;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.drawImage(this.canvas, left, top, this.width * zoom, this.height * zoom);
  }
}

export class Painter {
  constructor(canvas, view) {
    this.context = canvas.getContext('2d', { alpha: false });
    this.view = view;
    this.front = null;
    this.behind = null;
    this.canvases = [document.createElement('canvas'), document.createElement('canvas')];
  }

  /** The graph or the colours have changed: sheets are of no use any more. */
  forget() {
    this.front = null;
    this.behind = null;
  }

  /** Paints `{layered, at, selected, focus, found}`. Gives whether it wants to go on in the next frame. */
  paint(graph, colour, ratio) {
    const { context, view } = this;
    const { layered } = graph;
    const sight = view.sight(30);
    clear(context, colour);
    aim(context, view, ratio, view.width, view.height);
    paintBands(context, layered, view.sight(), colour, view.scale, true);
    const edges = edgesInSight(layered.edges, sight);
    const nodes = nodesInSight(layered, sight);
    const isFew = edges.forward.length + edges.back.length <= FEW_EDGES && nodes.length <= FEW_NODES;
    if (isFew) {
      this.forget();
      paintEdges(context, edges, colour, view.scale);
      if (graph.focus) paintFocus(context, graph.focus, colour, view.scale);
      paintNodes(context, nodes, colour, view.scale);
    } else this.paintSheets(graph, colour, ratio);
    aim(context, view, ratio, view.width, view.height);
    paintMarks(context, graph, colour, view.scale);
    return !isFew && !(this.front?.isOf(view) ?? false);
  }

  paintSheets({ layered, focus }, colour, ratio) {
    const { context, view } = this;
    if (this.front === null || !this.front.isOf(view)) {
      const free = this.canvases.find((canvas) => canvas !== this.front?.canvas);
      this.behind ??= new Sheet(free, view, layered, colour, ratio);
      this.behind.goOn();
      if (this.behind.isDone) [this.front, this.behind] = [this.behind, null];
    }
    (this.front ?? this.behind)?.showOn(context, view);
    if (!focus) return;
    aim(context, view, ratio, view.width, view.height);
    paintFocus(context, focus, colour, view.scale);
    paintNodes(context, [focus, ...focus.ins.map((edge) => edge.from), ...focus.outs.map((edge) => edge.to)], colour, view.scale);
  }
}
