//! Blocks put together: the same ones are counted, and one for each member of a class is `all`.
//!
//! Tools write `all` as the sum of all members as often as not. As one block it can be subtracted from
//! without telling members apart, and classes stay as symmetric as they are. Linear in the blocks, for each
//! column, and again as long as that makes fewer of them.

use std::collections::HashMap;

use net::{Expr, Literal};

use super::Step;
use super::classes::Domain;
use super::sum::{Block, Slot, Sum};
use super::terms::Terms;
use diagnostics::Span;

impl Terms<'_, '_, '_> {
    /// The same multiset in fewer blocks; the first of those that become one keeps its place.
    pub(super) fn gathered(&mut self, sum: Sum, span: Span) -> Step<Sum> {
        let Sum { columns, mut blocks } = sum;
        let mut before = usize::MAX;
        while blocks.len() > 1 && blocks.len() < before {
            before = blocks.len();
            blocks = counted(blocks).ok_or_else(|| self.too_many(span))?;
            for (column, domain) in columns.iter().enumerate() {
                if let Domain::Class(id) = domain {
                    let all = with_all(blocks, column, self.classes.size(*id));
                    // What has become `all` may be there already.
                    blocks = counted(all).ok_or_else(|| self.too_many(span))?;
                }
            }
        }
        Ok(Sum { columns, blocks })
    }
}

/// The blocks without doubles; none if one then holds more tokens than can be counted.
fn counted(blocks: Vec<Block>) -> Option<Vec<Block>> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut list: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let key = format!("{:?} {:?}", block.slots, block.conditions);
        match seen.get(&key) {
            Some(first) => list[*first].count = list[*first].count.checked_add(block.count)?,
            None => {
                seen.insert(key, list.len());
                list.push(block);
            }
        }
    }
    Some(list)
}

/// The blocks, in which those that differ by the member in this column alone are one if they are there
/// for every member of its class. No two blocks are the same.
fn with_all(mut blocks: Vec<Block>, column: usize, size: u64) -> Vec<Block> {
    if size < 2 || (blocks.len() as u64) < size {
        return blocks;
    }
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, block) in blocks.iter_mut().enumerate() {
        if !matches!(block.slots[column], Slot::Value(Expr::Literal(Literal::Enum(..)))) {
            continue;
        }
        let member = std::mem::replace(&mut block.slots[column], Slot::Each);
        let key = format!("{} {:?} {:?}", block.count, block.slots, block.conditions);
        block.slots[column] = member;
        alike.entry(key).or_default().push(number);
    }
    // As many as the class has members are all of them.
    let mut is_left = vec![true; blocks.len()];
    for group in alike.into_values().filter(|group| group.len() as u64 == size) {
        blocks[group[0]].slots[column] = Slot::Each;
        group[1..].iter().for_each(|number| is_left[*number] = false);
    }
    let mut is_left = is_left.into_iter();
    blocks.retain(|_| is_left.next().unwrap_or(true));
    blocks
}
