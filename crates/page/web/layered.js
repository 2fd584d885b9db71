// Where the classes of a graph are drawn: in bands, one for each depth, wide ones in several rows. Bands go from top to
// bottom, or from left to right where there is more room in that direction. Classes that are found later are put among
// those that are there; these keep their order. Classes whose depth is not known, since no way from the initial class to
// them is known, come after the others, by how far they are from each other.

/** How far apart classes of one row are, rows of one band, and bands; how long rows get with the number of classes. */
const DOWNWARD = { across: 62, rows: 54, bands: 96, length: 1.9 };
const RIGHTWARD = { across: 40, rows: 58, bands: 104, length: 0.75 };

export class Layered {
  constructor() {
    this.nodes = new Map();
    this.edges = [];
    this.bands = [];
    this.isRightward = false;
  }

  /** Takes in what is known now. Nodes have `{id, x, y, fromX, fromY, level, ins, outs}` besides their fields. */
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
    this.setLevels();
    this.arrange();
  }

  /** The band of each class: its depth where that is known. */
  setLevels() {
    let last = -1;
    for (const node of this.nodes.values()) {
      node.level = node.depth ?? null;
      last = Math.max(last, node.depth ?? -1);
    }
    for (const start of this.nodes.values()) {
      if (start.level !== null) continue;
      const part = [start];
      start.level = 0;
      for (const node of part) {
        const next = [...node.outs.map((edge) => [edge.to, 1]), ...node.ins.map((edge) => [edge.from, -1])];
        for (const [other, by] of next) {
          if (other.level !== null || other === start) continue;
          other.level = node.level + by;
          part.push(other);
        }
      }
      const first = part.reduce((least, node) => Math.min(least, node.level), 0);
      for (const node of part) node.level += last + 2 - first;
      last = part.reduce((most, node) => Math.max(most, node.level), last);
    }
  }

  /** Changes the direction, if it is another. */
  turn(isRightward) {
    if (this.isRightward === isRightward) return;
    this.isRightward = isRightward;
    this.arrange();
  }

  arrange() {
    const layers = [];
    for (const node of this.nodes.values()) (layers[node.level] ??= []).push(node);
    const gaps = this.isRightward ? RIGHTWARD : DOWNWARD;
    const longest = Math.max(8, Math.ceil(Math.sqrt(this.nodes.size) * gaps.length));
    this.bands = [];
    let start = 0;
    layers.forEach((layer) => {
      this.sort(layer);
      const rows = Math.ceil(layer.length / longest);
      const columns = Math.ceil(layer.length / rows);
      layer.forEach((node, i) => {
        const [column, row] = [Math.floor(i / rows), i % rows];
        node.place = i;
        node.across = (column - (columns - 1) / 2) * gaps.across + (row % 2 === 1 ? gaps.across / 2 : 0);
        const along = start + row * gaps.rows;
        [node.x, node.y] = this.isRightward ? [along, node.across] : [node.across, along];
      });
      const end = start + (rows - 1) * gaps.rows;
      this.bands.push({ depth: layer[0].depth ?? null, from: start - gaps.bands / 2, to: end + gaps.bands / 2 });
      start = end + gaps.bands;
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
      const before = node.ins.filter((edge) => edge.from.level < node.level).map((edge) => edge.from.across);
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
