//! The types of objects that random programs use.

use net::{BinaryOp, Literal, Origin};
use program::{
    Action, Arm, Block, CollectionOp, Domain, Expr, Field, FieldId, Form, LocalId, Meeting, Named,
    ObjectId, ObjectType, Operation, Root, Routine, Select, Statement, Step, StepId, Target, Type,
};

use super::expression::compare;
use super::{Context, Generator, int, named, number, optional, truth};

pub const MUTEX: ObjectId = ObjectId(0);
pub const CELL: ObjectId = ObjectId(1);
pub const CHANNEL: ObjectId = ObjectId(2);
pub const PORT: ObjectId = ObjectId(3);
pub const NODE: ObjectId = ObjectId(4);
pub const BAG: ObjectId = ObjectId(5);

fn now(action: Action) -> Statement {
    Statement { action, origin: Origin::default() }
}

fn field(of: ObjectId, id: u32, kind: Type) -> Expr {
    let this = Expr::local(LocalId(0), Type::Object(of));
    Expr { form: Form::Field(Box::new(this), FieldId(id)), of: kind }
}

fn set(of: ObjectId, id: u32, kind: Type, value: Expr) -> Statement {
    let this = Expr::local(LocalId(0), Type::Object(of));
    let root = Root::Field(this, FieldId(id));
    now(Action::Assign(Target { root, path: vec![], of: kind }, value))
}

/// `await`.
pub fn wait(condition: Expr) -> Statement {
    let arm = Arm {
        label: None,
        when: None,
        operation: Operation::Await(condition),
        body: vec![],
        origin: Origin::default(),
    };
    now(Action::Select(Select { arms: vec![arm], otherwise: None, idle: false }))
}

pub(super) fn step(
    name: &str,
    of: ObjectId,
    parameters: Vec<Type>,
    more: Vec<Type>,
    result: Option<Type>,
    body: Block,
) -> Step {
    let mut locals = vec![named("this", Type::Object(of))];
    let count = parameters.len() + 1;
    for (index, of) in parameters.into_iter().chain(more).enumerate() {
        locals.push(named(format!("a{index}"), of));
    }
    let name = name.into();
    let routine = Routine { name, parameters: count, locals, result, body, ..Routine::default() };
    Step { routine, undo: None }
}

fn local(id: u32, of: Type) -> Expr {
    Expr::local(LocalId(id), of)
}

fn none(of: Type) -> Expr {
    Expr { form: Form::None, of }
}

fn on(op: CollectionOp, operands: Vec<Expr>, of: Type) -> Expr {
    Expr { form: Form::On(op, operands), of }
}

fn returned(value: Expr) -> Statement {
    now(Action::Return(Some(value)))
}

fn first(variable: Named, initial: Expr) -> Field {
    Field { variable, initial, atomic: false }
}

impl Generator<'_> {
    pub(super) fn objects(&mut self) {
        let objects = vec![mutex(), self.cell(), channel(), port(), node(), bag()];
        self.program.objects = objects;
    }

    /// A number and a truth value, with steps of all kinds, one of them random.
    fn cell(&mut self) -> ObjectType {
        let of = int(0, 2);
        let n = || field(CELL, 0, int(0, 2));
        let plus = |by: i64, range| {
            let form = Form::Binary(BinaryOp::Add, Box::new(n()), Box::new(number(by)));
            Expr { form, of: range }
        };
        let up = vec![
            wait(compare(BinaryOp::Less, n(), number(2))),
            set(CELL, 0, of.clone(), plus(1, int(1, 3))),
        ];
        let down = vec![
            wait(compare(BinaryOp::Greater, n(), number(0))),
            set(CELL, 0, of.clone(), plus(-1, int(-1, 1))),
        ];
        let write = vec![set(CELL, 0, of.clone(), local(1, int(0, 1)))];
        let read = vec![returned(n())];
        let is_set = || field(CELL, 1, Type::Bool);
        let toggled =
            Expr { form: Form::Unary(net::UnaryOp::Not, Box::new(is_set())), of: Type::Bool };
        let toggle = vec![set(CELL, 1, Type::Bool, toggled)];
        let low = Expr { form: Form::Literal(Literal::Int(0)), of: int(0, 0) };
        let choose = vec![
            now(Action::Choose(
                LocalId(1),
                Domain::Range(low, n()),
                Some(compare(BinaryOp::NotEqual, local(1, of.clone()), number(1))),
            )),
            set(CELL, 0, of.clone(), local(1, of.clone())),
            returned(local(1, of.clone())),
        ];
        let mut context = Context {
            locals: vec![Type::Object(CELL), int(0, 1)],
            writable: vec![false, true],
            loops: vec![],
            at_once: true,
            is_deferred: false,
            is_step: true,
            can_return: false,
            result: None,
            depth: 2,
            function: None,
        };
        let mut any = self.block_of(&mut context, 2);
        any.push(set(CELL, 1, Type::Bool, truth(true)));
        // Its result may be out of range.
        let narrow = self
            .features
            .faults
            .then(|| step("narrow", CELL, vec![], vec![], Some(int(0, 1)), vec![returned(n())]));
        ObjectType {
            name: "cell".into(),
            parameters: vec![],
            fields: vec![
                first(named("n", of.clone()), number(0)),
                first(named("is_set", Type::Bool), truth(false)),
            ],
            steps: vec![
                step("up", CELL, vec![], vec![], None, up),
                step("down", CELL, vec![], vec![], None, down),
                step("write", CELL, vec![int(0, 1)], vec![], None, write),
                step("read", CELL, vec![], vec![], Some(of.clone()), read),
                step("toggle", CELL, vec![], vec![], None, toggle),
                step("choose", CELL, vec![], vec![of.clone()], Some(of), choose),
                step("any", CELL, vec![int(0, 1)], vec![], None, any),
            ]
            .into_iter()
            .chain(narrow)
            .collect(),
            meetings: vec![],
        }
    }
}

fn mutex() -> ObjectType {
    let of = || optional(Type::Handle(None));
    let holder = || field(MUTEX, 0, of());
    let own = Expr { form: Form::This, of: Type::Handle(None) };
    let own = Expr { form: Form::Some(Box::new(own)), of: of() };
    let lock = vec![wait(compare(BinaryOp::Equal, holder(), none(of()))), set(MUTEX, 0, of(), own)];
    let unlock = vec![
        now(Action::Require(compare(BinaryOp::NotEqual, holder(), none(of())))),
        set(MUTEX, 0, of(), none(of())),
    ];
    let release = vec![set(MUTEX, 0, of(), none(of()))];
    ObjectType {
        name: "mutex".into(),
        parameters: vec![],
        fields: vec![first(named("holder", of()), none(of()))],
        steps: vec![
            step("lock", MUTEX, vec![], vec![], None, lock),
            step("unlock", MUTEX, vec![], vec![], None, unlock),
            step("release", MUTEX, vec![], vec![], None, release),
        ],
        meetings: vec![],
    }
}

fn channel() -> ObjectType {
    let of = || Type::Sequence(Box::new(int(0, 1)), 1);
    let items = || field(CHANNEL, 0, of());
    let len = || on(CollectionOp::Len, vec![items()], int(0, 1));
    let send = vec![
        wait(compare(BinaryOp::Less, len(), number(1))),
        set(CHANNEL, 0, of(), on(CollectionOp::Append, vec![items(), local(1, int(0, 1))], of())),
    ];
    let kept = Target::local(LocalId(1), int(0, 1));
    let receive = vec![
        wait(compare(BinaryOp::Greater, len(), number(0))),
        now(Action::Assign(kept, on(CollectionOp::First, vec![items()], int(0, 1)))),
        set(CHANNEL, 0, of(), on(CollectionOp::WithoutFirst, vec![items()], of())),
        returned(local(1, int(0, 1))),
    ];
    let empty = Expr { form: Form::Collection(vec![]), of: of() };
    ObjectType {
        name: "channel".into(),
        parameters: vec![],
        fields: vec![first(named("items", of()), empty)],
        steps: vec![
            step("send", CHANNEL, vec![int(0, 1)], vec![], None, send),
            step("receive", CHANNEL, vec![], vec![int(0, 1)], Some(int(0, 1)), receive),
        ],
        meetings: vec![],
    }
}

/// A rendezvous.
fn port() -> ObjectType {
    let never = || vec![wait(truth(false)), returned(number(0))];
    let meeting = Meeting {
        first: StepId(0),
        second: StepId(1),
        body: vec![wait(compare(BinaryOp::LessEqual, field(PORT, 0, int(0, 1)), number(1)))],
        locals: vec![named("this", Type::Object(PORT)), named("value", int(0, 1))],
        results: [None, Some(local(1, int(0, 1)))],
    };
    ObjectType {
        name: "port".into(),
        parameters: vec![],
        fields: vec![first(named("n", int(0, 1)), number(0))],
        steps: vec![
            step("send", PORT, vec![int(0, 1)], vec![], None, vec![wait(truth(false))]),
            step("receive", PORT, vec![], vec![], Some(int(0, 1)), never()),
        ],
        meetings: vec![meeting],
    }
}

/// What can be linked to others, in circles, too.
fn node() -> ObjectType {
    let of = || optional(Type::Object(NODE));
    let next = || field(NODE, 0, of());
    let any = || optional(Type::Handle(None));
    let link = vec![set(NODE, 0, of(), local(1, of()))];
    let kept = Target::local(LocalId(1), of());
    let take = vec![
        now(Action::Assign(kept, next())),
        set(NODE, 0, of(), none(of())),
        returned(local(1, of())),
    ];
    let sign = vec![set(NODE, 1, any(), local(1, any()))];
    let wait_for = vec![wait(compare(BinaryOp::NotEqual, next(), none(of()))), returned(next())];
    ObjectType {
        name: "node".into(),
        parameters: vec![],
        fields: vec![
            first(named("next", of()), none(of())),
            first(named("who", any()), none(any())),
        ],
        steps: vec![
            step("link", NODE, vec![of()], vec![], None, link),
            step("take", NODE, vec![], vec![of()], Some(of()), take),
            step("sign", NODE, vec![any()], vec![], None, sign),
            step("follow", NODE, vec![], vec![], Some(of()), wait_for),
        ],
        meetings: vec![],
    }
}

/// Processes, in no order.
fn bag() -> ObjectType {
    let of = || Type::Set(Box::new(Type::Handle(None)), 2);
    let any = Type::Handle(None);
    let all = || field(BAG, 0, of());
    let put = vec![
        wait(compare(BinaryOp::Less, on(CollectionOp::Len, vec![all()], int(0, 2)), number(2))),
        set(BAG, 0, of(), on(CollectionOp::With, vec![all(), local(1, any.clone())], of())),
    ];
    let take = vec![
        now(Action::Choose(LocalId(1), Domain::Collection(all()), None)),
        set(BAG, 0, of(), on(CollectionOp::Without, vec![all(), local(1, any.clone())], of())),
        returned(local(1, any.clone())),
    ];
    let empty = Expr { form: Form::Collection(vec![]), of: of() };
    ObjectType {
        name: "bag".into(),
        parameters: vec![],
        fields: vec![first(named("members", of()), empty)],
        steps: vec![
            step("put", BAG, vec![any.clone()], vec![], None, put),
            step("take", BAG, vec![], vec![any.clone()], Some(any), take),
        ],
        meetings: vec![],
    }
}
