//! Which threads may move alone, in a state.
//!
//! Who *knows* an atom: a thread whose token has it; and whoever knows the atom in a keyed column of a token knows all
//! that the token has. If all who know an atom wait, nobody else can come to know it, and whatever is only found by it
//! stays as it is. So where a thread has to do with such a token, there are two ways to make sure that it is not
//! disturbed: with those who may ever do something to tokens of that place, or with those who know the atom. The fewer
//! are taken.
//!
//! What a thread cannot do now since a token or a partner is missing, or each token that there is has other contents than
//! a condition asks for, it cannot do as long as nobody brings that: only those who may need be asked (Valmari's
//! necessary enabling sets).

use fold::{NONE, Working};

use super::Stubborn;
use super::instance::{Instance, Known, Partner};
use super::touch::Touch;
use crate::fire::{Machine, matches};

/// Threads of a state, as bits.
type Set = u128;

/// Where a state is a part of one, the threads that are not in it.
const OUTSIDE: Set = 1 << (Set::BITS - 1);
/// How many others there may be.
const MOST: usize = Set::BITS as usize - 1;

/// A thread, and its token.
#[derive(Clone, Copy)]
struct Thread {
    pid: u32,
    place: usize,
    /// The token is this entry of the place.
    entry: usize,
}

/// Whom a thread needs beside it.
#[derive(Clone, Copy, Default)]
struct Needs {
    others: Set,
    /// Also what nobody takes part in.
    nobody: bool,
    /// Whether it may do something itself.
    may_act: bool,
    /// Whether some of that is sticky.
    is_sticky: bool,
}

/// The scratch memory of choosing.
#[derive(Clone, Default)]
pub(crate) struct Choice {
    threads: Vec<Thread>,
    /// Who knows each pid.
    knowers: Vec<Set>,
    needs: Vec<Needs>,
    sets: Vec<Set>,
    /// Whether a pid is one of those chosen.
    chosen: Vec<bool>,
}

impl Choice {
    /// Finds sets of threads that may move alone, the smallest first, and gives their number. None of them need be
    /// able to move.
    ///
    /// If `outside` is given, it is a family of a state and the rest, and these are the places where the threads of other
    /// families are. They know nothing of the family. What reaches farther than the family and the rest is not done by
    /// the sets.
    pub(crate) fn find(
        &mut self,
        stubborn: &Stubborn,
        working: &Working,
        outside: Option<&[usize]>,
        machine: &mut Machine,
    ) -> usize {
        self.sets.clear();
        self.find_threads(stubborn, working);
        let least = if outside.is_some() { 1 } else { 2 };
        if !(least..=MOST).contains(&self.threads.len()) {
            return 0;
        }
        self.find_knowers(stubborn, working);
        self.needs.clear();
        for thread in 0..self.threads.len() {
            let needs = View { choice: self, stubborn, working, outside }.needs(thread, machine);
            self.needs.push(needs);
        }
        for thread in 0..self.threads.len() {
            if let Some(set) = self.closure(thread)
                && !self.sets.contains(&set)
                && (outside.is_some() || (set.count_ones() as usize) < self.threads.len())
            {
                self.sets.push(set);
            }
        }
        self.sets.sort_unstable_by_key(|set| (set.count_ones(), *set));
        self.sets.len()
    }

    /// Whether each pid is one of the threads of a set that was found.
    pub(crate) fn chosen(&mut self, number: usize) -> &[bool] {
        let Choice { threads, knowers, sets, chosen, .. } = self;
        chosen.clear();
        chosen.resize(knowers.len(), false);
        let is_in = |(at, _): &(usize, &Thread)| sets[number] & bit(*at) != 0;
        let members = threads.iter().enumerate().filter(is_in);
        members.for_each(|(_, thread)| chosen[thread.pid as usize] = true);
        chosen
    }

    fn find_threads(&mut self, stubborn: &Stubborn, working: &Working) {
        self.threads.clear();
        for place in stubborn.flow.iter().copied().filter(|place| !working.is_empty(*place)) {
            let entries = working.entries(place).enumerate();
            let threads = entries.map(|(entry, words)| Thread { pid: words[1], place, entry });
            self.threads.extend(threads);
        }
    }

    fn find_knowers(&mut self, stubborn: &Stubborn, working: &Working) {
        let Choice { threads, knowers, .. } = self;
        knowers.clear();
        knowers.resize(working.kinship.kin().len(), 0);
        for (at, thread) in threads.iter().enumerate() {
            let words = working.entry(thread.place, thread.entry);
            for pid in pids(&stubborn.atoms[thread.place], words) {
                knowers[pid] |= bit(at);
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (place, columns) in stubborn.atoms.iter().enumerate() {
                if columns.is_empty() || working.is_empty(place) {
                    continue;
                }
                for words in working.entries(place) {
                    let mut who = if stubborn.ties.open[place] { Set::MAX } else { 0 };
                    pids(&stubborn.keyed[place], words).for_each(|pid| who |= knowers[pid]);
                    for pid in pids(columns, words) {
                        changed |= knowers[pid] | who != knowers[pid];
                        knowers[pid] |= who;
                    }
                }
            }
        }
    }

    /// The least set with a thread that needs nobody else, if it may move alone.
    fn closure(&self, thread: usize) -> Option<Set> {
        let (mut set, mut waiting, mut may_act) = (0, bit(thread), false);
        while waiting != 0 {
            if waiting & OUTSIDE != 0 {
                return None;
            }
            let next = waiting.trailing_zeros() as usize;
            set |= bit(next);
            let needs = &self.needs[next];
            if needs.nobody || needs.is_sticky {
                return None;
            }
            may_act |= needs.may_act;
            waiting = (waiting | needs.others) & !set;
        }
        may_act.then_some(set)
    }
}

fn bit(thread: usize) -> Set {
    1 << thread
}

/// The pids in some columns of an entry.
fn pids<'a>(columns: &'a [usize], words: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
    let words = columns.iter().map(|column| words[1 + column]);
    words.filter(|word| *word != NONE).map(|word| word as usize)
}

/// A state as a thread sees it.
#[derive(Clone, Copy)]
struct View<'a> {
    choice: &'a Choice,
    stubborn: &'a Stubborn,
    working: &'a Working,
    /// If it is a part of a state, the places where the threads are that are not in it.
    outside: Option<&'a [usize]>,
}

impl<'a> View<'a> {
    fn words(self, thread: usize) -> &'a [u32] {
        let Thread { place, entry, .. } = self.choice.threads[thread];
        self.working.entry(place, entry)
    }

    /// Those of the other threads of which something is true.
    fn others(self, thread: usize, is_true: impl Fn(usize, &Thread) -> bool) -> Set {
        let others = self.choice.threads.iter().enumerate();
        let others = others.filter(|(at, other)| *at != thread && is_true(*at, other));
        others.fold(0, |set, (at, _)| set | bit(at))
    }

    /// All outside, if something is true of a place where one of them is.
    fn outside(self, is_true: impl Fn(usize) -> bool) -> Set {
        let is_any = self.outside.is_some_and(|places| places.iter().any(|place| is_true(*place)));
        if is_any { OUTSIDE } else { 0 }
    }

    /// Those who may do to a place, from now on, what meets a condition.
    fn touching(self, thread: usize, place: usize, is_meant: impl Fn(Touch) -> bool) -> Set {
        let touches = |from: usize| is_meant(self.stubborn.future.touches[from][place]);
        self.others(thread, |_, other| touches(other.place)) | self.outside(touches)
    }

    fn needs(self, thread: usize, machine: &mut Machine) -> Needs {
        let mut needs = Needs::default();
        let words = self.words(thread);
        for instance in &self.stubborn.instances[self.choice.threads[thread].place] {
            let holds = |machine: &Machine| {
                let kinship = &self.working.kinship;
                instance.tests.iter().all(|test| machine.eval(kinship, test) != Ok(0))
            };
            if !matches(&instance.cells, words, machine.values()) || !holds(machine) {
                continue;
            }
            if let Some((others, nobody)) = self.missing(thread, instance, machine) {
                needs.others |= others;
                needs.nobody |= nobody;
            } else {
                let (others, nobody) = self.disturbing(thread, instance);
                let is_beyond = self.outside.is_some() && instance.is_wide;
                needs.others |= others;
                needs.nobody |= nobody || is_beyond;
                needs.may_act = true;
                needs.is_sticky |= instance.is_sticky;
            }
        }
        needs
    }

    /// Who might bring what is missing for an instance, if something is, and whether what nobody takes part in might.
    fn missing(
        self,
        thread: usize,
        instance: &Instance,
        machine: &mut Machine,
    ) -> Option<(Set, bool)> {
        let partners = instance.partners.iter().filter_map(|partner| {
            let fit = self.fitting(thread, partner);
            let is_there = |at: usize, other: &Thread| {
                let words = self.words(at);
                fit & bit(at) != 0
                    && other.place == partner.token.place
                    && self.matches(thread, &partner.token, words)
            };
            // Nobody outside has an atom in common with the thread.
            let is_far = |place| partner.token.keys.is_empty() && place == partner.token.place;
            let is_missing = self.others(thread, is_there) | self.outside(is_far) == 0;
            is_missing.then(|| (self.coming(thread, partner), false))
        });
        let kinship = &self.working.kinship;
        let tokens = instance.inputs.iter().filter_map(|wanted| {
            let token = &wanted.token;
            // Such a token may be outside.
            let is_far =
                self.outside.is_some() && token.keys.is_empty() && self.stubborn.tied[token.place];
            let is_missing = !is_far
                && !self.working.entries(token.place).any(|words| {
                    words[0] >= wanted.count
                        && self.matches(thread, token, words)
                        && matches(&wanted.cells, words, machine.values())
                        && wanted.tests.iter().all(|test| machine.eval(kinship, test) != Ok(0))
                });
            let brings = Touch::PUTS.and(Touch::ENTERS);
            is_missing.then(|| {
                let touching = self.touching(thread, token.place, |touch| touch.meets(brings));
                let others = self.fewer(touching, thread, token);
                (others, self.stubborn.future.of_nobody[token.place].meets(brings))
            })
        });
        let number = |(others, nobody): &(Set, bool)| {
            (*nobody || others & OUTSIDE != 0, others.count_ones())
        };
        partners.chain(tokens).min_by_key(number)
    }

    /// Who might disturb an instance, and whether what nobody takes part in might.
    fn disturbing(self, thread: usize, instance: &Instance) -> (Set, bool) {
        let partners = instance.partners.iter();
        let mut others = partners.fold(0, |set, partner| set | self.coming(thread, partner));
        let mut nobody = false;
        for token in &instance.accesses {
            let disturbs = |by: Touch| token.touch.is_disturbed_by(by);
            others |= self.fewer(self.touching(thread, token.place, disturbs), thread, token);
            nobody |= disturbs(self.stubborn.future.of_nobody[token.place]);
        }
        (others, nobody)
    }

    /// Whether a token has the atoms that a thread asks for.
    fn matches(self, thread: usize, token: &Known, words: &[u32]) -> bool {
        let own = self.words(thread);
        token.keys.iter().all(|(column, sources)| {
            sources.iter().any(|source| own[1 + source] == words[1 + column])
        })
    }

    /// Those who may take part with a thread, now or later.
    fn coming(self, thread: usize, partner: &Partner) -> Set {
        self.fewer(self.fitting(thread, partner), thread, &partner.token)
    }

    /// Those who may come to the place of a partner, they or their descendants, and are who is asked for.
    fn fitting(self, thread: usize, partner: &Partner) -> Set {
        let own = self.words(thread);
        let asked = partner.token.keys.iter().find(|(column, _)| *column == 0);
        let pid = self.choice.threads[thread].pid;
        let kinship = &self.working.kinship;
        let comes = |from: usize| self.stubborn.future.reaches[from][partner.token.place];
        let is_any = asked.is_none() && partner.relations.is_empty();
        let others = self.others(thread, |_, other| {
            comes(other.place)
                && asked.is_none_or(|(_, from)| from.iter().any(|at| own[1 + at] == other.pid))
                && partner.relations.iter().all(|(relation, is_first)| match is_first {
                    true => kinship.holds(*relation, pid, other.pid),
                    false => kinship.holds(*relation, other.pid, pid),
                })
        });
        others | self.outside(|place| is_any && comes(place))
    }

    /// These, or fewer who know what the tokens are found by.
    fn fewer(self, others: Set, thread: usize, token: &Known) -> Set {
        let knowers = self.knowers(thread, token) & !bit(thread);
        let number = |set: Set| (set & OUTSIDE != 0, set.count_ones());
        if number(knowers) < number(others) { knowers } else { others }
    }

    /// All who know something by which a token that a thread has to do with is found.
    fn knowers(self, thread: usize, token: &Known) -> Set {
        let own = self.words(thread);
        let all = Set::MAX >> (Set::BITS as usize - self.choice.threads.len());
        let all = all | self.outside(|_| true);
        let of = |columns: &[usize]| {
            pids(columns, own).fold(0, |set, pid| set | self.choice.knowers[pid]) & all
        };
        if self.stubborn.ties.open[token.place] {
            return all;
        }
        let keys = token.keys.iter().map(|(_, sources)| of(sources));
        match token.touch {
            Touch::LEAVES if token.is_own => of(&self.stubborn.keyed[token.place]),
            Touch::LEAVES => all,
            Touch::PUTS | Touch::ENTERS if token.is_all => keys.fold(0, |all, one| all | one),
            Touch::PUTS | Touch::ENTERS => all,
            _ => keys.min_by_key(|who| who.count_ones()).unwrap_or(all),
        }
    }
}
