//! What a formula says of one state, read literally.

use std::collections::BTreeMap;

use net::interpret;
use net::{BinaryOp, Expr, Formula, Literal, Net, Quantifier, Subject, TransitionId, UnaryOp, Var};
use state::{Pid, Relation, State, Value};

/// What variables stand for.
pub type Meaning = BTreeMap<Var, Value>;

/// Whether a formula that speaks of one state holds in it. Nothing in it may fault.
pub fn is_true(net: &Net, state: &State, formula: &Formula, meaning: &Meaning) -> bool {
    match formula {
        // Also if a thread is not where it would have the column that is asked for.
        Formula::Term(term) => value(net, state, term, meaning) == Some(Value::Bool(true)),
        Formula::Deadlock => {
            let mut all = (0..net.transitions.len() as u32).map(TransitionId);
            all.all(|t| net.transition(t).probe || !is_enabled(net, state, t))
        }
        Formula::Not(a) => !is_true(net, state, a, meaning),
        Formula::Binary(op, a, b) => {
            let [a, b] = [a, b].map(|side| is_true(net, state, side, meaning));
            match op {
                BinaryOp::And => a && b,
                BinaryOp::Or => a || b,
                BinaryOp::Implies => !a || b,
                _ => panic!("no connective"),
            }
        }
        Formula::Quantified { quantifier, thread, subject, body } => {
            let mut cases = Vec::new();
            let (place, names) = match subject {
                Subject::At(place) => (place, vec![*thread]),
                Subject::In(place, names) => (place, names.clone()),
                Subject::Entering(_) => panic!("it speaks of many states"),
            };
            for (token, _) in state.tokens(&net.place(*place).name) {
                let mut meaning = meaning.clone();
                for (index, name) in names.iter().enumerate() {
                    if let Some(var) = name {
                        meaning.insert(*var, token[index].clone());
                    }
                }
                cases.push(is_true(net, state, body, &meaning));
            }
            match quantifier {
                Quantifier::Forall => !cases.contains(&false),
                Quantifier::Exists => cases.contains(&true),
            }
        }
        _ => panic!("it speaks of many states"),
    }
}

fn is_enabled(net: &Net, state: &State, transition: TransitionId) -> bool {
    can_fire(net, state, transition).expect("the net was explored, and its probes were asked")
}

/// Whether a transition can fire, or could if it is a probe; nothing if asking is a fault.
pub fn can_fire(net: &Net, state: &State, transition: TransitionId) -> Option<bool> {
    if !net.transition(transition).probe {
        return Some(!interpret::modes(net, state, transition).ok()?.is_empty());
    }
    let mut firing = net.clone();
    firing.transitions[transition.index()].probe = false;
    Some(!interpret::modes(&firing, state, transition).ok()?.is_empty())
}

fn value(net: &Net, state: &State, term: &Expr, meaning: &Meaning) -> Option<Value> {
    let truth = |truth: bool| Some(Value::Bool(truth));
    match term {
        Expr::Literal(Literal::Int(number)) => Some(Value::Int(*number)),
        Expr::Literal(Literal::Bool(bool)) => truth(*bool),
        Expr::Literal(Literal::Enum(id, index)) => {
            Some(Value::Enum(net.enumerations[id.index()].members[*index as usize].clone()))
        }
        Expr::Literal(Literal::None(_)) => Some(Value::None),
        Expr::Var(var) => Some(meaning[var].clone()),
        Expr::Field(var, place, column) => {
            let mut tokens = state.tokens(&net.place(*place).name);
            let token = tokens.find(|(token, _)| token[0] == meaning[var])?.0;
            Some(token[*column].clone())
        }
        Expr::Count(place, pattern) => {
            let mut sum = 0;
            for (token, copies) in state.tokens(&net.place(*place).name) {
                let mut fits = true;
                for (component, wanted) in token.iter().zip(pattern) {
                    if let Some(wanted) = wanted {
                        fits &= value(net, state, wanted, meaning)? == *component;
                    }
                }
                sum += if fits { i64::from(copies) } else { 0 };
            }
            Some(Value::Int(sum))
        }
        Expr::At(var, place) => {
            let mut tokens = state.tokens(&net.place(*place).name);
            truth(tokens.any(|(token, _)| token[0] == meaning[var]))
        }
        Expr::Ended(var) => {
            truth(!state.eta().keys().any(|pid| Value::Pid(pid.clone()) == meaning[var]))
        }
        Expr::Enabled(transition) => truth(is_enabled(net, state, *transition)),
        Expr::Relation(relation, a, b) => {
            let [a, b] = [a, b].map(|var| meaning[var].as_pid().expect("relations are of pids"));
            truth(are_related(*relation, a, b))
        }
        Expr::Unary(UnaryOp::Not, a) => truth(value(net, state, a, meaning)? == Value::Bool(false)),
        Expr::Unary(UnaryOp::Value, a) => {
            value(net, state, a, meaning).filter(|value| *value != Value::None)
        }
        Expr::Unary(UnaryOp::Negate, a) => match value(net, state, a, meaning)? {
            Value::Int(number) => Some(Value::Int(-number)),
            other => panic!("{other} is no number"),
        },
        Expr::If(..) | Expr::Shift(..) | Expr::Within(..) => panic!("{term:?} is in no property"),
        Expr::Binary(op, a, b) => {
            let a = value(net, state, a, meaning)?;
            // What is known from the left is not looked for on the right.
            match (op, a == Value::Bool(true)) {
                (BinaryOp::And, false) => return truth(false),
                (BinaryOp::Or, true) | (BinaryOp::Implies, false) => return truth(true),
                _ => {}
            }
            let b = value(net, state, b, meaning)?;
            match op {
                BinaryOp::Equal => return truth(a == b),
                BinaryOp::NotEqual => return truth(a != b),
                BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => return Some(b),
                _ => {}
            }
            let [a, b] = [a, b].map(|value| rank(net, &value));
            Some(match op {
                BinaryOp::Less => Value::Bool(a < b),
                BinaryOp::LessEqual => Value::Bool(a <= b),
                BinaryOp::Greater => Value::Bool(a > b),
                BinaryOp::GreaterEqual => Value::Bool(a >= b),
                BinaryOp::Add => Value::Int(a + b),
                BinaryOp::Subtract => Value::Int(a - b),
                BinaryOp::Multiply => Value::Int(a * b),
                _ => panic!("it might fault"),
            })
        }
    }
}

/// Numbers as they are, members by their order.
fn rank(net: &Net, value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        Value::Enum(name) => {
            let members = net.enumerations.iter().flat_map(|e| e.members.iter().enumerate());
            let mut found = members.filter(|(_, member)| *member == name);
            found.next().expect("it is a member").0 as i64
        }
        other => panic!("{other} has no order"),
    }
}

/// Whether two pids are related, by their digits.
pub fn are_related(relation: Relation, a: &Pid, b: &Pid) -> bool {
    let (a, b) = (a.digits(), b.digits());
    let split = |digits: &[u32]| (digits[..digits.len() - 1].to_vec(), digits[digits.len() - 1]);
    let ((of_a, number_a), (of_b, number_b)) = (split(a), split(b));
    match relation {
        Relation::Parent => of_b == a,
        Relation::Ancestor => b.len() > a.len() && b[..a.len()] == *a,
        Relation::NextSibling => of_a == of_b && number_a + 1 == number_b,
        Relation::ElderSibling => of_a == of_b && number_a < number_b,
    }
}
