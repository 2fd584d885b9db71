//! What leads from stop to stop: the graph of a routine.

use std::collections::{BTreeMap, VecDeque};

use program::graph::{Graph, Node, NodeId, Stop, StopArm};
use program::{Expr, RoutineId};

use super::{Body, Compiler};
use crate::code::{
    Address, ArmCode, CallCode, Instruction, Point, PointId, PointKind, Register, RoutineCode,
    StopCode,
};

/// The nodes of a routine that have been compiled, and those that are to be.
#[derive(Default)]
struct Flow {
    placed: BTreeMap<NodeId, Address>,
    open: VecDeque<NodeId>,
    /// Jumps that lead to nodes.
    jumps: Vec<(Address, NodeId)>,
    /// The ways of forks.
    forks: Vec<(usize, Vec<NodeId>)>,
    points: BTreeMap<NodeId, PointId>,
    /// How many registers are needed.
    registers: u16,
}

impl<'p> Compiler<'p> {
    /// Compiles a routine that runs by itself.
    pub(super) fn graph(&mut self, id: RoutineId) {
        let graph = self.routines.graph(id);
        let mut flow = Flow { registers: graph.locals.len() as u16, ..Flow::default() };
        flow.open.push_back(graph.entry);
        while let Some(node) = flow.open.pop_front() {
            self.nodes(id, graph, node, &mut flow);
        }
        for (jump, node) in std::mem::take(&mut flow.jumps) {
            let to = flow.placed[&node];
            match &mut self.code.instructions[jump.0 as usize] {
                Instruction::Jump { to: old } | Instruction::JumpUnless { to: old, .. } => {
                    *old = to
                }
                other => unreachable!("{other:?} leads nowhere"),
            }
        }
        for (fork, ways) in std::mem::take(&mut flow.forks) {
            self.code.ways[fork] = ways.iter().map(|way| flow.placed[way]).collect();
        }
        for (node, point) in flow.points.clone() {
            let kind = match graph.node(node) {
                Node::Stop(stop) => PointKind::Stop(self.stop(graph, stop, &mut flow)),
                Node::Call { result, next, killed, arguments, passed, .. } => {
                    let hidden = passed.iter().map(|(local, _)| local.0 as Register);
                    let own = (0..arguments.len()).map(|number| number as Register);
                    PointKind::Call(CallCode {
                        passes: own.chain(hidden).collect(),
                        result: result.map(|local| local.0 as Register),
                        next: flow.placed[next],
                        killed: killed.map(|killed| flow.placed[&killed]),
                    })
                }
                _ => unreachable!("it is no point"),
            };
            self.code.points[point.0 as usize].what = kind;
        }
        let passed = graph.passed.iter();
        self.code.passed.push(passed.map(|(what, local)| (*what, local.0 as Register)).collect());
        let entry = flow.placed[&graph.entry];
        let number = self.graphs[&id];
        self.code.routines[number as usize] = RoutineCode { entry, registers: flow.registers };
    }

    /// The number of a stop or a call; what it leads to is compiled, too.
    fn point(&mut self, id: RoutineId, graph: &'p Graph, node: NodeId, flow: &mut Flow) -> PointId {
        if let Some(point) = flow.points.get(&node) {
            return *point;
        }
        let point = PointId(self.code.points.len() as u32);
        flow.points.insert(node, point);
        let live = self.routines.live(id);
        let (kept, origin, later) = match graph.node(node) {
            Node::Stop(stop) => {
                let arms = stop.arms.iter();
                let ways =
                    arms.flat_map(|arm| arm.exits.iter().map(|exit| exit.1).chain([arm.next]));
                flow.open.extend(ways.chain(stop.otherwise).chain(stop.killed));
                (live.at(node).clone(), stop.origin, self.laters.at(id, node).clone())
            }
            Node::Call { seen, result, next, killed, .. } => {
                flow.open.extend([*next].into_iter().chain(*killed));
                let kept = live.kept(seen, *result, *next, *killed);
                let later = self.laters.after_call(id, *next, *result);
                (kept, graph.local[&node].origin, later)
            }
            _ => unreachable!("it is no point"),
        };
        self.code.points.push(Point {
            routine: id,
            code: self.graphs[&id],
            origin,
            kept: kept.iter().map(|local| local.0 as Register).collect(),
            later,
            // It is known when all nodes are.
            what: PointKind::Call(CallCode {
                passes: Box::default(),
                result: None,
                next: Address(0),
                killed: None,
            }),
        });
        point
    }

    /// Compiles a node, and those behind it.
    fn nodes(&mut self, id: RoutineId, graph: &'p Graph, first: NodeId, flow: &mut Flow) {
        if flow.placed.contains_key(&first) {
            return;
        }
        let locals = graph.locals.len();
        let mut node = first;
        loop {
            if flow.placed.contains_key(&node) {
                let jump = self.jump();
                flow.jumps.push((jump, node));
                return;
            }
            let here = self.here();
            flow.placed.insert(node, here);
            let mut body = Body::new(locals);
            self.is_plain = true;
            self.is_guard = false;
            if let Some(local) = graph.local.get(&node) {
                self.origin = local.origin;
            }
            if let Some(stop) = graph.before_choices.get(&node) {
                let point = self.point(id, graph, *stop, flow);
                self.push(Instruction::StopAtStart { point });
            }
            let next = match graph.node(node) {
                Node::Next(next) | Node::Label(_, next) => Some(*next),
                Node::Do(statement, next) => {
                    self.statement(statement, &mut body);
                    Some(*next)
                }
                Node::Branch(condition, [yes, no]) => {
                    let condition = self.value(condition, &mut body);
                    let jump = self.unless(condition);
                    flow.jumps.push((jump, *no));
                    flow.open.push_back(*no);
                    Some(*yes)
                }
                Node::Choice(ways) => {
                    self.code.ways.push(Box::default());
                    let fork = self.code.ways.len() - 1;
                    self.push(Instruction::Fork { ways: fork as u32 });
                    let ways: Vec<NodeId> = ways.iter().map(|(way, _)| *way).collect();
                    flow.open.extend(&ways);
                    flow.forks.push((fork, ways));
                    None
                }
                Node::Choose(local, domain, next) => {
                    self.choose(*local, domain, None, &mut body);
                    Some(*next)
                }
                Node::Stop(_) => {
                    let point = self.point(id, graph, node, flow);
                    self.push(Instruction::Stop { point });
                    None
                }
                Node::Call { routine, arguments, passed, .. } => {
                    let values: Vec<&Expr> =
                        arguments.iter().chain(passed.iter().map(|(_, value)| value)).collect();
                    let from = body.block(values.len());
                    for (to, value) in (from..).zip(values) {
                        self.put(value, to, &mut body);
                    }
                    let point = self.point(id, graph, node, flow);
                    let routine = self.graphs[routine];
                    self.push(Instruction::Enter { point, routine, from });
                    None
                }
                Node::Return(value) => {
                    let from = value.as_ref().map(|value| self.value(value, &mut body));
                    self.push(Instruction::Leave { from });
                    None
                }
                Node::Killed => {
                    self.push(Instruction::Die);
                    None
                }
            };
            flow.registers = flow.registers.max(body.most);
            match next {
                Some(next) => node = next,
                None => return,
            }
        }
    }

    /// What a thread can do at a stop.
    fn stop(&mut self, graph: &'p Graph, stop: &'p Stop, flow: &mut Flow) -> StopCode {
        let facts = &self.routines.facts;
        let exits = |arm: &StopArm| {
            let exits = arm.exits.iter().map(|(_, node)| flow.placed[node]);
            [flow.placed[&arm.next]].into_iter().chain(exits).collect()
        };
        // Who is killed in a deferred block goes on at a copy of it.
        let copy = stop.killed.filter(|_| stop.is_deferred);
        let copy = copy.and_then(|copy| match graph.node(copy) {
            Node::Stop(copy) => Some(copy),
            _ => None,
        });
        let mut arms: Vec<ArmCode> = Vec::new();
        for (number, arm) in stop.arms.iter().enumerate() {
            arms.push(ArmCode {
                entry: Address(0),
                exits: exits(arm),
                killed_exits: copy.map(|copy| exits(&copy.arms[number])),
                gives: facts.may_give(&arm.actions),
                takes: facts.may_take(&arm.actions),
                is_own_step: arm.when.is_none() && self.laters.only_step(&arm.actions).is_some(),
                origin: arm.origin,
                label: arm.label,
            });
        }
        for (code, arm) in arms.iter_mut().zip(&stop.arms) {
            let of = arm.result.map(|local| graph.locals[local.index()].of.clone());
            let (entry, registers) = self.arm(arm, of, graph.locals.len());
            code.entry = entry;
            flow.registers = flow.registers.max(registers);
        }
        let labels = stop.labels.iter().chain(&stop.held).copied();
        StopCode {
            otherwise: stop.otherwise.map(|node| flow.placed[&node]),
            killed: stop.killed.map(|node| flow.placed[&node]),
            is_local: stop.is_local,
            is_idle: stop.idle,
            is_forgotten: stop.is_forgotten,
            labels: labels.collect(),
            standing: stop.labels.len(),
            gives: arms.iter().any(|arm| arm.gives),
            takes: arms.iter().any(|arm| arm.takes),
            arms: arms.into(),
        }
    }
}
