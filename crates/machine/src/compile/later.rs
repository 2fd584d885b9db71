//! Finds out what threads may still do ([`Later`]): backwards over the graphs of all routines, until nothing changes.

mod own;
mod own_step;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use program::graph::{Node, NodeId, Stop};
use program::routines::Routines;
use program::{
    Action, Arm, Block, Expr, Form, LocalId, ObjectId, Operation, Program, RoutineId, Select,
    Statement, StepId, Target, Type,
};

use super::presence::Field;
use crate::code::Register;
use crate::heap::Class;
use crate::later::{Deed, GLOBAL_VARIABLES, Later, Root, Use};
use crate::mistake::{Mistake, planted};
use own::Own;

/// What is known of a program.
pub(super) struct Analysis<'p> {
    program: &'p Program,
    routines: &'p Routines,
    /// The fields of which it is kept whether there is something, and not what.
    presence: &'p HashSet<Field>,
    /// The steps that look at nothing but the fields of their object.
    own_steps: BTreeSet<(ObjectId, StepId)>,
    entries: BTreeMap<RoutineId, NodeId>,
    laters: BTreeMap<(RoutineId, NodeId), Later>,
}

fn register(local: LocalId) -> Register {
    local.0 as Register
}

/// The class of a type of objects, as [`crate::code::Code::object_class`] has it.
fn class(of: &Type) -> Class {
    Class(1 + of.object().0 as u16)
}

impl<'p> Analysis<'p> {
    /// Finds out what threads may still do at each node of a program.
    pub(super) fn of(
        program: &'p Program,
        routines: &'p Routines,
        presence: &'p HashSet<Field>,
    ) -> Analysis<'p> {
        let objects = (0..).map(ObjectId).zip(&program.objects);
        let steps = objects.flat_map(|(of, object)| {
            let ids = (0..object.steps.len() as u32).map(StepId);
            let is_own = move |step: &StepId| own_step::is_own(object, of, *step, presence);
            ids.filter(is_own).map(move |step| (of, step))
        });
        let own_steps = steps.collect();
        let ids: Vec<RoutineId> = routines.ids().collect();
        let entries = ids.iter().map(|id| (*id, routines.graph(*id).entry)).collect();
        let laters = BTreeMap::new();
        let mut analysis = Analysis { program, routines, presence, own_steps, entries, laters };
        loop {
            let mut is_stable = true;
            for id in &ids {
                let graph = routines.graph(*id);
                // Most nodes come after those they lead to, so that few rounds do.
                for at in (0..graph.nodes.len() as u32).map(NodeId) {
                    let later = analysis.before(*id, graph.node(at));
                    if later != *analysis.at(*id, at) {
                        analysis.laters.insert((*id, at), later);
                        is_stable = false;
                    }
                }
            }
            if is_stable {
                return analysis;
            }
        }
    }

    /// What may be done from a node on.
    pub(super) fn at(&self, id: RoutineId, node: NodeId) -> &Later {
        const NOTHING: &Later = &Later::NOTHING;
        self.laters.get(&(id, node)).unwrap_or(NOTHING)
    }

    /// What may be done after a call.
    pub(super) fn after_call(&self, id: RoutineId, next: NodeId, result: Option<LocalId>) -> Later {
        self.at(id, next).found(other_than(&result.into_iter().map(register).collect()))
    }

    /// The steps that look at nothing but the fields of their object, and what they do to these.
    pub(super) fn own_steps(&self) -> impl Iterator<Item = ((ObjectId, StepId), Vec<Deed>)> {
        self.own_steps.iter().map(|(of, step)| {
            let mut own = Own::default();
            self.step(*of, *step, Root::Anything, &mut own);
            ((*of, *step), own.uses.into_iter().map(|one| one.deed).collect())
        })
    }

    /// The step that an arm consists of, if it is nothing else, and looks at nothing but the fields of its object.
    pub(super) fn only_step<'b>(
        &self,
        block: &'b [Statement],
    ) -> Option<(&'b Expr, ObjectId, StepId)> {
        let [Statement { action: Action::Select(Select { arms, otherwise: None, .. }), .. }] =
            block
        else {
            return None;
        };
        let [Arm { operation: Operation::Step { object, step, .. }, when: None, body, .. }] =
            &arms[..]
        else {
            return None;
        };
        let of = object.of.object();
        (body.is_empty() && self.own_steps.contains(&(of, *step))).then_some((object, of, *step))
    }

    /// What may be done in a routine, by who passes it arguments. Those that nobody comes to have no graph.
    fn begun(&self, id: RoutineId, arguments: &[Expr]) -> Later {
        let entry = self.entries.get(&id);
        let passed = self.passed(arguments);
        entry.map_or(Later::NOTHING, |entry| self.at(id, *entry).found(passed))
    }

    fn before(&self, id: RoutineId, node: &Node) -> Later {
        match node {
            Node::Next(next) | Node::Label(_, next) => self.at(id, *next).clone(),
            Node::Do(statement, next) => {
                self.block(std::slice::from_ref(statement), self.at(id, *next), true)
            }
            Node::Branch(condition, ways) => {
                let ways = ways.iter().map(|way| self.at(id, *way));
                self.reads(&[condition], any(ways))
            }
            Node::Choice(ways) => any(ways.iter().map(|(way, _)| self.at(id, *way))),
            Node::Choose(local, domain, next) => {
                let choice = Action::Choose(*local, domain.clone(), None);
                let later = self.at(id, *next).found(other_than(&[register(*local)].into()));
                self.reads(&choice.exprs(), later)
            }
            Node::Stop(stop) => self.stop(id, stop),
            Node::Call { routine, arguments, result, next, .. } => {
                let mut later = self.after_call(id, *next, *result);
                later.and(&self.begun(*routine, arguments));
                self.reads(&arguments.iter().collect::<Vec<_>>(), later)
            }
            Node::Return(value) => {
                let value: Vec<&Expr> = value.iter().collect();
                let mut later = self.reads(&value, Later::default());
                // Of a process it is the result, which others get who join it.
                later.passes |= !id.is_called() && value.iter().any(|value| self.refers(&value.of));
                later
            }
            Node::Killed => Later::default(),
        }
    }

    fn stop(&self, id: RoutineId, stop: &Stop) -> Later {
        let mut all = Later::default();
        for arm in &stop.arms {
            let exits = arm.exits.iter().map(|(_, node)| node).chain([&arm.next]);
            let mut later = any(exits.map(|node| self.at(id, *node)));
            if let Some(local) = arm.result {
                later = later.found(other_than(&[register(local)].into()));
            }
            let waits = stop.otherwise.is_none() || planted(Mistake::TriersWait);
            later = self.block(&arm.actions, &later, waits);
            all.or(&self.reads(&arm.when.iter().collect::<Vec<_>>(), later));
            all.asks_ended |= stop.otherwise.is_some() && joins(&arm.actions);
        }
        stop.otherwise.iter().for_each(|node| all.or(self.at(id, *node)));
        all
    }

    /// What is done at once, and then something else. Whether it waits if it cannot be done.
    fn block(&self, block: &[Statement], next: &Later, waits: bool) -> Later {
        if let Some((object, of, step)) = self.only_step(block).filter(|(_, of, step)| {
            waits && self.program.objects[of.index()].steps[step.index()].routine.parameters == 1
        }) {
            let mut own = Own::default();
            block.iter().for_each(|statement| note_assigned(&statement.action, &mut own));
            let mut later = next.found(other_than(&own.assigned));
            let class = class(&Type::Object(of));
            later.surely_after(Use { class, root: self.root(object), deed: Deed::Does(step) });
            return self.reads(&[object], later);
        }
        self.done(self.own(block), next)
    }

    fn reads(&self, all: &[&Expr], later: Later) -> Later {
        let mut own = Own::default();
        all.iter().for_each(|expr| self.expr(expr, &mut own));
        // A variable that goes through a collection has another value afterwards.
        self.done(own, &later)
    }

    fn done(&self, own: Own, next: &Later) -> Later {
        let mut later = next.found(other_than(&own.assigned));
        let own = own.found(other_than(&own.assigned));
        let children = own.spawned.iter().filter(|_| !planted(Mistake::NoChildren));
        children.for_each(|child| later.and(child));
        own.uses.iter().for_each(|one| later.after(*one));
        later.passes |= own.passes;
        later.asks_ended |= own.asks_ended;
        later
    }

    /// What is done in a block that is done at once.
    fn own(&self, block: &[Statement]) -> Own {
        let mut own = Own::default();
        block.iter().for_each(|statement| self.action(&statement.action, &mut own));
        own
    }

    fn action(&self, action: &Action, own: &mut Own) {
        let spawned = own.spawned.len();
        note_assigned(action, own);
        action.exprs().into_iter().for_each(|expr| self.expr(expr, own));
        action.targets().into_iter().for_each(|target| self.target(target, own));
        match action {
            Action::New(_, object, _) => {
                // The parameters are others' variables.
                let fields = &self.program.objects[object.index()].fields;
                let mut made = Own::default();
                fields.iter().for_each(|field| self.expr(&field.initial, &mut made));
                own.extend(made.found(|_| Root::Anything));
            }
            Action::Spawn(_, process, arguments) => {
                own.spawned.push(self.begun(RoutineId::Process(*process), arguments));
            }
            Action::Call(_, function, _) if own.functions.insert(*function) => {
                let body = &self.program.functions[function.index()].body;
                self.inside(&[body], Root::Anything, own);
            }
            Action::Select(select) => {
                for arm in &select.arms {
                    if let Operation::Step { object, step, .. } = &arm.operation {
                        self.step(object.of.object(), *step, self.root(object), own);
                    }
                }
                own.asks_ended |= select.otherwise.is_some() && select.arms.iter().any(is_join);
            }
            _ => {}
        }
        for block in action.blocks() {
            block.iter().for_each(|statement| self.action(&statement.action, own));
        }
        // Who is started in a loop, or in what may be called again, is one of many.
        if matches!(action, Action::Loop(..) | Action::Call(..) | Action::Select(_))
            && !planted(Mistake::LoopsOnce)
        {
            own.spawned[spawned..].iter_mut().for_each(Later::repeat);
        }
    }

    /// A step of an object that is found in a way; with what two do who meet by it.
    fn step(&self, of: ObjectId, step: StepId, root: Root, own: &mut Own) {
        if own.steps.insert((of, step, root)) {
            let object = &self.program.objects[of.index()];
            let meetings = object.meetings.iter();
            let meetings = meetings.filter(|met| met.first == step || met.second == step);
            let bodies = meetings.map(|meeting| &meeting.body);
            let bodies: Vec<&Block> =
                bodies.chain([&object.steps[step.index()].routine.body]).collect();
            // Who meets another one gives it something.
            own.passes |= bodies.len() > 1;
            self.inside(&bodies, root, own);
        }
    }

    /// What is done with other variables, of which the first may be known.
    fn inside(&self, bodies: &[&Block], first: Root, own: &mut Own) {
        let (functions, steps) = (own.functions.clone(), own.steps.clone());
        let mut inside = Own { functions, steps, ..Own::default() };
        for statement in bodies.iter().flat_map(|body| body.iter()) {
            self.action(&statement.action, &mut inside);
        }
        let known = |register| if register == 0 { first } else { Root::Anything };
        own.extend(inside.found(known));
    }

    fn target(&self, target: &Target, own: &mut Own) {
        let refers = self.refers(&target.of);
        let (class, root, field, passes) = match &target.root {
            program::Root::Local(_) => return,
            program::Root::Global(id) => (GLOBAL_VARIABLES, Root::Anything, id.0, refers),
            program::Root::Field(object, field) => {
                let is_present = self.presence.contains(&(object.of.object(), *field));
                (class(&object.of), self.root(object), field.0, refers && !is_present)
            }
        };
        let field = field as u16;
        own.uses.push(Use { class, root, deed: Deed::Writes(field) });
        own.uses.push(Use { class, root, deed: Deed::Reads(field) });
        own.passes |= passes;
    }

    fn expr(&self, expr: &Expr, own: &mut Own) {
        match &expr.form {
            Form::Field(object, field) => {
                let (class, root) = (class(&object.of), self.root(object));
                own.uses.push(Use { class, root, deed: Deed::Reads(field.0 as u16) });
            }
            Form::Global(id) => {
                let deed = Deed::Reads(id.0 as u16);
                own.uses.push(Use { class: GLOBAL_VARIABLES, root: Root::Anything, deed });
            }
            Form::Ended(_) => own.asks_ended = true,
            Form::Quantified(_, local, ..) => _ = own.assigned.insert(register(*local)),
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.expr(child, own));
    }

    /// How an object is found.
    fn root(&self, object: &Expr) -> Root {
        match &object.form {
            Form::Local(local) => Root::Register(register(*local)),
            Form::Global(id) if !self.routines.facts.is_shared(object) => Root::Global(id.0 as u16),
            Form::Unwrap(inner) | Form::Sure(inner) | Form::Some(inner) => self.root(inner),
            _ => Root::Anything,
        }
    }

    /// How parameters are found by who passes arguments.
    fn passed(&self, arguments: &[Expr]) -> impl Fn(Register) -> Root {
        let roots: Vec<Root> = arguments.iter().map(|argument| self.root(argument)).collect();
        move |register| roots.get(usize::from(register)).copied().unwrap_or(Root::Anything)
    }

    /// Whether values of a type may refer to objects or threads.
    fn refers(&self, of: &Type) -> bool {
        match of {
            Type::Handle(_) | Type::Object(_) => true,
            Type::Optional(inner) | Type::Sequence(inner, _) | Type::Set(inner, _) => {
                self.refers(inner)
            }
            Type::Map(key, value, _) => self.refers(key) || self.refers(value),
            Type::Record(id) => {
                let components = &self.program.records[id.index()].components;
                components.iter().any(|part| self.refers(&part.of))
            }
            Type::Variant(id) => {
                let cases = &self.program.variants[id.index()].cases;
                cases.iter().flat_map(|case| &case.components).any(|part| self.refers(&part.of))
            }
            Type::Int { .. } | Type::Bool | Type::Member(_) => false,
        }
    }
}

/// Any of some.
fn any<'l>(ways: impl Iterator<Item = &'l Later>) -> Later {
    let mut later = Later::default();
    ways.for_each(|way| later.or(way));
    later
}

/// Where some registers get other values.
fn other_than(assigned: &BTreeSet<Register>) -> impl Fn(Register) -> Root {
    let assigned = assigned.clone();
    move |register| match assigned.contains(&register) {
        true if !planted(Mistake::OldVariables) => Root::Anything,
        _ => Root::Register(register),
    }
}

fn is_join(arm: &Arm) -> bool {
    matches!(arm.operation, Operation::Join(..) | Operation::JoinAny(..))
}

fn joins(block: &Block) -> bool {
    block.iter().any(|statement| match &statement.action {
        Action::Select(select) => select.arms.iter().any(is_join),
        action => action.blocks().into_iter().any(joins),
    })
}

fn note_assigned(action: &Action, own: &mut Own) {
    own.assigned.extend(action.locals().into_iter().map(register));
    if let Action::Select(select) = action {
        let results = select.arms.iter().flat_map(|arm| arm.operation.results());
        own.assigned.extend(results.map(|local| register(*local)));
    }
}
