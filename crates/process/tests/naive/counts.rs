//! How often things happen that random programs are meant to try.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::Compared;
use crate::state::{Control, Process, State, Thread};
use crate::value::Identity;

/// How often what happens.
#[derive(Clone, Debug, Default)]
pub struct Counts(pub RefCell<BTreeMap<&'static str, u64>>);

impl Counts {
    pub fn add(&self, what: &'static str) {
        *self.0.borrow_mut().entry(what).or_default() += 1;
    }

    /// Looks at a state before garbage is dropped.
    pub fn look_at(&self, state: &State) {
        let (processes, objects) = state.reached();
        let garbage: Vec<u32> =
            (0..).zip(&objects).filter(|(_, reached)| !**reached).map(|(id, _)| id).collect();
        if !garbage.is_empty() {
            self.add("garbage is dropped");
            if garbage.iter().any(|id| is_in_circle(state, *id)) {
                self.add("garbage in circles is dropped");
            }
        }
        for (process, is_reached) in state.processes.iter().zip(processes) {
            match process {
                Process::Ended(_) if is_reached => self.add("a handle of one who has ended"),
                Process::Running(thread) => self.look_at_frames(thread),
                Process::Ended(_) => {}
            }
        }
    }

    fn look_at_frames(&self, thread: &Thread) {
        if thread.frames.len() > 3 {
            self.add("calls more than two deep");
        }
        let is_leaving =
            |control: &Control| matches!(control, Control::Block { exit: Some(_), .. });
        let mut is_deferred = false;
        for (number, frame) in thread.frames.iter().enumerate() {
            if is_deferred && !frame.labels.is_empty() {
                self.add("at a label of a function called in something deferred");
            }
            is_deferred |= frame.control.iter().any(is_leaving);
            if !frame.held.is_empty() && number + 1 < thread.frames.len() {
                self.add(match is_deferred {
                    true => "in a function called at a label, in something deferred",
                    false => "in a function called at a label",
                });
            }
        }
    }

    /// Looks at a thread that cannot go on.
    pub fn look_at_waiting(&self, thread: &Thread) {
        let mut parts = thread.frames.iter().flat_map(|frame| &frame.control);
        if parts.any(|control| matches!(control, Control::Block { exit: Some(_), .. })) {
            self.add("something deferred waits");
            if thread.is_killed {
                self.add("one who was killed waits");
            }
        }
    }

    /// Adds those of another.
    pub fn extend(&self, other: &Counts) {
        for (what, count) in other.0.borrow().iter() {
            *self.0.borrow_mut().entry(what).or_default() += count;
        }
    }
}

/// How many programs the compiler refuses, of those that were compared with their nets.
#[derive(Debug, Default)]
pub struct Refusals {
    refused: usize,
    all: usize,
}

impl Refusals {
    pub fn note(&mut self, compared: &Compared) {
        match compared {
            Compared::TooLarge | Compared::TooSmall => {}
            Compared::Refused => {
                self.refused += 1;
                self.all += 1;
            }
            Compared::Same { .. } | Compared::Different(_) => self.all += 1,
        }
    }

    /// At most one of fifty.
    pub fn require_few(&self) {
        let Refusals { refused, all } = self;
        println!("{refused} of {all} programs are refused");
        assert!(50 * refused <= *all, "{refused} of {all} programs are refused");
    }
}

/// Whether an object can be reached from itself.
fn is_in_circle(state: &State, id: u32) -> bool {
    let mut seen = vec![false; state.objects.len()];
    let mut open = vec![id];
    while let Some(at) = open.pop() {
        let mut found = false;
        for value in &state.objects[at as usize].fields {
            value.identities(&mut |identity| {
                if let Identity::Object(next) = identity {
                    found |= next == id;
                    if !std::mem::replace(&mut seen[next as usize], true) {
                        open.push(next);
                    }
                }
            });
        }
        if found {
            return true;
        }
    }
    false
}
