//! The parts of Go's library that are written in `.kin`, where the prelude has something else.

/// A channel. `NAME`, `GOT`, `KEPT` and `ZERO` are filled in.
pub(crate) const CHANNEL: &str = "
object NAME(capacity: int) {
items: seq[KEPT, capacity] = []
closed: bool = false
step send(x: KEPT) {
require not closed
await len(items) < capacity
items.push_back(x)
}
step receive(): GOT {
await len(items) > 0 or closed
if len(items) == 0 { return GOT(v: ZERO, ok: false) }
let x = items.pop_front()
return GOT(v: x, ok: true)
}
meet send(x), receive {
await capacity == 0 and not closed
return GOT(v: x, ok: true)
}
step close {
require not closed
closed = true
}
step size(): 0..=256 { return len(items) }
}
";

/// A channel of times, which a timer may send on at any time: once, or again and again. When that was is not known before
/// somebody asks: who stops a timer or sets it anew may find that it has fired.
pub(crate) const TIME_CHANNEL: &str = "
object NAME(capacity: int, first: 0..=2 = 0) {
items: seq[KEPT, capacity] = []
closed: bool = false
ticks: 0..=2 = first
step send(x: KEPT) {
require not closed
await len(items) < capacity
items.push_back(x)
}
step receive(): GOT {
await len(items) > 0 or closed or ticks > 0
if len(items) > 0 {
let x = items.pop_front()
return GOT(v: x, ok: true)
}
if closed { return GOT(v: ZERO, ok: false) }
if ticks == 1 { ticks = 0 }
return GOT(v: ZERO, ok: true)
}
step poll(fire: bool): GOT {
await len(items) > 0 or closed or (fire and ticks > 0)
if len(items) > 0 {
let x = items.pop_front()
return GOT(v: x, ok: true)
}
if closed { return GOT(v: ZERO, ok: false) }
if ticks == 1 { ticks = 0 }
return GOT(v: ZERO, ok: true)
}
meet send(x), receive {
await capacity == 0 and not closed
return GOT(v: x, ok: true)
}
meet send(x), poll(fire) {
await capacity == 0 and not closed
return GOT(v: x, ok: true)
}
step close {
require not closed
closed = true
}
step stop(fire: bool): bool {
let ran = ticks > 0 and not fire
if ticks > 0 and fire and len(items) < capacity { items.push_back(ZERO) }
ticks = 0
return ran
}
step reset(n: 0..=2, fire: bool): bool {
let ran = ticks > 0 and not fire
if ticks > 0 and fire and len(items) < capacity { items.push_back(ZERO) }
ticks = n
return ran
}
step size(): 0..=256 { return len(items) }
}
";

/// A channel without values, which may be that of a context.
///
/// A context that is cancelled closes its own channel, and then those of the contexts that were made from it, one by one,
/// as Go does. A deadline may come at any time: when somebody asks. So a context knows the nearest one at or above it that has
/// a deadline, and is over when that one is.
///
/// Lines after `+reasons` are there where somebody asks why a context is over (`variants`).
pub(crate) const SIGNAL_CHANNEL: &str = "
object NAME(capacity: int, above: NAME? = none, clock: NAME? = none, late: bool = falseMORE) {
items: seq[KEPT, capacity] = []
closed: bool = false
up: NAME? = above
below: set[NAME, 16] = []
by: NAME? = clock
timed: bool = late
expired: bool = false
+reasons error: Any = any_nil
+reasons why: Any = any_nil
+reasons late_why: Any = why_late
step send(x: KEPT) {
require not closed
await len(items) < capacity
items.push_back(x)
}
step expire {
if timed {
closed = true
expired = true
+reasons why = late_why
} else {
if let b = by {
b.closed = true
b.expired = true
+reasons b.why = b.late_why
+reasons if let c = b.by { if c.closed { b.why = c.why } }
}
}
}
step is_off(): bool {
if closed { return true }
if let b = by { return b.closed }
return false
}
step receive(): GOT {
await len(items) > 0 or closed or timed or by != none
if len(items) > 0 {
let x = items.pop_front()
return GOT(v: x, ok: true)
}
let off = is_off()
if not off { expire() }
return GOT(v: ZERO, ok: false)
}
step poll(fire: bool): GOT {
if len(items) > 0 {
let x = items.pop_front()
return GOT(v: x, ok: true)
}
let off = is_off()
await off or (fire and (timed or by != none))
if not off { expire() }
return GOT(v: ZERO, ok: false)
}
meet send(x), receive {
await capacity == 0 and not closed
return GOT(v: x, ok: true)
}
meet send(x), poll(fire) {
await capacity == 0 and not closed
return GOT(v: x, ok: true)
}
step close {
require not closed
closed = true
}
step adopt(other: NAME): bool {
let off = is_off()
if not off { below.insert(other) }
return off
}
-reasons step end_one(): set[NAME, 16] {
+reasons step end_one(e: Any, w: Any): set[NAME, 16] {
let others = below
below.clear()
if let above_ = up { above_.below.remove(this) }
if not closed {
+reasons error = e
+reasons why = w
-reasons if let b = by { if b.closed and b.expired { expired = true } }
+reasons if let b = by {
+reasons if b.closed and b.expired {
+reasons expired = true
+reasons error = b.error
+reasons why = b.why
+reasons }
+reasons }
closed = true
}
return others
}
-reasons fn finish() {
-reasons let others = end_one()
-reasons for other in others { other.finish() }
-reasons }
+reasons step its_error(): Any {
+reasons if closed { return error }
+reasons if let b = by { return b.error }
+reasons return any_nil
+reasons }
+reasons step its_why(): Any {
+reasons if closed { return why }
+reasons if let b = by { return b.why }
+reasons return any_nil
+reasons }
+reasons fn finish(e: Any, w: Any) {
+reasons let others = end_one(e, w)
+reasons let e_ = its_error()
+reasons let w_ = its_why()
+reasons for other in others { other.finish(e_, w_) }
+reasons }
step is_over(fire: bool): bool {
let off = is_off()
if not off and fire and (timed or by != none) {
expire()
off = true
}
return off
}
step has_expired(): bool {
if closed { return expired }
if let b = by { return b.expired }
return false
}
step size(): 0..=256 { return len(items) }
}
";

/// The objects of other types, by name.
pub(crate) const OBJECTS: [(&str, &str); 14] = [
    (
        "RWMutex",
        "
object RWMutex {
readers: 0..=255 = 0
holder: any process? = none
inside: bool = false
step read_lock {
await holder == none
readers += 1
}
step try_read_lock(): bool {
if holder != none { return false }
readers += 1
return true
}
step read_unlock {
require readers > 0
readers -= 1
}
step ask {
await holder == none
holder = self
}
step enter {
await readers == 0
inside = true
}
step try_lock(): bool {
if holder != none or readers > 0 { return false }
holder = self
inside = true
return true
}
step unlock {
require inside
holder = none
inside = false
}
}
",
    ),
    (
        "RLocker",
        "
object RLocker(of: RWMutex) {
step lock { of.read_lock() }
step unlock { of.read_unlock() }
}
",
    ),
    (
        "WaitGroup",
        "
object WaitGroup {
count: 0..=big = 0
asleep: set[any process, 16] = []
step add(n: -big..=big) {
require count + n >= 0
count += n
if count == 0 { asleep.clear() }
}
step done {
require count > 0
count -= 1
if count == 0 { asleep.clear() }
}
step come { if count > 0 { asleep.insert(self) } }
step wait { await not (self in asleep) }
}
",
    ),
    (
        "Cond",
        "
object Cond(locker: Any) {
l: Any = locker
asleep: seq[any process, 16] = []
step sleep { asleep.push_back(self) }
step wake { await not (self in asleep) }
step signal { if len(asleep) > 0 { asleep.pop_front() } }
step broadcast { asleep.clear() }
}
",
    ),
    (
        "Pool",
        "
object Pool(maker: FNANY) {
make: FNANY = maker
items: seq[Any, room] = []
step take(): Any {
if len(items) == 0 { return any_nil }
return items.pop_back()
}
step give(x: Any) { if len(items) < room { items.push_back(x) } }
}
",
    ),
    (
        "SyncMap",
        "
object SyncMap {
items: map[Any, Any, room] = []
step load(k: Any): RESANY {
if k in items { return RESANY(r0: items[k], r1: true) }
return RESANY(r0: any_nil, r1: false)
}
step store(k: Any, v: Any) { items[k] = v }
step delete(k: Any) { items.remove(k) }
step take(k: Any): RESANY {
if k in items {
let v = items[k]
items.remove(k)
return RESANY(r0: v, r1: true)
}
return RESANY(r0: any_nil, r1: false)
}
step load_or_store(k: Any, v: Any): RESANY {
if k in items { return RESANY(r0: items[k], r1: true) }
items[k] = v
return RESANY(r0: v, r1: false)
}
}
",
    ),
    (
        "Context",
        "
-own object Context(above: Context? = none, signal: chan_unit? = none, key_: Any = any_nil, value_: Any = any_nil) {
+own object Context(above: Context? = none, signal: chan_unit? = none, key_: Any = any_nil, value_: Any = any_nil, own_: Any = any_nil, relays_: bool = false) {
up: Context? = above
done: chan_unit? = signal
key: Any = key_
value: Any = value_
+own own: Any = own_
+own relays: bool = relays_
}
",
    ),
    (
        "AfterFunc",
        "
object AfterFunc(channel: chan_unit?) {
on: chan_unit? = channel
begun: bool = false
step stop(fire: bool): bool {
if begun { return false }
if let c = on {
let off = c.is_over(fire)
if off { return false }
}
begun = true
return true
}
step begin(): bool {
if begun { return false }
begun = true
return true
}
}
",
    ),
    (
        "Timer",
        "
object Timer(channel_: chan_opaque, kind_: 1..=2) {
c: chan_opaque = channel_
kind: 1..=2 = kind_
}
",
    ),
    (
        "ErrGroup",
        "
object ErrGroup(signal: chan_unit? = none) {
running: 0..=255 = 0
most: 0..=255 = 255
failed: Any = any_nil
stop: chan_unit? = signal
step begin {
await running < most
running += 1
}
step try_begin(): bool {
if running >= most { return false }
running += 1
return true
}
step is_first(e: Any): bool {
if failed != any_nil { return false }
failed = e
return true
}
step end { running -= 1 }
step limit(n: -1..=255) { most = if n < 0 then 255 else n }
step wait(): Any {
await running == 0
return failed
}
}
",
    ),
    (
        "Semaphore",
        "
object Semaphore(size: 0..=big) {
free: 0..=big = size
queue: seq[any process, 8] = []
step come(n: 0..=big): bool {
if len(queue) == 0 and free >= n {
free -= n
return true
}
queue.push_back(self)
return false
}
step acquire(n: 0..=big) {
await len(queue) > 0 and queue.first == self and free >= n
queue.pop_front()
free -= n
}
step leave {
let i: 0..=8 = 0
for p in queue {
if p == self { break }
i += 1
}
queue.remove_at(i)
}
step try_acquire(n: 0..=big): bool {
if free < n or len(queue) > 0 { return false }
free -= n
return true
}
step release(n: 0..=big) { free += n }
}
",
    ),
    (
        "Error",
        "
object Error(inner: Any = any_nil) {
of: Any = inner
}
",
    ),
    (
        "AtomicInt",
        "
object AtomicInt {
v: -big..=big = 0
step load(): -big..=big { return v }
step store(x: -big..=big) { v = x }
step add(x: -big..=big): -big..=big {
v += x
return v
}
step swap(x: -big..=big): -big..=big {
let old = v
v = x
return old
}
step compare_and_swap(a: -big..=big, b: -big..=big): bool {
if v != a { return false }
v = b
return true
}
}
",
    ),
    (
        "AtomicValue",
        "
object AtomicValue {
v: Any = any_nil
step load(): Any { return v }
step store(x: Any) { v = x }
step swap(x: Any): Any {
let old = v
v = x
return old
}
step compare_and_swap(a: Any, b: Any): bool {
if v != a { return false }
v = b
return true
}
}
",
    ),
];

/// `atomic.Bool`.
pub(crate) const ATOMIC_BOOL: &str = "
object AtomicBool {
v: bool = false
step load(): bool { return v }
step store(x: bool) { v = x }
step swap(x: bool): bool {
let old = v
v = x
return old
}
step compare_and_swap(a: bool, b: bool): bool {
if v != a { return false }
v = b
return true
}
}
";
