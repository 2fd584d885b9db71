// A window onto a plane: moved and zoomed by mouse, wheel, touch and keys.

const LEAST = 0.02;
const MOST = 4;
const STEP = 60;

export class Viewport extends EventTarget {
  x = 0;
  y = 0;
  scale = 1;
  width = 1;
  height = 1;

  constructor(element) {
    super();
    this.element = element;
    this.pointers = new Map();
    element.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    element.addEventListener('pointerdown', (event) => this.onDown(event));
    element.addEventListener('pointermove', (event) => this.onMove(event));
    for (const name of ['pointerup', 'pointercancel']) element.addEventListener(name, (event) => this.onUp(event));
    element.addEventListener('keydown', (event) => this.onKey(event));
  }

  changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }

  /** A point of the window as a point of the plane. */
  toPlane(x, y) {
    return [this.x + (x - this.width / 2) / this.scale, this.y + (y - this.height / 2) / this.scale];
  }

  /** The part of the plane that is in sight. */
  sight(spare = 0) {
    const [left, top] = this.toPlane(-spare, -spare);
    const [right, bottom] = this.toPlane(this.width + spare, this.height + spare);
    return { left, top, right, bottom };
  }

  moveTo(x, y, scale = this.scale) {
    Object.assign(this, { x, y, scale: Math.max(LEAST, Math.min(MOST, scale)) });
    this.changed();
  }

  pan(dx, dy) {
    this.moveTo(this.x - dx / this.scale, this.y - dy / this.scale);
  }

  /** Zooms, with a point of the window staying where it is. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const [px, py] = this.toPlane(x, y);
    const scale = Math.max(LEAST, Math.min(MOST, this.scale * factor));
    this.moveTo(px - (x - this.width / 2) / scale, py - (y - this.height / 2) / scale, scale);
  }

  /** Shows all of a box. */
  fit({ left, top, right, bottom }, most = 1.2) {
    const scale = Math.min(most, this.width / Math.max(1, right - left), this.height / Math.max(1, bottom - top));
    this.moveTo((left + right) / 2, (top + bottom) / 2, scale);
  }

  at(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  onWheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey) this.pan(-event.deltaY * unit, -event.deltaX * unit);
    else this.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0016)), ...this.at(event));
  }

  onDown(event) {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.at(event));
    if (this.pointers.size === 1) {
      this.moved = 0;
      this.isDragging = true;
    }
  }

  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.at(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    this.moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
    if (other) {
      const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
      const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      const [from, to] = [middle(before, other), middle(now, other)];
      this.zoom(apart(now, other) / Math.max(1, apart(before, other)), ...to);
      this.pan(to[0] - from[0], to[1] - from[1]);
    } else this.pan(now[0] - before[0], now[1] - before[1]);
  }

  onUp(event) {
    this.pointers.delete(event.pointerId);
    this.isDragging = this.pointers.size > 0;
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] }[event.key];
    if (by) this.pan(...by);
    else if (event.key === '+' || event.key === '=') this.zoom(1.25);
    else if (event.key === '-') this.zoom(0.8);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
