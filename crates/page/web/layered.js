// Where the classes of a graph are drawn: in bands, one for each depth, wide ones in several rows. Classes that are found
// later are put among those that are there; these keep their order.

const ACROSS = 62;
const DOWN = 54;
const BETWEEN = 42;

export class Layered {
  constructor() {
    this.nodes = new Map();
    this.order = [];
    this.bands = [];
  }

  /** Takes in what is known now. Nodes have `{id, x, y, fromX, fromY, depth, ins, outs}` besides their fields. */
  update(classes, edges) {
    for (const one of classes) {
      const node = this.nodes.get(one.id);
      if (node) Object.assign(node, one);
      else this.nodes.set(one.id, { ...one, x: null, y: null, place: null });
    }
    const isKnown = new Set(classes.map((one) => one.id));
    for (const id of [...this.nodes.keys()]) if (!isKnown.has(id)) this.nodes.delete(id);
    for (const node of this.nodes.values()) Object.assign(node, { ins: [], outs: [], fromX: node.x, fromY: node.y });
    this.edges = [];
    for (const edge of edges) {
      const [from, to] = [this.nodes.get(edge.from), this.nodes.get(edge.to)];
      if (!from || !to) continue;
      const made = { ...edge, from, to };
      from.outs.push(made);
      to.ins.push(made);
      this.edges.push(made);
    }
    this.arrange();
  }

  arrange() {
    const layers = [];
    for (const node of this.nodes.values()) (layers[node.depth] ??= []).push(node);
    const count = this.nodes.size;
    const widest = Math.max(10, Math.ceil(Math.sqrt(count) * 1.9));
    this.bands = [];
    let y = 0;
    layers.forEach((layer, depth) => {
      this.sort(layer, depth);
      const rows = Math.ceil(layer.length / widest);
      const columns = Math.ceil(layer.length / rows);
      layer.forEach((node, i) => {
        node.place = i;
        const [column, row] = [Math.floor(i / rows), i % rows];
        node.x = (column - (columns - 1) / 2) * ACROSS + (rows > 1 && row % 2 === 1 ? ACROSS / 2 : 0);
        node.y = y + row * DOWN;
      });
      this.bands.push({ depth, top: y - BETWEEN / 2 - 8, bottom: y + (rows - 1) * DOWN + BETWEEN / 2 + 8, count: layer.length });
      y += (rows - 1) * DOWN + DOWN + BETWEEN;
    });
    for (const node of this.nodes.values()) {
      if (node.fromX !== null) continue;
      const parent = node.ins.find((edge) => edge.from.fromX !== null)?.from ?? node;
      [node.fromX, node.fromY] = [parent.fromX ?? node.x, parent.fromY ?? node.y];
    }
  }

  /** By the middle of where one comes from; those that had a place keep their order among themselves. */
  sort(layer) {
    const middle = (node) => {
      const before = node.ins.filter((edge) => edge.from.depth < node.depth).map((edge) => edge.from.x);
      return before.length === 0 ? 0 : before.reduce((sum, x) => sum + x, 0) / before.length;
    };
    for (const node of layer) node.key = middle(node);
    const old = layer.filter((node) => node.place !== null).sort((a, b) => a.place - b.place);
    const added = layer.filter((node) => node.place === null).sort((a, b) => a.key - b.key || a.id - b.id);
    const merged = [];
    let i = 0;
    for (const node of old) {
      while (i < added.length && added[i].key < node.key) merged.push(added[i++]);
      merged.push(node);
    }
    merged.push(...added.slice(i));
    layer.splice(0, layer.length, ...merged);
  }

  /** The box around all of it. */
  box() {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { x, y } of this.nodes.values()) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    return this.nodes.size === 0 ? { left: -1, top: -1, right: 1, bottom: 1 } : { left: left - 70, top: top - 40, right: right + 70, bottom: bottom + 40 };
  }
}
