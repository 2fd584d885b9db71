//! The routine that is being made: its variables, blocks and loops.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use program::claim::Meaning;
use program::{
    Action, Block, Expr as Value, FunctionId, Label, LabelId, LocalId, LoopId, Named, ObjectId,
    ProcessId, Routine, Statement, StepId, Type,
};

use super::predicate::Lambda;
use super::{Lowering, origin};
use crate::syntax::Name;
use crate::syntax::process::FunctionDecl;
use diagnostics::Span;

/// What a routine belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// First values of shared variables.
    Constant,
    /// What an object is made with where nothing is given.
    Default,
    /// First values of the fields of an object type.
    Initials(ObjectId),
    Process(ProcessId),
    Function(FunctionId),
    Step(ObjectId, StepId),
    Meeting(ObjectId),
    /// A property.
    Claim,
}

/// What a name in scope stands for.
#[derive(Clone)]
pub(super) enum Binding<'a> {
    Local(LocalId),
    /// An expression that takes the place of the name.
    Value(Value),
    Predicate(Rc<Lambda<'a>>),
    /// After a mistake.
    Wrong,
}

#[derive(Clone)]
pub(super) struct Entry<'a> {
    pub binding: Binding<'a>,
    pub span: Span,
    /// Whether it is not to be assigned to, and why.
    pub fixed: Option<&'static str>,
}

/// A loop around a statement.
pub(super) struct Around<'a> {
    pub label: Option<&'a str>,
    /// What `break` leaves.
    pub exit: LoopId,
    /// What `continue` does: begin a loop again, or leave an inner one.
    pub again: Again,
    pub has_break: bool,
    /// The locks that are held where it begins.
    pub held: Vec<(String, Span)>,
}

#[derive(Clone, Copy)]
pub(super) enum Again {
    Continue(LoopId),
    Break(LoopId),
}

/// Whether an expression may have a call in it.
#[derive(Clone, Copy)]
pub(super) enum Calls {
    Free,
    Made(Span),
    /// Not in this.
    Refused(&'static str),
}

/// A routine that is being made.
pub(super) struct Body<'a> {
    pub kind: Kind,
    pub decl: Option<&'a FunctionDecl<'a>>,
    pub routine: Routine,
    pub names: HashMap<&'a str, Entry<'a>>,
    pub scopes: Vec<Vec<&'a str>>,
    pub blocks: Vec<Block>,
    pub loops: Vec<Around<'a>>,
    pub loop_count: u32,
    /// The loops that `continue` leaves.
    agains: HashSet<LoopId>,
    /// The object whose step or function it is.
    pub this: Option<ObjectId>,
    pub types: Rc<HashMap<&'a str, Type>>,
    /// The statement at hand.
    pub span: Span,
    /// Where the model asked for it.
    pub used: Span,
    pub calls: Calls,
    /// Whether waiting for ever is meant of the next thing that waits.
    pub idle: bool,
    /// How many blocks that are done at once are around.
    pub atomic: usize,
    /// Locks that are held, by what undoes them, and where they were taken.
    pub held: Vec<(String, Span)>,
    /// Those that are undone somewhere in the routine.
    pub undone: Vec<String>,
    /// Those that a deferred block undoes, of the blocks around.
    pub deferred: Vec<String>,
    /// Whether this is in a deferred block.
    pub is_deferred: bool,
    /// Where the routine is left with a lock held, or a round of a loop with one that was taken in it, and by what.
    pub left: Vec<(String, Span, Span, &'static str)>,
    /// What the variables of a property stand for.
    pub meanings: Vec<Meaning>,
}

impl<'a> Body<'a> {
    pub(super) fn new(kind: Kind, used: Span) -> Body<'a> {
        Body {
            kind,
            decl: None,
            routine: Routine::default(),
            names: HashMap::new(),
            scopes: vec![Vec::new()],
            blocks: vec![Vec::new()],
            loops: Vec::new(),
            loop_count: 0,
            agains: HashSet::new(),
            this: None,
            types: Rc::default(),
            span: used,
            used,
            calls: Calls::Free,
            idle: false,
            atomic: usize::from(matches!(kind, Kind::Step(..) | Kind::Meeting(_))),
            held: Vec::new(),
            undone: Vec::new(),
            deferred: Vec::new(),
            is_deferred: false,
            left: Vec::new(),
            meanings: Vec::new(),
        }
    }

    /// Lets no expression have a call in it.
    pub(super) fn refuse(&mut self, what: &'static str) {
        self.calls = Calls::Refused(what);
    }

    /// Whether statements can be added before the one at hand.
    pub(super) fn can_hoist(&self) -> bool {
        !matches!(self.calls, Calls::Refused(_))
    }

    pub(super) fn new_loop(&mut self) -> LoopId {
        self.loop_count += 1;
        LoopId(self.loop_count - 1)
    }

    /// A variable without a name of its own in the text.
    pub(super) fn hidden(&mut self, of: Type) -> LocalId {
        let number = self.routine.locals.len();
        self.variable(format!("${number}"), of, Span::default())
    }

    fn variable(&mut self, name: String, of: Type, span: Span) -> LocalId {
        let id = LocalId(u32::try_from(self.routine.locals.len()).expect("fewer than bytes"));
        self.routine.locals.push(Named { name, of, origin: origin(span) });
        id
    }

    pub(super) fn local(&self, id: LocalId) -> Value {
        Value::local(id, self.routine.locals[id.index()].of.clone())
    }

    /// Notes that a loop is left by `continue`.
    pub(super) fn again_used(&mut self, id: LoopId) {
        self.agains.insert(id);
    }

    pub(super) fn is_again_used(&self, id: LoopId) -> bool {
        self.agains.contains(&id)
    }

    /// The number of statements in the block at hand.
    pub(super) fn emitted(&self) -> usize {
        self.blocks.last().map_or(0, Vec::len)
    }

    /// Adds a statement.
    pub(super) fn emit(&mut self, action: Action) {
        let statement = Statement { action, origin: origin(self.span) };
        self.blocks.last_mut().expect("there is a block").push(statement);
    }
}

impl<'a> Lowering<'a, '_, '_> {
    /// What is emitted meanwhile, as a block of its own, with names of its own.
    pub(super) fn scoped(&mut self, act: impl FnOnce(&mut Self)) -> Block {
        self.body.scopes.push(Vec::new());
        self.body.blocks.push(Vec::new());
        let deferred = self.body.deferred.len();
        act(self);
        if !self.body.is_deferred {
            self.body.deferred.truncate(deferred);
        }
        for name in self.body.scopes.pop().expect("it was pushed") {
            self.body.names.remove(name);
        }
        self.body.blocks.pop().expect("it was pushed")
    }

    /// A new variable, whose name must be new, too.
    pub(super) fn declare(&mut self, name: Name<'a>, of: Type) -> LocalId {
        let id = self.body.variable(name.text.into(), of, name.span);
        if self.body.kind == Kind::Claim {
            self.body.meanings.push(Meaning::Element);
        }
        self.bind(name, Binding::Local(id));
        id
    }

    /// Gives a name a meaning until the end of the block.
    pub(super) fn bind(&mut self, name: Name<'a>, binding: Binding<'a>) {
        let taken = self.body.names.get(name.text).map(|entry| entry.span);
        if let Some(first) = taken {
            if !self.names.is_prelude(name.span) {
                self.resolver.report_duplicate("the variable", name, first);
            }
            return;
        }
        // What the model declares may have the name of a variable of the prelude.
        if !self.names.is_prelude(name.span) {
            self.check_untaken(name);
        }
        let entry = Entry { binding, span: name.span, fixed: None };
        self.body.names.insert(name.text, entry);
        self.body.scopes.last_mut().expect("there is a scope").push(name.text);
    }

    /// A label, whose name must be new in the routine.
    pub(super) fn label(&mut self, name: Name<'a>) -> LabelId {
        let labels = &self.body.routine.labels;
        let number = labels.len();
        let first = labels.iter().find(|label| label.name == name.text);
        if let Some(first) = first.and_then(|first| first.origin.range()) {
            self.resolver.report_duplicate("the label", name, Span::new(first));
        }
        let label = Label { name: name.text.into(), origin: origin(name.span) };
        self.body.routine.labels.push(label);
        LabelId(u32::try_from(number).expect("fewer than bytes"))
    }

    /// Binds a name whose value is wrong, so that it is not reported as unknown.
    pub(super) fn bind_wrong(&mut self, name: Name<'a>) {
        if !self.body.names.contains_key(name.text) {
            self.bind(name, Binding::Wrong);
        }
    }

    /// Reports a variable that has the name of something that the model declares.
    fn check_untaken(&mut self, name: Name<'a>) {
        if !self.resolver.report_shadowing(name)
            && let Some(first) = self.names.span(name.text)
        {
            self.resolver.report_duplicate("the name", name, first);
        }
    }

    /// Says that a variable is not to be assigned to.
    pub(super) fn fix(&mut self, name: Name<'a>, why: &'static str) {
        if let Some(entry) = self.body.names.get_mut(name.text) {
            entry.fixed = Some(why);
        }
    }
}
