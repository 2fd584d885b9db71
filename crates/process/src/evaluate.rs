//! What expressions are on a path.
//!
//! Evaluating may split a path: where it depends on a value whether there is a fault, which object is meant, or
//! whether the rest is evaluated at all. What is worth no path of its own becomes one expression.

mod collection;

use std::ops::Range;

use net::{BinaryOp, Expr as NetExpr, Literal, Origin, Quantifier, Var};

use crate::formula::{FALSE, TRUE, all, and, any, bare, compute, either, equal, not, value};
use crate::layout::{Layout, Scalar};
use crate::path::{Ending, Location, Object, Path, Row, Shared, Thread};
use program::facts::can_fault;
use program::{CollectionOp, Expr, Form, GlobalId, LocalId, ObjectId, Type};

/// Something that must not happen on a path, and where; nowhere before the statement is known.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub message: String,
    pub origin: Option<Origin>,
    /// The value that is wrong, if it is one.
    pub value: Option<NetExpr>,
    /// Whether it is a limit of nets, and nothing is wrong with the program.
    pub is_limit: bool,
}

impl Fault {
    pub(crate) fn new(message: String, value: Option<NetExpr>) -> Fault {
        Fault { message, origin: None, value, is_limit: false }
    }

    /// There is no room for what is to be in a collection.
    pub(crate) fn full(message: &str, of: &Type) -> Fault {
        let is_limit = !of.is_bounded();
        let room = Type::ROOM_IN_NETS;
        let limit = format!("a net has room for {room} elements where there may be any number");
        let message = if is_limit { limit } else { message.to_owned() };
        Fault { is_limit, ..Fault::new(message, None) }
    }
}

/// Why a path goes no further.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// Something must not happen.
    Fault(Fault),
    /// Something must be waited for. Only where it is asked what cannot be done, or what is looked at: elsewhere there is no
    /// such path.
    Blocked,
}

/// The parts of a path, each with what was found on it.
pub(crate) type Parts<T> = Vec<(Path, Result<T, Halt>)>;

/// Goes on with each part on which there is no fault.
pub(crate) fn then<T, U>(parts: Parts<T>, mut go_on: impl FnMut(Path, T) -> Parts<U>) -> Parts<U> {
    let mut all = Vec::new();
    for (path, found) in parts {
        match found {
            Ok(found) => all.extend(go_on(path, found)),
            Err(halt) => all.push((path, Err(halt))),
        }
    }
    all
}

/// One part: the path as it is.
pub(crate) fn found<T>(path: Path, found: T) -> Parts<T> {
    vec![(path, Ok(found))]
}

/// Goes on where a condition holds; elsewhere it is waited for.
pub(crate) fn awaited(condition: &NetExpr, path: Path) -> Parts<()> {
    let [holds, fails] = path.split(condition);
    let fails = fails.filter(Path::shows_waiting);
    let holds = holds.map(|path| (path, Ok(())));
    holds.into_iter().chain(fails.map(|path| (path, Err(Halt::Blocked)))).collect()
}

/// The end of a path that goes no further.
pub(crate) fn blocked<T>(path: Path) -> Parts<T> {
    let path = Some(path).filter(Path::shows_waiting);
    path.into_iter().map(|path| (path, Err(Halt::Blocked))).collect()
}

/// Evaluates what tells whether one can go on: it is read whether one can or not.
pub(crate) fn guarded<T>(mut path: Path, evaluate: impl FnOnce(Path) -> Parts<T>) -> Parts<T> {
    let is_guard = std::mem::replace(&mut path.is_guard, true);
    let mut parts = evaluate(path);
    parts.iter_mut().for_each(|(path, _)| path.is_guard = is_guard);
    parts
}

/// A fault where a condition holds; otherwise what is found.
pub(crate) fn unless<T>(
    fault: NetExpr,
    message: impl FnOnce() -> String,
    path: Path,
    go_on: impl FnOnce(Path) -> Parts<T>,
) -> Parts<T> {
    unless_wrong(fault, || Fault::new(message(), None), path, go_on)
}

/// The same with all that is known of the fault.
pub(crate) fn unless_wrong<T>(
    condition: NetExpr,
    fault: impl FnOnce() -> Fault,
    path: Path,
    go_on: impl FnOnce(Path) -> Parts<T>,
) -> Parts<T> {
    let [wrong, right] = path.split(&condition);
    let mut parts = Vec::new();
    parts.extend(wrong.map(|path| (path, Err(Halt::Fault(fault())))));
    parts.extend(right.map(go_on).into_iter().flatten());
    parts
}

/// Whether this is a sequence that others may see, as a whole.
fn is_sequence_of_others(expr: &Expr) -> bool {
    matches!(expr.form, Form::Global(_) | Form::Field(..)) && matches!(expr.of, Type::Sequence(..))
}

impl Layout<'_> {
    /// The value of an expression.
    pub(crate) fn eval(&self, expr: &Expr, mut path: Path) -> Parts<Row> {
        match &expr.form {
            Form::Literal(literal) => found(path, vec![NetExpr::Literal(*literal)]),
            // In first values there are no other variables.
            Form::Initial(number) => found(path, vec![NetExpr::Var(Var(*number))]),
            Form::None => found(path, self.none(&expr.of)),
            Form::Some(inner) => then(self.eval(inner, path), |path, mut row| {
                if self.sort(&inner.of).is_none() {
                    row.insert(0, TRUE);
                }
                found(path, row)
            }),
            Form::Unwrap(inner) => then(self.eval(inner, path), |path, row| {
                let is_missing = self.is_missing(&inner.of, &row);
                unless(
                    is_missing,
                    || "there is no value".into(),
                    path,
                    |path| found(path, self.present(row, &expr.of)),
                )
            }),
            Form::Sure(inner) => self.sure(inner, path),
            Form::Local(id) => {
                let row = path.env().get(id).cloned();
                let row = row.unwrap_or_else(|| self.absent(&expr.of));
                found(path, row)
            }
            Form::Global(_) | Form::Field(..) => {
                then(self.shared(expr, path), |mut path, found_at| {
                    let (location, row) = found_at;
                    path.note(location, None, false);
                    found(path, row)
                })
            }
            Form::This => {
                let this = path.threads[path.acting].var;
                found(path, vec![NetExpr::Var(this)])
            }
            Form::Ended(handle) => {
                then(self.eval(handle, path), |path, row| self.ended(row[0].clone(), path))
            }
            Form::Record(components) => self.rows(components, path),
            Form::Component(inner, index) => then(self.eval(inner, path), |path, row| {
                let range = self.component(&inner.of, *index);
                found(path, row[range].to_vec())
            }),
            Form::Case(case, payload) => then(self.rows(payload, path), |path, row| {
                found(path, self.case(&expr.of, *case, row))
            }),
            Form::Is(inner, case) => then(self.eval(inner, path), |path, row| {
                found(path, vec![equal(row[0].clone(), NetExpr::int(*case as i64))])
            }),
            Form::Payload(inner, case, index) => then(self.eval(inner, path), |path, row| {
                let is_other = not(equal(row[0].clone(), NetExpr::int(*case as i64)));
                unless(
                    is_other,
                    || "it is another case".into(),
                    path,
                    |path| {
                        let range = self.payload(&inner.of, *case, *index);
                        found(path, self.present(row[range].to_vec(), &expr.of))
                    },
                )
            }),
            Form::Collection(elements) => self.collected(&expr.of, elements, path),
            Form::On(CollectionOp::At, operands) if is_sequence_of_others(&operands[0]) => {
                then(self.shared(&operands[0], path), |path, (location, row)| {
                    then(self.eval(&operands[1], path), |mut path, index| {
                        path.note(location.clone(), Some(index[0].clone()), false);
                        self.element(&operands[0].of, &row, &index, path)
                    })
                })
            }
            Form::On(op, operands) => then(self.each(operands, path), |path, rows| {
                self.on(*op, operands, &expr.of, rows, path)
            }),
            Form::Quantified(quantifier, local, over, body) => {
                then(self.eval(over, path), |path, row| {
                    let elements = self.elements(&over.of, &row);
                    self.quantified(*quantifier, *local, &elements, body, path)
                })
            }
            Form::Unary(op, inner) => then(self.eval(inner, path), |path, mut row| {
                let operand = row.remove(0);
                let result = match op {
                    net::UnaryOp::Not => not(operand),
                    _ => compute(BinaryOp::Subtract, NetExpr::int(0), operand),
                };
                found(path, vec![result])
            }),
            Form::Binary(op, a, b) => self.binary(*op, a, b, path),
            Form::If(condition, a, b) => {
                then(self.eval(condition, path), |path, row| self.either(&row[0], (a, b), path))
            }
            Form::Shift(inner, steps) => {
                then(self.eval(inner, path), |path, row| self.shifted(&expr.of, row, *steps, path))
            }
        }
    }

    /// The value of an operation that is no fault itself. What its operands do wrong is wrong all the same.
    fn sure(&self, expr: &Expr, path: Path) -> Parts<Row> {
        let is_fault = |found: &Result<_, Halt>| matches!(found, Err(Halt::Fault(_)));
        let operands: Vec<Expr> = expr.children().into_iter().cloned().collect();
        let mut parts = Vec::new();
        if operands.iter().any(can_fault) {
            parts = self.rows(&operands, path.clone());
            parts.retain(|(_, found)| is_fault(found));
        }
        parts.extend(self.eval(expr, path).into_iter().filter(|(_, found)| !is_fault(found)));
        parts
    }

    /// A global variable or a field: where it is, and its value.
    fn shared(&self, expr: &Expr, mut path: Path) -> Parts<(Location, Row)> {
        match &expr.form {
            Form::Global(id) => {
                let row = self.global(*id, &mut path).row.clone();
                found(path, (Location::Global(*id), row))
            }
            Form::Field(object, field) => then(self.object(object, path), |path, at| {
                let Object { of, id, fields, .. } = &path.objects[at];
                let row = fields.row[self.field(*of, *field)].to_vec();
                let location = Location::Field(*of, id.clone(), *field);
                found(path, (location, row))
            }),
            _ => unreachable!("only these are shared"),
        }
    }

    /// The value of a condition.
    pub(crate) fn condition(&self, expr: &Expr, path: Path) -> Parts<NetExpr> {
        then(self.eval(expr, path), |path, mut row| found(path, row.remove(0)))
    }

    /// The values of expressions, one after the other, in one row.
    fn rows(&self, exprs: &[Expr], path: Path) -> Parts<Row> {
        then(self.each(exprs, path), |path, rows| found(path, rows.concat()))
    }

    /// The values of expressions, one after the other.
    pub(crate) fn each(&self, exprs: &[Expr], path: Path) -> Parts<Vec<Row>> {
        let mut parts = found(path, Vec::new());
        for expr in exprs {
            parts = then(parts, |path, rows| {
                then(self.eval(expr, path), |path, row| {
                    found(path, rows.iter().cloned().chain([row]).collect())
                })
            });
        }
        parts
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, path: Path) -> Parts<Row> {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                then(self.condition(a, path), |path, first| {
                    // Where the first decides, the second is not looked at.
                    let (decides, is) = match op {
                        BinaryOp::And => (not(first.clone()), FALSE),
                        BinaryOp::Or => (first.clone(), TRUE),
                        _ => (not(first.clone()), TRUE),
                    };
                    if let Some(second) = self.plainly(b, &path) {
                        return found(path, vec![either(&decides, is, second[0].clone())]);
                    }
                    let [decided, open] = path.split(&decides);
                    let mut parts = Vec::new();
                    parts.extend(decided.map(|path| (path, Ok(vec![is]))));
                    parts.extend(open.into_iter().flat_map(|path| self.eval(b, path)));
                    parts
                })
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                then(self.each(&[a.clone(), b.clone()], path), |path, rows| {
                    let same = path.told_apart(self.same(&a.of, &rows[0], &b.of, &rows[1]));
                    let holds = if op == BinaryOp::Equal { same } else { not(same) };
                    found(path, vec![holds])
                })
            }
            _ => then(self.each(&[a.clone(), b.clone()], path), |path, mut rows| {
                let (second, first) = (rows.remove(1).remove(0), rows.remove(0).remove(0));
                let by_zero = match op {
                    BinaryOp::Divide | BinaryOp::Remainder => {
                        equal(second.clone(), NetExpr::int(0))
                    }
                    _ => FALSE,
                };
                unless(
                    by_zero,
                    || "this divides by zero".into(),
                    path,
                    |path| found(path, vec![compute(op, first, second)]),
                )
            }),
        }
    }

    /// The value of an expression, if it has one without splitting the path or looking at more, and it is not asked what is
    /// looked at.
    fn plainly(&self, expr: &Expr, path: &Path) -> Option<Row> {
        let mut parts = self.eval(expr, path.clone());
        let (after, row) = parts.pop().filter(|_| parts.is_empty())?;
        let is_same = after.guard.len() == path.guard.len()
            && after.variables.len() == path.variables.len()
            && after.endings.len() == path.endings.len()
            && after.accesses == path.accesses;
        row.ok().filter(|_| is_same)
    }

    fn either(&self, condition: &NetExpr, (a, b): (&Expr, &Expr), path: Path) -> Parts<Row> {
        if let (Some(a), Some(b)) = (self.plainly(a, &path), self.plainly(b, &path)) {
            let row = a.into_iter().zip(b).map(|(a, b)| either(condition, a, b));
            return found(path, row.collect());
        }
        let [yes, no] = path.split(condition);
        let mut parts = Vec::new();
        parts.extend(yes.into_iter().flat_map(|path| self.eval(a, path)));
        parts.extend(no.into_iter().flat_map(|path| self.eval(b, path)));
        parts
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        local: LocalId,
        elements: &[(NetExpr, Row)],
        body: &Expr,
        path: Path,
    ) -> Parts<Row> {
        let decided = if quantifier == Quantifier::Exists { TRUE } else { FALSE };
        let Some(((is_there, element), rest)) = elements.split_first() else {
            return found(path, vec![not(decided)]);
        };
        let mut inside = path.clone();
        inside.env().insert(local, element.clone());
        let plain = self.plainly(body, &inside);
        if let Some(holds) = plain {
            let holds = holds[0].clone();
            let shows = match quantifier {
                Quantifier::Exists => and(is_there.clone(), holds),
                Quantifier::Forall => and(is_there.clone(), not(holds)),
            };
            return then(self.quantified(quantifier, local, rest, body, path), |path, others| {
                found(path, vec![either(&shows, decided.clone(), others[0].clone())])
            });
        }
        let [with, without] = path.split(is_there);
        let mut parts = Vec::new();
        if let Some(mut path) = with {
            path.env().insert(local, element.clone());
            parts.extend(then(self.condition(body, path), |path, holds| {
                let shows = if quantifier == Quantifier::Exists { holds } else { not(holds) };
                let [shown, open] = path.split(&shows);
                let mut parts = Vec::new();
                parts.extend(shown.map(|path| (path, Ok(vec![decided.clone()]))));
                let open = open.into_iter();
                parts.extend(
                    open.flat_map(|path| self.quantified(quantifier, local, rest, body, path)),
                );
                parts
            }));
        }
        if let Some(path) = without {
            parts.extend(self.quantified(quantifier, local, rest, body, path));
        }
        parts
    }

    /// Whether two values are the same.
    pub(crate) fn same(&self, of: &Type, a: &[NetExpr], other: &Type, b: &[NetExpr]) -> NetExpr {
        if let Some(same) = self.same_elements(of, a, other, b) {
            return same;
        }
        let part = |of: &Type, other: &Type, range: Range<usize>| {
            self.same(of, &a[range.clone()], other, &b[range])
        };
        match (of, other) {
            (Type::Optional(x), Type::Optional(y)) if self.sort(x).is_none() => {
                and(equal(a[0].clone(), b[0].clone()), self.same(x, &a[1..], y, &b[1..]))
            }
            (Type::Record(id), Type::Record(_)) => {
                let components = self.program.records[id.index()].components.iter().enumerate();
                all(components.map(|(number, component)| {
                    part(&component.of, &component.of, self.component(of, number))
                }))
            }
            (Type::Variant(id), Type::Variant(_)) => {
                let cases = self.program.variants[id.index()].cases.iter().enumerate();
                let components = cases.flat_map(|(case, record)| {
                    let components = record.components.iter().enumerate();
                    components.map(move |(number, component)| (case, number, component))
                });
                let same = components.map(|(case, number, component)| {
                    part(&component.of, &component.of, self.payload(of, case, number))
                });
                and(equal(a[0].clone(), b[0].clone()), all(same))
            }
            _ => all(a.iter().zip(b).map(|(a, b)| equal(a.clone(), b.clone()))),
        }
    }

    /// Nothing, of an optional type.
    pub(crate) fn none(&self, of: &Type) -> Row {
        self.absent(of)
    }

    /// Whether an optional value is not there; one of another type always is.
    pub(crate) fn is_missing(&self, of: &Type, row: &[NetExpr]) -> NetExpr {
        match of {
            Type::Optional(inner) => match self.sort(inner) {
                Some(sort) => equal(row[0].clone(), NetExpr::Literal(Literal::None(sort.into()))),
                None => not(row[0].clone()),
            },
            _ => FALSE,
        }
    }

    /// The value of an optional one that is there, or a part of one that is: where nothing might have been, there is
    /// something.
    pub(crate) fn present(&self, mut row: Row, of: &Type) -> Row {
        let (scalars, mut before) = (self.scalars(of), self.scalars_if_there(of));
        // Whether it is there was told by a truth value before it.
        if row.len() > scalars.len() {
            row.remove(0);
        }
        if let [only] = &mut *before {
            only.optional = true;
        }
        let part = |((part, before), after): ((NetExpr, &Scalar), &Scalar)| {
            if before.optional && !after.optional { value(part) } else { part }
        };
        row.into_iter().zip(&before).zip(&scalars).map(part).collect()
    }

    /// A global variable, which is read if it has not been.
    pub(crate) fn global<'a>(&self, id: GlobalId, path: &'a mut Path) -> &'a mut Shared {
        if !path.globals.contains_key(&id) {
            let of = &self.program.globals[id.index()].variable.of;
            let read = path.fresh_row(&self.scalars(of));
            let row = read.iter().map(|var| NetExpr::Var(*var)).collect();
            path.globals.insert(id, Shared { row, read, is_written: false });
        }
        path.globals.get_mut(&id).expect("it is there now")
    }

    /// The object that an expression refers to, by its index among those that the path looks at.
    pub(crate) fn object(&self, object: &Expr, path: Path) -> Parts<usize> {
        then(self.eval(object, path), |path, row| {
            let message = || "there is no object".into();
            unless(self.is_missing(&object.of, &row), message, path, |path| {
                self.load(object.of.object(), row[0].clone(), path)
            })
        })
    }

    /// Looks at an object. Where it may be one of those that the path has looked at, there is a part for each.
    pub(crate) fn load(&self, of: ObjectId, id: NetExpr, mut path: Path) -> Parts<usize> {
        let id = bare(id);
        let mut parts = Vec::new();
        for at in 0..path.objects.len() {
            let known = &path.objects[at];
            if known.of != of {
                continue;
            }
            let same = equal(known.id.clone(), id.clone());
            let [this, others] = path.split(&same);
            parts.extend(this.map(|path| (path, Ok(at))));
            match others {
                Some(others) => path = others,
                None => return parts,
            }
        }
        let read = path.fresh_row(&self.field_scalars(of));
        let row = read.iter().map(|var| NetExpr::Var(*var)).collect();
        let fields = Shared { row, read, is_written: false };
        path.objects.push(Object { of, id, fields, is_new: false });
        let at = path.objects.len() - 1;
        parts.push((path, Ok(at)));
        parts
    }

    /// Whether a thread has ended: it has, or it has not.
    pub(crate) fn ended(&self, thread: NetExpr, path: Path) -> Parts<Row> {
        let thread = bare(thread);
        let mut parts = Vec::new();
        let mut open = path;
        // Those that end on this path have ended; of others their tokens tell.
        for at in 0..open.threads.len() {
            if !open.threads[at].has_ended() {
                continue;
            }
            let [this, others] = { open }.split_at_thread(at, &thread);
            parts.extend(this.map(|path| (path, Ok(vec![TRUE]))));
            match others {
                Some(path) => open = path,
                None => return parts,
            }
        }
        let takes_part = |other: &Thread| NetExpr::Var(other.var) == thread;
        if open.threads.iter().any(takes_part) {
            parts.push((open, Ok(vec![FALSE])));
            return parts;
        }
        if let Some(known) = open.endings.iter().find(|ending| ending.thread == thread) {
            let known = NetExpr::Literal(Literal::Bool(known.has_ended));
            parts.push((open, Ok(vec![known])));
            return parts;
        }
        for (mut path, has_ended) in open.copies(2).into_iter().zip([true, false]) {
            path.endings.push(Ending::new(thread.clone(), has_ended));
            parts.push((path, Ok(vec![NetExpr::Literal(Literal::Bool(has_ended))])));
        }
        parts
    }

    /// The member a number of steps after another.
    fn shifted(&self, of: &Type, mut row: Row, steps: i32, path: Path) -> Parts<Row> {
        let Type::Member(id) = *of else { unreachable!("only members have neighbours") };
        let class = &self.net.enumerations[id.index()];
        if let NetExpr::Literal(Literal::Enum(_, member)) = row[0]
            && let Some(member) = class.shifted(member, steps)
        {
            return found(path, vec![NetExpr::Literal(Literal::Enum(id, member))]);
        }
        let members = 0..class.members.len() as u32;
        let at_the_end = members.filter(|member| class.shifted(*member, steps).is_none());
        let at_the_end = at_the_end
            .map(|member| equal(row[0].clone(), NetExpr::Literal(Literal::Enum(id, member))));
        let beyond = any(at_the_end);
        unless(
            beyond,
            || "there is no such member".into(),
            path,
            |path| found(path, vec![NetExpr::Shift(Box::new(row.remove(0)), id, steps)]),
        )
    }
}
