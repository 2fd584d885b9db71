//! What the nets make use of, so that it can be seen that nothing is left untested.

use std::collections::{BTreeMap, BTreeSet};

use fold::Reach;
use net::{
    Arc, BinaryOp, Enumeration, Expr, Fate, Hold, Kind, Literal, Net, Place, PlaceId, Sort,
    Symmetry, Transition,
};
use state::{State, Value};

use crate::exploration::Explored;
use crate::random_net::classes;

/// The names of what [`features`] looks for.
pub const ALL: [&str; 26] = [
    "several participants",
    "no participant",
    "a thread that ends",
    "a thread that stays",
    "several children in one step",
    "children of several threads in one step",
    "children of an ending thread",
    "a read",
    "a read of a thread",
    "several copies",
    "an inhibitor that is passed",
    "an inhibitor with a condition",
    "an inhibitor of several tokens",
    "a child that ends at once",
    "tokens together that disable",
    "a probe that is enabled",
    "a probe that is not",
    "a parameter",
    "a definition",
    "a definition of a pid",
    "parent",
    "ancestor",
    "next_sibling",
    "elder_sibling",
    "a pid that outlives its thread",
    "a pid beside the thread in a flow place",
];

/// What [`features`] looks for besides where there are classes.
pub const OF_CLASSES: [&str; 20] = [
    "a symmetric class without parts",
    "a class in parts",
    "a cyclic class",
    "two classes",
    "a parameter over a class",
    "a take for each member",
    "a read for each member",
    "a put for each member",
    "an arc for each member of data",
    "an arc for each member with a condition",
    "an arc for each pair",
    "a successor in a cyclic class",
    "a successor in an ordered enumeration",
    "an order of members",
    "a part asked for",
    "a member named",
    "a member beside a pid",
    "a member with a thread",
    "a transition within a family of members",
    "a transition of a cyclic class within a family",
];

/// What [`features`] looks for besides where there are objects.
pub const OF_OBJECTS: [&str; 8] = [
    "an object that is created",
    "an object that is gone",
    "an object that several threads know",
    "a token that a thread owns",
    "a token that an object owns",
    "an object that is missing",
    "a pid that is missing",
    "a datum that is missing",
];

/// What [`features`] looks for besides where there are groups.
pub const OF_GROUPS: [&str; 11] = [
    "a thread in a set",
    "an object in a set",
    "a member of a class in a set",
    "a map from threads",
    "two equal records",
    "a set in a flow place",
    "a set in a place that is owned",
    "a record within a record",
    "a set that changes",
    "several tokens with groups in one place",
    "tokens with groups and nothing else to tell them apart",
];

/// What there is of groups.
fn of_groups(net: &Net, explored: &Explored) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for place in net.places.iter().filter(|place| !place.groups.is_empty()) {
        let group = &place.groups[0];
        for state in &explored.states {
            let tokens: Vec<&Vec<Value>> = state.tokens(&place.name).map(|t| t.0).collect();
            if tokens.len() > 1 {
                found.insert("several tokens with groups in one place");
            }
            let first = |token: &&Vec<Value>| token[..group.first].to_vec();
            let firsts: BTreeSet<Vec<Value>> = tokens.iter().map(first).collect();
            if firsts.len() < tokens.len() {
                found.insert("tokens with groups and nothing else to tell them apart");
            }
            for token in tokens {
                let records: Vec<&[Value]> =
                    token[group.first..group.end()].chunks(group.width).collect();
                let used = records.iter().filter(|record| record[0] != Value::None);
                let used: Vec<&&[Value]> = used.collect();
                found.extend(used.iter().filter_map(|record| match record[0] {
                    Value::Pid(_) if group.width > 1 => Some("a map from threads"),
                    Value::Pid(_) => Some("a thread in a set"),
                    Value::Object(..) => Some("an object in a set"),
                    Value::Enum(_) if place.columns[group.first].optional => {
                        Some("a member of a class in a set")
                    }
                    _ => None,
                }));
                let distinct: BTreeSet<_> = used.iter().collect();
                let is_in_use = !used.is_empty();
                let of_token = [
                    (distinct.len() < used.len(), "two equal records"),
                    (is_in_use && place.is_flow(), "a set in a flow place"),
                    (is_in_use && place.hold != Hold::Root, "a set in a place that is owned"),
                    (is_in_use && !group.groups.is_empty(), "a record within a record"),
                ];
                found.extend(of_token.iter().filter(|(is, _)| *is).map(|(_, what)| *what));
            }
        }
        for (source, steps) in explored.states.iter().zip(&explored.steps) {
            let tokens = |state: &State| -> Vec<Vec<Value>> {
                state.tokens(&place.name).map(|(token, _)| token.clone()).collect()
            };
            let targets = steps.iter().flatten().map(|(_, target)| &explored.states[*target]);
            let changes = |target: &State| {
                let (before, after) = (tokens(source), tokens(target));
                before.len() == after.len() && before != after
            };
            if { targets }.any(changes) {
                found.insert("a set that changes");
            }
        }
    }
    found
}

/// What there is of objects.
fn of_objects(net: &Net, explored: &Explored) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let objects = |state: &State| -> BTreeSet<Value> {
        state.values().filter(|value| matches!(value, Value::Object(..))).cloned().collect()
    };
    for (source, steps) in explored.states.iter().zip(&explored.steps) {
        for (transition, target) in steps.iter().flatten() {
            let (before, after) = (objects(source), objects(&explored.states[*target]));
            if !net.transitions[*transition as usize].news.is_empty() && !after.is_subset(&before) {
                found.insert("an object that is created");
            }
            if !before.is_subset(&after) {
                found.insert("an object that is gone");
            }
        }
    }
    for state in &explored.states {
        let mut known = BTreeMap::new();
        for place in net.places.iter() {
            for (token, _) in state.tokens(&place.name) {
                if place.is_flow() {
                    for value in token.iter().filter(|value| matches!(value, Value::Object(..))) {
                        *known.entry(value).or_insert(0) += 1;
                    }
                }
                found.extend(match place.hold {
                    Hold::Owned(column) if token[column].as_pid().is_some() => {
                        Some("a token that a thread owns")
                    }
                    Hold::Owned(_) => Some("a token that an object owns"),
                    _ => None,
                });
                for (value, column) in token.iter().zip(&place.columns) {
                    found.extend((*value == Value::None).then_some(match column.sort {
                        Sort::Object(_) => "an object that is missing",
                        Sort::Pid => "a pid that is missing",
                        _ => "a datum that is missing",
                    }));
                }
            }
        }
        if known.values().any(|&threads| threads > 1) {
            found.insert("an object that several threads know");
        }
    }
    found
}

/// What is made use of by a transition that fires, or is there in a state.
pub fn features(net: &Net, explored: &Explored) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let fired: BTreeSet<u32> = explored.steps.iter().flatten().flatten().map(|s| s.0).collect();
    for transition in fired {
        found.extend(of_transition(net, &net.transitions[transition as usize]));
    }
    let outlived = |state: &State| state.pids().len() > state.eta().len();
    if explored.states.iter().any(outlived) {
        found.insert("a pid that outlives its thread");
    }
    for place in net.places.iter().filter(|place| place.is_flow()) {
        let has_pid = place.columns[1..].iter().any(|column| column.sort == Sort::Pid);
        if has_pid && explored.states.iter().any(|s| s.tokens(&place.name).next().is_some()) {
            found.insert("a pid beside the thread in a flow place");
        }
    }
    found.extend(of_classes(net, explored));
    found.extend(of_objects(net, explored));
    found.extend(of_groups(net, explored));
    found
}

/// What there is of classes in the tokens.
fn of_classes(net: &Net, explored: &Explored) -> impl Iterator<Item = &'static str> {
    let classes = classes(net);
    let is_class = |sort: &Sort| matches!(sort, Sort::Enum(id) if classes.contains(id));
    let is_marked = |place: &&Place| {
        explored.states.iter().any(|state| state.tokens(&place.name).next().is_some())
    };
    let mut present = Vec::new();
    let (mut beside, mut with_thread) = (false, false);
    for place in net.places.iter().filter(is_marked) {
        let sorts: Vec<Sort> = place.columns.iter().map(|column| column.sort).collect();
        let has_member = sorts.iter().any(is_class);
        beside |= has_member && sorts.contains(&Sort::Pid);
        with_thread |= has_member && place.is_flow();
        present.extend(sorts.into_iter().filter(is_class));
    }
    let of = |sort: &Sort| match sort {
        Sort::Enum(id) => &net.enumerations[id.index()],
        _ => unreachable!("these are enumerations"),
    };
    let any = |what: &dyn Fn(&Enumeration) -> bool| present.iter().any(|sort| what(of(sort)));
    let found = [
        (any(&|e| e.symmetry == Symmetry::Full && e.parts.is_empty()), OF_CLASSES[0]),
        (any(&|e| !e.parts.is_empty()), OF_CLASSES[1]),
        (any(&|e| e.symmetry == Symmetry::Rotations), OF_CLASSES[2]),
        (present.iter().any(|sort| *sort != present[0]), OF_CLASSES[3]),
        (beside, "a member beside a pid"),
        (with_thread, "a member with a thread"),
    ];
    found.into_iter().filter(|(there, _)| *there).map(|(_, what)| what)
}

/// What a transition makes of members.
fn with_members(net: &Net, t: &Transition) -> Vec<(bool, &'static str)> {
    let classes = classes(net);
    let kind = |var: &net::Var| t.variables[var.index()].kind;
    let of_class = |var: &net::Var| matches!(kind(var), Kind::Enum(id) if classes.contains(&id));
    let arcs = || t.takes.iter().chain(&t.reads).chain(&t.puts);
    let swarms = |arcs: &[Arc]| arcs.iter().any(|arc| arc.each.iter().any(of_class));
    let inputs = || t.takes.iter().chain(&t.reads).map(|arc| arc.place);
    let columns = |place: PlaceId| net.place(place).columns.iter().map(|column| column.sort);
    let is_symmetric = |sort: Sort, symmetry: Symmetry| match sort {
        Sort::Enum(id) => net.enumerations[id.index()].symmetry == symmetry,
        _ => false,
    };
    let tied_by = |symmetry| {
        let of_members = |place| {
            let mut sorts = columns(place);
            sorts.clone().all(|sort| sort != Sort::Pid) && sorts.any(|s| is_symmetric(s, symmetry))
        };
        let within = matches!(net.reach(t), Reach::Family | Reach::FamilyAndRest);
        within && t.participants.is_empty() && inputs().any(of_members)
    };
    let mut found = vec![
        (t.parameters.iter().any(|(var, _)| of_class(var)), "a parameter over a class"),
        (swarms(&t.takes), "a take for each member"),
        (swarms(&t.reads), "a read for each member"),
        (swarms(&t.puts), "a put for each member"),
        (arcs().flat_map(|arc| &arc.each).any(|var| !of_class(var)), OF_CLASSES[8]),
        (arcs().any(|arc| arc.condition.is_some()), OF_CLASSES[9]),
        (arcs().any(|arc| arc.each.len() > 1), "an arc for each pair"),
        (tied_by(Symmetry::Full), "a transition within a family of members"),
        (tied_by(Symmetry::Rotations), "a transition of a cyclic class within a family"),
    ];
    for expr in t.expressions() {
        expr.walk(&mut |expr| match expr {
            Expr::Shift(_, id, _) => {
                let cyclic = is_symmetric(Sort::Enum(*id), Symmetry::Rotations);
                found.push((cyclic, "a successor in a cyclic class"));
                found.push((!cyclic, "a successor in an ordered enumeration"));
            }
            Expr::Within(..) => found.push((true, "a part asked for")),
            Expr::Literal(Literal::Enum(id, _)) if classes.contains(id) => {
                found.push((true, "a member named"));
            }
            Expr::Binary(BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::GreaterEqual, a, _) => {
                let of_member =
                    matches!(&**a, Expr::Var(var) if matches!(kind(var), Kind::Enum(_)));
                found.push((of_member, "an order of members"));
            }
            _ => {}
        });
    }
    found
}

fn of_transition(net: &Net, t: &Transition) -> impl Iterator<Item = &'static str> {
    let parents: BTreeSet<_> = t.spawns.iter().map(|spawn| spawn.parent).collect();
    let has_fate = |fate: &Fate| t.participants.iter().any(|p| p.fate == *fate);
    let ending = |p: &net::Participant| p.fate == Fate::End && parents.contains(&p.thread);
    let mut found = vec![
        (t.participants.len() > 1, "several participants"),
        (t.participants.is_empty(), "no participant"),
        (has_fate(&Fate::End), "a thread that ends"),
        (has_fate(&Fate::Stay), "a thread that stays"),
        (t.spawns.iter().map(|spawn| spawn.count).sum::<u32>() > 1, "several children in one step"),
        (parents.len() > 1, "children of several threads in one step"),
        (t.participants.iter().any(ending), "children of an ending thread"),
        (!t.reads.is_empty(), "a read"),
        (t.reads.iter().any(|arc| net.place(arc.place).is_flow()), "a read of a thread"),
        (t.takes.iter().any(|arc| arc.count > 1), "several copies"),
        (!t.inhibitors.is_empty(), "an inhibitor that is passed"),
        (t.inhibitors.iter().any(|i| i.condition.is_some()), "an inhibitor with a condition"),
        (t.inhibitors.iter().any(|i| i.arcs.len() > 1), "an inhibitor of several tokens"),
        (t.spawns.iter().any(|spawn| spawn.to.is_none()), "a child that ends at once"),
        (!t.parameters.is_empty(), "a parameter"),
        (!t.definitions.is_empty(), "a definition"),
    ];
    let of_pid = |(_, expr): &(net::Var, Expr)| matches!(expr, Expr::If(_, a, _) if is_pid(t, a));
    found.push((t.definitions.iter().any(of_pid), "a definition of a pid"));
    for expr in t.expressions() {
        expr.walk(&mut |expr| {
            if let Expr::Relation(relation, ..) = expr {
                found.push((true, relation.name()));
            }
        });
    }
    found.extend(with_members(net, t));
    found.into_iter().filter(|(there, _)| *there).map(|(_, what)| what)
}

fn is_pid(t: &Transition, expr: &Expr) -> bool {
    matches!(expr, Expr::Var(var) if t.variables[var.index()].kind == Kind::Pid)
}
