//! The nets of the 2004 paper's table, and two of the Model Checking Contest.

use symbolic::{
    ClassId, Condition, Element, PlaceId, SymmetricNet, Symmetry, Term, Transition, Variable,
};

const X: Variable = Variable(0);
const Y: Variable = Variable(1);

fn var(variable: Variable) -> Element {
    Element::Var(variable)
}

/// One token of each element of a class; the local variable has this number.
fn all(class: ClassId, local: Variable) -> Term {
    Term::one(&[var(local)]).for_all(&[class], Condition::always())
}

/// Clients ask servers, any of them, and wait for the answer.
pub fn client_server(clients: u32, servers: u32) -> SymmetricNet {
    let mut net = SymmetricNet::new();
    let client_class = net.class("Client", Symmetry::Symmetric(vec![clients]));
    let server_class = net.class("Server", Symmetry::Symmetric(vec![servers]));
    let [client, wait, resp] = ["client", "wait", "resp"].map(|p| net.place(p, &[client_class]));
    let server = net.place("server", &[server_class]);
    let [req, treat] = ["req", "treat"].map(|p| net.place(p, &[client_class, server_class]));
    net.initially(client, all(client_class, X));
    net.initially(server, all(server_class, X));
    let (c, s) = (Term::one(&[var(X)]), Term::one(&[var(Y)]));
    let cs = Term::one(&[var(X), var(Y)]);
    let both = [client_class, server_class];
    net.transition(
        Transition::new("t1", &both)
            .take(client, c.clone())
            .put(wait, c.clone())
            .put(req, cs.clone()),
    );
    net.transition(
        Transition::new("t2", &both)
            .take(req, cs.clone())
            .take(server, s.clone())
            .put(treat, cs.clone()),
    );
    net.transition(
        Transition::new("t3", &both).take(treat, cs).put(server, s).put(resp, c.clone()),
    );
    net.transition(
        Transition::new("t4", &[client_class])
            .take(resp, c.clone())
            .take(wait, c.clone())
            .put(client, c),
    );
    net
}

/// One site at a time updates a database and tells all others.
pub fn distributed_database(sites: u32) -> SymmetricNet {
    let mut net = SymmetricNet::new();
    let site = net.class("Site", Symmetry::Symmetric(vec![sites]));
    let places = ["inactive", "waiting", "performing"];
    let [inactive, waiting, performing] = places.map(|p| net.place(p, &[site]));
    let mutex = net.place("mutex", &[]);
    let places = ["unused", "sent", "received", "acked"];
    let [unused, sent, received, acked] = places.map(|p| net.place(p, &[site, site]));
    net.initially(inactive, all(site, X));
    net.initially(mutex, Term::one(&[]));
    let pairs = Term::one(&[var(X), var(Y)]);
    net.initially(unused, pairs.clone().for_all(&[site, site], Condition::differ(X, Y)));

    // The site s, and a message from s to each other site.
    let s = Term::one(&[var(X)]);
    let to_others = pairs.clone().for_all(&[site], Condition::differ(X, Y));
    net.transition(
        Transition::new("update", &[site])
            .take(inactive, s.clone())
            .take(mutex, Term::one(&[]))
            .take(unused, to_others.clone())
            .put(waiting, s.clone())
            .put(sent, to_others.clone()),
    );
    let r = Term::one(&[var(Y)]);
    net.transition(
        Transition::new("receive", &[site, site])
            .take(inactive, r.clone())
            .take(sent, pairs.clone())
            .put(performing, r.clone())
            .put(received, pairs.clone()),
    );
    net.transition(
        Transition::new("ack", &[site, site])
            .take(performing, r.clone())
            .take(received, pairs.clone())
            .put(inactive, r)
            .put(acked, pairs),
    );
    net.transition(
        Transition::new("commit", &[site])
            .take(waiting, s.clone())
            .take(acked, to_others.clone())
            .put(inactive, s)
            .put(mutex, Term::one(&[]))
            .put(unused, to_others),
    );
    net
}

/// Peterson's mutual exclusion for n processes, who climb n − 1 levels.
pub fn peterson(processes: u32) -> SymmetricNet {
    let mut net = SymmetricNet::new();
    let top = processes - 1;
    let process = net.class("Proc", Symmetry::Symmetric(vec![processes]));
    let level = net.class("Level", Symmetry::Plain(top));
    let [idle, critical] = ["idle", "cs"].map(|p| net.place(p, &[process]));
    let [turn, free, below] = ["turn", "free", "below"].map(|p| net.place(p, &[process, level]));
    let no_turn = net.place("noturn", &[level]);
    net.initially(idle, all(process, X));
    let all_pairs = Term::one(&[var(X), var(Y)]).for_all(&[process, level], Condition::always());
    net.initially(below, all_pairs);
    net.initially(no_turn, all(level, X));

    let x = Term::one(&[var(X)]);
    let at = |who: Variable, level: u32| Term::one(&[var(who), Element::Constant(level - 1)]);
    let only = |level: u32| Term::one(&[Element::Constant(level - 1)]);
    // All others are below a level; the local comes after all variables.
    let others = |level: u32| {
        Term::one(&[var(Y), Element::Constant(level - 1)])
            .for_all(&[process], Condition::differ(X, Y))
    };
    for from in 0..top {
        let to = from + 1;
        let (source, there) = if from == 0 { (idle, x.clone()) } else { (free, at(X, from)) };
        net.transition(
            Transition::new(&format!("first{from}"), &[process])
                .take(source, there.clone())
                .take(no_turn, only(to))
                .take(below, at(X, to))
                .put(turn, at(X, to)),
        );
        net.transition(
            Transition::new(&format!("push{from}"), &[process, process])
                .take(source, there)
                .take(turn, at(Y, to))
                .take(below, at(X, to))
                .put(turn, at(X, to))
                .put(free, at(Y, to)),
        );
        if from > 0 {
            net.transition(
                Transition::new(&format!("alone{from}"), &[process])
                    .take(turn, at(X, from))
                    .take(no_turn, only(to))
                    .take(below, at(X, to))
                    .read(below, others(from))
                    .put(turn, at(X, to))
                    .put(no_turn, only(from)),
            );
        }
    }
    net.transition(
        Transition::new("enter", &[process]).take(free, at(X, top)).put(critical, x.clone()),
    );
    net.transition(
        Transition::new("enter_alone", &[process])
            .take(turn, at(X, top))
            .read(below, others(top))
            .put(critical, x.clone())
            .put(no_turn, only(top)),
    );
    let each_level = Term::one(&[var(X), var(Y)]).for_all(&[level], Condition::always());
    net.transition(
        Transition::new("exit", &[process])
            .take(critical, x.clone())
            .put(idle, x)
            .put(below, each_level),
    );
    net
}

/// A critical section with waves; process 1 is told apart, and may have an exit of its own.
pub fn waves(processes: u32, own_exit: bool) -> SymmetricNet {
    let mut net = SymmetricNet::new();
    let process = net.class("Proc", Symmetry::Symmetric(vec![1, processes - 1]));
    let places = ["idle", "req", "wave", "cs"];
    let [idle, req, wave, critical] = places.map(|p| net.place(p, &[process]));
    let mutex = net.place("mutex", &[]);
    net.initially(idle, all(process, X));
    net.initially(mutex, Term::one(&[]));
    let x = Term::one(&[var(X)]);
    let step = |name: &str, from: PlaceId, to: PlaceId| {
        Transition::new(name, &[process]).take(from, x.clone()).put(to, x.clone())
    };
    net.transition(step("request", idle, req));
    net.transition(step("join", req, wave));
    net.transition(step("enter", wave, critical).take(mutex, Term::one(&[])));
    let exit = step("exit", critical, idle).put(mutex, Term::one(&[]));
    if own_exit {
        net.transition(exit.guard(Condition::differ(X, Element::Constant(0))));
        let first = Term::one(&[Element::Constant(0)]);
        net.transition(
            Transition::new("exit_p1", &[])
                .take(critical, first.clone())
                .put(idle, first)
                .put(mutex, Term::one(&[])),
        );
    } else {
        net.transition(exit);
    }
    net
}

/// Processors with memories of their own, and a bus to those of others (SharedMemory of the
/// contest).
pub fn shared_memory(processors: u32) -> SymmetricNet {
    let mut net = SymmetricNet::new();
    let class = net.class("P", Symmetry::Symmetric(vec![processors]));
    let places = ["own_access", "queue", "memory", "active"];
    let [own, queue, memory, active] = places.map(|p| net.place(p, &[class]));
    let external = net.place("external_access", &[class, class]);
    let bus = net.place("bus", &[]);
    net.initially(memory, all(class, X));
    net.initially(active, all(class, X));
    net.initially(bus, Term::one(&[]));
    let (x, y) = (Term::one(&[var(X)]), Term::one(&[var(Y)]));
    let pair = Term::one(&[var(X), var(Y)]);
    net.transition(
        Transition::new("begin_own", &[class]).take(active, x.clone()).put(own, x.clone()),
    );
    net.transition(
        Transition::new("request", &[class]).take(active, x.clone()).put(queue, x.clone()),
    );
    net.transition(
        Transition::new("end_external", &[class, class])
            .take(external, pair.clone())
            .put(memory, y.clone())
            .put(active, x.clone())
            .put(bus, Term::one(&[])),
    );
    net.transition(
        Transition::new("end_own", &[class, class])
            .guard(Condition::equal(Y, X))
            .take(own, x.clone())
            .take(memory, y.clone())
            .put(active, x.clone())
            .put(memory, y.clone()),
    );
    net.transition(
        Transition::new("begin_external", &[class, class])
            .guard(Condition::differ(X, Y))
            .take(memory, y)
            .take(queue, x)
            .take(bus, Term::one(&[]))
            .put(external, pair),
    );
    net
}

/// Philosophers who take one fork after the other (Philosophers of the contest), up to rotation.
pub fn philosophers(count: u32) -> SymmetricNet {
    let mut net = SymmetricNet::new();
    let class = net.class("Philo", Symmetry::Cyclic(count));
    let places = ["think", "fork", "catch1", "catch2", "eat"];
    let [think, fork, catch1, catch2, eat] = places.map(|p| net.place(p, &[class]));
    net.initially(think, all(class, X));
    net.initially(fork, all(class, X));
    let (own, left) = (Term::one(&[var(X)]), Term::one(&[X.plus(-1)]));
    let step = |name: &str, from: PlaceId, to: PlaceId| {
        Transition::new(name, &[class]).take(from, own.clone()).put(to, own.clone())
    };
    net.transition(step("FF1a", think, catch1).take(fork, left.clone()));
    net.transition(step("FF1b", think, catch2).take(fork, own.clone()));
    net.transition(step("FF2a", catch1, eat).take(fork, own.clone()));
    net.transition(step("FF2b", catch2, eat).take(fork, left.clone()));
    net.transition(step("End", eat, think).put(fork, own).put(fork, left));
    net
}
