//! What nets look like.

use lang::{write_expr, write_guard, write_pattern};
use net::{Arc, Expr, Fate, Net, PlaceId, Transition};

use draw::{Drawing, Edge, EdgeLook, Face, Node, NodeId, NodeLook};

/// A net: places, transitions, and who goes where.
#[must_use]
pub fn net_drawing(net: &Net) -> Drawing {
    let mut drawing = Drawing::new(&net.name);
    let initial = net::interpret::initial(net);
    let mut places = Vec::new();
    for place in &net.places {
        let columns = &place.columns[usize::from(place.is_flow())..];
        let columns: Vec<String> = columns
            .iter()
            .map(|column| match &column.name {
                Some(name) => format!("{name}: {}", net.sort_name(column.sort)),
                None => net.sort_name(column.sort),
            })
            .collect();
        let look = if place.is_flow() { NodeLook::FLOW_PLACE } else { NodeLook::PLACE };
        let node = Node::new(look, Face::Plain, &place.name);
        let node = node.and(Face::Mono, &columns.join(" × "));
        let held: u64 = initial.tokens(&place.name).map(|(_, count)| u64::from(count)).sum();
        let node = match held {
            0 => node,
            n if n <= 4 => node.and(Face::Plain, &"●".repeat(n as usize)).initial(),
            n => node.and(Face::Plain, &format!("{n} ●")).initial(),
        };
        places.push(drawing.node(node));
    }
    for transition in &net.transitions {
        let guard = write_guard(net, transition);
        let node = Node::new(NodeLook::TRANSITION, Face::Strong, &transition.name);
        let node = drawing.node(node.and(Face::Mono, &guard));
        Arcs { net, transition, node, places: &places, drawing: &mut drawing }.draw();
    }
    drawing.explain();
    drawing
}

struct Arcs<'a> {
    net: &'a Net,
    transition: &'a Transition,
    node: NodeId,
    places: &'a [NodeId],
    drawing: &'a mut Drawing,
}

impl Arcs<'_> {
    fn draw(&mut self) {
        let (net, transition, node) = (self.net, self.transition, self.node);
        let at = |place: PlaceId| self.places[place.index()];
        let name = |var: net::Var| transition.variables[var.index()].name.as_str();
        let mut edges = Vec::new();
        let mut edge =
            |look, tail, head, label: &str| edges.push(Edge::new(look, tail, head, label));
        for participant in &transition.participants {
            let (thread, place) = (name(participant.thread), at(participant.from));
            let from = with(thread, &write_pattern(net, transition, &participant.pattern));
            let is_stay = matches!(participant.fate, Fate::Stay);
            edge(if is_stay { EdgeLook::STAY } else { EdgeLook::ARC }, place, node, &from);
            if let Fate::Move { to, values } = &participant.fate {
                edge(EdgeLook::ARC, node, at(*to), &with(thread, &self.values(values)));
            }
        }
        for spawn in &transition.spawns {
            let parent = name(spawn.parent);
            let children = match spawn.child {
                Some(child) => format!("{} of {parent}", name(child)),
                None => format!("{} of {parent}", spawn.count),
            };
            let label = with(&children, &self.values(&spawn.values));
            if let Some(to) = spawn.to {
                edge(EdgeLook::SPAWN, node, at(to), &label);
            }
        }
        for arc in &transition.takes {
            edge(EdgeLook::ARC, at(arc.place), node, &self.tokens(arc));
        }
        for arc in &transition.reads {
            edge(EdgeLook::READ, at(arc.place), node, &self.tokens(arc));
        }
        for arc in &transition.puts {
            edge(EdgeLook::ARC, node, at(arc.place), &self.tokens(arc));
        }
        for inhibitor in &transition.inhibitors {
            for arc in &inhibitor.arcs {
                let pattern = write_pattern(net, transition, &arc.pattern);
                let mut label = times(arc.count, &pattern);
                if let Some(condition) = &inhibitor.condition {
                    label += &format!("\nwith {}", write_expr(net, transition, condition));
                }
                if inhibitor.arcs.len() > 1 {
                    label += "\ntogether";
                }
                edge(EdgeLook::INHIBITOR, at(arc.place), node, &label);
            }
        }
        edges.into_iter().for_each(|edge| self.drawing.edge(edge));
    }

    fn values(&self, values: &[Expr]) -> String {
        let texts: Vec<String> =
            values.iter().map(|expr| write_expr(self.net, self.transition, expr)).collect();
        texts.join(", ")
    }

    fn tokens(&self, arc: &Arc) -> String {
        times(arc.count, &write_pattern(self.net, self.transition, &arc.pattern))
    }
}

fn with(thread: &str, data: &str) -> String {
    if data.is_empty() { thread.to_owned() } else { format!("{thread}, {data}") }
}

fn times(count: u32, text: &str) -> String {
    match (count, text) {
        (1, _) => text.to_owned(),
        (_, "") => count.to_string(),
        _ => format!("{count} × ({text})"),
    }
}
