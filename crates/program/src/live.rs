//! Which variables are read again.
//!
//! What will not be read again is no part of a state, so that states fold together that differ in it. A variable is
//! live at a node if some way from there reads it before it is assigned; ways that lead on when the thread is
//! killed count, too. Backwards over the graph until nothing changes; inside of what is done at once, backwards over
//! the statements.

use std::collections::BTreeSet;

use crate::graph::{Graph, Node, NodeId, StopArm};
use crate::{
    Action, Domain, Expr, Form, LocalId, LoopId, Operation, Root, Selector, Statement, Target,
};

/// Variables of a routine.
pub type Locals = BTreeSet<LocalId>;

/// The variables that are live at each node of a graph.
pub struct Live(Vec<Locals>);

impl Live {
    /// Finds what is live in a graph.
    pub fn of(graph: &Graph) -> Live {
        let mut live = Live(vec![Locals::new(); graph.nodes.len()]);
        loop {
            let mut is_stable = true;
            // Most nodes come after those they lead to, so that few rounds do.
            for (index, node) in graph.nodes.iter().enumerate() {
                let before = live.before(node);
                if before != live.0[index] {
                    live.0[index] = before;
                    is_stable = false;
                }
            }
            if is_stable {
                return live;
            }
        }
    }

    /// The variables that are live at a node.
    pub fn at(&self, node: NodeId) -> &Locals {
        &self.0[node.0 as usize]
    }

    /// What a call keeps for when it is back.
    pub fn kept(
        &self,
        seen: &Locals,
        result: Option<LocalId>,
        next: NodeId,
        killed: Option<NodeId>,
    ) -> Locals {
        let mut kept = self.at(next).clone();
        result.iter().for_each(|result| _ = kept.remove(result));
        killed.iter().for_each(|killed| kept.extend(self.at(*killed)));
        kept.extend(seen);
        kept
    }

    fn before(&self, node: &Node) -> Locals {
        match node {
            Node::Next(next) | Node::Label(_, next) => self.at(*next).clone(),
            Node::Do(statement, next) => {
                let mut live = self.at(*next).clone();
                Backwards::default().statement(statement, &mut live);
                live
            }
            Node::Branch(condition, ways) => {
                let mut live = self.any(ways);
                read(condition, &mut live);
                live
            }
            Node::Choice(ways) => self.any(ways.iter().map(|(way, _)| way)),
            Node::Choose(local, domain, next) => {
                let mut live = self.at(*next).clone();
                live.remove(local);
                read_domain(domain, &mut live);
                live
            }
            Node::Stop(stop) => {
                let mut live = Locals::new();
                stop.arms.iter().for_each(|arm| live.extend(self.before_arm(arm)));
                live.extend(&stop.seen);
                let others = stop.otherwise.iter().chain(&stop.killed);
                others.for_each(|node| live.extend(self.at(*node)));
                live
            }
            Node::Call { arguments, passed, seen, result, next, killed, .. } => {
                let mut live = self.kept(seen, *result, *next, *killed);
                passed.iter().for_each(|(_, value)| read(value, &mut live));
                arguments.iter().for_each(|argument| read(argument, &mut live));
                live
            }
            Node::Return(value) => {
                let mut live = Locals::new();
                value.iter().for_each(|value| read(value, &mut live));
                live
            }
            Node::Killed => Locals::new(),
        }
    }

    fn any<'n>(&self, nodes: impl IntoIterator<Item = &'n NodeId>) -> Locals {
        nodes.into_iter().flat_map(|node| self.at(*node)).copied().collect()
    }

    fn before_arm(&self, arm: &StopArm) -> Locals {
        let mut exits = self.at(arm.next).clone();
        arm.exits.iter().for_each(|(_, node)| exits.extend(self.at(*node)));
        arm.result.iter().for_each(|result| _ = exits.remove(result));
        // Whatever way it is left, some of these may be read.
        let mut live = exits.clone();
        Backwards { outside: exits, loops: Vec::new() }.block(&arm.actions, &mut live);
        arm.when.iter().for_each(|when| read(when, &mut live));
        live
    }
}

/// Goes over statements from the last to the first.
#[derive(Default)]
struct Backwards {
    /// What is live where the statements are left otherwise than at their end.
    outside: Locals,
    /// What is live at the beginning and at the end of the loops around.
    loops: Vec<(LoopId, [Locals; 2])>,
}

impl Backwards {
    fn block(&mut self, block: &[Statement], live: &mut Locals) {
        block.iter().rev().for_each(|statement| self.statement(statement, live));
    }

    fn statement(&mut self, statement: &Statement, live: &mut Locals) {
        match &statement.action {
            Action::Assign(target, value) => {
                assign(target, live);
                read(value, live);
            }
            Action::New(target, _, arguments) => {
                assign(target, live);
                arguments.iter().for_each(|argument| read(argument, live));
            }
            Action::If(condition, yes, no) => {
                let mut otherwise = live.clone();
                self.block(yes, live);
                self.block(no, &mut otherwise);
                live.extend(otherwise);
                read(condition, live);
            }
            Action::Loop(id, body) => {
                let after = live.clone();
                let mut head = Locals::new();
                loop {
                    let mut live = head.clone();
                    self.loops.push((*id, [head.clone(), after.clone()]));
                    self.block(body, &mut live);
                    self.loops.pop();
                    live.extend(&head);
                    if live == head {
                        break;
                    }
                    head = live;
                }
                *live = head;
            }
            Action::Break(id) => *live = self.around(*id, 1),
            Action::Continue(id) => *live = self.around(*id, 0),
            Action::Block(block) | Action::Atomic(block) => self.block(block, live),
            // What is deferred is done later: all that it reads stays live until then.
            Action::Defer(block) => {
                let mut deferred = live.clone();
                self.block(block, &mut deferred);
                live.extend(deferred);
            }
            Action::Return(value) => {
                *live = self.outside.clone();
                value.iter().for_each(|value| read(value, live));
            }
            Action::Choose(local, domain, when) => {
                when.iter().for_each(|when| read(when, live));
                live.remove(local);
                read_domain(domain, live);
            }
            Action::Either(blocks) => {
                let after = live.clone();
                live.clear();
                for block in blocks {
                    let mut before = after.clone();
                    self.block(block, &mut before);
                    live.extend(before);
                }
            }
            Action::Assert(condition) | Action::Require(condition) => read(condition, live),
            Action::Label(_) => {}
            Action::Spawn(target, _, arguments) | Action::Call(target, _, arguments) => {
                target.iter().for_each(|target| assign(target, live));
                arguments.iter().for_each(|argument| read(argument, live));
            }
            Action::Kill(handle) | Action::Crash(handle) => read(handle, live),
            Action::Select(select) => {
                let after = live.clone();
                live.clear();
                for arm in &select.arms {
                    let mut before = after.clone();
                    self.block(&arm.body, &mut before);
                    operation(&arm.operation, &mut before);
                    arm.when.iter().for_each(|when| read(when, &mut before));
                    live.extend(before);
                }
                if let Some(block) = &select.otherwise {
                    let mut before = after.clone();
                    self.block(block, &mut before);
                    live.extend(before);
                }
            }
        }
    }

    /// What is live at the beginning or at the end of a loop.
    fn around(&self, id: LoopId, end: usize) -> Locals {
        let inner = self.loops.iter().rev().find(|(other, _)| *other == id);
        inner.map_or_else(|| self.outside.clone(), |(_, live)| live[end].clone())
    }
}

fn operation(operation: &Operation, live: &mut Locals) {
    match operation {
        Operation::Step { object, arguments, result, .. } => {
            result.iter().for_each(|result| _ = live.remove(result));
            read(object, live);
            arguments.iter().for_each(|argument| read(argument, live));
        }
        Operation::Join(handle, result) => {
            result.iter().for_each(|result| _ = live.remove(result));
            read(handle, live);
        }
        Operation::JoinAny(handles, which, result) => {
            which.iter().chain(result).for_each(|local| _ = live.remove(local));
            read(handles, live);
        }
        Operation::Await(condition) => read(condition, live),
    }
}

fn assign(target: &Target, live: &mut Locals) {
    match &target.root {
        Root::Local(id) if target.path.is_empty() => _ = live.remove(id),
        // The rest of it stays.
        Root::Local(id) => _ = live.insert(*id),
        Root::Global(_) => {}
        Root::Field(object, _) => read(object, live),
    }
    for selector in &target.path {
        if let Selector::Element(index) = selector {
            read(index, live);
        }
    }
}

fn read_domain(domain: &Domain, live: &mut Locals) {
    match domain {
        Domain::Type(_) | Domain::Forgotten(_) => {}
        Domain::Range(from, to) => {
            read(from, live);
            read(to, live);
        }
        Domain::Collection(over) => read(over, live),
    }
}

fn read(expr: &Expr, live: &mut Locals) {
    match &expr.form {
        Form::Local(id) => _ = live.insert(*id),
        Form::Quantified(_, local, over, body) => {
            let is_live = live.contains(local);
            read(body, live);
            if !is_live {
                live.remove(local);
            }
            read(over, live);
        }
        _ => expr.children().into_iter().for_each(|child| read(child, live)),
    }
}
