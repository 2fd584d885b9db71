//! Faults in nets.

use interpret::{Interpreter, Turns};
use net::{Expr as NetExpr, Fate, Literal, Net, Sort};
use program::Observed;
use random::Random;

use super::{MOST, is_noticed, noticed_in_net};
use crate::generate::{self, Features};
use crate::graph::graph;
use crate::{bisimulation, compiled};

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

/// Two objects that a transition looks at, where each is known only by what the other refers to.
fn bind_each_other(net: &mut Net) -> Option<usize> {
    let places = &net.places;
    let refers_to_own_kind = |arc: &net::Arc| {
        let columns = &places[arc.place.index()].columns;
        (1..columns.len()).find(|column| {
            matches!(columns[0].sort, Sort::Object(_))
                && columns[*column].sort == columns[0].sort
                && matches!(arc.pattern[*column], Some(NetExpr::Var(_)))
        })
    };
    for (number, transition) in net.transitions.iter_mut().enumerate() {
        let arcs = transition.reads.iter_mut().chain(&mut transition.takes);
        let mut linked: Vec<(&mut net::Arc, usize)> = arcs
            .filter_map(|arc| refers_to_own_kind(arc).map(|column| (arc, column)))
            .filter(|(arc, _)| places[arc.place.index()].hold != net::Hold::Root)
            .collect();
        let [(first, a), (second, b), ..] = &mut linked[..] else { continue };
        if first.place == second.place {
            first.pattern[0].clone_from(&second.pattern[*b]);
            second.pattern[0].clone_from(&first.pattern[*a]);
            return Some(number);
        }
    }
    None
}

#[test]
fn owners_that_bind_each_other() {
    let observed = Observed::default();
    let mut nets = (21_000_000..).filter_map(|seed| {
        let program = generate::program(&mut Random::new(seed), Features::ALL);
        compiled::net_of(&program, &observed).map(|made| made.net)
    });
    let (net, changed) = nets
        .find_map(|mut net| bind_each_other(&mut net).map(|changed| (net, changed)))
        .expect("there is a program that looks at two objects at once");
    assert!(!net.unknown_owners(&net.transitions[changed]).is_empty(), "it goes unnoticed");
    assert!(!net.check().is_empty(), "it goes unnoticed");
}

#[test]
fn frames_that_are_mixed() {
    noticed_in_net(22_000_000, |net| {
        let frames = Sort::Object(net::FreshId(net.fresh.len() as u32 - 1));
        let places = net.places.clone();
        let mut is_changed = false;
        for arc in net.transitions.iter_mut().flat_map(|transition| &mut transition.puts) {
            let columns = &places[arc.place.index()].columns;
            if columns.len() > 1 && columns[0].sort == frames && columns[1].sort == frames {
                // It returns to the same call again.
                arc.pattern[1] = arc.pattern[0].clone();
                is_changed = true;
            }
        }
        is_changed
    });
}

#[test]
fn garbage_that_is_kept() {
    let observed = Observed { all_locals: true, ..Observed::default() };
    let keep = |net: &mut Net| {
        let owned = net.places.iter_mut().filter(|place| place.hold != net::Hold::Root);
        owned.map(|place| place.hold = net::Hold::Root).count() > 0
    };
    assert!(is_noticed(23_000_000, &observed, None, Some(keep)), "the fault goes unnoticed");
}

/// Follows those that are born by the first transition by which some are.
fn follow(net: &mut Net, hold: net::Hold) -> bool {
    let columns = vec![net::Column::of(Sort::Pid)];
    let place = net::PlaceId(net.places.len() as u32);
    let is_birth = |transition: &&mut net::Transition| !transition.spawns.is_empty();
    let Some(birth) = net.transitions.iter_mut().find(is_birth) else { return false };
    let Some(child) = birth.spawns[0].child else { return false };
    birth.puts.push(net::Arc::new(place, vec![Some(NetExpr::Var(child))], 1));
    let followed = net::Place::new("followed", net::PlaceKind::Ordinary, columns);
    net.places.push(net::Place { hold, ..followed });
    true
}

#[test]
fn a_follow_token_that_is_a_root() {
    let observed = Observed { all_locals: true, ..Observed::default() };
    let mut noticed = 0;
    for seed in 24_000_000.. {
        let _seed = random::Seed(seed);
        let program = generate::program(&mut Random::new(seed), Features::ALL);
        let interpreter = Interpreter::new(&program, &observed);
        let Some((naive, _)) = graph(&interpreter, Turns::Steps, MOST) else { continue };
        let Some(made) = compiled::net_of(&program, &observed) else { continue };
        let [weak, root] = [net::Hold::Weak, net::Hold::Root].map(|hold| {
            let mut made = made.clone();
            follow(&mut made.net, hold);
            let graph = compiled::graph(&program, &observed, &made, 5 * MOST);
            graph.expect("faults lead nowhere")
        });
        // As it should be, it makes no difference.
        let Some(weak) = weak else { continue };
        assert!(bisimulation::difference(&naive, &weak).is_none(), "one is followed");
        let is_same = |root| bisimulation::difference(&naive, &root).is_none();
        noticed += usize::from(!root.is_some_and(is_same));
        if noticed == 3 {
            break;
        }
    }
}

#[test]
fn an_offer_that_is_left_behind() {
    noticed_in_net(25_000_000, |net| {
        let acts = |transition: &net::Transition| {
            let acting = transition.participants.iter().filter(|part| !part.passive);
            acting.count() == 2 && transition.failure.is_none()
        };
        let meetings: Vec<net::Transition> =
            net.transitions.iter().filter(|transition| acts(transition)).cloned().collect();
        for mut alone in meetings {
            // The second meets an offer of one who is no longer there.
            alone.participants.remove(0);
            alone.name.push_str(" alone");
            net.transitions.push(alone);
            if net.check().is_empty() {
                return true;
            }
            net.transitions.pop();
        }
        false
    });
}
