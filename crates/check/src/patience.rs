//! When to give up.
//!
//! What takes long asks whether it has been enough, but not at every step: asking may read a clock.

/// It has been enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spent;

/// Counts steps, and asks now and then.
pub(crate) struct Patience<'a> {
    left: usize,
    enough: &'a mut dyn FnMut() -> bool,
}

impl<'a> Patience<'a> {
    /// After how many steps to ask.
    const STEPS: usize = 1 << 16;

    pub(crate) fn new(enough: &'a mut dyn FnMut() -> bool) -> Self {
        Self { left: Self::STEPS, enough }
    }

    /// Counts steps that were made.
    #[inline]
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Spent> {
        if steps < self.left {
            self.left -= steps;
            return Ok(());
        }
        self.left = Self::STEPS;
        if (self.enough)() { Err(Spent) } else { Ok(()) }
    }
}
