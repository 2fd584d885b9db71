//! The state equation of an unfolded net.
//!
//! A marking `M` that is reached from `M₀` by firing each transition `t` as often as `x(t)` says satisfies
//! `M = M₀ + C·x`, where `C` has the changes, with `M ≥ 0` and `x ≥ 0` (Murata 1977). The converse does not hold,
//! so what has no solution is not reachable, and what has one may be.
//!
//! Transitions with the same change are one column. The places may be taken together in groups, whose tokens
//! are counted together: all unfolded places of a coloured one are a group in [`StateEquation::in_groups`].
//! That equation is small whatever the size of the classes, and loses nothing where colours only
//! travel; [`StateEquation::of`] has each place by itself, and knows traps and causes.
//!
//! Variables of the equation: the firings of each column, then the change of each group, then sums of these.

use std::collections::HashMap;

use unfold::UnfoldedNet;

use crate::certificate::Grounds;
use crate::incidence::Incidence;
use crate::simplex::{Halt, Simplex};
use crate::trap::is_trap;

/// The places, columns and arcs of an equation, at most.
const MOST: usize = 400_000;

/// The state equation of a net, and the traps that were found.
#[derive(Clone, Debug)]
pub struct StateEquation<'n> {
    pub(crate) net: &'n UnfoldedNet,
    pub(crate) incidence: Incidence,
    /// The transitions of each column.
    pub(crate) columns: Vec<Vec<u32>>,
    /// The column of each transition; of one without effect none.
    pub(crate) column_of: Vec<Option<u32>>,
    pub(crate) group_of: Vec<u32>,
    /// The number of places in each group.
    pub(crate) sizes: Vec<u32>,
    /// The tokens of each group at first.
    pub(crate) initial: Vec<i64>,
    /// The groups of each place of the symmetric net.
    pub(crate) coloured: Vec<Vec<u32>>,
    pub(crate) grounds: Grounds,
    pub(crate) simplex: Simplex,
    pub(crate) traps: Vec<Vec<u32>>,
}

impl<'n> StateEquation<'n> {
    /// The equation with each place by itself.
    ///
    /// # Errors
    ///
    /// If it is too large.
    pub fn of(net: &'n UnfoldedNet) -> Result<Self, Halt> {
        Self::new(net, (0..net.places.len() as u32).collect())
    }

    /// The equation in which unfolded places of the same place are one group.
    ///
    /// # Errors
    ///
    /// If it is too large.
    pub fn in_groups(net: &'n UnfoldedNet) -> Result<Self, Halt> {
        let mut numbers = HashMap::new();
        let groups = net.places.iter().map(|place| {
            let next = numbers.len() as u32;
            *numbers.entry(place.place.0).or_insert(next)
        });
        Self::new(net, groups.collect())
    }

    fn new(net: &'n UnfoldedNet, group_of: Vec<u32>) -> Result<Self, Halt> {
        let count = group_of.iter().max().map_or(0, |most| *most as usize + 1);
        let mut sizes = vec![0_u32; count];
        let mut initial = vec![0_i64; count];
        let mut coloured = vec![Vec::new(); net.fixed.len()];
        for (place, group) in net.places.iter().zip(&group_of) {
            sizes[*group as usize] += 1;
            initial[*group as usize] += i64::from(place.initial);
            let groups: &mut Vec<u32> = &mut coloured[place.place.0 as usize];
            if groups.last() != Some(group) && !groups.contains(group) {
                groups.push(*group);
            }
        }
        let is_whole = sizes.iter().all(|size| *size == 1);
        let incidence = if is_whole { Incidence::of(net) } else { Incidence::default() };
        let (columns, column_of, effects) = columns(net, &group_of);
        let arcs: usize = effects.iter().map(Vec::len).sum();
        if arcs + columns.len() + count > MOST {
            return Err(Halt::TooLarge);
        }
        let (grounds, simplex) = tableau(&effects, &initial)?;
        let traps = Vec::new();
        Ok(StateEquation {
            net,
            incidence,
            columns,
            column_of,
            group_of,
            sizes,
            initial,
            coloured,
            grounds,
            simplex,
            traps,
        })
    }

    /// The column of each transition; of one without effect none.
    #[must_use]
    pub fn column_of(&self) -> &[Option<u32>] {
        &self.column_of
    }

    /// The traps that were found to be needed. Each is marked at first, and so for ever.
    #[must_use]
    pub fn traps(&self) -> &[Vec<u32>] {
        &self.traps
    }

    /// Whether each place is a group by itself.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.sizes.len() == self.net.places.len()
    }

    /// The variable of a group.
    pub(crate) fn of_group(&self, group: u32) -> u32 {
        self.columns.len() as u32 + group
    }

    /// Adds that a trap stays marked; whether it is a trap is looked at again.
    pub(crate) fn keep_trap(&mut self, trap: Vec<u32>) -> Result<(), Halt> {
        let terms: Vec<(u32, i64)> =
            trap.iter().map(|place| (self.of_group(self.group_of[*place as usize]), 1)).collect();
        let (definition, least) = self.trap_row(&trap, &terms)?;
        let variable = self.simplex.defined(&terms)?;
        self.grounds.define(definition, Some(least));
        self.simplex.ground(variable, false, least)?;
        self.traps.push(trap);
        Ok(())
    }

    /// The tokens of a trap in terms of firings, and their least change.
    ///
    /// # Errors
    ///
    /// If it is not a trap, or not marked at first.
    pub(crate) fn trap_row(
        &self,
        trap: &[u32],
        terms: &[(u32, i64)],
    ) -> Result<(Vec<(u32, i64)>, i64), Halt> {
        let marked: i64 =
            trap.iter().map(|place| i64::from(self.net.places[*place as usize].initial)).sum();
        if marked < 1 || !self.is_whole() || !is_trap(self.net, trap) {
            return Err(Halt::Uncertified);
        }
        Ok((sum_of(&self.grounds, terms)?, 1 - marked))
    }
}

/// A sum of variables in terms of firings.
pub(crate) fn sum_of(grounds: &Grounds, terms: &[(u32, i64)]) -> Result<Vec<(u32, i64)>, Halt> {
    let mut sum: HashMap<u32, i64> = HashMap::new();
    for &(variable, factor) in terms {
        for &(column, change) in grounds.definition(variable) {
            let entry = sum.entry(column).or_default();
            let more = change.checked_mul(factor).ok_or(Halt::Overflow)?;
            *entry = entry.checked_add(more).ok_or(Halt::Overflow)?;
        }
    }
    let mut sum: Vec<(u32, i64)> = sum.into_iter().filter(|(_, factor)| *factor != 0).collect();
    sum.sort_unstable();
    Ok(sum)
}

/// What firing a transition does to groups, by ascending group.
type Effect = Vec<(u32, i64)>;

/// Transitions by their effects.
fn columns(net: &UnfoldedNet, group_of: &[u32]) -> (Vec<Vec<u32>>, Vec<Option<u32>>, Vec<Effect>) {
    let mut numbers: HashMap<Effect, u32> = HashMap::new();
    let mut columns: Vec<Vec<u32>> = Vec::new();
    let mut column_of = vec![None; net.transitions.len()];
    for (t, transition) in (0_u32..).zip(&net.transitions) {
        let arcs = transition.arcs.iter().filter(|arc| arc.change != 0);
        let mut changes: Effect =
            arcs.map(|arc| (group_of[arc.place as usize], i64::from(arc.change))).collect();
        changes.sort_unstable();
        let mut effect: Effect = Vec::with_capacity(changes.len());
        for (group, change) in changes {
            match effect.last_mut() {
                Some(last) if last.0 == group => last.1 += change,
                _ => effect.push((group, change)),
            }
        }
        effect.retain(|(_, change)| *change != 0);
        if effect.is_empty() {
            continue;
        }
        let next = columns.len() as u32;
        let column = *numbers.entry(effect).or_insert(next);
        if column == next {
            columns.push(Vec::new());
        }
        columns[column as usize].push(t);
        column_of[t as usize] = Some(column);
    }
    let mut effects = vec![Vec::new(); columns.len()];
    numbers.into_iter().for_each(|(effect, column)| effects[column as usize] = effect);
    (columns, column_of, effects)
}

/// The equation: nothing fires a negative number of times, and no group has fewer tokens than none.
fn tableau(effects: &[Effect], initial: &[i64]) -> Result<(Grounds, Simplex), Halt> {
    let (mut grounds, mut simplex) = (Grounds::default(), Simplex::default());
    let mut rows: Vec<Vec<(u32, i64)>> = vec![Vec::new(); initial.len()];
    for (column, effect) in (0_u32..).zip(effects) {
        let variable = simplex.variable();
        simplex.ground(variable, false, 0)?;
        grounds.define(vec![(column, 1)], Some(0));
        effect.iter().for_each(|(group, change)| rows[*group as usize].push((column, *change)));
    }
    for (row, tokens) in rows.into_iter().zip(initial) {
        let variable = simplex.defined(&row)?;
        simplex.ground(variable, false, -tokens)?;
        grounds.define(row, Some(-tokens));
    }
    Ok((grounds, simplex))
}
