//! The plain interpreter: the meaning of a net, on concrete states.
//!
//! Written to be obviously right: it tries every combination of tokens, then looks at the conditions.
//! Traces are replayed by it before they are shown, and it is what the compiled rules are tested
//! against. For the meaning of conditions that can fault see the order in [`modes`].

mod doubt;
mod garbage;
mod inhibit;
mod predicate;
mod records;
mod scope;
mod step;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use fold::{Concrete, Take};
use state::{Pid, State, Value};

use crate::{
    Expr, Fault, FaultKind, InitialValue, Net, PlaceId, Sort, Transition, TransitionId, Var,
};
use doubt::Doubt;
use scope::{Scope, literal_value};

pub use predicate::{Bindings, enabled, holds, is_enabled};
pub use records::in_normal_form;
pub use step::{Step, fire, taken};

/// How many combinations are tried between two questions whether there are enough.
const TRIES_PER_QUESTION: u32 = 64;

/// A way to fire a transition: what each variable is bound to, also those that `_` stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mode {
    /// The transition.
    pub transition: TransitionId,
    /// The variables bound by inputs and parameters, and the definitions that do not fault.
    pub binding: BTreeMap<Var, Value>,
    /// The tokens taken and read, in the order of participants, takes and reads. Arcs for each member
    /// choose none: their tokens follow from the binding.
    pub tokens: Vec<Vec<Value>>,
}

/// The initial state.
///
/// # Panics
/// If the net breaches what [`Net::check`] checks.
#[must_use]
pub fn initial(net: &Net) -> State {
    try_initial(net).unwrap_or_else(|kind| panic!("no initial state: {}", kind.describe(net)))
}

/// The initial state, unless a condition faults or there are too many tokens.
pub(crate) fn try_initial(net: &Net) -> Result<State, FaultKind> {
    let mut state = State::new();
    let threads: Vec<Pid> = (1..).take(net.start.len()).map(Pid::initial).collect();
    let mut objects = Vec::new();
    for class in &net.objects {
        objects.push(garbage::unused(&net.fresh[class.index()].name, objects.iter()));
    }
    let value = |value: &InitialValue, members: &Scope| match *value {
        InitialValue::Thread(index) => Ok(Value::Pid(threads[index].clone())),
        InitialValue::Object(index) => Ok(objects[index].clone()),
        InitialValue::Data(literal) => Ok(literal_value(net, literal)),
        InitialValue::Each(index) => members.eval(&Expr::Var(Var(index as u32))),
    };
    let nothing = Scope::of_members(net, &[]);
    for (pid, thread) in threads.iter().zip(&net.start) {
        let values = thread.values.iter().map(|one| value(one, &nothing));
        let token: Result<_, _> =
            std::iter::once(Ok(Value::Pid(pid.clone()))).chain(values).collect();
        let place = net.place(thread.place);
        let fits = state.put(&place.name, in_normal_form(net, place, token?), 1);
        assert!(fits, "pids differ");
        state.activate(pid.clone(), 0);
    }
    for token in &net.tokens {
        let each: Vec<Var> = (0..token.each.len() as u32).map(Var).collect();
        let scope = Scope::of_members(net, &token.each);
        scope.for_each_choice(&each, token.condition.as_ref(), &mut |members| {
            let values: Result<_, _> = token.values.iter().map(|one| value(one, members)).collect();
            let place = net.place(token.place);
            let fits = state.put(&place.name, in_normal_form(net, place, values?), token.count);
            fits.then_some(()).ok_or(FaultKind::TooManyTokens { place: token.place })
        })?;
    }
    garbage::drop_garbage(net, &mut state);
    Ok(state)
}

/// A state without its garbage: what is owned by those that nobody can reach.
#[must_use]
pub fn without_garbage(net: &Net, mut state: State) -> State {
    garbage::drop_garbage(net, &mut state);
    state
}

/// All modes of a transition in a state: the combinations of tokens and parameters that can be had
/// together, for which (1) every condition and every inhibitor that cannot fault agrees, (2) then,
/// from left to right, the conditions that can fault hold, (3) then the arcs for each member that can
/// fault find their tokens, (4) then the inhibitors that can agree. The conditions are the patterns that
/// are not plain variables, in the order of participants, takes and reads, and then the guard. An arc
/// for each member that cannot fault is a condition of (1): its tokens are there beside the others.
/// A probe has no modes; nor has, while somebody learns how a test on data that is not kept turns out, what is no such
/// outcome.
pub fn modes(net: &Net, state: &State, transition: TransitionId) -> Result<Vec<Mode>, Fault> {
    let mut modes = Vec::new();
    for_each_mode(net, state, transition, &mut |mode| {
        modes.extend(mode);
        false
    })?;
    Ok(modes)
}

/// Meets a mode that was found, and now and then none while there is more to try. Says whether that is enough.
pub type Meet<'m> = dyn FnMut(Option<Mode>) -> bool + 'm;

/// Finds one mode after the other, as [`modes`] does, until there are enough.
pub fn for_each_mode(
    net: &Net,
    state: &State,
    transition: TransitionId,
    meet: &mut Meet<'_>,
) -> Result<(), Fault> {
    for_each_mode_with(net, state, transition, BTreeMap::new(), meet)
}

/// The same for the modes in which variables of inputs are bound to these values. Others are not even looked at.
pub fn for_each_mode_with(
    net: &Net,
    state: &State,
    transition: TransitionId,
    bound: BTreeMap<Var, Value>,
    meet: &mut Meet<'_>,
) -> Result<(), Fault> {
    if net.transition(transition).probe || has_to_wait(net, state, transition) {
        return Ok(());
    }
    let mut search = Search::new(net, state, transition, meet);
    search.mode.binding = bound;
    search.parameters(0).map_err(|kind| Fault { transition, kind })
}

/// The first fault of a transition in a state, and the binding under which it occurs; none if `enough` says
/// before that enough was tried.
pub fn fault(
    net: &Net,
    state: &State,
    transition: TransitionId,
    enough: &mut dyn FnMut() -> bool,
) -> Option<(Fault, Mode)> {
    if net.transition(transition).probe || has_to_wait(net, state, transition) {
        return None;
    }
    let mut in_firing = None;
    let meet = &mut |mode: Option<Mode>| match mode {
        None => enough(),
        Some(mode) => {
            in_firing = fire(net, state, &mode).err().map(|fault| (fault, mode));
            in_firing.is_some()
        }
    };
    let mut search = Search::new(net, state, transition, meet);
    match search.parameters(0) {
        // The search stops where it is, with what it was trying.
        Err(kind) => Some((Fault { transition, kind }, search.mode)),
        Ok(()) => in_firing,
    }
}

/// Whether a transition cannot fire before it is known how a test on data that is not kept turns out.
fn has_to_wait(net: &Net, state: &State, transition: TransitionId) -> bool {
    let transition = net.transition(transition);
    !transition.probe && !net.is_outcome(transition) && net.is_forgotten_choice(state)
}

/// The value of an expression of a mode's transition, if its variables are bound and it does not fault.
#[must_use]
pub fn value(net: &Net, mode: &Mode, expr: &Expr) -> Option<Value> {
    let scope = Scope::of(net, net.transition(mode.transition), &mode.binding);
    let mut is_known = true;
    expr.variables(&mut |var| is_known &= scope.knows(var));
    if is_known { scope.eval(expr).ok() } else { None }
}

/// How often each token of a place is claimed.
type Demand = BTreeMap<(PlaceId, Vec<Value>), u64>;

struct Search<'a> {
    meet: &'a mut Meet<'a>,
    is_enough: bool,
    tries: u32,
    net: &'a Net,
    state: &'a State,
    rule: &'a Transition,
    inputs: Rc<[Input]>,
    doubt: Doubt<'a>,
    mode: Mode,
}

/// An input of a transition: the place, the number of copies, the pattern with the thread in it.
struct Input {
    place: PlaceId,
    count: u32,
    pattern: Vec<Option<Expr>>,
}

/// The inputs for which a token is chosen: threads, then the arcs that take and read. Arcs for each member
/// have no choice.
fn inputs(rule: &Transition) -> Vec<Input> {
    let threads = rule.participants.iter().map(|participant| {
        let thread = std::iter::once(Some(Expr::Var(participant.thread)));
        let pattern = thread.chain(participant.pattern.iter().cloned()).collect();
        Input { place: participant.from, count: 1, pattern }
    });
    let arcs = rule.takes.iter().chain(&rule.reads).filter(|arc| arc.each.is_empty());
    let arcs =
        arcs.map(|arc| Input { place: arc.place, count: arc.count, pattern: arc.pattern.clone() });
    threads.chain(arcs).collect()
}

impl<'a> Search<'a> {
    fn new(
        net: &'a Net,
        state: &'a State,
        transition: TransitionId,
        meet: &'a mut Meet<'a>,
    ) -> Self {
        Search {
            meet,
            is_enough: false,
            tries: 0,
            net,
            state,
            rule: net.transition(transition),
            inputs: inputs(net.transition(transition)).into(),
            doubt: Doubt::new(net, net.transition(transition)),
            mode: Mode { transition, binding: BTreeMap::new(), tokens: Vec::new() },
        }
    }

    fn parameters(&mut self, index: usize) -> Result<(), FaultKind> {
        let Some(&(var, sort)) = self.rule.parameters.get(index) else { return self.inputs(0) };
        let (first, last) = match sort {
            Sort::Int { min, max } => (min, max),
            Sort::Bool => (0, 1),
            Sort::Enum(id) => (0, self.net.enumerations[id.index()].members.len() as i64 - 1),
            Sort::Pid | Sort::Object(_) => (0, -1),
        };
        for number in first..=last {
            if self.has_enough() {
                break;
            }
            let value = match sort {
                Sort::Bool => Value::Bool(number == 1),
                Sort::Enum(id) => Value::Enum(self.net.member(id, number as u32).clone()),
                _ => Value::Int(number),
            };
            self.mode.binding.insert(var, value);
            self.parameters(index + 1)?;
        }
        self.mode.binding.remove(&var);
        Ok(())
    }

    fn has_enough(&mut self) -> bool {
        self.tries += 1;
        if !self.is_enough && self.tries.is_multiple_of(TRIES_PER_QUESTION) {
            self.is_enough = (self.meet)(None);
        }
        self.is_enough
    }

    fn inputs(&mut self, index: usize) -> Result<(), FaultKind> {
        let inputs = self.inputs.clone();
        let Some(input) = inputs.get(index) else { return self.conditions() };
        for (token, held) in self.state.tokens(&self.net.place(input.place).name) {
            if self.has_enough() {
                break;
            }
            if u64::from(held) < u64::from(input.count) + self.claimed(input.place, token) {
                continue;
            }
            let mut bound = Vec::new();
            let mut fits = true;
            for (expr, value) in input.pattern.iter().zip(token) {
                if let Some(Expr::Var(var)) = expr
                    && !self.rule.defines(*var)
                {
                    match self.mode.binding.get(var) {
                        Some(other) if other == value => {}
                        Some(_) => {
                            fits = false;
                            break;
                        }
                        None => {
                            self.mode.binding.insert(*var, value.clone());
                            bound.push(*var);
                        }
                    }
                }
            }
            if fits {
                self.mode.tokens.push(token.clone());
                self.inputs(index + 1)?;
                self.mode.tokens.pop();
            }
            for var in bound {
                self.mode.binding.remove(&var);
            }
        }
        Ok(())
    }

    /// How many copies of a token the inputs claim for which one was chosen.
    fn claimed(&self, place: PlaceId, token: &[Value]) -> u64 {
        let chosen = self.inputs.iter().zip(&self.mode.tokens);
        let same = chosen.filter(|(input, chosen)| input.place == place && **chosen == *token);
        same.map(|(input, _)| u64::from(input.count)).sum()
    }

    fn conditions(&mut self) -> Result<(), FaultKind> {
        let scope = Scope::of(self.net, self.rule, &self.mode.binding);
        let mut conditions: Vec<(&Expr, Option<&Value>)> = Vec::new();
        for (input, token) in self.inputs.iter().zip(&self.mode.tokens) {
            let components = input.pattern.iter().zip(token);
            conditions
                .extend(components.filter_map(|(expr, value)| Some((expr.as_ref()?, Some(value)))));
        }
        conditions.extend(self.rule.guard.iter().map(|expr| (expr, None)));
        let mut demand = self.demand();
        for faulty in [false, true] {
            for (expr, value) in &conditions {
                if self.doubt.is_any([*expr]) == faulty {
                    let wanted = value.cloned().unwrap_or(Value::Bool(true));
                    if scope.eval(expr)? != wanted {
                        return Ok(());
                    }
                }
            }
            let arcs = self.rule.takes.iter().chain(&self.rule.reads);
            for arc in arcs.filter(|arc| !arc.each.is_empty()) {
                if self.doubt.is_any(arc.expressions()) == faulty
                    && !self.holds_all(arc, &scope, &mut demand)?
                {
                    return Ok(());
                }
            }
            for inhibitor in &self.rule.inhibitors {
                if self.doubt.is_any(inhibitor.expressions()) == faulty
                    && self.inhibits(inhibitor, &scope)?
                {
                    return Ok(());
                }
            }
        }
        let mut mode = self.mode.clone();
        mode.binding.extend(scope.definitions());
        self.is_enough = (self.meet)(Some(mode));
        Ok(())
    }

    /// What the inputs claim for which a token was chosen.
    fn demand(&self) -> Demand {
        let mut demand = Demand::new();
        for (input, token) in self.inputs.iter().zip(&self.mode.tokens) {
            *demand.entry((input.place, token.clone())).or_default() += u64::from(input.count);
        }
        demand
    }

    /// Whether the tokens of an arc for each member are there beside those claimed; it claims them too.
    fn holds_all(
        &self,
        arc: &crate::Arc,
        scope: &Scope,
        demand: &mut Demand,
    ) -> Result<bool, FaultKind> {
        for token in scope.tokens_of(arc)? {
            let held = self.state.count(&self.net.place(arc.place).name, &token);
            let claimed = demand.entry((arc.place, token)).or_default();
            *claimed += u64::from(arc.count);
            if *claimed > u64::from(held) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A net that is fired plainly, held by who fires it.
#[derive(Clone, Debug)]
pub struct Plainly(pub Arc<Net>);

impl Concrete for Plainly {
    type Fault = Fault;

    fn places(&self) -> Vec<Arc<str>> {
        (&*self.0).places()
    }

    fn initial(&self) -> Vec<State> {
        (&*self.0).initial()
    }

    fn may_rest(&self, state: &State) -> bool {
        self.0.may_rest(state)
    }

    fn successors(&mut self, state: &State, take: &mut Take<'_>) -> Result<(), Fault> {
        (&*self.0).successors(state, take)
    }
}

/// A net, fired plainly, state by concrete state.
impl Concrete for &Net {
    type Fault = Fault;

    fn places(&self) -> Vec<Arc<str>> {
        self.places.iter().map(|place| place.name.clone()).collect()
    }

    fn initial(&self) -> Vec<State> {
        vec![initial(self)]
    }

    fn may_rest(&self, state: &State) -> bool {
        Net::may_rest(self, state)
    }

    fn successors(&mut self, state: &State, take: &mut Take<'_>) -> Result<(), Fault> {
        let (mut is_enough, mut faulty) = (false, Ok(()));
        for transition in (0..self.transitions.len() as u32).map(TransitionId) {
            for_each_mode(self, state, transition, &mut |mode| {
                is_enough = match mode.map(|mode| fire(self, state, &mode)) {
                    None => take(None),
                    Some(Ok(step)) => take(Some((transition.0, step.state))),
                    Some(Err(fault)) => {
                        faulty = Err(fault);
                        true
                    }
                };
                is_enough
            })?;
            if is_enough {
                break;
            }
        }
        faulty
    }
}
