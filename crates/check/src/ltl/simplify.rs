//! Formulas that say the same and have smaller automata.
//!
//! The rules hold on all infinite words. They are those of Etessami and Holzmann (2000), of Somenzi and Bloem (2000)
//! and of the report *Spot's temporal logic formulas*: what follows from what, what is eventual or universal, and what
//! is both and may leave any operator of time. Each is written once, for conjunction or until; for disjunction and
//! release all is the other way round.
//!
//! Cost: a few passes over the formula, each looking at pairs of operands of a conjunction or disjunction.

use rustc_hash::FxHashMap;

use super::implication::Implications;
use super::{Formula, Ltl, Shape};

/// The most passes.
const MOST_PASSES: usize = 4;

impl Ltl {
    /// A formula that holds on the same words, mostly with a smaller automaton. If it may choose, so may the automaton at
    /// its start: some operators become disjunctions.
    pub(crate) fn simplified(&mut self, formula: Formula, may_choose: bool) -> Formula {
        let implications = Implications::default();
        let mut simplifier = Simplifier { ltl: self, implications, may_choose };
        let mut formula = formula;
        for _ in 0..MOST_PASSES {
            let before = formula;
            formula = simplifier.pass(formula);
            if formula == before {
                break;
            }
        }
        formula
    }
}

struct Simplifier<'l> {
    ltl: &'l mut Ltl,
    implications: Implications,
    may_choose: bool,
}

impl Simplifier<'_> {
    /// The formula made anew from its parts, the innermost first.
    fn pass(&mut self, formula: Formula) -> Formula {
        let mut parts = self.ltl.parts(formula);
        // Parts have smaller numbers than what they are parts of.
        parts.sort_unstable();
        let mut made: FxHashMap<Formula, Formula> = FxHashMap::default();
        for part in parts {
            let of = |inner: Formula| made[&inner];
            let new = match self.ltl.shape(part) {
                Shape::True | Shape::False | Shape::Atom(..) => part,
                Shape::And(a, b) => self.join(true, vec![of(a), of(b)]),
                Shape::Or(a, b) => self.join(false, vec![of(a), of(b)]),
                Shape::Next(a) => self.next(of(a)),
                Shape::Until(a, b) => self.wait(true, of(a), of(b)),
                Shape::Release(a, b) => self.wait(false, of(a), of(b)),
            };
            made.insert(part, new);
        }
        made[&formula]
    }

    /// Whether the second follows from the first; or the other way round.
    fn implies(&mut self, in_order: bool, a: Formula, b: Formula) -> bool {
        let (a, b) = if in_order { (a, b) } else { (b, a) };
        self.implications.tell(self.ltl, a, b)
    }

    fn is_eventual(&self, in_order: bool, formula: Formula) -> bool {
        let class = self.ltl.class(formula);
        if in_order { class.eventual } else { class.universal }
    }

    /// Whether it says the same of all suffixes.
    fn is_lasting(&self, formula: Formula) -> bool {
        let class = self.ltl.class(formula);
        class.eventual && class.universal
    }

    /// The operands of a conjunction, or disjunction.
    fn operands(&self, both: bool, formula: Formula) -> Vec<Formula> {
        let (mut operands, mut open) = (Vec::new(), vec![formula]);
        while let Some(formula) = open.pop() {
            match self.ltl.shape(formula) {
                Shape::And(a, b) if both => open.extend([b, a]),
                Shape::Or(a, b) if !both => open.extend([b, a]),
                _ => operands.push(formula),
            }
        }
        operands
    }

    /// The conjunction, or the disjunction.
    fn join(&mut self, both: bool, formulas: Vec<Formula>) -> Formula {
        let (neutral, decisive) = self.ltl.constants(both);
        let mut operands: Vec<Formula> = Vec::new();
        for formula in formulas {
            operands.extend(self.operands(both, formula));
        }
        operands.sort_unstable();
        operands.dedup();
        let mut kept: Vec<Formula> = Vec::new();
        for operand in operands {
            if kept.iter().any(|&other| self.implies(both, other, operand)) {
                continue;
            }
            let opposite = self.ltl.not(operand);
            if operand == decisive || kept.iter().any(|&other| self.implies(both, other, opposite))
            {
                return decisive;
            }
            kept.retain(|&other| !self.implies(both, operand, other));
            if operand != neutral {
                kept.push(operand);
            }
        }
        for first in 0..kept.len() {
            for second in first + 1..kept.len() {
                if let Some(united) = self.united(both, kept[first], kept[second]) {
                    kept.remove(second);
                    kept[first] = united;
                    return self.join(both, kept);
                }
            }
        }
        let shape = |a, b| if both { Shape::And(a, b) } else { Shape::Or(a, b) };
        let mut kept = kept.into_iter();
        let Some(mut all) = kept.next() else {
            return neutral;
        };
        for operand in kept {
            all = self.ltl.number(shape(all.min(operand), all.max(operand)));
        }
        all
    }

    /// One formula for two operands of a conjunction, or disjunction.
    fn united(&mut self, both: bool, a: Formula, b: Formula) -> Option<Formula> {
        let (forever, never) = self.ltl.constants(both);
        let united = match (self.ltl.shape(a), self.ltl.shape(b)) {
            // X c & X d = X (c & d)
            (Shape::Next(c), Shape::Next(d)) => {
                let joined = self.join(both, vec![c, d]);
                self.next(joined)
            }
            // (c U e) & (d U e) = (c & d) U e
            (Shape::Until(c, e), Shape::Until(d, f)) if both && e == f => {
                let first = self.join(both, vec![c, d]);
                self.wait(true, first, e)
            }
            (Shape::Release(c, e), Shape::Release(d, f)) if !both && e == f => {
                let first = self.join(both, vec![c, d]);
                self.wait(false, first, e)
            }
            // (c R e) & (c R f) = c R (e & f). Where c is false, eventual formulas stay by themselves.
            (Shape::Release(c, e), Shape::Release(d, f)) if both && c == d => {
                if c == never && (self.is_eventual(both, e) || self.is_eventual(both, f)) {
                    return None;
                }
                let second = self.join(both, vec![e, f]);
                self.wait(false, c, second)
            }
            (Shape::Until(c, e), Shape::Until(d, f)) if !both && c == d => {
                if c == never && (self.is_eventual(both, e) || self.is_eventual(both, f)) {
                    return None;
                }
                let second = self.join(both, vec![e, f]);
                self.wait(true, c, second)
            }
            // F G c & F G d = F G (c & d)
            _ => {
                let c = self.inner(both, forever, a).and_then(|c| self.inner(!both, never, c))?;
                let d = self.inner(both, forever, b).and_then(|d| self.inner(!both, never, d))?;
                let joined = self.join(both, vec![c, d]);
                let inner = self.wait(!both, never, joined);
                self.wait(both, forever, inner)
            }
        };
        Some(united)
    }

    /// What is after an until whose first operand is this, or a release.
    fn inner(&self, until: bool, first: Formula, formula: Formula) -> Option<Formula> {
        match self.ltl.shape(formula) {
            Shape::Until(a, b) if until && a == first => Some(b),
            Shape::Release(a, b) if !until && a == first => Some(b),
            _ => None,
        }
    }

    /// In the next state.
    fn next(&mut self, a: Formula) -> Formula {
        if self.is_lasting(a) {
            return a;
        }
        for both in [true, false] {
            let operands = self.operands(both, a);
            let (mut lasting, rest): (Vec<_>, Vec<_>) =
                operands.into_iter().partition(|&operand| self.is_lasting(operand));
            if !lasting.is_empty() {
                let rest = self.join(both, rest);
                lasting.push(self.next(rest));
                return self.join(both, lasting);
            }
        }
        self.ltl.number(Shape::Next(a))
    }

    /// Until, or release.
    fn wait(&mut self, until: bool, a: Formula, b: Formula) -> Formula {
        let (forever, never) = self.ltl.constants(until);
        // a U e = e; if b follows from a: a U b = b
        if a == never || self.is_eventual(until, b) || self.implies(until, a, b) {
            return b;
        }
        // If b follows from a, and e is eventual: a U (b & e) = b & e
        let (_, rest): (Vec<_>, Vec<_>) = self
            .operands(until, b)
            .into_iter()
            .partition(|&operand| self.is_eventual(until, operand));
        if rest.iter().all(|&operand| self.implies(until, a, operand)) {
            return b;
        }
        // If b follows from !a: a U b = F b
        let not_a = self.ltl.not(a);
        if a != forever && self.implies(until, not_a, b) {
            return self.wait(until, forever, b);
        }
        // If e follows from b: e U b = F b
        if a != forever && self.is_eventual(until, a) && self.implies(until, b, a) {
            return self.wait(until, forever, b);
        }
        if self.may_choose
            && let Some(choice) = self.choice(until, a, b)
        {
            return choice;
        }
        // If u follows from b: u U b = u & F b, where what follows from u need not be asked for again
        if a != forever && self.is_eventual(!until, a) && self.implies(until, b, a) {
            let operands = self.operands(until, b);
            let rest = operands.into_iter().filter(|&part| !self.implies(until, a, part)).collect();
            let rest = self.join(until, rest);
            let later = self.wait(until, forever, rest);
            return self.join(until, vec![a, later]);
        }
        if let Some(moved) = self.moved_out(until, a, b) {
            return moved;
        }
        match (self.ltl.shape(a), self.ltl.shape(b)) {
            (Shape::Next(a), Shape::Next(b)) => {
                let wait = self.wait(until, a, b);
                return self.next(wait);
            }
            (_, Shape::Next(b)) if a == forever => {
                let wait = self.wait(until, a, b);
                return self.next(wait);
            }
            (_, Shape::Until(c, d)) if until => {
                if let Some(short) = self.nested(until, a, b, c, d) {
                    return short;
                }
            }
            (_, Shape::Release(c, d)) if !until => {
                if let Some(short) = self.nested(until, a, b, c, d) {
                    return short;
                }
            }
            _ => {}
        }
        // If d follows from b: (c U d) U b = (c | d) U b
        let first = match self.ltl.shape(a) {
            Shape::Until(c, d) if until => Some((c, d)),
            Shape::Release(c, d) if !until => Some((c, d)),
            _ => None,
        };
        if let Some((c, d)) = first.filter(|&(_, d)| self.implies(until, b, d)) {
            let either = self.join(!until, vec![c, d]);
            return self.wait(until, either, b);
        }
        let shape = if until { Shape::Until(a, b) } else { Shape::Release(a, b) };
        self.ltl.number(shape)
    }

    /// `a U (c U d)`, which is `b`, if one of the firsts follows from the other.
    fn nested(
        &mut self,
        until: bool,
        a: Formula,
        b: Formula,
        c: Formula,
        d: Formula,
    ) -> Option<Formula> {
        if self.implies(until, a, c) {
            Some(b)
        } else if self.implies(until, c, a) {
            Some(self.wait(until, a, d))
        } else {
            None
        }
    }

    /// A disjunction or conjunction in place of an until.
    fn choice(&mut self, until: bool, a: Formula, b: Formula) -> Option<Formula> {
        let (forever, never) = self.ltl.constants(until);
        // u U b = b | (u & F b)
        if a != forever {
            if !self.is_eventual(!until, a) {
                return None;
            }
            let later = self.wait(until, forever, b);
            let both = self.join(until, vec![a, later]);
            return Some(self.join(!until, vec![b, both]));
        }
        // F (b | u) = F b | F u
        let (mut out, rest): (Vec<_>, Vec<_>) = self
            .operands(!until, b)
            .into_iter()
            .partition(|&operand| self.is_eventual(!until, operand));
        if !out.is_empty() && !rest.is_empty() {
            out = out.into_iter().map(|operand| self.wait(until, a, operand)).collect();
            let rest = self.join(!until, rest);
            out.push(self.wait(until, a, rest));
            return Some(self.join(!until, out));
        }
        // F (c R d) = F (c & d) | F G d
        let (c, d) = match self.ltl.shape(b) {
            Shape::Release(c, d) if until && c != never => (c, d),
            Shape::Until(c, d) if !until && c != never => (c, d),
            _ => return None,
        };
        let once = self.join(until, vec![c, d]);
        let once = self.wait(until, forever, once);
        let last = self.wait(!until, never, d);
        let last = self.wait(until, forever, last);
        Some(self.join(!until, vec![once, last]))
    }

    /// What need not be waited for, or is the same whenever it is asked for, moved out of an until.
    fn moved_out(&mut self, until: bool, a: Formula, b: Formula) -> Option<Formula> {
        let (forever, never) = self.ltl.constants(until);
        // a U (b | e) = (a U b) | e
        let (mut out, rest): (Vec<_>, Vec<_>) = self
            .operands(!until, b)
            .into_iter()
            .partition(|&operand| self.is_eventual(until, operand));
        if !out.is_empty() && !rest.is_empty() {
            let rest = self.join(!until, rest);
            out.push(self.wait(until, a, rest));
            return Some(self.join(!until, out));
        }
        // a U (b & q) = (a U b) & q
        let (mut out, rest): (Vec<_>, Vec<_>) =
            self.operands(until, b).into_iter().partition(|&operand| self.is_lasting(operand));
        if !out.is_empty() {
            let rest = self.join(until, rest);
            out.push(self.wait(until, a, rest));
            return Some(self.join(until, out));
        }
        // (a & q) U b = b | (q & (a U b)); (a | q) U b = (a U b) | (q & F b)
        for both in [until, !until] {
            let (mut out, rest): (Vec<_>, Vec<_>) =
                self.operands(both, a).into_iter().partition(|&operand| self.is_lasting(operand));
            if out.is_empty() || a == forever {
                continue;
            }
            let rest = self.join(both, rest);
            let wait = self.wait(until, rest, b);
            let other = if both == until {
                out.push(wait);
                b
            } else {
                let lasting = self.join(both, out);
                out = vec![lasting, self.wait(until, forever, b)];
                wait
            };
            let out = self.join(until, out);
            return Some(self.join(!until, vec![other, out]));
        }
        if a != forever {
            return None;
        }
        if let Some(moved) = self.moved_out_of_both(until, b) {
            return Some(moved);
        }
        // G (c U d) = G (c | d) & G F d; the opposite would add a choice
        if !until
            && let Shape::Until(c, d) = self.ltl.shape(b)
            && c != never
        {
            let each = self.join(false, vec![c, d]);
            let each = self.wait(false, forever, each);
            let again = self.wait(true, never, d);
            let again = self.wait(false, forever, again);
            return Some(self.join(true, vec![each, again]));
        }
        self.without_next(until, b)
    }

    /// F G (b | e) = F G b | G e; F G (b | u) = F G b | F u, given what is after F.
    fn moved_out_of_both(&mut self, until: bool, b: Formula) -> Option<Formula> {
        let (forever, never) = self.ltl.constants(until);
        let inner = self.inner(!until, never, b)?;
        let (out, rest): (Vec<_>, Vec<_>) =
            self.operands(!until, inner).into_iter().partition(|&operand| {
                self.is_eventual(until, operand) || self.is_eventual(!until, operand)
            });
        if out.is_empty() {
            return None;
        }
        let mut all = Vec::new();
        for operand in out {
            let lasting = match self.is_eventual(until, operand) {
                true => self.wait(!until, never, operand),
                false => self.wait(until, forever, operand),
            };
            all.push(lasting);
        }
        let rest = self.join(!until, rest);
        let rest = self.wait(!until, never, rest);
        all.push(self.wait(until, forever, rest));
        Some(self.join(!until, all))
    }

    /// F G (c & X d) = F G (c & d), given what is after F; nothing if there is no such X.
    fn without_next(&mut self, until: bool, b: Formula) -> Option<Formula> {
        let (forever, never) = self.ltl.constants(until);
        let inner = self.inner(!until, never, b)?;
        let operands = self.operands(until, inner);
        let strip = |&operand: &Formula| match self.ltl.shape(operand) {
            Shape::Next(a) => a,
            _ => operand,
        };
        let stripped: Vec<Formula> = operands.iter().map(strip).collect();
        if stripped == operands {
            return None;
        }
        let joined = self.join(until, stripped);
        let inner = self.wait(!until, never, joined);
        Some(self.wait(until, forever, inner))
    }
}
