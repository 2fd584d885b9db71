//! From a log and a vocabulary to an answer.
//!
//! Where lines have an order, the log is read once, and only its last part is kept, for the nearest explanation. Where
//! they have none and no window is given, the log is kept, and windows are tried, each twice as long as the one before:
//! an explanation in a short window is one, and in a window as long as the log every order is tried.

use std::collections::{BTreeSet, VecDeque};

use budget::Budget;
use net::Fault;
use thiserror::Error;

use crate::answer::{Answer, Difference, Verdict};
use crate::engine::{Engine, Found};
use crate::entry::{Entry, LogError};
use crate::event::{Name, Occurrence};
use crate::explain;
use crate::mapping::MappingError;
use crate::nearest::nearest;
use crate::order::{Order, Ordering, sorted};
use crate::read::ReadError;
use crate::search::{Bounds, Kept, Missed, Position, Search};
use crate::vocabulary::Vocabulary;

/// What was possible is listed up to this many.
const MOST_POSSIBLE: usize = 16;
/// Where threads are is listed up to this many.
const MOST_NAMES: usize = 24;

/// How a log is looked at.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many lines late an event may have been logged, and one more; without one, any number is tried.
    pub window: Option<u64>,
    /// How many candidates there may be at a time.
    pub candidates: usize,
    /// How many edits the nearest explanation may have; with none it is not looked for.
    pub edits: u32,
    /// How many events before and after the difference may be edited, at least.
    pub around: usize,
    /// Whether a run is wanted.
    pub run: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { window: None, candidates: 100_000, edits: 2, around: 100, run: false }
    }
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum ConformError {
    /// The log cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The mapping does not fit.
    #[error(transparent)]
    Mapping(#[from] MappingError),
    /// The run that was found cannot be told.
    #[error("{0}")]
    Untold(String),
}

impl From<LogError> for ConformError {
    fn from(error: LogError) -> ConformError {
        ConformError::Read(error.into())
    }
}

/// Where entries come from: the next one, or nothing at the end.
pub type Entries<'e> = dyn FnMut() -> Result<Option<Entry>, ReadError> + 'e;

/// Whether a log is one of a model.
///
/// # Errors
/// If the log cannot be read or understood.
pub fn conform(
    vocabulary: &Vocabulary,
    entries: &mut Entries<'_>,
    options: &Options,
    budget: &Budget,
) -> Result<Answer, ConformError> {
    let mut engine = Engine::new(vocabulary.net(), vocabulary.kinds(), vocabulary.names_reused());
    let mut feed = Feed { vocabulary, entries, ignored: 0, events: 0, kept: None };
    let ordering = vocabulary.ordering();
    let window = match (ordering, options.window) {
        (Ordering::Lines, _) => Some(1),
        (_, window) => window.map(|window| window.max(1)),
    };
    if let Some(window) = window {
        return Pass { options, budget, vocabulary, window }.run(&mut engine, &mut feed);
    }
    let mut all = Vec::new();
    while let Some(one) = feed.next()? {
        all.push(one);
        if budget.is_exhausted() {
            break;
        }
    }
    if ordering == Ordering::Clocks {
        all = sorted(all).map_err(|(line, what)| LogError::new(line, what.to_string()))?;
    }
    let mut window = 1;
    loop {
        feed.kept = Some((all.clone(), 0));
        let answer = Pass { options, budget, vocabulary, window }.run(&mut engine, &mut feed)?;
        let is_last = window >= all.len() as u64;
        if answer.verdict == Verdict::Conforms || is_last || budget.is_exhausted() {
            return Ok(answer);
        }
        window *= 2;
    }
}

/// Where occurrences come from.
struct Feed<'f, 'e> {
    vocabulary: &'f Vocabulary,
    entries: &'f mut Entries<'e>,
    ignored: u64,
    events: u64,
    /// All occurrences, where they have been read before, and how many were given.
    kept: Option<(Vec<Occurrence>, usize)>,
}

impl Feed<'_, '_> {
    fn next(&mut self) -> Result<Option<Occurrence>, ConformError> {
        if let Some((all, at)) = &mut self.kept {
            *at += 1;
            return Ok(all.get(*at - 1).cloned());
        }
        while let Some(entry) = (self.entries)()? {
            match self.vocabulary.read(&entry)? {
                Some(occurrence) => {
                    self.events += 1;
                    return Ok(Some(occurrence));
                }
                None => self.ignored += 1,
            }
        }
        Ok(None)
    }
}

/// One look at a log, with one window.
struct Pass<'p> {
    options: &'p Options,
    budget: &'p Budget,
    vocabulary: &'p Vocabulary,
    window: u64,
}

/// Where a search was, what was read since, and which names were retired since.
struct Mark {
    position: Position,
    read: Vec<Occurrence>,
    retired: Vec<Name>,
}

impl Pass<'_> {
    fn bounds(&self, edits: u32) -> Bounds {
        Bounds { candidates: self.options.candidates, window: self.window, edits }
    }

    fn run(&self, engine: &mut Engine, feed: &mut Feed<'_, '_>) -> Result<Answer, ConformError> {
        let start = Position::initial(engine, Order::new(self.vocabulary.ordering()));
        let (vocabulary, budget) = (self.vocabulary, self.budget);
        let mut search = Search::new(engine, vocabulary, budget, self.bounds(0), start.clone());
        search.kept = self.options.run.then(Kept::default);
        let mark = |position: Position| Mark { position, read: Vec::new(), retired: Vec::new() };
        let mut marks = VecDeque::from([mark(start)]);
        let mut is_at_end = false;
        let is_explained = loop {
            while !is_at_end && search.wants_more() && !search.is_over() {
                let Some(next) = feed.next()? else {
                    is_at_end = true;
                    break;
                };
                let pushed = search.push(&next);
                pushed.map_err(|what| LogError::new(next.line, what.to_string()))?;
                marks.iter_mut().for_each(|mark| mark.read.push(next.clone()));
            }
            if search.is_over() {
                break false;
            }
            if is_at_end && search.is_done() {
                break true;
            }
            if !search.advance() {
                break false;
            }
            let retired = std::mem::take(&mut search.lately_retired);
            marks.iter_mut().for_each(|mark| mark.retired.extend(retired.iter().cloned()));
            let newest = marks.back().map_or(0, |mark| mark.position.explained);
            if self.options.edits > 0
                && search.at.explained - newest >= self.options.around.max(1) as u64
            {
                marks.push_back(mark(search.at.clone()));
                if marks.len() > 2 {
                    marks.pop_front();
                }
            }
        };
        let mut answer = self.answer(&mut search, is_explained);
        if let Some(kept) = search.kept.take() {
            answer.run =
                Some(explain::explained(&mut search, &kept).map_err(ConformError::Untold)?);
        }
        if !is_explained && !search.is_over() {
            let retired = std::mem::take(&mut search.retired);
            let mut difference = self.difference(&mut search);
            let mark = marks.pop_front().expect("there is a mark");
            if let Some(difference) = &mut difference {
                let retired = retired.without(mark.retired.clone());
                self.add_nearest(engine, feed, mark, &retired, difference)?;
            }
            answer.difference = difference;
        }
        if feed.kept.is_none() {
            // What else there is counts, too.
            answer.events = feed.events;
        } else if let Some((all, _)) = &feed.kept {
            answer.events = all.len() as u64;
        }
        answer.ignored = feed.ignored;
        Ok(answer)
    }

    fn answer(&self, search: &mut Search<'_>, is_explained: bool) -> Answer {
        let missed = search.missed.clone();
        let verdict = match (is_explained, &missed) {
            (true, _) => Verdict::Conforms,
            (false, None) => Verdict::Differs,
            (false, Some(_)) => Verdict::Incomplete,
        };
        let incomplete = missed.filter(|_| verdict == Verdict::Incomplete);
        Answer {
            verdict,
            incomplete: incomplete.map(|missed| self.reason(&missed)),
            events: search.at.read(),
            ignored: 0,
            explained: search.at.explained,
            candidates: search.most,
            window: (self.vocabulary.ordering() != Ordering::Lines).then_some(self.window),
            difference: None,
            run: None,
        }
    }

    fn reason(&self, missed: &Missed) -> String {
        match missed {
            Missed::Candidates(most) => format!(
                "there are more than {most} states that explain the log so far (--max-candidates); \
                 log more of the steps, or let more of them be logged with who takes part"
            ),
            Missed::Names => "more than 65,536 names are in use at once".to_owned(),
            Missed::Fault(Fault { transition, kind }) => {
                let net = self.vocabulary.net();
                let name = &net.transition(*transition).name;
                format!("the model has a fault in `{name}`: {}", kind.describe(net))
            }
            Missed::Budget(reason) => reason.to_string(),
        }
    }

    /// Where the log differs. The search has come as far as it can.
    fn difference(&self, search: &mut Search<'_>) -> Option<Difference> {
        search.close();
        let candidates = search.at.layer.all.clone();
        // The first line that no candidate explains; if each is explained by some, that of the first candidate.
        let is_open = |number: &u64| candidates.iter().all(|candidate| !candidate.has(*number));
        let least = candidates.iter().map(|candidate| candidate.base).min()?;
        let number = (least..search.at.read()).find(is_open).unwrap_or(candidates[0].base);
        let event = search.at.event(number)?.clone();
        let mut possible = BTreeSet::new();
        for candidate in candidates.iter().take(1_000) {
            search.engine.load(&candidate.state);
            for &transition in self.vocabulary.logged() {
                let asked = self.vocabulary.asked(transition);
                let each = &mut |found: Found<'_>| {
                    let text = self.vocabulary.text(transition, found.said, &search.at.names);
                    // What is called the same comes first.
                    let is_other = self.vocabulary.event_of(transition) != &*event.event;
                    possible.insert((is_other, text));
                    false
                };
                // A fault was noted before.
                let _ = search.engine.fire(transition, &[], asked, self.budget, each);
            }
        }
        let more = possible.len() > MOST_POSSIBLE;
        let possible = possible.into_iter().take(MOST_POSSIBLE).map(|(_, text)| text).collect();
        let net = self.vocabulary.net().clone();
        let mut names = Vec::new();
        for (slot, at) in search.engine.whereabouts(&candidates[0].state) {
            let at = match at {
                Some(place) => match trace::told_place(&net, place) {
                    Some(told) => told.strip_prefix("processes ").unwrap_or(&told).to_owned(),
                    None => format!("at {}", net.place(place).name),
                },
                None => "ended".to_owned(),
            };
            names.push((search.at.names.name(slot).to_owned(), at));
        }
        names.sort();
        names.truncate(MOST_NAMES);
        Some(Difference {
            line: event.line,
            text: event.text.to_string(),
            possible,
            more,
            names,
            nearest: None,
            tried: String::new(),
        })
    }

    fn add_nearest(
        &self,
        engine: &mut Engine,
        feed: &mut Feed<'_, '_>,
        mark: Mark,
        retired: &crate::names::Retired,
        difference: &mut Difference,
    ) -> Result<(), ConformError> {
        let Options { edits, around, .. } = *self.options;
        if edits == 0 {
            return Ok(());
        }
        let mut part = mark.read;
        for _ in 0..around {
            match feed.next() {
                Ok(Some(next)) => part.push(next),
                // What cannot be read here is no part of what is looked at.
                Ok(None) | Err(_) => break,
            }
        }
        let from = &mark.position;
        let bounds = self.bounds(edits);
        let (found, has_missed) =
            nearest(engine, self.vocabulary, self.budget, bounds, from, retired, &part);
        let changes = if edits == 1 { "one change".into() } else { format!("{edits} changes") };
        difference.tried = match (&found, has_missed) {
            (Some(_), _) => String::new(),
            (None, false) => format!("no explanation with at most {changes} around that line"),
            (None, true) => {
                format!("no explanation with at most {changes} was found, but not all were tried")
            }
        };
        difference.nearest = found;
        Ok(())
    }
}
