//! What processes look like: the points at which they stop, and the ways between them.

use std::collections::{BTreeMap, BTreeSet};

use draw::{Border, Drawing, Edge, EdgeLook, Face, Node, NodeId, NodeLook, Shape, Tone};
use net::{Fate, Net};
use trace::{ControlPoint, control_points};

/// A point at which a process stops, before a statement.
const POINT: NodeLook =
    NodeLook::new("before a statement", Shape::Rounded, Border::Single, Tone::Plain);
/// One at which waiting for ever is meant.
const IDLE: NodeLook = NodeLook::new("idle", Shape::Rounded, Border::Dashed, Tone::Grey);
/// Where a process ends.
const END: NodeLook = NodeLook::new("end", Shape::Rounded, Border::Double, Tone::Green);

/// The processes that a net was made of: where they stop, how they go on, whom they start. What fails, and what is
/// done to those who are killed, is left out. Nothing if the net was not made of processes.
#[must_use]
pub fn process_drawing(net: &Net) -> Option<Drawing> {
    let mut drawing = Drawing::new(&net.name);
    let initial = net::interpret::initial(net);
    let mut nodes: BTreeMap<String, (NodeId, String)> = BTreeMap::new();
    for ControlPoint { routine, at, variables, is_idle, place } in control_points(net)? {
        let look = if is_idle { IDLE } else { POINT };
        let name = routine.trim_start_matches("process ");
        let node = Node::new(look, Face::Strong, name).and(Face::Mono, &at);
        let node = node.and(Face::Plain, &variables.join(", "));
        let is_first = initial.tokens(&place).next().is_some();
        let node = drawing.node(if is_first { node.initial() } else { node });
        nodes.insert(place, (node, routine));
    }
    let mut ends: BTreeMap<String, NodeId> = BTreeMap::new();
    let mut edges = BTreeSet::new();
    for transition in net.transitions.iter().filter(|t| t.failure.is_none() && !t.probe) {
        let mut acting = None;
        for participant in transition.participants.iter().filter(|one| !one.passive) {
            let Some((from, routine)) = nodes.get(&*net.place(participant.from).name) else {
                continue;
            };
            acting = acting.or(Some(*from));
            let to = match &participant.fate {
                Fate::Move { to, .. } => nodes.get(&*net.place(*to).name).map(|(node, _)| *node),
                Fate::Stay => Some(*from),
                Fate::End | Fate::Crash => {
                    let end = ends.entry(routine.clone());
                    Some(*end.or_insert_with(|| drawing.node(Node::new(END, Face::Plain, "end"))))
                }
            };
            edges.extend(to.map(|to| (*from, to, false)));
        }
        for spawn in &transition.spawns {
            let to = spawn.to.and_then(|to| nodes.get(&*net.place(to).name));
            edges.extend(acting.zip(to).map(|(from, (to, _))| (from, *to, true)));
        }
    }
    for (from, to, is_spawn) in edges {
        let look = if is_spawn { EdgeLook::SPAWN } else { EdgeLook::STEP };
        drawing.edge(Edge::new(look, from, to, ""));
    }
    drawing.explain();
    Some(drawing)
}
