//! Routines as graphs: what follows what.
//!
//! A statement becomes a node, or a few. Most important are *stops*: before a statement that is not local a
//! thread stops, others have their turn, and it goes on by one of the *arms* of the stop, each of which is done at
//! once. All other nodes are local: they belong to the step before.
//!
//! - A statement that reads what is shared and writes what is shared is two stops, the read first. Operands that
//!   read what is shared are read at a stop of their own.
//! - Deferred blocks are copied to each way out of their block. A stop knows where a thread goes on that is killed
//!   there: to the copies that run the pending ones, after which it ends. There it cannot be killed again.
//! - Statements in an `atomic` block are not taken apart: an arm executes them all.
//! - A label becomes a stop. All stops of the statement behind it are at it. A statement that only goes on elsewhere, such
//!   as `break`, becomes a node where a label stands before it.

mod inline;
mod passed;
mod statement;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use net::Origin;

use crate::claim::{Claim, Meaning, Over, Proposition};
use crate::facts::Facts;
use crate::live::Locals;
use crate::{
    Action, Block, Domain, Expr, FieldId, Form, FunctionId, LabelId, LocalId, LoopId, Named,
    ObjectId, ProcessId, Program, Refusal, Routine, Statement, Type,
};

pub use passed::{Passed, Passing};

/// A node of a graph, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A routine as a graph.
pub struct Graph {
    /// What is done, and what follows it.
    pub nodes: Vec<Node>,
    /// Where the routine begins.
    pub entry: NodeId,
    /// The variables of the routine, and hidden ones after them.
    pub locals: Vec<Named>,
    /// What is known of local statements.
    pub local: HashMap<NodeId, Local>,
    /// What cannot be compiled.
    pub refusals: Vec<Refusal>,
    /// What it is passed of its callers, for properties.
    pub passed: Vec<(Passing, LocalId)>,
    /// Stops before choices, for the thread that makes one at the very start. Nothing else leads to them.
    pub before_choices: HashMap<NodeId, NodeId>,
}

/// What is known of a local statement, in case that it has to be a step of its own.
#[derive(Clone, Default)]
pub struct Local {
    /// Where a thread goes on that is killed before it.
    pub killed: Option<NodeId>,
    /// The labels of statements that are being done.
    pub held: Vec<(Source, LabelId)>,
    /// Variables in scope that are observed.
    pub seen: Locals,
    /// Whether it belongs to a statement of which another part is before it: it is done with that.
    pub is_rest: bool,
    /// Where it is written.
    pub origin: Origin,
}

/// One of the blocks of an `either`.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Its first statement, or the whole `either` if it has none.
    pub origin: Origin,
    /// Whether it has no statements.
    pub is_empty: bool,
}

impl Way {
    /// That of a block in a statement.
    pub fn of(block: &[Statement], origin: Origin) -> Way {
        let first = block.first().map(|statement| statement.origin);
        Way { origin: first.unwrap_or(origin), is_empty: first.is_none() }
    }
}

/// What is done next.
#[derive(Clone)]
pub enum Node {
    /// Nothing: the head of a loop.
    Next(NodeId),
    /// A point with a name. Before a graph is used it becomes a stop.
    Label((Source, LabelId), NodeId),
    /// A local statement, which cannot fault: an assignment, or an object that is made.
    Do(Statement, NodeId),
    /// One way or the other, by a condition that cannot fault, on what is local.
    Branch(Expr, [NodeId; 2]),
    /// Any of these blocks.
    Choice(Vec<(NodeId, Way)>),
    /// A variable gets any value of a domain, which is not empty.
    Choose(LocalId, Domain, NodeId),
    /// Others have their turn.
    Stop(Stop),
    /// A function is called. The arguments cannot fault.
    Call {
        /// The function.
        routine: RoutineId,
        /// What its parameters get.
        arguments: Vec<Expr>,
        /// What it is passed besides, for properties: hidden parameters, and their values.
        passed: Vec<(LocalId, Expr)>,
        /// Variables that are kept since what they refer to is to be seen.
        seen: Locals,
        /// The variable that gets the result.
        result: Option<LocalId>,
        /// Where the caller goes on.
        next: NodeId,
        /// Where a thread goes on that was killed in the function.
        killed: Option<NodeId>,
    },
    /// The routine is left, with a result.
    Return(Option<Expr>),
    /// All pending blocks of a thread that was killed are done.
    Killed,
}

/// Where others have their turn.
#[derive(Clone)]
pub struct Stop {
    /// The ways to go on.
    pub arms: Vec<StopArm>,
    /// Where a thread goes on if no arm can be taken now.
    pub otherwise: Option<NodeId>,
    /// Whether waiting here for ever is meant.
    pub idle: bool,
    /// Where a thread goes on that is killed here; nothing if it was killed before, or nobody kills.
    pub killed: Option<NodeId>,
    /// Whether what comes next is local: a thread is killed only after it.
    pub is_local: bool,
    /// Whether what comes next is what a test on data that is not kept turns out to be: nobody else has a turn before.
    pub is_forgotten: bool,
    /// Whether it is in a deferred block: a thread that is killed here goes on as it would have, at a copy of the stop.
    pub is_deferred: bool,
    /// The labels that stand here.
    pub labels: Vec<(Source, LabelId)>,
    /// The labels of statements that are being done.
    pub held: Vec<(Source, LabelId)>,
    /// Variables in scope that are observed.
    pub seen: Locals,
    /// Where the statement before which it is is written.
    pub origin: Origin,
}

impl Stop {
    /// The first label that stands here and is not hidden: its routine, and its name.
    pub fn label<'p>(&self, program: &'p Program) -> Option<(&'p Routine, &'p str)> {
        let mut labels = self.labels.iter().map(|(source, label)| {
            let routine = source.of(program);
            (routine, &routine.labels[label.index()])
        });
        labels.find(|(_, label)| !label.is_hidden()).map(|(of, label)| (of, label.name.as_str()))
    }

    /// A stop before a node, at which nothing is waited for.
    pub fn before(next: NodeId, local: Local) -> Stop {
        let Local { killed, held, seen, origin, .. } = local;
        let arms = vec![StopArm::plain(Vec::new(), origin, next)];
        Stop {
            arms,
            otherwise: None,
            idle: false,
            killed,
            is_local: false,
            is_forgotten: false,
            is_deferred: false,
            labels: Vec::new(),
            held,
            seen,
            origin,
        }
    }
}

/// A way to go on from a stop.
#[derive(Clone)]
pub struct StopArm {
    /// A condition on it, evaluated anew while waiting.
    pub when: Option<Expr>,
    /// What is done, all at once.
    pub actions: Block,
    /// Where it leads: at the end, and by leaving loops around it or the routine.
    pub next: NodeId,
    /// The ways out of it, and where they lead.
    pub exits: Vec<(Exit, NodeId)>,
    /// Where the result of a `return` in it goes.
    pub result: Option<LocalId>,
    /// The label of the arm, if fairness may speak of it.
    pub label: Option<(Source, LabelId)>,
    /// Whether it is an `atomic` block.
    pub is_atomic: bool,
    /// Where it is written.
    pub origin: Origin,
}

impl Node {
    /// Lets it lead elsewhere, for a thread that cannot be killed any more.
    fn redirect(&mut self, to: &dyn Fn(NodeId) -> NodeId) {
        match self {
            Node::Next(next)
            | Node::Label(_, next)
            | Node::Do(_, next)
            | Node::Choose(.., next)
            | Node::Call { next, .. } => *next = to(*next),
            Node::Branch(_, ways) => ways.iter_mut().for_each(|way| *way = to(*way)),
            Node::Choice(ways) => ways.iter_mut().for_each(|(way, _)| *way = to(*way)),
            Node::Stop(stop) => {
                for arm in &mut stop.arms {
                    arm.next = to(arm.next);
                    arm.exits.iter_mut().for_each(|(_, exit)| *exit = to(*exit));
                }
                stop.otherwise = stop.otherwise.map(to);
                stop.killed = None;
            }
            Node::Return(_) | Node::Killed => {}
        }
    }
}

impl StopArm {
    /// An arm without conditions, that leads to one node only.
    pub fn plain(actions: Block, origin: Origin, next: NodeId) -> StopArm {
        let (exits, is_atomic) = (Vec::new(), false);
        StopArm { when: None, actions, next, exits, result: None, label: None, is_atomic, origin }
    }
}

/// A way out of an atomic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// A loop around it is left.
    Break(LoopId),
    /// A loop around it begins again.
    Continue(LoopId),
    /// The routine is left.
    Return,
}

/// What a property looks at, so that it stays to be seen.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The labels of processes and functions.
    pub labels: HashSet<(Source, LabelId)>,
    /// The variables of processes and functions: they are kept throughout their scope.
    pub locals: HashSet<(Source, LocalId)>,
    /// The fields of objects.
    pub fields: HashSet<(ObjectId, FieldId)>,
    /// Whether all variables are: where objects are counted, what keeps them from being dropped is seen.
    pub all_locals: bool,
    /// Whether branching time is asked for.
    pub branching: bool,
    /// Whether races are asked for.
    pub races: bool,
}

impl Observed {
    /// What claims look at.
    #[must_use]
    pub fn of(claims: &[Claim]) -> Observed {
        let mut observed = Observed::default();
        for claim in claims {
            observed.branching |= claim.proposition.is_branching();
            observed.note(&claim.proposition);
            claim.proposition.conditions(&mut |condition| observed.note_fields(condition));
            for mention in &claim.mentions {
                match &mention.meaning {
                    Meaning::Count(_, labels) => observed.labels.extend(labels.iter().flatten()),
                    Meaning::At(_, labels) => observed.labels.extend(labels),
                    Meaning::Variable(_, source, local) => {
                        observed.locals.insert((*source, *local));
                    }
                    // The labels of arms are always observed.
                    Meaning::Enabled(_) => {}
                    Meaning::Bound | Meaning::Ended(_) | Meaning::Kin(..) | Meaning::Element => {}
                }
            }
        }
        observed
    }

    fn note_fields(&mut self, expr: &Expr) {
        if let Form::Field(object, field) = &expr.form {
            self.fields.insert((object.of.object(), *field));
        }
        expr.children().into_iter().for_each(|child| self.note_fields(child));
    }

    fn note(&mut self, proposition: &Proposition) {
        match proposition {
            Proposition::RaceFree => self.races = true,
            Proposition::Quantified { over, .. } => match over {
                Over::Objects(_) => self.all_locals = true,
                Over::Entering(_, labels) => self.labels.extend(labels),
                Over::Processes(_) => {}
            },
            _ => {}
        }
        proposition.children().into_iter().for_each(|inner| self.note(inner));
    }
}

/// A routine as it is written: a process or a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A process.
    Process(ProcessId),
    /// A function, whoever calls it.
    Function(FunctionId),
}

/// A routine of a program that runs by itself: a process, or a function in the course of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoutineId {
    /// A process.
    Process(ProcessId),
    /// A function that processes of a kind call.
    Function(ProcessId, FunctionId),
}

impl Source {
    /// The routine.
    #[must_use]
    pub fn of(self, program: &Program) -> &Routine {
        match self {
            Source::Process(id) => &program.processes[id.index()],
            Source::Function(id) => &program.functions[id.index()],
        }
    }
}

impl RoutineId {
    /// The routine.
    #[must_use]
    pub fn of(self, program: &Program) -> &Routine {
        self.source().of(program)
    }

    /// The process in whose course it is.
    #[must_use]
    pub fn process(self) -> ProcessId {
        match self {
            RoutineId::Process(id) | RoutineId::Function(id, _) => id,
        }
    }

    /// The routine as it is written.
    #[must_use]
    pub fn source(self) -> Source {
        match self {
            RoutineId::Process(id) => Source::Process(id),
            RoutineId::Function(_, id) => Source::Function(id),
        }
    }

    /// Whether it is called by others, so that it returns to them.
    pub fn is_called(self) -> bool {
        !matches!(self, RoutineId::Process(_))
    }
}

/// A stop, by the routine that it is in, and its node.
pub type StopId = (RoutineId, NodeId);

/// A call, by the routine that it is in, and its node.
pub type Site = (RoutineId, NodeId);

/// Deferred blocks that are pending, the innermost first.
type Pending = Option<Rc<Deferred>>;

struct Deferred {
    block: Block,
    outer: Pending,
}

fn same(a: &Pending, b: &Pending) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// A loop around a statement.
#[derive(Clone)]
struct Around {
    id: LoopId,
    head: NodeId,
    after: NodeId,
    pending: Pending,
}

/// What is around a statement.
#[derive(Clone, Default)]
struct Context {
    pending: Pending,
    loops: Vec<Around>,
    /// Whether the thread was killed, and runs what is pending.
    killed: bool,
    /// Variables in scope that are observed.
    seen: Locals,
    /// Whether it is in a deferred block.
    is_deferred: bool,
    /// The functions that it is in, the innermost last, where they are not called but put in.
    inlined: Vec<Inlined>,
    /// The labels of calls that are being done.
    held: Vec<(Source, LabelId)>,
}

/// A function that is put in.
#[derive(Clone)]
struct Inlined {
    function: FunctionId,
    /// Where it goes on after it, and where its result goes.
    after: NodeId,
    result: Option<(LocalId, Type)>,
    pending: Pending,
}

struct Builder<'p> {
    program: &'p Program,
    facts: &'p Facts,
    observed: &'p Observed,
    passed: &'p Passed,
    id: RoutineId,
    /// The labels of the statement at hand ([`labels_of`]).
    labels: Vec<LabelId>,
    /// Whether the statement at hand is the rest of one.
    is_rest: bool,
    nodes: Vec<Node>,
    locals: Vec<Named>,
    /// Where a thread goes on that is killed with these pending.
    ways_out: Vec<(Pending, NodeId)>,
    /// What is done last by a thread that was killed.
    killed: NodeId,
    local: HashMap<NodeId, Local>,
    /// The number of the next loop.
    next_loop: u32,
    /// How many calls were put in.
    inlined: u32,
    refusals: Vec<Refusal>,
}

impl Graph {
    /// The graph of a routine. What is observed stays to be seen.
    pub fn of(
        program: &Program,
        facts: &Facts,
        observed: &Observed,
        passed: &Passed,
        id: RoutineId,
    ) -> Graph {
        let routine = id.of(program);
        let hidden = passed.parameters(id, program);
        let mut locals = routine.locals.clone();
        locals.extend(hidden.iter().map(|(.., named)| named.clone()));
        let mut builder = Builder {
            program,
            facts,
            observed,
            passed,
            id,
            labels: Vec::new(),
            is_rest: false,
            nodes: vec![Node::Killed, Node::Return(None)],
            locals,
            ways_out: Vec::new(),
            killed: NodeId(0),
            local: HashMap::new(),
            next_loop: loops(&routine.body),
            inlined: 0,
            refusals: Vec::new(),
        };
        let parameters = (0..routine.parameters as u32).map(LocalId);
        let seen = parameters.filter(|local| builder.is_seen(*local));
        let seen = seen.chain(hidden.iter().map(|(_, local, _)| *local)).collect();
        let context = Context { seen, ..Context::default() };
        let entry = builder.block(&routine.body, &context, NodeId(1));
        let Builder { nodes, locals, local, refusals, .. } = builder;
        let passed = hidden.into_iter().map(|(passing, local, _)| (passing, local)).collect();
        Graph { nodes, entry, locals, local, refusals, passed, before_choices: HashMap::new() }
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Adds a node that nothing leads to.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Puts a stop before a local node: the head of a loop, or a statement. Where the node is then.
    pub fn put_stop(&mut self, at: NodeId) -> NodeId {
        let local = self.local[&at].clone();
        let is_local = !matches!(self.node(at), Node::Next(_));
        let moved = self.add(self.node(at).clone());
        self.local.insert(moved, local.clone());
        self.nodes[at.0 as usize] = Node::Stop(Stop { is_local, ..Stop::before(moved, local) });
        moved
    }
}

impl<'p> Builder<'p> {
    fn node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Whether a variable is observed.
    fn is_seen(&self, local: LocalId) -> bool {
        self.observed.all_locals || self.observed.locals.contains(&(self.id.source(), local))
    }

    /// A hidden variable.
    fn hidden(&mut self, of: Type) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Named { name: format!("${}", id.0), of, origin: Origin::default() });
        id
    }

    /// The statements of a block, and then `next`; what is deferred in it is done in between.
    fn block(&mut self, statements: &[Statement], context: &Context, next: NodeId) -> NodeId {
        self.labelled_block(&[], statements, context, next)
    }

    /// The same, where labels stand before the block.
    fn labelled_block(
        &mut self,
        labels: &[LabelId],
        statements: &[Statement],
        context: &Context,
        next: NodeId,
    ) -> NodeId {
        let around = (std::mem::take(&mut self.labels), self.is_rest);
        // What is deferred is in the way from the end of the block: the last one first.
        let (mut contexts, mut next) = (Vec::new(), next);
        let mut inside = context.clone();
        for statement in statements {
            contexts.push(inside.clone());
            match &statement.action {
                Action::Defer(block) => {
                    next = self.deferred(block, &inside, next);
                    let outer = inside.pending.take();
                    inside.pending = Some(Rc::new(Deferred { block: block.clone(), outer }));
                }
                action => {
                    let seen = action.locals().into_iter().filter(|id| self.is_seen(*id));
                    inside.seen.extend(seen);
                }
            }
        }
        for (number, (statement, context)) in statements.iter().zip(&contexts).enumerate().rev() {
            let (own, is_first) = labels_of(statements, number, labels);
            let is_seen = is_first && !self.visible(context, &own).is_empty();
            (self.labels, self.is_rest) = (own, !is_first);
            if !matches!(statement.action, Action::Defer(_)) {
                next = self.statement(statement, context, next);
            }
            if is_seen {
                next = self.seen_to_go_on(statement, context, next);
            }
        }
        (self.labels, self.is_rest) = around;
        next
    }

    /// A statement with a label that only goes on elsewhere, and would be nothing otherwise.
    fn seen_to_go_on(&mut self, statement: &Statement, context: &Context, next: NodeId) -> NodeId {
        let inlined = context.inlined.last();
        let until = inlined.and_then(|inlined| inlined.pending.clone());
        match &statement.action {
            // It ends the routine, or the function that is put in.
            Action::Return(None) if same(&context.pending, &until) => match inlined {
                Some(_) => self.stop(Vec::new(), statement.origin, context, next),
                None => next,
            },
            Action::Return(None) | Action::Break(_) | Action::Continue(_) | Action::Defer(_) => {
                self.nothing(statement.origin, context, next)
            }
            Action::Block(block) if block.is_empty() => {
                self.nothing(statement.origin, context, next)
            }
            _ => next,
        }
    }

    /// A local statement that does nothing.
    fn nothing(&mut self, origin: Origin, context: &Context, next: NodeId) -> NodeId {
        let nothing = Statement { action: Action::Block(Vec::new()), origin };
        self.local(Node::Do(nothing, next), origin, context)
    }

    /// Those of some labels that are observed.
    fn visible(&self, context: &Context, labels: &[LabelId]) -> Vec<(Source, LabelId)> {
        let source = self.source(context);
        let labels = labels.iter().map(|label| (source, *label));
        labels.filter(|label| self.observed.labels.contains(label)).collect()
    }

    /// The labels of statements that are being done, with that at hand.
    fn held(&self, context: &Context) -> Vec<(Source, LabelId)> {
        [context.held.clone(), self.visible(context, &self.labels)].concat()
    }

    /// Runs what is pending down to some, and goes on.
    fn leave(
        &mut self,
        context: &Context,
        until: &Pending,
        next: &mut dyn FnMut(&mut Self) -> NodeId,
    ) -> NodeId {
        if same(&context.pending, until) {
            return next(self);
        }
        let deferred = context.pending.clone().expect("some are pending in between");
        let outer = Context { pending: deferred.outer.clone(), ..context.clone() };
        let after = self.leave(&outer, until, next);
        self.deferred(&deferred.block, &outer, after)
    }

    /// A deferred block, and then `next`. A thread that is killed in it does the rest of it all the same, and then
    /// what else is pending: for that there is a copy of the block.
    fn deferred(&mut self, block: &Block, context: &Context, next: NodeId) -> NodeId {
        let start = self.nodes.len();
        let inside = Context { is_deferred: true, ..context.clone() };
        let entry = self.block(block, &inside, next);
        let end = self.nodes.len();
        if context.is_deferred || end == start {
            return entry;
        }
        if let Some(after) = self.way_out(context) {
            self.copy_killed(start..end, next, after);
        }
        entry
    }

    /// Copies nodes for a thread that is killed at one of them: they lead `after` instead of `next`.
    fn copy_killed(&mut self, range: Range<usize>, next: NodeId, after: NodeId) {
        let shift = self.nodes.len() - range.start;
        let copied = |node: NodeId| match node {
            _ if node == next => after,
            NodeId(number) if range.contains(&(number as usize)) => NodeId(number + shift as u32),
            other => other,
        };
        for number in range.clone() {
            let mut node = self.nodes[number].clone();
            node.redirect(&copied);
            let copy = self.node(node);
            let own = NodeId(number as u32);
            if let Some(local) = self.local.get_mut(&own) {
                let unkillable = Local { killed: None, ..local.clone() };
                local.killed = Some(copy);
                self.local.insert(copy, unkillable);
            }
        }
        for number in range {
            if let Node::Stop(stop) = &mut self.nodes[number] {
                stop.killed = Some(NodeId((number + shift) as u32));
                stop.is_deferred = true;
            }
        }
    }

    /// Where a thread goes on that is killed.
    fn way_out(&mut self, context: &Context) -> Option<NodeId> {
        if context.killed || context.is_deferred || !self.facts.has_kills {
            return None;
        }
        let known = self.ways_out.iter().find(|(pending, _)| same(pending, &context.pending));
        if let Some((_, way)) = known {
            return Some(*way);
        }
        let killed = self.killed;
        let dying = Context { killed: true, held: Vec::new(), ..context.clone() };
        let way = self.leave(&dying, &None, &mut |_| killed);
        self.ways_out.push((context.pending.clone(), way));
        Some(way)
    }

    /// A stop with one arm.
    fn stop(&mut self, actions: Block, origin: Origin, context: &Context, next: NodeId) -> NodeId {
        let arm = StopArm::plain(actions, origin, next);
        self.stop_with(vec![arm], None, false, origin, context)
    }

    fn stop_with(
        &mut self,
        arms: Vec<StopArm>,
        otherwise: Option<NodeId>,
        idle: bool,
        origin: Origin,
        context: &Context,
    ) -> NodeId {
        let killed = self.way_out(context);
        let (labels, held, seen) = (Vec::new(), self.held(context), context.seen.clone());
        self.node(Node::Stop(Stop {
            arms,
            otherwise,
            idle,
            killed,
            is_local: false,
            is_forgotten: false,
            is_deferred: false,
            labels,
            held,
            seen,
            origin,
        }))
    }

    /// A local statement.
    fn local(&mut self, node: Node, origin: Origin, context: &Context) -> NodeId {
        let killed = self.way_out(context);
        let node = self.node(node);
        let (held, seen) = (self.held(context), context.seen.clone());
        let is_rest = self.is_rest;
        self.local.insert(node, Local { killed, held, seen, is_rest, origin });
        node
    }
}

/// The labels at the end of statements.
fn labels_before(statements: &[Statement]) -> Vec<LabelId> {
    let labels = statements.iter().rev().map_while(|statement| match statement.action {
        Action::Label(label) => Some(label),
        _ => None,
    });
    labels.collect()
}

/// The labels of a statement of a block, before which others stand: those right before it. What is written as one
/// statement may be several, up to the first that has blocks: they have the labels of the first of them. Says whether
/// it is the first.
pub fn labels_of(
    statements: &[Statement],
    number: usize,
    before: &[LabelId],
) -> (Vec<LabelId>, bool) {
    let goes_on = |at: &usize| {
        let [one, next] = [&statements[at - 1], &statements[*at]];
        let is_written_so = one.origin.range().is_some_and(|r| next.origin.range() == Some(r));
        is_written_so && !matches!(one.action, Action::Label(_)) && !one.action.has_blocks()
    };
    let first = (1..=number).rev().find(|at| !goes_on(at)).unwrap_or_default();
    let mut labels = labels_before(&statements[..first]);
    if labels.len() == first {
        labels.extend(before);
    }
    (labels, first == number)
}

/// The number of loops in a block: one more than the greatest that occurs.
fn loops(block: &Block) -> u32 {
    let of = |statement: &Statement| {
        let own = match &statement.action {
            Action::Loop(id, _) => id.0 + 1,
            _ => 0,
        };
        let inside = statement.action.blocks().into_iter().map(loops).max();
        own.max(inside.unwrap_or(0))
    };
    block.iter().map(of).max().unwrap_or(0)
}
