use state::Relation;

use super::*;
use crate::{
    Arc, Column, Enumeration, Fate, Inhibitor, Part, Participant, Place, PlaceKind, Symmetry,
    Variable,
};

/// Places: 0 a flow place, 1 an ordinary one of pids, 2 one of dots. Variables: four pids.
fn net(transition: Transition) -> Net {
    let place = |name: &str, kind, columns: usize| {
        Place::new(name, kind, vec![Column::of(Sort::Pid); columns])
    };
    let places = vec![
        place("flow", PlaceKind::Flow, 1),
        place("pids", PlaceKind::Ordinary, 2),
        place("dots", PlaceKind::Ordinary, 0),
    ];
    let pid = |name: &str| Variable::new(name, Kind::Pid);
    let variables = ["a", "b", "c", "d"].map(pid).to_vec();
    let transition = Transition { name: "t".into(), variables, ..transition };
    Net { places, transitions: vec![transition], ..Net::default() }
}

fn reach(transition: Transition) -> Reach {
    let net = net(transition);
    net.reach(&net.transitions[0])
}

fn stays(var: u32) -> Participant {
    let from = PlaceId(0);
    Participant { thread: Var(var), from, pattern: Vec::new(), fate: Fate::Stay, passive: false }
}

fn pids(a: Option<u32>, b: Option<u32>) -> Arc {
    let expr = |var: Option<u32>| var.map(|var| Expr::Var(Var(var)));
    Arc::new(PlaceId(1), vec![expr(a), expr(b)], 1)
}

fn dot() -> Arc {
    Arc::new(PlaceId(2), Vec::new(), 1)
}

fn no_thread(var: u32, condition: Option<Expr>) -> Arc {
    let pattern = vec![Some(Expr::Var(Var(var)))];
    Arc { condition, ..Arc::new(PlaceId(0), pattern, 1) }
}

fn related(a: u32, b: u32) -> Expr {
    Expr::Relation(Relation::Parent, Var(a), Var(b))
}

#[test]
fn inputs_that_hang_together_are_of_one_family() {
    let t = Transition::default;
    let two = || vec![stays(0), stays(1)];
    assert_eq!(reach(Transition { participants: vec![stays(0)], ..t() }), Reach::Family);
    assert_eq!(reach(Transition { participants: two(), ..t() }), Reach::State);
    let guard = vec![related(0, 1)];
    assert_eq!(reach(Transition { participants: two(), guard, ..t() }), Reach::Family);
    let takes = vec![pids(Some(0), Some(1))];
    assert_eq!(reach(Transition { participants: two(), takes, ..t() }), Reach::Family);
    let takes = vec![pids(Some(0), None)];
    assert_eq!(reach(Transition { participants: two(), takes, ..t() }), Reach::State);
    let takes = vec![pids(None, None)];
    assert_eq!(reach(Transition { takes, ..t() }), Reach::Family);
    let takes = vec![pids(None, None), pids(None, None)];
    assert_eq!(reach(Transition { takes, ..t() }), Reach::State);
    // The tie may come from a later input.
    let takes = vec![pids(Some(0), Some(2)), pids(Some(2), Some(3))];
    let guard = vec![related(3, 1)];
    assert_eq!(reach(Transition { participants: two(), takes, guard, ..t() }), Reach::Family);
}

#[test]
fn tokens_without_pids_belong_to_the_rest() {
    let t = Transition::default;
    assert_eq!(reach(Transition { takes: vec![dot()], ..t() }), Reach::Rest);
    assert_eq!(reach(t()), Reach::Rest);
    let participants = || vec![stays(0)];
    let reads = vec![dot()];
    assert_eq!(
        reach(Transition { participants: participants(), reads, ..t() }),
        Reach::FamilyAndRest
    );
    let puts = vec![dot()];
    assert_eq!(
        reach(Transition { participants: participants(), puts, ..t() }),
        Reach::FamilyAndRest
    );
}

#[test]
fn what_inhibits_may_be_anywhere() {
    let t = || Transition { participants: vec![stays(0)], ..Transition::default() };
    let inhibitors = vec![no_thread(1, None).into()];
    assert_eq!(reach(Transition { inhibitors, ..t() }), Reach::State);
    let inhibitors = vec![no_thread(1, Some(related(0, 1))).into()];
    assert_eq!(reach(Transition { inhibitors, ..t() }), Reach::Family);
    let inhibitors = vec![no_thread(1, None).into()];
    assert_eq!(reach(Transition { inhibitors, ..Transition::default() }), Reach::State);
    // Tokens that inhibit together may hang together by each other.
    let together = |arcs: Vec<Arc>| vec![Inhibitor { arcs, condition: None }];
    let inhibitors = together(vec![no_thread(1, None), pids(Some(1), Some(0))]);
    assert_eq!(reach(Transition { inhibitors, ..t() }), Reach::Family);
    let inhibitors = together(vec![no_thread(1, None), pids(Some(0), None)]);
    assert_eq!(reach(Transition { inhibitors, ..t() }), Reach::State);
    let inhibitors = together(vec![dot(), pids(Some(0), None)]);
    assert_eq!(reach(Transition { inhibitors, ..t() }), Reach::FamilyAndRest);
}

/// Places of members: 0 of a symmetric class in parts of one and two, 1 of a cyclic one, 2 of both,
/// 3 of a class and of data. Variables: two of each class, and two of data.
fn reach_of_members(transition: Transition) -> Reach {
    let enumeration = |name: &str, size: usize, symmetry, sizes: &[u32]| Enumeration {
        name: name.into(),
        members: (0..size).map(|m| format!("{name}{m}").into()).collect(),
        symmetry,
        round: false,
        parts: sizes.iter().map(|&size| Part { name: format!("part{size}"), size }).collect(),
    };
    let place = |name: &str, ids: &[u32]| {
        let column = |&id: &u32| Column::of(Sort::Enum(EnumId(id)));
        Place::new(name, PlaceKind::Ordinary, ids.iter().map(column).collect())
    };
    let variable = |id: u32| Variable::new(format!("v{id}"), Kind::Enum(EnumId(id)));
    let variables = [0, 0, 1, 1, 2, 2].map(variable).to_vec();
    let transition = Transition { name: "t".into(), variables, ..transition };
    let net = Net {
        enumerations: vec![
            enumeration("s", 3, Symmetry::Full, &[1, 2]),
            enumeration("c", 3, Symmetry::Rotations, &[]),
            enumeration("d", 3, Symmetry::None, &[]),
        ],
        places: vec![
            place("s", &[0]),
            place("c", &[1]),
            place("sc", &[0, 1]),
            place("sd", &[0, 2]),
            place("d", &[2]),
        ],
        transitions: vec![transition],
        ..Net::default()
    };
    assert_eq!(net.check(), []);
    net.reach(&net.transitions[0])
}

fn tokens(place: u32, vars: &[u32]) -> Arc {
    Arc::new(PlaceId(place), vars.iter().map(|&var| Some(Expr::Var(Var(var)))).collect(), 1)
}

fn each(var: u32, arc: Arc) -> Arc {
    Arc { each: vec![Var(var)], ..arc }
}

#[test]
fn members_tie_tokens_together() {
    let takes = |takes: Vec<Arc>| reach_of_members(Transition { takes, ..Transition::default() });
    assert_eq!(takes(vec![tokens(0, &[0])]), Reach::Family);
    assert_eq!(takes(vec![tokens(0, &[0]), tokens(0, &[1])]), Reach::State);
    assert_eq!(takes(vec![tokens(0, &[0]), tokens(2, &[0, 2])]), Reach::Family);
    assert_eq!(takes(vec![tokens(0, &[0]), tokens(2, &[1, 2])]), Reach::State);
    // All of a cyclic class is one family, whichever members they are.
    assert_eq!(takes(vec![tokens(1, &[2]), tokens(1, &[3])]), Reach::Family);
    assert_eq!(takes(vec![tokens(1, &[2]), tokens(2, &[0, 3])]), Reach::Family);
    // Data tie nothing.
    assert_eq!(takes(vec![tokens(3, &[0, 4]), tokens(3, &[1, 4])]), Reach::State);
    assert_eq!(takes(vec![tokens(3, &[0, 4]), tokens(4, &[4])]), Reach::FamilyAndRest);
    let guard = vec![Expr::binary(BinaryOp::Equal, Expr::Var(Var(0)), Expr::Var(Var(1)))];
    let takes = vec![tokens(0, &[0]), tokens(0, &[1])];
    assert_eq!(
        reach_of_members(Transition { takes, guard, ..Transition::default() }),
        Reach::Family
    );
}

#[test]
fn other_members_may_be_anywhere() {
    let s = Sort::Enum(EnumId(0));
    let c = Sort::Enum(EnumId(1));
    let take = |takes: Vec<Arc>| Transition { takes, ..Transition::default() };
    let with = |parameters: Vec<(Var, Sort)>, t: Transition| {
        reach_of_members(Transition { parameters, ..t })
    };
    assert_eq!(with(vec![(Var(0), s)], take(vec![tokens(0, &[0])])), Reach::Family);
    assert_eq!(with(vec![(Var(1), s)], take(vec![tokens(0, &[0])])), Reach::State);
    assert_eq!(with(vec![(Var(0), s)], take(vec![])), Reach::State);
    assert_eq!(with(vec![(Var(3), c)], take(vec![tokens(1, &[2])])), Reach::Family);
    assert_eq!(with(vec![(Var(3), c)], take(vec![tokens(0, &[0])])), Reach::State);
    assert_eq!(with(vec![(Var(4), Sort::Enum(EnumId(2)))], take(vec![])), Reach::Rest);
    // A member that is named.
    let named = |place: u32, var: Option<u32>| {
        let member = Expr::Literal(Literal::Enum(EnumId(0), 0));
        let rest = var.map(|var| Some(Expr::Var(Var(var))));
        Arc::new(PlaceId(place), std::iter::once(Some(member)).chain(rest).collect(), 1)
    };
    let puts = vec![named(0, None)];
    let chosen = || take(vec![tokens(0, &[0])]);
    assert_eq!(reach_of_members(Transition { puts, ..chosen() }), Reach::State);
    assert_eq!(reach_of_members(take(vec![named(0, None)])), Reach::Family);
    assert_eq!(reach_of_members(take(vec![named(0, None), tokens(0, &[1])])), Reach::State);
    // Arcs for each member.
    let both = |arc: Arc| reach_of_members(take(vec![tokens(0, &[0]), arc]));
    assert_eq!(both(each(1, tokens(0, &[1]))), Reach::State);
    assert_eq!(both(each(2, tokens(1, &[2]))), Reach::State);
    assert_eq!(both(each(4, tokens(3, &[0, 4]))), Reach::Family);
    assert_eq!(both(each(4, tokens(4, &[4]))), Reach::FamilyAndRest);
    assert_eq!(both(each(4, named(3, Some(4)))), Reach::State);
    assert_eq!(reach_of_members(take(vec![each(2, tokens(1, &[2]))])), Reach::State);
    let ring = take(vec![tokens(1, &[2]), each(3, tokens(1, &[3]))]);
    assert_eq!(reach_of_members(ring), Reach::Family);
    let puts = vec![each(3, tokens(1, &[3]))];
    assert_eq!(reach_of_members(Transition { puts, ..chosen() }), Reach::State);
}
