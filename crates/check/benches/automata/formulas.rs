//! Random formulas of linear time, as `randltl` of Spot draws them by default: a tree of this many nodes, operators all
//! alike, atoms as often as there are of them beside each constant. Duplicates are left out.

use std::collections::HashSet;

use check::{Formula, Ltl};
use random::Random;

/// A formula as written, in the notation that `ltl2tgba` reads, and what it is made of.
#[derive(Clone)]
pub struct Plain {
    pub text: String,
    what: What,
}

#[derive(Clone)]
enum What {
    Constant(bool),
    Atom(u32),
    Unary(&'static str, Box<Plain>),
    Binary(&'static str, Box<Plain>, Box<Plain>),
}

const UNARY: [&str; 4] = ["!", "X", "F", "G"];
const BINARY: [&str; 9] = ["&", "|", "->", "<->", "xor", "U", "R", "W", "M"];

/// This many different formulas over this many atoms, with trees of this many nodes.
pub fn formulas(seed: u64, count: usize, atoms: u32, size: usize) -> Vec<Plain> {
    let mut random = Random::named(&[seed, u64::from(atoms), size as u64]);
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    while all.len() < count {
        let plain = tree(&mut random, atoms, size);
        if seen.insert(plain.text.clone()) {
            all.push(plain);
        }
    }
    all
}

fn tree(random: &mut Random, atoms: u32, size: usize) -> Plain {
    if size == 1 {
        return match random.below(atoms + 2) {
            atom if atom < atoms => Plain { text: format!("p{atom}"), what: What::Atom(atom) },
            other => {
                let value = other == atoms;
                Plain { text: u8::from(value).to_string(), what: What::Constant(value) }
            }
        };
    }
    let kinds = if size == 2 { UNARY.len() } else { UNARY.len() + BINARY.len() };
    let kind = random.below(kinds);
    if let Some(operator) = UNARY.get(kind) {
        let inner = tree(random, atoms, size - 1);
        let text = format!("{operator}({})", inner.text);
        return Plain { text, what: What::Unary(operator, Box::new(inner)) };
    }
    let operator = BINARY[kind - UNARY.len()];
    let left = 1 + random.below(size - 2);
    let a = tree(random, atoms, left);
    let b = tree(random, atoms, size - 1 - left);
    let text = format!("({}) {operator} ({})", a.text, b.text);
    Plain { text, what: What::Binary(operator, Box::new(a), Box::new(b)) }
}

impl Plain {
    /// The same as a formula.
    pub fn formula(&self, ltl: &mut Ltl) -> Formula {
        match &self.what {
            What::Constant(true) => ltl.truth(),
            What::Constant(false) => ltl.falsehood(),
            What::Atom(atom) => ltl.atom(*atom),
            What::Unary(operator, inner) => {
                let a = inner.formula(ltl);
                match *operator {
                    "!" => ltl.not(a),
                    "X" => ltl.next(a),
                    "F" => ltl.eventually(a),
                    _ => ltl.always(a),
                }
            }
            What::Binary(operator, left, right) => {
                let (a, b) = (left.formula(ltl), right.formula(ltl));
                match *operator {
                    "&" => ltl.and(a, b),
                    "|" => ltl.or(a, b),
                    "->" => ltl.implies(a, b),
                    "U" => ltl.until(a, b),
                    "R" => ltl.release(a, b),
                    // a W b = b R (a | b), a M b = b U (a & b)
                    "W" => {
                        let either = ltl.or(a, b);
                        ltl.release(b, either)
                    }
                    "M" => {
                        let both = ltl.and(a, b);
                        ltl.until(b, both)
                    }
                    alike => {
                        let (not_a, not_b) = (ltl.not(a), ltl.not(b));
                        let (both, neither) = (ltl.and(a, b), ltl.and(not_a, not_b));
                        let equal = ltl.or(both, neither);
                        if alike == "xor" { ltl.not(equal) } else { equal }
                    }
                }
            }
        }
    }

    /// The atoms that are written in it, each once.
    pub fn atoms(&self) -> Vec<u32> {
        let mut seen = 0_u32;
        self.mark(&mut seen);
        (0..u32::BITS).filter(|atom| seen >> atom & 1 == 1).collect()
    }

    fn mark(&self, seen: &mut u32) {
        match &self.what {
            What::Constant(_) => {}
            What::Atom(atom) => *seen |= 1 << atom,
            What::Unary(_, a) => a.mark(seen),
            What::Binary(_, a, b) => {
                a.mark(seen);
                b.mark(seen);
            }
        }
    }
}
