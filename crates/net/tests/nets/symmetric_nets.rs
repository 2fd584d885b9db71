//! Well-formed nets of Thierry-Mieg et al. 2004, §5: as many classes of states as the paper has symbolic
//! markings, and as many steps between them.
//!
//! Client/server has the numbers of the paper's table; the distributed database has 1 + n(n+1)/2 classes,
//! and Peterson's algorithm (n+3) · 2^(n−2).

use std::sync::Arc as Shared;

use explore::{Control, Options, explore};
use fold::Folded;
use net::{
    Arc, BinaryOp, Column, Compiled, EnumId, Enumeration, Expr, InitialToken, InitialValue, Kind,
    Literal, Net, Part, Place, PlaceId, PlaceKind, Sort, Symmetry, Transition, Var, Variable,
    interpret,
};
use state::Relations;

/// Members of one part, or of several of these sizes.
fn class(name: &str, symmetry: Symmetry, sizes: &[u32]) -> Enumeration {
    let members = (0..sizes.iter().sum()).map(|m: u32| format!("{name}{m}").into()).collect();
    let part = |(i, &size): (usize, &u32)| Part { name: format!("{name}_{i}"), size };
    let parts = if sizes.len() > 1 { sizes.iter().enumerate().map(part).collect() } else { vec![] };
    Enumeration { name: name.into(), members, symmetry, parts, round: false }
}

fn place(name: &str, classes: &[EnumId]) -> Place {
    let column = |&id: &EnumId| Column::of(Sort::Enum(id));
    let columns = classes.iter().map(column).collect();
    Place::new(name, PlaceKind::Ordinary, columns)
}

fn var(index: u32) -> Expr {
    Expr::Var(Var(index))
}

fn differ(a: u32, b: u32) -> Expr {
    Expr::binary(BinaryOp::NotEqual, var(a), var(b))
}

/// One token.
fn one(place: u32, values: &[Expr]) -> Arc {
    Arc::new(PlaceId(place), values.iter().cloned().map(Some).collect(), 1)
}

/// A token for each member that `each` goes through and that is not `other`.
fn all_but(place: u32, values: &[Expr], each: u32, other: u32) -> Arc {
    Arc { each: vec![Var(each)], condition: Some(differ(each, other)), ..one(place, values) }
}

/// A token for each choice of members, all different if so asked.
fn all(place: u32, each: &[EnumId], different: bool) -> InitialToken {
    let values = (0..each.len()).map(InitialValue::Each).collect();
    let condition = different.then(|| differ(0, 1));
    InitialToken { each: each.to_vec(), condition, ..InitialToken::new(PlaceId(place), values, 1) }
}

fn transition(name: &str, kinds: &[EnumId], takes: Vec<Arc>, puts: Vec<Arc>) -> Transition {
    let variable = |(i, &id): (usize, &EnumId)| Variable::new(format!("v{i}"), Kind::Enum(id));
    let variables = kinds.iter().enumerate().map(variable).collect();
    Transition { name: name.into(), variables, takes, puts, ..Transition::default() }
}

/// States and steps between them. Some states are decoded and fired plainly, too.
fn counts(net: Net) -> (u64, u64) {
    assert_eq!(net.check(), []);
    let net = Shared::new(net);
    let compiled = Compiled::new(net.clone(), Relations::NONE);
    let mut folded = Folded::new(compiled.clone(), Relations::NONE);
    let found = explore(&mut folded, &Options::default(), &mut |_| Control::Continue);
    let found = found.unwrap_or_else(|failed| panic!("{:?}", failed.fault));
    assert!(found.complete && found.deadlocks.len() as u64 == 0);
    let mut modes = 0;
    for (_, bytes) in found.store.iter().step_by(found.states() as usize / 50 + 1) {
        let state = compiled.state(&folded.decode(bytes));
        for transition in (0..net.transitions.len() as u32).map(net::TransitionId) {
            for mode in interpret::modes(&net, &state, transition).expect("no fault") {
                let next = interpret::fire(&net, &state, &mode).expect("no fault").state;
                let next = folded.fold(compiled.working(&next).0);
                assert!(found.store.find(&next).is_some(), "{state} leads elsewhere");
                modes += 1;
            }
        }
    }
    assert!(modes > 0);
    (found.states(), found.edges)
}

fn client_server(clients: u32, servers: u32) -> Net {
    let (c, s) = (EnumId(0), EnumId(1));
    let (client, wait, resp, server, req, treat) = (0, 1, 2, 3, 4, 5);
    let both = [var(0), var(1)];
    let of_client = &both[..1];
    let of_server = &both[1..];
    let t = |name: &str, takes: Vec<Arc>, puts: Vec<Arc>| transition(name, &[c, s], takes, puts);
    let call = t("t1", vec![one(client, of_client)], vec![one(wait, of_client), one(req, &both)]);
    Net {
        enumerations: vec![
            class("Client", Symmetry::Full, &[clients]),
            class("Server", Symmetry::Full, &[servers]),
        ],
        places: vec![
            place("client", &[c]),
            place("wait", &[c]),
            place("resp", &[c]),
            place("server", &[s]),
            place("req", &[c, s]),
            place("treat", &[c, s]),
        ],
        tokens: vec![all(client, &[c], false), all(server, &[s], false)],
        transitions: vec![
            Transition { parameters: vec![(Var(1), Sort::Enum(s))], ..call },
            t("t2", vec![one(req, &both), one(server, of_server)], vec![one(treat, &both)]),
            t("t3", vec![one(treat, &both)], vec![one(server, of_server), one(resp, of_client)]),
            t("t4", vec![one(resp, of_client), one(wait, of_client)], vec![one(client, of_client)]),
        ],
        ..Net::default()
    }
}

#[test]
fn client_and_server() {
    let expected = [
        ((2, 2), (12, 20)),
        ((3, 2), (26, 59)),
        ((5, 2), (82, 244)),
        ((5, 5), (142, 460)),
        ((6, 6), (281, 1028)),
        ((10, 2), (476, 1800)),
    ];
    for ((clients, servers), expected) in expected {
        assert_eq!(counts(client_server(clients, servers)), expected, "{clients}, {servers}");
    }
}

fn database(sites: u32) -> Net {
    let site = EnumId(0);
    let (inactive, waiting, performing, mutex) = (0, 1, 2, 3);
    let (unused, sent, received, acked) = (4, 5, 6, 7);
    let (s, pair) = ([var(0)], [var(0), var(1)]);
    let r = [var(1)];
    // No variable goes through all members twice.
    let taken = |place| all_but(place, &[var(0), var(2)], 2, 0);
    let put = |place| all_but(place, &[var(0), var(3)], 3, 0);
    let t = |name: &str, takes: Vec<Arc>, puts: Vec<Arc>| transition(name, &[site; 4], takes, puts);
    Net {
        enumerations: vec![class("Site", Symmetry::Full, &[sites])],
        places: vec![
            place("inactive", &[site]),
            place("waiting", &[site]),
            place("performing", &[site]),
            place("mutex", &[]),
            place("unused", &[site, site]),
            place("sent", &[site, site]),
            place("received", &[site, site]),
            place("acked", &[site, site]),
        ],
        tokens: vec![
            all(inactive, &[site], false),
            all(mutex, &[], false),
            all(unused, &[site, site], true),
        ],
        transitions: vec![
            t(
                "update",
                vec![one(inactive, &s), one(mutex, &[]), taken(unused)],
                vec![one(waiting, &s), put(sent)],
            ),
            t(
                "receive",
                vec![one(inactive, &r), one(sent, &pair)],
                vec![one(performing, &r), one(received, &pair)],
            ),
            t(
                "acknowledge",
                vec![one(performing, &r), one(received, &pair)],
                vec![one(inactive, &r), one(acked, &pair)],
            ),
            t(
                "commit",
                vec![one(waiting, &s), taken(acked)],
                vec![one(inactive, &s), one(mutex, &[]), put(unused)],
            ),
        ],
        ..Net::default()
    }
}

#[test]
fn distributed_database() {
    for (sites, edges) in [(5, 22), (10, 92)] {
        let classes = 1 + u64::from(sites) * u64::from(sites + 1) / 2;
        assert_eq!(counts(database(sites)), (classes, edges), "{sites} sites");
    }
}

/// Peterson's algorithm. The levels are 1 to n − 1, an enumeration with an order.
fn peterson(processes: u32) -> Net {
    let (process, level) = (EnumId(0), EnumId(1));
    let (idle, cs, turn, free, below, noturn) = (0, 1, 2, 3, 4, 5);
    let at = |index| Expr::Literal(Literal::Enum(level, index));
    let last = at(processes - 2);
    // Variables: x and y are processes, j is a level, z and k go through all.
    let (x, y, j, z, k) = (0, 1, 2, 3, 4);
    let kinds = [process, process, level, process, level];
    let next = || Expr::Shift(var(j).into(), level, 1);
    let is_not_last = Expr::binary(BinaryOp::Less, var(j), last.clone());
    let t = |name: &str, takes: Vec<Arc>, puts: Vec<Arc>, guard: Vec<Expr>| Transition {
        guard,
        ..transition(name, &kinds, takes, puts)
    };
    let others_below = |at: Expr| all_but(below, &[var(z), at], z, x);
    let from_idle = || one(idle, &[var(x)]);
    let from_free = || one(free, &[var(x), var(j)]);
    let first = at(0);
    let mut transitions = Vec::new();
    let sources = [
        ("idle", from_idle(), first, vec![]),
        ("free", from_free(), next(), vec![is_not_last.clone()]),
    ];
    for (name, source, to, guard) in sources {
        transitions.push(t(
            &format!("first_from_{name}"),
            vec![
                source.clone(),
                one(noturn, std::slice::from_ref(&to)),
                one(below, &[var(x), to.clone()]),
            ],
            vec![one(turn, &[var(x), to.clone()])],
            guard.clone(),
        ));
        transitions.push(t(
            &format!("push_from_{name}"),
            vec![source, one(turn, &[var(y), to.clone()]), one(below, &[var(x), to.clone()])],
            vec![one(turn, &[var(x), to.clone()]), one(free, &[var(y), to])],
            guard,
        ));
    }
    let alone = t(
        "alone",
        vec![one(turn, &[var(x), var(j)]), one(noturn, &[next()]), one(below, &[var(x), next()])],
        vec![one(turn, &[var(x), next()]), one(noturn, &[var(j)])],
        vec![is_not_last],
    );
    transitions.push(Transition { reads: vec![others_below(var(j))], ..alone });
    transitions.push(t(
        "enter",
        vec![one(free, &[var(x), last.clone()])],
        vec![one(cs, &[var(x)])],
        vec![],
    ));
    let enter_alone = t(
        "enter_alone",
        vec![one(turn, &[var(x), last.clone()])],
        vec![one(cs, &[var(x)]), one(noturn, std::slice::from_ref(&last))],
        vec![],
    );
    transitions.push(Transition { reads: vec![others_below(last)], ..enter_alone });
    let everywhere = Arc { each: vec![Var(k)], ..one(below, &[var(x), var(k)]) };
    transitions.push(t(
        "exit",
        vec![one(cs, &[var(x)])],
        vec![one(idle, &[var(x)]), everywhere],
        vec![],
    ));
    Net {
        enumerations: vec![
            class("Process", Symmetry::Full, &[processes]),
            class("Level", Symmetry::None, &[processes - 1]),
        ],
        places: vec![
            place("idle", &[process]),
            place("cs", &[process]),
            place("turn", &[process, level]),
            place("free", &[process, level]),
            place("below", &[process, level]),
            place("noturn", &[level]),
        ],
        tokens: vec![
            all(idle, &[process], false),
            all(below, &[process, level], false),
            all(noturn, &[level], false),
        ],
        transitions,
        ..Net::default()
    }
}

#[test]
fn petersons_algorithm() {
    for (processes, edges) in [(3, 20), (5, 140), (7, 864)] {
        let classes = u64::from(processes + 3) << (processes - 2);
        assert_eq!(counts(peterson(processes)), (classes, edges), "{processes} processes");
    }
}

/// A token goes round a ring, and each process may be asked for once while it is elsewhere.
fn ring(size: u32) -> Net {
    let process = EnumId(0);
    let (token, asked) = (0, 1);
    let next = Expr::Shift(var(0).into(), process, 1);
    let passes =
        transition("pass", &[process], vec![one(token, &[var(0)])], vec![one(token, &[next])]);
    let asks = transition("ask", &[process, process], vec![], vec![one(asked, &[var(0)])]);
    let asks = Transition {
        parameters: vec![(Var(0), Sort::Enum(process))],
        inhibitors: vec![one(asked, &[var(0)]).into()],
        ..asks
    };
    Net {
        enumerations: vec![class("Process", Symmetry::Rotations, &[size])],
        places: vec![place("token", &[process]), place("asked", &[process])],
        // All tokens are there at first, so that no process is told from another.
        tokens: vec![all(token, &[process], false)],
        transitions: vec![passes, asks],
        ..Net::default()
    }
}

#[test]
fn necklaces() {
    // Every way to have n tokens at n places and to have asked for some, up to rotation: by Burnside's
    // lemma, the sum over the divisors d of n of φ(n/d) · C(2d − 1, d) · 2^d, by n.
    let choose = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    let common =
        |a: u64, b: u64| (1..=a).filter(|d| a.is_multiple_of(*d) && b.is_multiple_of(*d)).max();
    for size in 2..=6_u64 {
        let fixed = |by: u64| {
            let d = common(size, by).expect("1 divides all");
            choose(2 * d - 1, d) << d
        };
        let classes = (1..=size).map(fixed).sum::<u64>() / size;
        assert_eq!(counts(ring(size as u32)).0, classes, "{size} processes");
    }
}
