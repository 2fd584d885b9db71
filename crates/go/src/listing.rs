//! Runs of the net told by Go's lines.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostics::{Diagnostic, Report, Severity, Span};
use net::listing::{Chosen, Field, Line, LineKind, Listed, Shape};
use net::{Column, PlaceId, Sort};

use crate::translate::{Source, Translation};
use crate::words;

/// Gives the statements of a net the lines of the Go text that they were made of.
pub(crate) fn relate(net: &mut net::Net, translation: &Translation, files: &[Source<'_>]) {
    let is_outcome = |index: &usize| net.is_outcome(&net.transitions[*index]);
    let outcomes: BTreeSet<usize> = (0..net.transitions.len()).filter(is_outcome).collect();
    let Some(listing) = net.listing.as_mut() else { return };
    let listing = Arc::make_mut(listing);
    let starts = line_starts(translation.kin.as_deref().unwrap_or_default());
    let place = |origin: net::Origin| {
        let range = origin.range()?;
        let line = starts.partition_point(|start| *start <= range.start).checked_sub(1)?;
        let (start, end) = translation.lines.get(line).copied()?;
        Some(start as usize..end as usize).filter(|range| !range.is_empty())
    };
    for transition in &mut net.transitions {
        let found = place(transition.origin);
        transition.origin = found.clone().map_or_else(net::Origin::default, net::Origin::new);
        if let Some(message) = &mut transition.failure {
            // The statement itself, or that of the program by which the library is used.
            let from = |line: &Line| {
                let (start, end) = translation.lines.get(line.line.checked_sub(1)?).copied()?;
                Some(start as usize..end as usize).filter(|range| !range.is_empty())
            };
            let standing = |listed: &Listed| match listed {
                Listed::Point { line, .. } => from(line),
                _ => None,
            };
            let mut acting = transition.participants.iter();
            let acting = acting.find_map(|one| standing(listing.places.get(&one.from)?));
            let found = found.or(acting);
            let text = found.and_then(|range| translation.text.get(range)).unwrap_or_default();
            // A test that fails, and a condition that does not hold, end nothing in Go: what comes then is not looked at.
            let goes_on = message.contains("assert false") || text.contains("kinfold:assert");
            *message = in_go(message, text.lines().next().unwrap_or_default().trim_end());
            transition.is_limit = goes_on || message.starts_with(LIMIT);
        }
    }
    let change = |line: &mut Line| related(line, translation, files);
    listing.statements.iter_mut().flatten().for_each(change);
    listing.partners.values_mut().for_each(change);
    // A choice of the translation is none of the program, but how a test on data that is not kept turns out is shown.
    listing.choices.retain(|index, _| outcomes.contains(index));
    for chosen in listing.choices.values_mut().flatten() {
        if let Chosen::Value { field, .. } = chosen {
            field.name.clear();
        }
    }
    for race in listing.races.values_mut() {
        race.accesses.iter_mut().filter_map(|(_, line, _)| line.as_mut()).for_each(change);
    }
    let name = |kin: &mut String| {
        if let Some(shown) = translation.shown.get(kin.as_str()) {
            *kin = shown.clone();
        }
    };
    // Of what has always the same value, such as a fraction, nothing is kept.
    let places = &net.places;
    let is_kept = |place: PlaceId, field: &Field| {
        let columns = &places[place.index()].columns[field.columns.clone()];
        let is_one = matches!(columns, [Column { sort: Sort::Int { min, max }, optional: false, .. }] if min == max);
        !is_one || field.shape != Shape::Scalar
    };
    listing.words = Some(words::words(&listing.places, translation));
    for (&place, listed) in &mut listing.places {
        let own = |field: &Field| !is_temporary(&field.name) && is_kept(place, field);
        match listed {
            Listed::Point { process, routine, line, variables, .. } => {
                name(process);
                name(routine);
                change(line);
                variables.retain(own);
            }
            Listed::Frame { routine, line, variables, .. } => {
                name(routine);
                change(line);
                variables.retain(own);
            }
            // The capacity of channels may be the same everywhere, and is kept.
            Listed::Object { name, fields } if !name.starts_with("chan_") => {
                fields.retain(|field| is_kept(place, field));
            }
            // The one global variable that is not the program's own, which all who wait look at, too.
            Listed::Global(field) if field.name == "over" => field.name.insert(0, '$'),
            _ => {}
        }
        words::rename(listed, translation);
    }
}

/// Whether the translation has made a variable itself: `t14`. Those of the program have other names (`safe`).
fn is_temporary(name: &str) -> bool {
    name.strip_prefix('t')
        .is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// How a message begins that tells of a limit of the translation and not of a mistake in the program.
pub const LIMIT: &str = "limit of the translation";

/// What is wrong, in the words of Go.
fn in_go(message: &str, statement: &str) -> String {
    let is = |what: &str| message.contains(what);
    let closes = statement.contains("close(") || statement.contains("cancel");
    if is("require not closed") && closes {
        "close of closed channel".into()
    } else if is("require not closed") || is("require t") {
        "send on closed channel".into()
    } else if is("require count") {
        "negative WaitGroup counter".into()
    } else if is("require holder") || is("require inside") {
        "unlock of unlocked mutex".into()
    } else if is("require readers") {
        "RUnlock of unlocked RWMutex".into()
    } else if (is("there is no object") || is("there is no value")) && closes {
        "close of nil channel".into()
    } else if is("there is no object") || is("there is no value") {
        match statement.split_once('=') {
            // Elements of slices are found by way of the value, those of maps are changed in the object.
            Some((left, _)) if left.trim_end().ends_with(']') && is("there is no value") => {
                "index out of range".into()
            }
            Some((left, _)) if left.trim_end().ends_with(']') => {
                "assignment to entry in nil map".into()
            }
            _ => "nil pointer dereference".into(),
        }
    } else if is("there is no element at this index") {
        "index out of range".into()
    } else if is("out of range") {
        format!("{LIMIT}: a number does not fit (numbers lie between -1000000000 and 1000000000)")
    } else if is("assert not true") {
        format!("{LIMIT}: the capacity of a channel is no number that the program mentions")
    } else if is("assert true and false") {
        format!("{LIMIT}: an operation on the bits of a negative number")
    } else if is("no room") {
        format!("{LIMIT}: a slice or map has no room for more (`--set room=16` gives more)")
    } else if is("test_over") {
        "log in a goroutine after the test has completed".into()
    } else if is("assert false and true") {
        "panic in a function of the library".into()
    } else if is("does not hold") && statement.is_empty() && is("assert 0 <= ") {
        "slice bounds out of range".into()
    } else if is("does not hold") && statement.is_empty() && is(" >= 0 and ") {
        "index out of range".into()
    } else if is("does not hold") && !statement.is_empty() {
        if statement.contains("kinfold:assert") {
            return format!("`{}` does not hold", statement.trim_start_matches("//"));
        }
        format!("`{statement}` is reached")
    } else if is("assert false") {
        "call of a nil function".into()
    } else {
        message.to_owned()
    }
}

fn related(line: &mut Line, translation: &Translation, files: &[Source<'_>]) {
    if line.in_prelude || line.line == 0 {
        // Nobody has written it in Go.
        line.text.clear();
        return;
    }
    let Some(&(start, end)) = translation.lines.get(line.line - 1) else { return };
    if start == end {
        // What the translation has made itself.
        line.in_prelude = true;
        line.text.clear();
        return;
    }
    let mut base = 0;
    for file in files {
        let length = file.text.len();
        if (start as usize) <= base + length {
            let from = start as usize - base;
            let (at, column) = file.position(from);
            let to = (end as usize - base).clamp(from, length);
            let text = file.text.get(from..to).unwrap_or_default();
            let text =
                text.lines().next().unwrap_or_default().trim_end().trim_end_matches('{').trim_end();
            line.line = at;
            line.column = column;
            line.text = text.to_owned();
            line.file = (files.len() > 1).then(|| file.name.into());
            if line.kind == LineKind::End {
                line.kind = LineKind::Plain;
            }
            return;
        }
        base += length + 1;
    }
}

/// What `.kin` says against a translation, at the place in the Go text.
pub(crate) fn internal(report: &Report, translation: &Translation) -> Report {
    let mut found = diagnostics::Diagnostics::default();
    let mut seen = BTreeMap::new();
    for one in report.iter().filter(|one| one.severity == Severity::Error) {
        let place = translation.lines.get(one.line.wrapping_sub(1)).copied().unwrap_or_default();
        if seen.insert((place, one.code), ()).is_some() {
            continue;
        }
        let message = format!(
            "this cannot be translated: {} (line {} of the processes)",
            one.message, one.line
        );
        let error = Diagnostic::error("G0601", message).help("write it in another way");
        found.push(match place {
            (0, 0) => error,
            (start, end) => error.at(Span::new(start as usize..end as usize), "here"),
        });
    }
    found.finish(&translation.text)
}
