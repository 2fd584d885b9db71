//! The leap-year service as code, held against what the 2009 paper says of its figure 2.

#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/leap_year.rs"]
mod example;

use example::LeapYear;
use kinfold::Explorer;
use kinfold::fold::{System, equivalent};
use kinfold::state::{Relations, State, Value};

fn service(servers: u32, years: &[i64], addresses: &[i64]) -> LeapYear {
    LeapYear { servers, years: years.to_vec(), addresses: addresses.to_vec() }
}

/// The states s0, …, s5 of a session of the given server.
fn session(server: &str) -> Vec<State> {
    let service = service(2, &[2009], &[7]);
    let mut states = service.initial();
    let (handler, function) = (format!("{server}.1"), format!("{server}.1.1"));
    let steps = [
        ("accept", server),
        ("call", &handler),
        ("calculate", &function),
        ("answer", &handler),
        ("collect", server),
    ];
    for (action, thread) in steps {
        let mut taken = service.successors(states.last().unwrap());
        let thread = thread.parse().ok();
        taken.retain(|step| step.action == action && step.thread == thread);
        assert_eq!(taken.len(), 1, "{action} by {thread:?}");
        states.push(taken.remove(0).state);
    }
    states
}

fn relations(list: &str) -> Relations {
    list.parse().unwrap()
}

#[test]
fn sessions_of_both_servers_are_equivalent_without_brotherhood() {
    let (one, two) = (session("1"), session("2"));
    let parent = relations("parent");
    for (s, other) in one.iter().zip(&two) {
        assert!(equivalent(s, other, parent).is_some(), "{s} and {other}");
    }
    let h = equivalent(&one[3], &two[3], parent).unwrap();
    let images: Vec<String> = h.iter().map(|(pid, to)| format!("{pid}→{to}")).collect();
    assert_eq!(images, ["1→2", "1.1→2.1", "1.1.1→2.1.1", "2→1"]);
    // No two states of one session are equivalent, but for its ends.
    for i in 0..5 {
        for j in 0..i {
            assert_eq!(equivalent(&one[i], &one[j], parent), None, "s{i} and s{j}");
        }
    }
}

#[test]
fn a_session_leads_back_to_where_it_began() {
    let (one, two) = (session("1"), session("2"));
    assert_ne!(one[0], one[5], "the counter tells them apart");
    for relations in Relations::every() {
        assert!(equivalent(&one[0], &one[5], relations).is_some(), "s0 and s5, {relations}");
        assert!(equivalent(&one[0], &two[5], relations).is_some(), "s0 and s5', {relations}");
        assert!(equivalent(&one[5], &two[5], relations).is_some(), "s5 and s5', {relations}");
    }
}

#[test]
fn brotherhood_tells_the_servers_apart() {
    let (one, two) = (session("1"), session("2"));
    for brotherhood in ["parent,next_sibling", "parent,elder_sibling"] {
        assert_eq!(equivalent(&one[3], &two[3], relations(brotherhood)), None, "{brotherhood}");
    }
}

#[test]
fn classes_are_as_many_as_servers_can_be_chosen() {
    for (years, addresses) in [(&[2009][..], &[7][..]), (&[2000, 2009], &[7]), (&[1900], &[1, 2])] {
        // A server without handler, or with one that has answered, or that is in one of three
        // states of work on one of the requests.
        let n = 2 + 3 * (years.len() * addresses.len()) as u64;
        let service = service(2, years, addresses);
        let explored = Explorer::new(&service).audit(u64::MAX, 11).run().unwrap();
        let exploration = explored.exploration();
        assert!(exploration.complete);
        assert_eq!(exploration.states(), n * (n + 1) / 2);
        assert_eq!((exploration.deadlocks.len(), exploration.terminated.len()), (0, 0));
        let brothers = Explorer::new(&service).relations(relations("parent,next_sibling"));
        assert_eq!(brothers.run().unwrap().exploration().states(), n * n);
    }
}

#[test]
fn the_function_is_right() {
    for (year, leap) in [(1900, false), (2000, true), (2008, true), (2009, false)] {
        let service = service(1, &[year], &[7]);
        let explored = Explorer::new(&service).run().unwrap();
        let results = explored.states().filter_map(|(_, state)| {
            state.tokens("F").find_map(|(token, _)| match token[1] {
                Value::Bool(result) => Some(result),
                _ => None,
            })
        });
        assert_eq!(results.collect::<Vec<_>>(), [leap], "{year}");
    }
}
