//! Arcs for each member: looking for their tokens, taking and putting them.
//!
//! The choices are enumerated like the digits of a number. Looking for one token costs the number of
//! entries of its place.

use fold::{Kinship, Working};

use super::Machine;
use crate::FaultKind;
use crate::compile::{Choices, Input, Output};

impl Machine {
    /// Sets the slots to the first choice. There is one, since no enumeration is empty.
    fn begin(&mut self, choices: &Choices) {
        choices.slots.iter().for_each(|&(slot, _)| self.values[slot] = 0);
    }

    /// Sets the slots to the next choice; says `false` after the last.
    fn go_on(&mut self, choices: &Choices) -> bool {
        for &(slot, members) in choices.slots.iter().rev() {
            self.values[slot] += 1;
            if self.values[slot] < members {
                return true;
            }
            self.values[slot] = 0;
        }
        false
    }

    fn meets(&self, choices: &Choices, kinship: &Kinship) -> Result<bool, FaultKind> {
        match &choices.condition {
            Some(condition) => Ok(self.eval(kinship, condition)? != 0),
            None => Ok(true),
        }
    }

    /// Works out the token of the present choice; says `false` if no token can be like it.
    fn write_token(&mut self, swarm: &Output, kinship: &Kinship) -> Result<bool, FaultKind> {
        let mut fits = true;
        self.token.clear();
        for (expr, bounds) in &swarm.values {
            let word = bounds.word(self.eval(kinship, expr)?);
            fits &= word.is_some();
            self.token.push(word.unwrap_or(0));
        }
        self.normalise(swarm);
        Ok(fits)
    }

    /// The entry of the token of the present choice, if it is there.
    fn find(&mut self, swarm: &Output, working: &Working) -> Result<Option<usize>, FaultKind> {
        let fits = self.write_token(swarm, &working.kinship)?;
        let mut entries = working.entries(swarm.place);
        Ok(entries.position(|entry| entry[1..] == *self.token).filter(|_| fits))
    }

    /// Whether each token of a swarm that cannot fault is there.
    pub(super) fn finds(&mut self, swarm: &Output, working: &Working) -> Result<bool, FaultKind> {
        self.begin(&swarm.choices);
        loop {
            if self.meets(&swarm.choices, &working.kinship)? {
                match self.find(swarm, working)? {
                    Some(at) if working.entry(swarm.place, at)[0] >= swarm.count => {}
                    _ => return Ok(false),
                }
            }
            if !self.go_on(&swarm.choices) {
                return Ok(true);
            }
        }
    }

    /// Whether the tokens of all inputs and of these swarms are there together. All of a swarm is worked
    /// out before the next, and before anything is said: whether it faults must not depend on the order
    /// of the members.
    pub(super) fn finds_together(
        &mut self,
        inputs: &[Input],
        swarms: &[Output],
        working: &Working,
    ) -> Result<bool, FaultKind> {
        self.claims.clear();
        for (input, &at) in inputs.iter().zip(&self.chosen) {
            self.claims.push((input.place, at, input.count));
        }
        for swarm in swarms {
            if !self.claim(swarm, working)? {
                return Ok(false);
            }
        }
        self.claims.sort_unstable();
        Ok(self.claims.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).all(|alike| {
            let claimed: u64 = alike.iter().map(|&(.., count)| u64::from(count)).sum();
            claimed <= u64::from(working.entry(alike[0].0, alike[0].1)[0])
        }))
    }

    /// Claims the tokens of a swarm, if each is there.
    fn claim(&mut self, swarm: &Output, working: &Working) -> Result<bool, FaultKind> {
        let mut are_there = true;
        self.begin(&swarm.choices);
        loop {
            if self.meets(&swarm.choices, &working.kinship)? {
                match self.find(swarm, working)? {
                    Some(at) => self.claims.push((swarm.place, at, swarm.count)),
                    None => are_there = false,
                }
            }
            if !self.go_on(&swarm.choices) {
                return Ok(are_there);
            }
        }
    }

    /// Takes the tokens of a swarm, which are there.
    pub(super) fn take_swarm(
        &mut self,
        swarm: &Output,
        working: &Working,
        successor: &mut Working,
    ) -> Result<(), FaultKind> {
        self.begin(&swarm.choices);
        loop {
            if self.meets(&swarm.choices, &working.kinship)? {
                self.write_token(swarm, &working.kinship)?;
                successor.take(swarm.place, &self.token, swarm.count);
            }
            if !self.go_on(&swarm.choices) {
                return Ok(());
            }
        }
    }

    /// Puts a token for each choice.
    pub(crate) fn put_swarm(
        &mut self,
        output: &Output,
        successor: &mut Working,
    ) -> Result<(), FaultKind> {
        self.begin(&output.choices);
        loop {
            if self.meets(&output.choices, &successor.kinship)? {
                self.make_token(output, false, &successor.kinship)?;
                self.put_token(output, successor)?;
            }
            if !self.go_on(&output.choices) {
                return Ok(());
            }
        }
    }
}
