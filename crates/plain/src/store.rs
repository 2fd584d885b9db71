//! Markings, each kept once, by number.
//!
//! A marking is written as what is marked: the distance from one marked place to the next, and the tokens where
//! there is more than one, seven bits to a byte. The table holds numbers; equal hashes are told apart by comparing
//! what is written. Cost: a byte or two for each marked place, and ten bytes for each marking.

use budget::{Account, Budget, Exhausted};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Markings.
#[derive(Debug)]
pub(crate) struct Store {
    bytes: Vec<u8>,
    /// Where each marking ends.
    ends: Vec<u64>,
    /// Numbers of markings, one more, at the places their hashes say; 0 where there is none.
    table: Vec<u32>,
    scratch: Vec<u8>,
    account: Account,
    budget: Budget,
}

impl Store {
    /// No markings.
    pub(crate) fn new(budget: &Budget) -> Store {
        Store {
            bytes: Vec::new(),
            ends: Vec::new(),
            table: vec![0; 1 << 10],
            scratch: Vec::new(),
            account: budget.account(),
            budget: budget.clone(),
        }
    }

    /// The number of markings.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a marking, and whether it is new.
    ///
    /// # Errors
    ///
    /// If there is no memory left.
    pub(crate) fn insert(&mut self, marking: &[i32]) -> Result<(u32, bool), Exhausted> {
        let mut scratch = std::mem::take(&mut self.scratch);
        write(marking, &mut scratch);
        let mut slot = self.slot(&scratch);
        while self.table[slot] != 0 {
            let number = self.table[slot] - 1;
            if self.written(number) == scratch {
                self.scratch = scratch;
                return Ok((number, false));
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
        let number = self.ends.len() as u32;
        if number == u32::MAX - 1 {
            return Err(Exhausted::Memory);
        }
        self.bytes.extend_from_slice(&scratch);
        self.ends.push(self.bytes.len() as u64);
        self.table[slot] = number + 1;
        self.scratch = scratch;
        if self.ends.len() * 2 > self.table.len() {
            self.grow()?;
        }
        Ok((number, true))
    }

    /// Reads a marking.
    pub(crate) fn read(&self, number: u32, marking: &mut [i32]) {
        marking.fill(0);
        let mut bytes = self.written(number).iter();
        let mut place = 0;
        while let Some(first) = read(&mut bytes) {
            place += (first >> 1) as usize;
            let tokens = if first & 1 == 0 { 1 } else { read(&mut bytes).unwrap_or(0) };
            marking[place] = tokens as i32;
            place += 1;
        }
    }

    fn written(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let begin = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[begin as usize..self.ends[number] as usize]
    }

    fn slot(&self, written: &[u8]) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write(written);
        (hasher.finish() >> 20) as usize & (self.table.len() - 1)
    }

    fn grow(&mut self) -> Result<(), Exhausted> {
        let held = self.bytes.capacity() + 8 * self.ends.capacity() + 8 * self.table.len();
        self.account.set(held as u64);
        self.budget.require(8 * self.table.len() as u64)?;
        let size = self.table.len() * 2;
        self.table = vec![0; size];
        for number in 0..self.ends.len() as u32 {
            let mut slot = self.slot(self.written(number));
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = number + 1;
        }
        Ok(())
    }
}

fn write(marking: &[i32], bytes: &mut Vec<u8>) {
    bytes.clear();
    let mut gap = 0_u64;
    for &tokens in marking {
        match tokens {
            0 => gap += 1,
            1 => {
                write_number(gap << 1, bytes);
                gap = 0;
            }
            tokens => {
                write_number(gap << 1 | 1, bytes);
                write_number(u64::from(tokens.unsigned_abs()), bytes);
                gap = 0;
            }
        }
    }
}

fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use random::for_seeds;

    #[test]
    fn markings_are_found_again_and_read_as_they_were_written() {
        let mut store = Store::new(&Budget::unlimited());
        let mut all: Vec<Vec<i32>> = Vec::new();
        for_seeds(0..3_000, |_, random| {
            let tokens = |_| match random.below(8) {
                0..4 => 0,
                4..6 => 1,
                6 => random.below(300),
                _ => i32::MAX - random.below(3),
            };
            let marking: Vec<i32> = (0..6).map(tokens).collect();
            let known = all.iter().position(|other| *other == marking);
            let (number, is_new) = store.insert(&marking).unwrap();
            assert_eq!((number as usize, is_new), (known.unwrap_or(all.len()), known.is_none()));
            if is_new {
                all.push(marking);
            }
        });
        let mut read = vec![0; 6];
        for (number, marking) in (0..).zip(&all) {
            store.read(number, &mut read);
            assert_eq!(read, *marking);
        }
    }
}
