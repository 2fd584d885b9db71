//! The registers of a thread that runs: those of its frames, and of what it does at once.

use crate::code::{Address, Code, PointId, Register};
use crate::heap::Heap;
use crate::value::Value;

/// A frame that waits for the one that it has called.
#[derive(Clone, Copy, Debug)]
struct Frame {
    base: usize,
    /// Where it has called.
    point: PointId,
}

/// Something that is done at once, and where it leads back.
#[derive(Clone, Copy, Debug)]
struct Call {
    base: usize,
    /// Where it leads back; nothing if who called it sees to that.
    back: Option<Address>,
    /// Where the result goes, in the registers of the one that called.
    to: Option<Register>,
}

/// The registers of a thread that runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    registers: Vec<Value>,
    /// Where those begin that are in use.
    base: usize,
    /// The outermost first.
    frames: Vec<Frame>,
    calls: Vec<Call>,
}

impl Stack {
    #[inline]
    pub(crate) fn get(&self, register: Register) -> Value {
        self.registers[self.base + usize::from(register)]
    }

    #[inline]
    pub(crate) fn set(&mut self, register: Register, value: Value) {
        self.registers[self.base + usize::from(register)] = value;
    }

    /// Registers in a row.
    #[inline]
    pub(crate) fn row(&self, from: Register, count: usize) -> &[Value] {
        let from = self.base + usize::from(from);
        &self.registers[from..from + count]
    }

    fn clear(&mut self) {
        self.registers.clear();
        self.base = 0;
        self.frames.clear();
        self.calls.clear();
    }

    /// Begins a routine with arguments.
    pub(crate) fn start(&mut self, code: &Code, routine: u32, arguments: &[Value]) {
        self.clear();
        self.registers.extend_from_slice(arguments);
        let registers = usize::from(code.routines[routine as usize].registers);
        self.registers.resize(registers.max(arguments.len()), Value::Nothing);
    }

    /// Begins something that is done at once and tried by itself: where it leads back, and behind the register that gets
    /// its result, its own.
    pub(crate) fn begin(&mut self, count: u16, given: &[Value], back: Address) {
        self.clear();
        self.registers.extend_from_slice(given);
        self.call(1, count, Some(back), Some(0));
    }

    /// Where a thread is.
    pub(crate) fn point(heap: &Heap, thread: u32) -> PointId {
        Stack::point_of(heap.fields(thread)[0].number())
    }

    /// A point, by the number that stands for it in the fields of threads.
    pub(crate) fn point_of(number: i64) -> PointId {
        PointId(number as u32)
    }

    /// Loads the frames of a thread.
    pub(crate) fn load(&mut self, code: &Code, heap: &Heap, thread: u32) {
        self.clear();
        let fields = heap.fields(thread);
        // The innermost frame comes first in the fields, and last in the registers.
        let mut points = Vec::new();
        let mut at = 0;
        while at < fields.len() {
            let point = PointId(fields[at].number() as u32);
            points.push((point, at + 1));
            at += 1 + code.point(point).kept.len();
        }
        for (number, (point, at)) in points.iter().enumerate().rev() {
            let kept = &code.point(*point).kept;
            let base = self.registers.len();
            let count = code.routines[code.point(*point).code as usize].registers;
            self.registers.resize(base + usize::from(count), Value::Nothing);
            for (register, value) in kept.iter().zip(&fields[*at..]) {
                self.registers[base + usize::from(*register)] = *value;
            }
            self.base = base;
            if number > 0 {
                self.frames.push(Frame { base, point: *point });
            }
        }
    }

    /// Stores the frames of a thread that has come to a stop.
    pub(crate) fn store(&self, code: &Code, heap: &mut Heap, thread: u32, stop: PointId) {
        let mut fields = Vec::new();
        let frames = self.frames.iter().rev().map(|frame| (frame.point, frame.base));
        for (point, base) in [(stop, self.base)].into_iter().chain(frames) {
            fields.push(Value::Number(i64::from(point.0)));
            let kept = code.point(point).kept.iter();
            fields.extend(kept.map(|register| self.registers[base + usize::from(*register)]));
        }
        let class = heap.class(thread);
        heap.become_(thread, class, &fields);
    }

    /// Calls something that is done at once, whose registers begin here.
    pub(crate) fn call(
        &mut self,
        base: Register,
        count: u16,
        back: Option<Address>,
        to: Option<Register>,
    ) {
        self.calls.push(Call { base: self.base, back, to });
        self.base += usize::from(base);
        let needed = self.base + usize::from(count);
        if self.registers.len() < needed {
            self.registers.resize(needed, Value::Nothing);
        }
    }

    /// Calls something that is done at once with registers of its own, of which the first are given.
    pub(crate) fn push(&mut self, count: u16, given: &[Value]) {
        let base = self.registers.len() - self.base;
        self.calls.push(Call { base: self.base, back: None, to: None });
        self.base += base;
        self.registers.extend_from_slice(given);
        let needed = self.base + usize::from(count).max(given.len());
        self.registers.resize(needed, Value::Nothing);
    }

    /// Leaves what was called by [`Self::push`].
    pub(crate) fn pop(&mut self) {
        let call = self.calls.pop().expect("it was called");
        self.registers.truncate(self.base);
        self.base = call.base;
    }

    /// Whether something is done at once that was called.
    pub(crate) fn is_at_once(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Leaves what is done at once, and says where it leads back; nothing if who called it sees to that.
    pub(crate) fn back(&mut self, given: Option<Value>) -> Option<Address> {
        let Call { base, back, to } = *self.calls.last()?;
        let back = back?;
        self.calls.pop();
        self.base = base;
        if let (Some(to), Some(given)) = (to, given) {
            self.set(to, given);
        }
        Some(back)
    }

    /// Calls a function, which gets some of the registers as arguments.
    pub(crate) fn enter(
        &mut self,
        point: PointId,
        count: u16,
        from: Register,
        passes: &[Register],
    ) {
        let caller = self.base;
        self.frames.push(Frame { base: caller, point });
        self.base = self.registers.len();
        self.registers.resize(self.base + usize::from(count), Value::Nothing);
        for (number, to) in passes.iter().enumerate() {
            let value = self.registers[caller + usize::from(from) + number];
            self.set(*to, value);
        }
    }

    /// Leaves a function, and says where it was called; nothing if it was the last routine.
    pub(crate) fn leave(&mut self) -> Option<PointId> {
        let Frame { base, point } = self.frames.pop()?;
        self.registers.truncate(self.base);
        self.base = base;
        Some(point)
    }
}
