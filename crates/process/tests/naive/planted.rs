//! Faults that a compiler might have, planted into programs and nets: each is noticed.
//!
//! A program that is changed before it is compiled stands for a compiler that misunderstands it; a net that is changed
//! stands for one that writes down something else.

use net::{Expr as NetExpr, Fate, Literal, Net, Sort};
use process::Observed;
use process::program::{Action, Block, Operation, Program, Routine, Statement};
use random::Random;

use crate::bisimulation;
use crate::code::Code;
use crate::compiled;
use crate::generate::{self, Features};
use crate::turns::{self, Turns};

/// Changes something; says whether there was something to change.
type OnProgram = fn(&mut Program) -> bool;
type OnNet = fn(&mut Net) -> bool;

/// How many programs are tried, at most, until a fault is noticed.
const TRIES: u64 = 4_000;
/// How many states a program may have.
const MOST: usize = 300;

/// Whether a fault is noticed, on some program that it changes.
fn is_noticed(first_seed: u64, on_program: Option<OnProgram>, on_net: Option<OnNet>) -> bool {
    let observed = Observed::default();
    for seed in first_seed..first_seed + TRIES {
        let _seed = random::Seed(seed);
        let program = generate::program(&mut Random::new(seed), Features::ALL);
        let mut changed = program.clone();
        if on_program.is_some_and(|change| !change(&mut changed)) {
            continue;
        }
        let code = Code::new(&program, &observed);
        let Some((naive, _)) = turns::graph(&code, Turns::Steps, MOST) else { continue };
        let Some(mut net) = compiled::net_of(&changed, &observed) else { continue };
        if on_net.is_some_and(|change| !change(&mut net)) {
            continue;
        }
        if !net.check().is_empty() {
            return true;
        }
        match compiled::graph(&program, &net, 3 * MOST) {
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

fn is_wait(statement: &Statement) -> bool {
    matches!(&statement.action, Action::Select(select) if select.otherwise.is_none())
}

fn noticed_in_program(seed: u64, change: OnProgram) {
    assert!(is_noticed(seed, Some(change), None), "the fault goes unnoticed");
}

fn noticed_in_net(seed: u64, change: OnNet) {
    assert!(is_noticed(seed, None, Some(change)), "the fault goes unnoticed");
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

#[test]
fn late_operands() {
    // Shared operands are read when the step is done, and not before.
    noticed_in_program(7_000_000, |program| {
        let observed = Observed::default();
        let original = program.clone();
        let code = Code::new(&original, &observed);
        change_first(program, &mut |block, at| {
            let is_late = match &block[at].action {
                Action::Select(select) => {
                    let is_step =
                        |operation: &Operation| matches!(operation, Operation::Step { .. });
                    select.arms.len() == 1
                        && select.otherwise.is_none()
                        && select.arms[0].body.is_empty()
                        && is_step(&select.arms[0].operation)
                        && code.reads_first(&block[at])
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

#[test]
fn an_else_while_somebody_can_be_met() {
    noticed_in_net(10_000_000, |net| {
        let several = |transition: &&mut net::Transition| {
            transition.inhibitors.iter().any(|inhibitor| inhibitor.arcs.len() > 1)
                || transition.inhibitors.iter().any(|inhibitor| {
                    inhibitor.arcs.iter().any(|arc| net.places[arc.place.index()].is_flow())
                })
        };
        let found = net.transitions.iter_mut().find(several);
        found.is_some_and(|transition| {
            transition.inhibitors.clear();
            true
        })
    });
}

#[test]
fn a_failure_that_is_not_one() {
    noticed_in_net(11_000_000, |net| {
        let before = net.transitions.len();
        net.transitions.retain(|transition| transition.failure.is_none());
        net.transitions.len() < before
    });
}

#[test]
fn a_missing_kill_edge() {
    noticed_in_net(12_000_000, |net| {
        let takes_another = |transition: &net::Transition| {
            transition.participants.iter().any(|participant| participant.passive)
        };
        let before = net.transitions.len();
        net.transitions.retain(|transition| !takes_another(transition));
        net.transitions.len() < before
    });
}

#[test]
fn a_live_local_that_is_dropped() {
    noticed_in_net(13_000_000, |net| {
        let places = net.places.clone();
        for transition in &mut net.transitions {
            for participant in &mut transition.participants {
                let Fate::Move { to, values } = &mut participant.fate else { continue };
                // The thread itself is the first column.
                let columns = &places[to.index()].columns[1..];
                for (value, column) in values.iter_mut().zip(columns) {
                    if let (NetExpr::Var(_), Sort::Int { min, .. }) = (&*value, column.sort) {
                        *value = NetExpr::Literal(Literal::Int(min));
                        return true;
                    }
                }
            }
        }
        false
    });
}

#[test]
fn a_frame_that_loses_a_variable() {
    noticed_in_net(14_000_000, |net| {
        let frames = Sort::Object(net::FreshId(net.fresh.len() as u32 - 1));
        let places = net.places.clone();
        let mut is_changed = false;
        for arc in net.transitions.iter_mut().flat_map(|transition| &mut transition.puts) {
            let columns = &places[arc.place.index()].columns;
            if columns[0].sort != frames {
                continue;
            }
            for (value, column) in arc.pattern.iter_mut().zip(columns) {
                if let Sort::Int { min, .. } = column.sort {
                    *value = Some(NetExpr::Literal(Literal::Int(min)));
                    is_changed = true;
                }
            }
        }
        is_changed
    });
}

#[test]
fn an_end_that_is_not_told() {
    noticed_in_net(15_000_000, |net| {
        let ended = net.places.iter().position(|place| &*place.name == "ended");
        let Some(ended) = ended else { return false };
        let mut is_changed = false;
        for transition in &mut net.transitions {
            let before = transition.puts.len();
            transition.puts.retain(|arc| arc.place.index() != ended);
            is_changed |= transition.puts.len() < before;
        }
        is_changed
    });
}

#[test]
fn an_object_that_is_dropped_too_early() {
    noticed_in_net(16_000_000, |net| {
        // What a global variable refers to is taken for garbage.
        let is_root = |place: &net::Place| {
            !place.is_flow()
                && place.hold == net::Hold::Root
                && place.columns.iter().any(|column| matches!(column.sort, Sort::Object(_)))
        };
        let found = net.places.iter_mut().find(|place| is_root(place));
        found.is_some_and(|place| {
            place.hold = net::Hold::Weak;
            true
        })
    });
}
