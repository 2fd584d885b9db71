//! `graph`: a part of the graph of classes, grown on demand.

use std::collections::BTreeMap;

use budget::Budget;
use net::TransitionId;
use serde_json::{Value as Json, json};

use super::Looked;
use crate::classes::{ClassKind, Classes, Grown, Table};
use crate::explorer::Explorer;
use crate::refusal::{Code, Refusal};
use crate::request::GraphRequest;
use crate::view::View;

/// How many classes are found in one request, unless more are asked for, and how many at most.
const FOUND: usize = 200;
const MOST_FOUND: usize = 5000;

pub(super) fn graph(
    explorer: &Explorer,
    request: &GraphRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let Looked { view, .. } = Looked::at(explorer, &request.subject)?;
    let classes = view.classes();
    let walk = view.walk(request.run.as_deref().unwrap_or_default(), budget)?;
    let at = classes.of_state(walk.last()).ok_or_else(full)?;
    if let Some(id) = request.grow.iter().find(|id| classes.table().class(**id).is_none()) {
        return Err(Refusal::new(Code::NoSuchClass, format!("there is no state {id} so far")));
    }
    let mut growth = Growth {
        classes,
        budget,
        room: request.most.unwrap_or(FOUND).min(MOST_FOUND),
        blocked: None,
    };
    let mut asked = vec![at];
    if request.whole {
        let most = growth.room;
        growth.around(Table::INITIAL, u32::MAX)?;
        let size = classes.table().distances(Table::INITIAL).iter().flatten().count();
        if growth.blocked.is_some() || size > most {
            let message = format!("the whole graph has more than {most} states; grow a part of it");
            return Err(Refusal::new(Code::TooLarge, message));
        }
        asked.push(Table::INITIAL);
    } else {
        for &id in &request.grow {
            growth.class(id)?;
            asked.push(id);
        }
        growth.around(at, request.depth.unwrap_or(1))?;
        if let Some((id, count)) = growth.blocked
            && growth.room == request.most.unwrap_or(FOUND).min(MOST_FOUND)
        {
            let message =
                format!("state {id} has {count} successors that are new, which are too many");
            return Err(Refusal::new(Code::TooLarge, message));
        }
    }
    Ok(told(&view, &asked, at))
}

fn full() -> Refusal {
    Refusal::new(Code::TooLarge, "no more states are kept of this model")
}

/// A part that grows, within a number of new classes.
struct Growth<'c> {
    classes: &'c Classes,
    budget: &'c Budget,
    room: usize,
    /// A class that could not be grown, and the number of its new successors.
    blocked: Option<(u32, usize)>,
}

impl Growth<'_> {
    /// Finds the successors of a class.
    fn class(&mut self, id: u32) -> Result<(), Refusal> {
        match self.classes.grow(id, self.room, self.budget)? {
            Grown::By(count) => self.room -= count,
            Grown::TooMany(count) => self.blocked = self.blocked.or(Some((id, count))),
        }
        Ok(())
    }

    /// Finds what is within this many steps of a class, the nearest first.
    fn around(&mut self, start: u32, depth: u32) -> Result<(), Refusal> {
        let mut seen = std::collections::HashSet::from([start]);
        let mut level = vec![start];
        for _ in 0..depth {
            let mut next = Vec::new();
            for id in level {
                self.class(id)?;
                let table = self.classes.table();
                let successors = table.successors(id).iter().map(|(_, to)| *to);
                next.extend(successors.filter(|to| seen.insert(*to)));
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Ok(())
    }
}

/// All that is connected with the classes asked for, as far as it is known.
fn told(view: &View, asked: &[u32], at: u32) -> Json {
    let table = view.classes().table();
    let is_connected = table.connected(asked);
    let (depths, components) = (table.distances(Table::INITIAL), table.components());
    let shown = || (0..table.len() as u32).filter(|id| is_connected[*id as usize]);
    let classes = shown().filter_map(|id| {
        let class = table.class(id)?;
        let kind = match class.kind {
            ClassKind::Deadlock => Some("deadlock"),
            ClassKind::Terminated => Some("terminated"),
            ClassKind::Fault => Some("fault"),
            ClassKind::Inner => (id == Table::INITIAL).then_some("initial"),
        };
        Some(json!({
            "id": id,
            "text": &*class.text,
            "kind": kind,
            "depth": depths[id as usize],
            "component": components[id as usize],
            "is_grown": class.successors.is_some(),
        }))
    });
    let mut texts = BTreeMap::new();
    let mut text = |label: u32| -> String {
        let new = || {
            let id = TransitionId(label);
            let told = trace::told_transition(&view.net, id);
            told.unwrap_or_else(|| view.net.transition(id).name.clone())
        };
        texts.entry(label).or_insert_with(new).clone()
    };
    let mut edges = Vec::new();
    for from in shown() {
        let mut targets: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for &(label, to) in table.successors(from) {
            let (texts, text) = (targets.entry(to).or_default(), text(label));
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let own = targets.into_iter();
        edges.extend(own.map(|(to, texts)| json!({ "from": from, "to": to, "texts": texts })));
    }
    let complete =
        shown().all(|id| table.class(id).is_some_and(|class| class.successors.is_some()));
    json!({
        "classes": classes.collect::<Vec<_>>(),
        "edges": edges,
        "at": at,
        "complete": complete,
        "known": table.len(),
    })
}
