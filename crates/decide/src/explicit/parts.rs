//! Statements that the parts of a state decide, each by itself.
//!
//! A state consists of parts that share no pid, and few different parts make up many states. Whether some token
//! satisfies a statement about its own data, and about the thread it belongs to, is seen in the part that it is
//! in; so it is worked out once for each part. What looks at several tokens at once, counts, or could fault
//! is not of this kind.

use fold::Working;
use net::{BinaryOp, Expr, Formula, Look, Net, Quantifier, Subject, UnaryOp, Var};
use survey::Reader;

/// A set of leaves, as bits.
type LeafSet = u64;

/// Whether a connection of leaves holds, given those that were found.
pub(super) type Local = Box<dyn Fn(LeafSet) -> bool>;

/// What is looked for in parts, and where it was found.
#[derive(Default)]
pub(super) struct Parts {
    /// That some token satisfies something, or fails to.
    leaves: Vec<Formula>,
    /// By the number of a part: what was found there, if it was looked at.
    found: Vec<Option<LeafSet>>,
    numbers: Vec<u32>,
}

impl Parts {
    /// What a formula says, if parts decide it.
    pub(super) fn local(&mut self, formula: &Formula) -> Option<Local> {
        Some(match formula {
            Formula::Not(a) => {
                let a = self.local(a)?;
                Box::new(move |found| !a(found))
            }
            Formula::Binary(op, a, b) => {
                let (a, b) = (self.local(a)?, self.local(b)?);
                match op {
                    BinaryOp::And => Box::new(move |found| a(found) && b(found)),
                    BinaryOp::Implies => Box::new(move |found| !a(found) || b(found)),
                    _ => Box::new(move |found| a(found) || b(found)),
                }
            }
            Formula::Quantified { quantifier, thread, subject, body } => {
                let bound: Vec<Var> = match subject {
                    Subject::At(_) => thread.iter().copied().collect(),
                    Subject::In(_, vars) => vars.iter().flatten().copied().collect(),
                    Subject::Entering(_) => return None,
                };
                if self.leaves.len() as u32 == LeafSet::BITS || !is_local(body, &bound) {
                    return None;
                }
                let exists = *quantifier == Quantifier::Exists;
                let body = match exists {
                    true => body.clone(),
                    false => Box::new(Formula::Not(body.clone())),
                };
                self.leaves.push(Formula::Quantified {
                    quantifier: Quantifier::Exists,
                    thread: *thread,
                    subject: subject.clone(),
                    body,
                });
                let leaf = self.leaves.len() - 1;
                Box::new(move |found| (found >> leaf & 1 == 1) == exists)
            }
            _ => return None,
        })
    }

    /// What is found in a state; `None` if the reader knows no parts.
    pub(super) fn found(
        &mut self,
        net: &Net,
        bytes: &[u8],
        reader: &mut dyn Reader,
        values: &mut [i64],
    ) -> Option<LeafSet> {
        let mut numbers = std::mem::take(&mut self.numbers);
        let has_parts = reader.families(bytes, &mut numbers);
        let mut all = 0;
        if has_parts {
            for &number in &numbers {
                all |= self.found_in(net, number, reader, values);
            }
        }
        self.numbers = numbers;
        has_parts.then_some(all)
    }

    fn found_in(
        &mut self,
        net: &Net,
        number: u32,
        reader: &mut dyn Reader,
        values: &mut [i64],
    ) -> LeafSet {
        let at = number as usize;
        if at >= self.found.len() {
            self.found.resize(at + 1, None);
        }
        if let Some(found) = self.found[at] {
            return found;
        }
        let part: Working = reader.family(number);
        let look = Look { net, working: &part, enabled: &|_| false };
        let mut found = 0;
        for (leaf, formula) in self.leaves.iter().enumerate() {
            let holds = look.holds(formula, values).expect("what could fault is not local");
            found |= LeafSet::from(holds) << leaf;
        }
        self.found[at] = Some(found);
        found
    }
}

/// Whether a formula is about the bound variables alone, of which all are in one token, and cannot fault.
fn is_local(formula: &Formula, bound: &[Var]) -> bool {
    match formula {
        Formula::Term(term) => is_local_term(term, bound),
        Formula::Not(a) => is_local(a, bound),
        Formula::Binary(_, a, b) => is_local(a, bound) && is_local(b, bound),
        _ => false,
    }
}

fn is_local_term(term: &Expr, bound: &[Var]) -> bool {
    match term {
        Expr::Literal(_) => true,
        Expr::Var(var) | Expr::Field(var, ..) | Expr::At(var, _) | Expr::Ended(var) => {
            bound.contains(var)
        }
        Expr::Unary(op, a) => *op == UnaryOp::Not && is_local_term(a, bound),
        Expr::Binary(op, a, b) => {
            use BinaryOp::{Add, Divide, Multiply, Remainder, Subtract};
            let can_fault = matches!(op, Add | Subtract | Multiply | Divide | Remainder);
            !can_fault && is_local_term(a, bound) && is_local_term(b, bound)
        }
        _ => false,
    }
}
