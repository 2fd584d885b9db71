//! Properties and predicates that people type in.
//!
//! They are compiled as if they stood in the model. Of processes, what a property observes stays to be seen, so that
//! the net may stop at points that the model's own properties do not ask for, and a run may have more steps there.
//! Such a net is a view of its own. Runs in it are not runs of the model's view: whoever has one says `with` which text
//! it is. Where the net is the same, there is no such view.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use diagnostics::{Diagnostic, Report};
use net::{Net, Property};
use serde_json::json;

use crate::model::Written;
use crate::reading::Format;
use crate::refusal::{Code, Refusal};
use crate::view::View;

/// The texts that are kept, with the nets that were made for them.
const MOST_KEPT: usize = 8;
/// The longest text, in bytes.
const LONGEST: usize = 1 << 16;

/// A property that was typed in, and the net to ask.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) view: Arc<View>,
    pub(crate) property: Property,
    /// The text, if the net is another than that of the model.
    pub(crate) with: Option<String>,
}

/// The texts that were typed in last, with what became of them.
#[derive(Debug, Default)]
pub(crate) struct TypedTexts(Mutex<VecDeque<(String, Arc<Typed>)>>);

impl TypedTexts {
    fn find(&self, text: &str) -> Option<Arc<Typed>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(other, _)| other == text)?;
        let found = kept.remove(at)?;
        let typed = found.1.clone();
        kept.push_back(found);
        Some(typed)
    }

    fn keep(&self, text: &str, typed: &Arc<Typed>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((text.to_owned(), typed.clone()));
        if kept.len() > MOST_KEPT {
            kept.pop_front();
        }
    }
}

impl Written {
    /// A property that was typed in.
    ///
    /// # Errors
    /// If the model or the property has errors.
    pub(crate) fn typed(&self, text: &str) -> Result<Arc<Typed>, Refusal> {
        let own = self.view()?;
        if let Some(typed) = self.texts().find(text) {
            return Ok(typed);
        }
        if text.len() > LONGEST {
            return Err(Refusal::new(
                Code::TooLarge,
                format!("a property has at most {LONGEST} bytes"),
            ));
        }
        let typed = Arc::new(match self.format {
            Format::Kin => self.typed_kin(own, text)?,
            Format::Pnml => typed_pnml(own, text)?,
            Format::Go => {
                return Err(Refusal::new(
                    Code::Refused,
                    "properties are about processes: write those of this program with `kinfold convert` first",
                ));
            }
        });
        self.texts().keep(text, &typed);
        Ok(typed)
    }

    /// A predicate that was typed in: what can be said of one state.
    ///
    /// # Errors
    /// If the model or the predicate has errors, or it speaks of more than one state.
    pub(crate) fn typed_predicate(&self, text: &str) -> Result<Arc<Typed>, Refusal> {
        let typed = self.typed(text)?;
        match typed.property.formula.is_of_state() {
            true => Ok(typed),
            false => Err(Refusal::new(
                Code::Refused,
                "it speaks of more than one state: leave out `always`, `reachable` and their like",
            )
            .with("place", json!({ "line": 1, "column": 1 }))),
        }
    }

    fn typed_kin(&self, own: &Arc<View>, text: &str) -> Result<Typed, Refusal> {
        let added = lang::compile_with_property(&self.text, &self.set, text);
        let lang::Added { mut net, property } = added.map_err(|report| wrong(&report, text))?;
        net.name.clone_from(&own.net.name);
        if let Some(listing) = &mut net.listing {
            Arc::make_mut(listing).file = Some(self.file.clone());
        }
        let (view, with) = match is_same(&net, &own.net) {
            true => (own.clone(), None),
            false => (Arc::new(View::of(net)), Some(text.to_owned())),
        };
        Ok(Typed { view, property, with })
    }
}

/// A property of a PNML document is one of the `.kin` text that its net would be written as.
fn typed_pnml(own: &Arc<View>, text: &str) -> Result<Typed, Refusal> {
    let written = lang::write(&own.net);
    let refused =
        || Refusal::new(Code::Refused, "properties cannot be typed in for this PNML document");
    if lang::compile(&written, &[]).net.is_none_or(|net| !is_same(&net, &own.net)) {
        return Err(refused());
    }
    let added = lang::compile_with_property(&written, &[], text);
    let lang::Added { net, property } = added.map_err(|report| wrong(&report, text))?;
    if !is_same(&net, &own.net) {
        return Err(refused());
    }
    Ok(Typed { view: own.clone(), property, with: None })
}

/// Whether two nets do the same, step for step, whatever their properties are.
fn is_same(one: &Net, other: &Net) -> bool {
    one.constants == other.constants
        && one.enumerations == other.enumerations
        && one.fresh == other.fresh
        && one.places == other.places
        && one.start == other.start
        && one.objects == other.objects
        && one.tokens == other.tokens
        && one.transitions == other.transitions
        && one.actions == other.actions
        && one.listing == other.listing
}

/// The refusal of a text with errors: the first of them, and all.
fn wrong(report: &Report, text: &str) -> Refusal {
    let place = |one: &Diagnostic| {
        (one.line > 0).then(|| {
            let labels = one.labels.iter().filter(|label| label.primary);
            let end = labels.map(|label| label.span.end).min();
            let end = end.map(|end| diagnostics::position(text, end));
            let (end_line, end_column) = end.unwrap_or((one.line, one.column));
            json!({
                "line": one.line, "column": one.column, "end_line": end_line, "end_column": end_column,
            })
        })
    };
    let Some(first) = report.iter().next() else {
        return Refusal::new(Code::Refused, "it cannot be compiled");
    };
    let message = match &first.help {
        Some(help) => format!("{}; {help}", first.message),
        None => first.message.clone(),
    };
    let all = report.iter().map(|one| {
        json!({ "code": one.code, "message": one.message, "help": one.help, "place": place(one) })
    });
    Refusal::new(Code::Refused, message)
        .with("place", place(first))
        .with("diagnostics", all.collect::<Vec<_>>())
}
