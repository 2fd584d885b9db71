//! Faults that a compiler might have, planted into programs and nets: each is noticed.
//!
//! A program that is changed before it is compiled stands for a compiler that misunderstands it; a net that is changed
//! stands for one that writes down something else. Where the interpreter makes a mistake instead, the two graphs that
//! are compared are those of a compiler that makes it, the other way round.

mod nets;

use interpret::{Chosen, Interpreter, Next, Offer, Pid, State, Turns};
use net::Net;
use program::{
    Action, Block, Expr, Form, LabelId, Operation, ProcessId, Program, Root, Routine, Selector,
    Statement, Type,
};
use program::{Observed, Source};
use random::Random;

use crate::counts::Counts;
use crate::generate::{self, Features};
use crate::graph::{graph, graph_by};
use crate::{Compared, bisimulation, compare, compiled};

/// Changes something; says whether there was something to change.
type OnProgram = fn(&mut Program) -> bool;
type OnNet = fn(&mut Net) -> bool;

/// How many programs are tried, at most, until a fault is noticed.
const TRIES: u64 = 4_000;
/// How many states a program may have.
const MOST: usize = 300;

/// Whether a fault is noticed, on some program that it changes.
fn is_noticed(
    first_seed: u64,
    observed: &Observed,
    on_program: Option<OnProgram>,
    on_net: Option<OnNet>,
) -> bool {
    for seed in first_seed..first_seed + TRIES {
        let _seed = random::Seed(seed);
        let program = generate::program(&mut Random::new(seed), Features::ALL);
        let mut changed = program.clone();
        if on_program.is_some_and(|change| !change(&mut changed)) {
            continue;
        }
        let interpreter = Interpreter::new(&program, observed);
        let Some((naive, _)) = graph(&interpreter, Turns::Steps, MOST) else { continue };
        let Some(mut made) = compiled::net_of(&changed, observed) else { continue };
        if on_net.is_some_and(|change| !change(&mut made.net)) {
            continue;
        }
        if !made.net.check().is_empty() {
            return true;
        }
        match compiled::graph(&program, observed, &made, 3 * MOST) {
            Ok(Some(graph)) if bisimulation::difference(&naive, &graph).is_none() => {}
            _ => return true,
        }
    }
    false
}

/// Changes the first statement that can be changed, in processes and functions.
fn change_first(program: &mut Program, change: &mut dyn FnMut(&mut Block, usize) -> bool) -> bool {
    let routines = program.processes.iter_mut().chain(&mut program.functions);
    { routines }.any(|routine: &mut Routine| change_in(&mut routine.body, change))
}

fn change_in(block: &mut Block, change: &mut dyn FnMut(&mut Block, usize) -> bool) -> bool {
    for at in 0..block.len() {
        if change(block, at) {
            return true;
        }
        let inner: Vec<&mut Block> = match &mut block[at].action {
            Action::If(_, yes, no) => vec![yes, no],
            Action::Loop(_, block) | Action::Block(block) | Action::Defer(block) => vec![block],
            Action::Either(blocks) => blocks.iter_mut().collect(),
            Action::Select(select) => {
                let arms = select.arms.iter_mut().map(|arm| &mut arm.body);
                arms.chain(&mut select.otherwise).collect()
            }
            _ => Vec::new(),
        };
        for block in inner {
            if change_in(block, change) {
                return true;
            }
        }
    }
    false
}

/// Puts what ends processes into `atomic` blocks.
pub fn end_at_once(program: &mut Program) {
    change_first(program, &mut |block, at| {
        let statement = &mut block[at];
        if let Action::Kill(_) | Action::Crash(_) = &statement.action {
            statement.action = Action::Atomic(vec![statement.clone()]);
        }
        false
    });
}

fn is_wait(statement: &Statement) -> bool {
    matches!(&statement.action, Action::Select(select) if select.otherwise.is_none())
}

fn noticed_in_program(seed: u64, change: OnProgram) {
    let is_noticed = is_noticed(seed, &Observed::default(), Some(change), None);
    assert!(is_noticed, "the fault goes unnoticed");
}

fn noticed_in_net(seed: u64, change: OnNet) {
    let is_noticed = is_noticed(seed, &Observed::default(), None, Some(change));
    assert!(is_noticed, "the fault goes unnoticed");
}

#[test]
fn a_defer_that_is_skipped() {
    noticed_in_program(0, |program| {
        change_first(program, &mut |block, at| {
            let is_defer = matches!(block[at].action, Action::Defer(_));
            if is_defer {
                block.remove(at);
            }
            is_defer
        })
    });
}

#[test]
fn what_is_deferred_in_the_wrong_order() {
    noticed_in_program(1_000_000, |program| {
        change_first(program, &mut |block, at| {
            let is_defer =
                |at: usize| block.get(at).is_some_and(|one| matches!(one.action, Action::Defer(_)));
            let both = is_defer(at) && is_defer(at + 1);
            if both {
                block.swap(at, at + 1);
            }
            both
        })
    });
}

#[test]
fn something_deferred_that_is_done_at_once() {
    noticed_in_program(2_000_000, |program| {
        change_first(program, &mut |block, at| match &mut block[at].action {
            Action::Defer(later) => {
                block[at].action = Action::Block(std::mem::take(later));
                true
            }
            _ => false,
        })
    });
}

#[test]
fn an_early_choice() {
    noticed_in_program(3_000_000, |program| {
        change_first(program, &mut |block, at| {
            let early =
                block.get(at + 1).is_some_and(|one| matches!(one.action, Action::Either(_)))
                    && is_wait(&block[at]);
            if early {
                // The choice comes first, and then what was to come first, in each way.
                let first = block.remove(at);
                if let Action::Either(ways) = &mut block[at].action {
                    ways.iter_mut().for_each(|way| way.insert(0, first.clone()));
                }
            }
            early
        })
    });
}

#[test]
fn crash_that_kills() {
    noticed_in_program(4_000_000, |program| {
        change_first(program, &mut |block, at| match &mut block[at].action {
            Action::Crash(handle) => {
                block[at].action = Action::Kill(handle.clone());
                true
            }
            _ => false,
        })
    });
}

#[test]
fn kill_that_crashes() {
    noticed_in_program(5_000_000, |program| {
        change_first(program, &mut |block, at| match &mut block[at].action {
            Action::Kill(handle) => {
                block[at].action = Action::Crash(handle.clone());
                true
            }
            _ => false,
        })
    });
}

#[test]
fn an_atomic_block_that_is_taken_apart() {
    noticed_in_program(6_000_000, |program| {
        change_first(program, &mut |block, at| match &mut block[at].action {
            Action::Atomic(inner) => {
                block[at].action = Action::Block(std::mem::take(inner));
                true
            }
            _ => false,
        })
    });
}

/// Whether an expression reads something that may be shared.
fn is_shared(expr: &Expr) -> bool {
    let is_itself = matches!(expr.form, Form::Global(_) | Form::Field(..) | Form::Ended(_));
    is_itself || expr.children().into_iter().any(is_shared)
}

#[test]
fn late_operands() {
    // Shared operands are read when the step is done, and not before.
    noticed_in_program(7_000_000, |program| {
        change_first(program, &mut |block, at| {
            let is_late = match &block[at].action {
                Action::Select(select) => {
                    let is_step =
                        |operation: &Operation| matches!(operation, Operation::Step { .. });
                    select.arms.len() == 1
                        && select.otherwise.is_none()
                        && select.arms[0].body.is_empty()
                        && is_step(&select.arms[0].operation)
                        && select.arms[0].operation.operands().into_iter().any(is_shared)
                }
                _ => false,
            };
            if is_late {
                let statement = block[at].clone();
                block[at].action = Action::Atomic(vec![statement]);
            }
            is_late
        })
    });
}

#[test]
fn an_else_that_is_never_taken() {
    noticed_in_program(8_000_000, |program| {
        change_first(program, &mut |block, at| match &mut block[at].action {
            Action::Select(select) => select.otherwise.take().is_some(),
            _ => false,
        })
    });
}

#[test]
fn rendezvous_that_do_not_happen() {
    noticed_in_program(9_000_000, |program| {
        let object = program.objects.iter_mut().find(|object| !object.meetings.is_empty());
        object.is_some_and(|object| object.meetings.pop().is_some())
    });
}

/// Does two statements at once, where the first is a step.
fn fuse(block: &mut Block, at: usize) {
    let second = block.remove(at + 1);
    let origin = block[at].origin;
    let first = block[at].clone();
    block[at] = Statement { action: Action::Atomic(vec![first, second]), origin };
}

fn is_write(statement: &Statement) -> bool {
    let is_global = |root: &Root| matches!(root, Root::Global(_));
    matches!(&statement.action, Action::Assign(target, value)
        if is_global(&target.root) && value.children().is_empty())
}

fn is_local(statement: &Statement) -> bool {
    matches!(&statement.action, Action::Assign(target, value)
        if matches!(target.root, Root::Local(_)) && value.children().is_empty())
}

#[test]
fn a_fault_that_is_fused_into_a_step() {
    noticed_in_program(17_000_000, |program| {
        change_first(program, &mut |block, at| {
            let is_fault = |statement: &Statement| {
                matches!(statement.action, Action::Assert(_) | Action::Require(_))
            };
            let both = is_write(&block[at]) && block.get(at + 1).is_some_and(is_fault);
            if both {
                fuse(block, at);
            }
            both
        })
    });
}

fn is_offer(statement: &Statement) -> bool {
    let is_of_port = |operation: &Operation| match operation {
        Operation::Step { object, .. } => object.of.object() == generate::PORT,
        _ => false,
    };
    matches!(&statement.action, Action::Select(select)
        if select.arms.iter().any(|arm| is_of_port(&arm.operation)))
}

#[test]
fn arrival_at_a_rendezvous_that_is_fused() {
    noticed_in_program(18_000_000, |program| {
        change_first(program, &mut |block, at| {
            let all = is_write(&block[at])
                && block.get(at + 1).is_some_and(is_local)
                && block.get(at + 2).is_some_and(is_offer);
            if all {
                fuse(block, at);
            }
            all
        })
    });
}

/// All labels of processes.
fn labels() -> Observed {
    let kinds = (0..3).map(|id| Source::Process(ProcessId(id)));
    let all = kinds.flat_map(|source| (0..8).map(move |label| (source, LabelId(label))));
    Observed { labels: all.collect(), ..Observed::default() }
}

#[test]
fn arrival_at_a_label_that_is_fused() {
    let change = |program: &mut Program| {
        change_first(program, &mut |block, at| {
            let is_label = |statement: &Statement| matches!(statement.action, Action::Label(_));
            let all = is_write(&block[at])
                && block.get(at + 1).is_some_and(is_local)
                && block.get(at + 2).is_some_and(is_label);
            if all {
                fuse(block, at);
            }
            all
        })
    };
    assert!(is_noticed(19_000_000, &labels(), Some(change), None), "the fault goes unnoticed");
}

/// What can happen if those meet, too, that do not wait: who can do that does not go on by `else`.
fn with_meetings_of_polls(interpreter: &Interpreter, state: &State) -> Vec<Next> {
    let mut next = interpreter.successors(state, Turns::Steps);
    let offers: Vec<Offer> =
        state.running().filter_map(|pid| interpreter.offer(state, pid)).collect();
    let polls: Vec<Offer> = offers.into_iter().filter(|offer| offer.is_poll).collect();
    for first in &polls {
        for second in polls.iter().filter(|second| first.pid != second.pid) {
            let met = interpreter.meetings(state, [*first, *second], Turns::Steps);
            if !met.is_empty() {
                next.retain(|next| ![first.pid, second.pid].iter().any(|pid| is_else(next, *pid)));
            }
            next.extend(met);
        }
    }
    next
}

/// Whether a process goes on by `else`.
fn is_else(next: &Next, pid: Pid) -> bool {
    let Ok(step) = &next.outcome else { return false };
    let first = step.choices.first();
    next.is_by(pid) && first.is_some_and(|choice| choice.chosen == Chosen::Otherwise)
}

#[test]
fn polls_that_meet() {
    let observed = Observed::default();
    let is_noticed = (20_000_000..20_000_000 + TRIES).any(|seed| {
        let _seed = random::Seed(seed);
        let mut program = generate::program(&mut Random::new(seed), Features::ALL);
        // Nobody waits to be met.
        change_first(&mut program, &mut |block, at| {
            let is_offered = is_offer(&block[at]);
            if let (Action::Select(select), true) = (&mut block[at].action, is_offered) {
                select.otherwise.get_or_insert_default();
                select.idle = false;
            }
            false
        });
        let interpreter = Interpreter::new(&program, &observed);
        let successors = |state: &State| with_meetings_of_polls(&interpreter, state);
        let naive = graph_by(&interpreter, Turns::Steps, MOST, &successors);
        let Some((naive, _)) = naive else { return false };
        let Some(made) = compiled::net_of(&program, &observed) else { return false };
        match compiled::graph(&program, &observed, &made, 3 * MOST) {
            Ok(Some(graph)) => bisimulation::difference(&naive, &graph).is_some(),
            _ => true,
        }
    });
    assert!(is_noticed, "the fault goes unnoticed");
}

/// Marks the first assignment of a number that may be out of range as one that never is.
fn mark_unsure(program: &mut Program) -> bool {
    let types = program.clone();
    change_first(program, &mut |block, at| {
        let Action::Assign(target, value) = &mut block[at].action else { return false };
        let inside = |of: Type, way: &Selector| types.inside(&of, way);
        let of = target.path.iter().fold(target.of.clone(), inside);
        let (Type::Int { min, max }, Type::Int { min: least, max: most }) = (&of, &mut value.of)
        else {
            return false;
        };
        let may_leave = (*least < *min || *most > *max) && *least <= *max && *most >= *min;
        if may_leave {
            (*least, *most) = ((*least).max(*min), (*most).min(*max));
        }
        may_leave
    })
}

#[test]
fn a_fault_that_is_taken_for_impossible() {
    // Both sides believe what is marked: either one of them comes to the fault, or they differ.
    let (observed, counts) = (Observed::default(), Counts::default());
    let (mut wrong, mut noticed) = (0, 0);
    for seed in 26_000_000..26_000_000 + TRIES {
        let mut program = generate::program(&mut Random::new(seed), Features::ALL);
        program::mark_sure(&mut program);
        if !mark_unsure(&mut program) {
            continue;
        }
        wrong += 1;
        let compared = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            compare(&program, &observed, &counts, MOST, true)
        }));
        noticed += usize::from(matches!(compared, Err(_) | Ok(Compared::Different(_))));
        if noticed == 3 {
            return;
        }
    }
    panic!("{noticed} of {wrong} are noticed");
}
