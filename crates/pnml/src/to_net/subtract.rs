//! Subtraction of multisets, exactly.
//!
//! What is subtracted more often than it is there leaves nothing: `x - y` is `x` unless the two are the
//! same element. So blocks are subtracted one by one, in any order; of each, the tokens that a block of
//! the first multiset has not got go on to the next. Every case of which variables are equal is kept
//! apart by conditions, so the result is right for all values of them. Where terms cancel as they are
//! written, or cannot meet, nothing is split. The number of cases can grow with each block, and is limited.

use super::Step;
use super::sum::{Block, Sum, difference};
use super::terms::Terms;
use diagnostics::Span;

impl<'d> Terms<'_, '_, 'd> {
    /// The first multiset without the second; both have the same columns.
    pub(super) fn without(&mut self, mut from: Sum, what: Sum, span: Span) -> Step<Sum> {
        for block in what.blocks {
            from.blocks = self.subtract_block(from.blocks, block, false, span)?.0;
        }
        Ok(from)
    }

    /// What is left of the blocks, and, if that is `asked`, of the one that is subtracted.
    fn subtract_block(
        &mut self,
        from: Vec<Block>,
        what: Block,
        asked: bool,
        span: Span,
    ) -> Step<(Vec<Block>, Vec<Block>)> {
        let mut result = Vec::with_capacity(from.len());
        let mut rest = vec![what];
        let last = from.len().saturating_sub(1);
        for (index, block) in from.into_iter().enumerate() {
            let asked = asked || index < last;
            let mut parts = vec![block];
            let mut next = Vec::new();
            for what in rest {
                let (left, more) = match parts.len() {
                    1 => {
                        let block = parts.remove(0);
                        let both = if asked { block.size() } else { block.slots.len() };
                        self.spend(both + what.size(), span)?;
                        difference(block, what, asked)
                    }
                    _ => self.subtract_block(parts, what, asked, span)?,
                };
                parts = left;
                next.extend(more);
            }
            result.extend(parts);
            rest = next;
        }
        Ok((result, rest))
    }
}
