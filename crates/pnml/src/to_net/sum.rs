//! Multisets as sums of blocks.
//!
//! A block is a token as often as its count says; or, where some of its columns go through all members of
//! their classes, such a token for each choice of members that meets the block's conditions. Every multiset
//! that a term can denote is a sum of blocks, for any values of its variables: elements and `all` are
//! blocks, a tuple of sums is the sum of the tuples, and blocks can be subtracted from one another
//! ([`super::subtract`]), since whether a token is in a block is a condition ([`Block::contains`]).

use net::{Expr, Var};

use super::classes::{Classes, Columns, Domain};
use super::logic::{all_of, conjuncts, equal, known, not, size, substitute};

/// The variable of a block that goes through the members in the column with this number is [`each`] of
/// it; those declared in the document have lower numbers.
pub(super) const EACH: u32 = 1 << 31;
/// Doubles are looked for among at most this many conditions.
const FEW: usize = 64;

pub(super) fn each(column: usize) -> Var {
    Var(EACH + u32::try_from(column).expect("columns are limited"))
}

/// The column that a variable goes through.
pub(super) fn column_of(var: Var) -> Option<usize> {
    var.0.checked_sub(EACH).map(|column| column as usize)
}

/// What a block has in a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Slot {
    Value(Expr),
    /// All members of the class of the column: the variable [`each`].
    Each,
    /// The part that an element of a divided class is in.
    PartOf(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) count: u64,
    pub(super) slots: Vec<Slot>,
    /// What must hold of the members gone through and of the variables, all of it. No literals.
    pub(super) conditions: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub(super) columns: Columns,
    pub(super) blocks: Vec<Block>,
}

impl Slot {
    /// What stands in this column, as an expression.
    pub(super) fn expr(&self, column: usize) -> Expr {
        match self {
            Slot::Value(expr) | Slot::PartOf(expr) => expr.clone(),
            Slot::Each => Expr::Var(each(column)),
        }
    }
}

impl Block {
    pub(super) fn new(slots: Vec<Slot>) -> Block {
        Block { count: 1, slots, conditions: Vec::new() }
    }

    /// Whether it goes through members.
    pub(super) fn is_wide(&self) -> bool {
        self.slots.contains(&Slot::Each)
    }

    /// How many choices of members it goes through, conditions aside; none if they cannot be counted.
    pub(super) fn choices(&self, columns: &Columns, classes: &Classes<'_, '_>) -> Option<u64> {
        let mut slots = self.slots.iter().zip(columns.iter());
        slots.try_fold(1_u64, |choices, slot| match slot {
            (Slot::Each, Domain::Class(id)) => choices.checked_mul(classes.size(*id)),
            _ => Some(choices),
        })
    }

    /// The block with a further condition; nothing if that never holds.
    pub(super) fn given(mut self, condition: Expr) -> Option<Block> {
        if known(&condition) == Some(false) {
            return None;
        }
        for conjunct in conjuncts(condition) {
            if self.conditions.len() > FEW || !self.conditions.contains(&conjunct) {
                self.conditions.push(conjunct);
            }
        }
        self.without_choices()
    }

    /// Where a condition leaves one choice of a member, that member is written.
    fn without_choices(mut self) -> Option<Block> {
        loop {
            let found = self.conditions.iter().find_map(|condition| {
                let Expr::Binary(net::BinaryOp::Equal, a, b) = condition else { return None };
                [(a, b), (b, a)].into_iter().find_map(|(member, other)| match **member {
                    Expr::Var(var) => {
                        let column = column_of(var)?;
                        is_known_without_choices(other).then(|| (column, (**other).clone()))
                    }
                    _ => None,
                })
            });
            let Some((column, member)) = found else { return Some(self) };
            let replaced = |var| (var == each(column)).then(|| member.clone());
            let conditions = self.conditions.iter().map(|c| substitute(c, &replaced));
            let conditions = all_of(conditions.collect::<Vec<_>>());
            if known(&conditions) == Some(false) {
                return None;
            }
            self.conditions = conjuncts(conditions);
            self.slots[column] = Slot::Value(member);
        }
    }

    /// Whether a token of another block, with what that goes through, is one of this block's.
    pub(super) fn contains(&self, token: &Block) -> Expr {
        let column = |(column, (own, other)): (usize, (&Slot, &Slot))| match own {
            Slot::Each => None,
            own => Some(equal(other.expr(column), own.expr(column))),
        };
        let slots = self.slots.iter().zip(&token.slots).enumerate();
        let replaced = |var| column_of(var).map(|column| token.slots[column].expr(column));
        let conditions = self.conditions.iter().map(|c| substitute(c, &replaced));
        all_of(slots.filter_map(column).chain(conditions).collect::<Vec<_>>())
    }

    /// Beside another block, in the columns after it.
    fn beside(&self, mut left: Block) -> Option<Block> {
        let width = left.slots.len();
        left.count = left.count.checked_mul(self.count)?;
        left.slots.extend(self.slots.iter().cloned());
        let moved = |var| column_of(var).map(|column| Expr::Var(each(width + column)));
        left.conditions.extend(self.conditions.iter().map(|c| substitute(c, &moved)));
        Some(left)
    }

    pub(super) fn size(&self) -> usize {
        let slot = |slot: &Slot| match slot {
            Slot::Value(expr) | Slot::PartOf(expr) => size(expr),
            _ => 1,
        };
        self.slots.iter().map(slot).sum::<usize>()
            + self.conditions.iter().map(size).sum::<usize>()
            + 1
    }
}

fn is_known_without_choices(expr: &Expr) -> bool {
    let mut known = true;
    expr.variables(&mut |var| known &= column_of(var).is_none());
    known
}

impl Sum {
    pub(super) fn of(columns: Columns, slots: Vec<Slot>) -> Sum {
        Sum { columns, blocks: vec![Block::new(slots)] }
    }

    /// The one element that the multiset consists of, if it is that of a term that denotes an element.
    pub(super) fn element(&self) -> Option<&Block> {
        match &self.blocks[..] {
            [block] if block.count == 1 && block.conditions.is_empty() && !block.is_wide() => {
                Some(block)
            }
            _ => None,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.blocks.iter().map(Block::size).sum()
    }

    /// The multiset this many times, unless that is more than can be counted.
    pub(super) fn times(mut self, count: u64) -> Option<Sum> {
        if count == 0 {
            self.blocks.clear();
        }
        for block in &mut self.blocks {
            block.count = block.count.checked_mul(count)?;
        }
        Some(self)
    }

    /// The tuples of two multisets, unless there are more than can be counted.
    pub(super) fn beside(self, right: &Sum) -> Option<Sum> {
        let mut blocks = Vec::with_capacity(self.blocks.len() * right.blocks.len());
        for left in self.blocks {
            for right in &right.blocks {
                blocks.push(right.beside(left.clone())?);
            }
        }
        let columns = self.columns.iter().chain(right.columns.iter()).copied().collect();
        Some(Sum { columns, blocks })
    }
}

/// A token that is there only if something holds: the block with a column that goes through members, of
/// which the condition leaves the one that was there.
pub(super) fn widened(mut block: Block, column: usize) -> Block {
    let member = block.slots[column].expr(column);
    block.slots[column] = Slot::Each;
    let is_it = Expr::binary(net::BinaryOp::Equal, Expr::Var(each(column)), member);
    block.conditions.insert(0, is_it);
    block
}

/// The blocks of a difference of two blocks; and what is left of the second to be subtracted from others,
/// if that is `asked`. Both hold each of their tokens as often as their count says, and no token twice.
pub(super) fn difference(a: Block, b: Block, asked: bool) -> (Vec<Block>, Vec<Block>) {
    let of_a = b.contains(&a);
    if known(&of_a) == Some(false) {
        return (vec![a], vec![b]);
    }
    let parts = |block: Block, inside: Expr, other: u64| {
        let rest = match block.count.saturating_sub(other) {
            0 => None,
            count => Block { count, ..block.clone() }.given(inside.clone()),
        };
        block.given(not(inside)).into_iter().chain(rest).collect()
    };
    let counts = (a.count, b.count);
    let left = if asked {
        let of_b = a.contains(&b);
        parts(b, of_b, counts.0)
    } else {
        Vec::new()
    };
    (parts(a, of_a, counts.1), left)
}
