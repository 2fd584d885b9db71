//! Reading the tokens of small states.

use super::super::has_plain_size;
use super::{LABEL_AT, LABELS, MOST, PID_AT, Repeated, Small};
use crate::Working;
use crate::labels::Plan;

/// How many plain states are counted before they are read after one that was not plain.
const COUNTED_AFTER: u32 = 64;

/// What the tokens of a place hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pid,
    PidAndDatum,
    Pids,
    PidsAndDatum,
    /// What small states do not have.
    Other,
}

/// How the tokens of a place are read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    place: u32,
    /// One more than the label of a token without data, or with data 0, where it is in a token.
    base: u32,
    kind: Kind,
    /// Whether it is the kind that most places have: it is asked for first.
    is_pid_and_datum: bool,
}

impl Reading {
    pub(super) fn of((place, plan): (u32, &Plan)) -> Reading {
        let kind = match (&*plan.pids, &*plan.data) {
            ([1], []) => Kind::Pid,
            ([1], [(2, _)]) => Kind::PidAndDatum,
            ([1, 2], []) => Kind::Pids,
            ([1, 2], [(3, _)]) => Kind::PidsAndDatum,
            _ => Kind::Other,
        };
        match plan.sum {
            Some(sum) if plan.last_label() < Some(LABELS) => {
                let label = sum.of(u32::from(plan.data.is_empty()));
                let is_pid_and_datum = kind == Kind::PidAndDatum;
                Reading { place, base: (label + 1) << LABEL_AT, kind, is_pid_and_datum }
            }
            _ => Reading { place, base: 0, kind: Kind::Other, is_pid_and_datum: false },
        }
    }
}

impl Small {
    /// Reads the tokens; `false` if the state is not small.
    #[inline(never)]
    pub(super) fn read(&mut self, working: &Working) -> bool {
        let Small { readings, own, singles, pairs, repeated, repeated_count, .. } = self;
        *repeated_count = 0;
        *own = [0; MOST];
        let (mut single_count, mut pair_count, mut words) = (0_usize, 0_usize, 0);
        let mut rest = readings.iter();
        for mut tokens in working.all_words() {
            let Some(reading) = rest.next() else { break };
            words += tokens.len();
            if tokens.is_empty() {
                continue;
            }
            let base = reading.base;
            macro_rules! each {
                ($stride:literal, $entry:ident, $take:expr) => {
                    while let Some(($entry, others)) = tokens.split_first_chunk::<$stride>() {
                        tokens = others;
                        if $entry[0] == 1 {
                            $take;
                        } else {
                            let Some(listed) = repeated.get_mut(*repeated_count) else {
                                return false;
                            };
                            *listed = Repeated::of(reading.place as usize, $entry);
                            *repeated_count += 1;
                        }
                    }
                };
            }
            // A token becomes its pid's own, and the one before is listed; if there was none, it is not counted. Lists
            // have room for what a small state has, in any order.
            macro_rules! single {
                ($pid:expr, $label:expr) => {{
                    let own = &mut own[$pid as usize % MOST];
                    let before = std::mem::replace(own, $pid << PID_AT | $label);
                    let Some(listed) = singles.get_mut(single_count) else {
                        return false;
                    };
                    *listed = before;
                    single_count += usize::from(before > 0);
                }};
            }
            macro_rules! pair {
                ($from:expr, $to:expr, $label:expr) => {{
                    let Some(listed) = pairs.get_mut(pair_count) else {
                        return false;
                    };
                    *listed = $from << PID_AT | $label | $to;
                    pair_count += 1;
                }};
            }
            let label = |datum: u32| base + (datum << LABEL_AT);
            if reading.is_pid_and_datum {
                each!(3, entry, single!(entry[1], label(entry[2])));
                continue;
            }
            match reading.kind {
                Kind::Pid => each!(2, entry, single!(entry[1], base)),
                Kind::PidsAndDatum => each!(4, entry, pair!(entry[1], entry[2], label(entry[3]))),
                Kind::Pids => each!(3, entry, pair!(entry[1], entry[2], base)),
                Kind::PidAndDatum | Kind::Other => return false,
            }
        }
        (self.single_count, self.pair_count) = (single_count, pair_count);
        let is_plain = has_plain_size(working.kinship.kin().len(), words);
        self.counts_first =
            if is_plain { self.counts_first.saturating_sub(1) } else { COUNTED_AFTER };
        is_plain && single_count + pair_count <= MOST
    }
}
