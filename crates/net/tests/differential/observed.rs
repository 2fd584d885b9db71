//! What is dropped of states since nothing can observe it any more, against the definition of bisimulation.
//!
//! The plain interpreter explores a net, one state for each class of the precise folding. Each is folded by what is
//! observed, too. The steps of such a class, as the compiled rules find them, must be those of the state, up to the same
//! folding; its tokens must be as many, and each property must have the same value. Where all states were found, both
//! graphs are also compared by the definition: naive partition refinement must put their initial states into one block.
//!
//! Some nets remember a thread, and properties ask what becomes of it: folding must not exchange it for another.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc as Shared;

use explore::{Space, Standing, Successors};
use fold::Folded;
use net::interpret::{self, Bindings};
use net::{
    BinaryOp, Column, Compiled, Expr, Formula, InitialToken, InitialValue, Kind, Literal, Look,
    Net, Observed, Origin, Place, PlaceId, PlaceKind, Property, Quantifier, Sort, Subject, Var,
    Variable,
};
use random::Random;
use state::State;

use crate::exploration::{Bounds, explored, successors};
use crate::random_net::{RandomNet, random_net};
use crate::{THREADS, of_each};

/// The nets, of which each choice of relations has as many; and those of a longer test.
const NETS: u64 = 160;
const MANY_NETS: u64 = 2_560;
const NETS_TO_NOTICE: u64 = 192;
/// The classes of a net that are looked at, and the pids of a state, at most.
const MOST: usize = 40;
const MOST_PIDS: usize = 8;
/// A net with fewer states than this is dull.
const DULL: usize = 20;
const GLANCE: Bounds = Bounds { depth: 4, few: DULL, most: DULL, pids: 8, tokens: 30 };

/// What was compared.
struct Compared {
    precise: usize,
    left: usize,
    complete: bool,
    has_dead_columns: bool,
    drops_links: bool,
}

/// A class of the precise folding.
struct Class {
    state: State,
    /// Its string where states are folded by what is observed.
    coarse: Vec<u8>,
    /// The steps, by transition and class; nothing where one faults, or it was not looked at.
    steps: Option<BTreeSet<(u32, usize)>>,
}

/// A net that may remember a thread, and properties of it.
struct Case {
    net: Shared<Net>,
    properties: Vec<Property>,
}

fn case(random_net: &RandomNet, random: &mut Random) -> Case {
    let mut net = Net::clone(&random_net.net);
    let mut properties = Vec::new();
    if net.has_threads() && random.percent(30) {
        let thread = random.below(net.start.len());
        let place = PlaceId(net.places.len() as u32);
        let columns = vec![Column::of(Sort::Pid)];
        let kept = Place::new("remembered", PlaceKind::Ordinary, columns);
        net.places.push(kept);
        net.tokens.push(InitialToken::new(place, vec![InitialValue::Thread(thread)], 1));
        let flow = |id: &PlaceId| net.place(*id).is_flow();
        let places = (0..net.places.len() as u32).map(PlaceId).filter(flow);
        let where_it_is = places.map(|flow| Expr::At(Var(0), flow)).chain([Expr::Ended(Var(0))]);
        let pid = vec![Variable::new("x", Kind::Pid)];
        properties.extend(where_it_is.map(|term| {
            let (subject, thread) = (Subject::In(place, vec![Some(Var(0))]), None);
            property(pid.clone(), exists(subject, thread, Formula::Term(term)))
        }));
    }
    for _ in 0..random.below(3) {
        properties.extend(random_property(&net, random_net, random));
    }
    Case { net: Shared::new(net), properties }
}

fn property(variables: Vec<Variable>, formula: Formula) -> Property {
    let (name, text) = ("seen".to_owned(), "seen".to_owned());
    Property { name, text, variables, formula, origin: Origin::default() }
}

fn exists(subject: Subject, thread: Option<Var>, body: Formula) -> Formula {
    Formula::Quantified { quantifier: Quantifier::Exists, thread, subject, body: Box::new(body) }
}

/// That two identities somewhere stand in a relation, or that one is somewhere.
fn random_property(net: &Net, of: &RandomNet, random: &mut Random) -> Option<Property> {
    let mut spots: Vec<(PlaceId, usize, Kind, bool)> = Vec::new();
    for (id, place) in (0..).map(PlaceId).zip(&net.places) {
        let columns = place.columns.iter().enumerate();
        // What a property says must not depend on the order of records, either.
        let is_in = |at: usize| place.groups.iter().any(|g| (g.first..g.end()).contains(&at));
        let is_asked = |at: usize| if place.is_flow() { at == 0 } else { !is_in(at) };
        for (at, column) in columns.filter(|(at, _)| is_asked(*at)) {
            if matches!(column.sort, Sort::Pid | Sort::Object(_)) {
                spots.push((id, at, column.sort.into(), column.optional));
            }
        }
    }
    let first = *random.pick(&spots);
    let like: Vec<_> = spots.into_iter().filter(|spot| spot.2 == first.2).collect();
    let second = *random.pick(&like);
    let relations: Vec<_> = of.relations.iter().collect();
    let is_sure = !first.3 && !second.3;
    let (x, y) = (Var(0), Var(1));
    let term = match random.below(5) {
        0 | 1 if first.2 == Kind::Pid && is_sure && !relations.is_empty() => {
            Expr::Relation(*random.pick(&relations), x, y)
        }
        2 if first.2 == Kind::Pid && is_sure => Expr::Ended(x),
        3 if first.3 => {
            let nothing = Expr::Literal(Literal::None(first.2));
            Expr::binary(BinaryOp::Equal, Expr::Var(x), nothing)
        }
        4 => {
            let mut pattern = vec![None; net.place(second.0).columns.len()];
            pattern[second.1] = Some(Expr::Var(x));
            let count = Expr::Count(second.0, pattern);
            Expr::binary(BinaryOp::Greater, count, Expr::int(random.below(2) as i64))
        }
        _ => Expr::binary(BinaryOp::Equal, Expr::Var(x), Expr::Var(y)),
    };
    let subject = |(place, column, ..): (PlaceId, usize, Kind, bool), var: Var| {
        if net.place(place).is_flow() {
            return (Subject::At(place), Some(var));
        }
        let mut vars = vec![None; net.place(place).columns.len()];
        vars[column] = Some(var);
        (Subject::In(place, vars), None)
    };
    let variable = |name: &str, optional| Variable { optional, ..Variable::new(name, first.2) };
    let (inner, inner_thread) = subject(second, y);
    let (outer, outer_thread) = subject(first, x);
    let body = exists(inner, inner_thread, Formula::Term(term));
    Some(property(
        vec![variable("x", first.3), variable("y", second.3)],
        exists(outer, outer_thread, body),
    ))
}

/// Explores a case by the interpreter, and compares each state with its class, folded by what is said to be observed.
fn compare(case: &Case, observed: &Observed) -> Result<Compared, String> {
    let net = &case.net;
    let relations = observed.relations();
    let precise = Compiled::new(net.clone(), relations);
    let mut fine = Folded::new(precise.clone(), relations);
    let compiled = Compiled::observing(net.clone(), observed);
    let mut coarse = Folded::new(compiled.clone(), relations);
    let initial = interpret::initial(net);
    let mut numbers = BTreeMap::from([(fine.fold(precise.working(&initial).0), 0)]);
    let string = coarse.fold(compiled.working(&initial).0);
    let mut classes = vec![Class { state: initial, coarse: string, steps: None }];
    let mut complete = true;
    let mut at = 0;
    while at < classes.len() {
        let state = classes[at].state.clone();
        let wrong = |what: &str| format!("{what} in\n{state}");
        check_state(case, &compiled, &mut coarse, &classes[at]).map_err(|what| wrong(&what))?;
        let mut found = Successors::default();
        let expanded = coarse.expand(&classes[at].coarse, &mut found);
        let found: BTreeSet<(u32, Vec<u8>)> =
            found.iter().map(|(label, _, bytes)| (label, bytes.to_vec())).collect();
        match (successors(net, &state), expanded) {
            (Err(_), Err(_)) => complete = false,
            (Ok(_), Err(_)) => return Err(wrong("a fault that there is not")),
            (Err(_), Ok(_)) => return Err(wrong("no fault")),
            (Ok(next), Ok(standing)) => {
                if next.is_empty() {
                    let ended = net.has_threads() && state.eta().is_empty();
                    let ended = if ended { Standing::Ended } else { Standing::Alive };
                    if standing != ended && !net.may_rest(&state) {
                        return Err(wrong("another standing"));
                    }
                }
                let mut steps = BTreeSet::new();
                let mut expected = BTreeSet::new();
                for (transition, next) in next {
                    let string = coarse.fold(compiled.working(&next).0);
                    expected.insert((transition, string.clone()));
                    let name = fine.fold(precise.working(&next).0);
                    let known = numbers.len();
                    if numbers.contains_key(&name) || known < MOST && next.pids().len() <= MOST_PIDS
                    {
                        let number = *numbers.entry(name).or_insert(known);
                        if number == known {
                            classes.push(Class { state: next, coarse: string, steps: None });
                        }
                        steps.insert((transition, number));
                    } else {
                        complete = false;
                    }
                }
                if expected != found {
                    let differ = expected.symmetric_difference(&found);
                    let shown = differ.map(|step| {
                        let missing = if found.contains(step) { "too many" } else { "missing" };
                        let state = compiled.state(&coarse.decode(&step.1));
                        format!("{missing}: by transition {} to\n{state}\n", step.0)
                    });
                    let shown: String = shown.collect();
                    return Err(wrong(&format!("{}{shown}other steps", told(net, observed))));
                }
                classes[at].steps = Some(steps);
            }
        }
        at += 1;
    }
    let left: BTreeSet<&Vec<u8>> = classes.iter().map(|class| &class.coarse).collect();
    let (precise, left) = (classes.len(), left.len());
    if complete {
        check_bisimilar(case, &compiled, &mut coarse, &classes)?;
    }
    let words = observed.words(net);
    let has_dead_columns = words.iter().any(|(_, words)| words.starts_with("nothing"));
    let drops_links = observed.makes_a_difference(net) && !relations.is_empty();
    Ok(Compared { precise, left, complete, has_dead_columns, drops_links })
}

/// What is said to be observed.
fn told(net: &Net, observed: &Observed) -> String {
    let words = observed.words(net).into_iter();
    words.map(|(column, words)| format!("{column}: {words}\n")).collect()
}

/// What can be seen of a state: its tokens, and the values of properties.
type Visible = (Vec<u64>, Vec<bool>);

fn seen_plainly(case: &Case, state: &State) -> Visible {
    let Case { net, properties } = case;
    let tokens = net.places.iter().map(|place| {
        let counts = state.tokens(&place.name).map(|(_, count)| u64::from(count));
        counts.sum()
    });
    let holds = |property: &Property| {
        interpret::holds(net, state, &property.formula, &Bindings::new()).expect("no arithmetic")
    };
    (tokens.collect(), properties.iter().map(holds).collect())
}

fn seen_folded(
    case: &Case,
    compiled: &Compiled,
    coarse: &Folded<Compiled>,
    bytes: &[u8],
) -> Visible {
    let working = &coarse.decode(bytes);
    let tokens = (0..working.places()).map(|place| working.tokens(place)).collect();
    let look = Look { net: compiled.projected(), working, enabled: &|_| false };
    let holds = |property: &Property| {
        let mut values = vec![0; property.variables.len()];
        look.holds(&property.formula, &mut values).expect("no arithmetic")
    };
    (tokens, case.properties.iter().map(holds).collect())
}

/// Compares a state with its class: what is seen, and the state that represents the class.
fn check_state(
    case: &Case,
    compiled: &Compiled,
    coarse: &mut Folded<Compiled>,
    class: &Class,
) -> Result<(), String> {
    let plainly = seen_plainly(case, &class.state);
    let owned = |place: &Place| matches!(place.hold, net::Hold::Owned(_));
    let mut folded = seen_folded(case, compiled, coarse, &class.coarse);
    for (at, place) in case.net.places.iter().enumerate() {
        // Garbage is no part of states, and only dead columns may have mentioned it.
        if owned(place) && folded.0[at] < plainly.0[at] {
            folded.0[at] = plainly.0[at];
        }
    }
    if plainly != folded {
        return Err(format!("{folded:?} is seen, not {plainly:?},"));
    }
    let representative = compiled.state(&coarse.decode(&class.coarse));
    representative.check().map_err(|what| format!("a representative that is none: {what},"))?;
    if coarse.fold(compiled.working(&representative).0) != class.coarse {
        return Err(format!("another class than that of its representative\n{representative}\n"));
    }
    let (settled, atoms) = compiled.settled(&class.state);
    if settled.kinship.kin().len() != atoms.len() {
        return Err("other atoms than are left".into());
    }
    Ok(())
}

/// Naive partition refinement on both graphs: the initial states must stay together.
fn check_bisimilar(
    case: &Case,
    compiled: &Compiled,
    coarse: &mut Folded<Compiled>,
    classes: &[Class],
) -> Result<(), String> {
    let mut numbers: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut strings = vec![classes[0].coarse.clone()];
    numbers.insert(classes[0].coarse.clone(), 0);
    let mut steps: Vec<BTreeSet<(u32, usize)>> =
        classes.iter().map(|class| class.steps.clone().expect("all are known")).collect();
    let mut at = 0;
    while at < strings.len() {
        let mut found = Successors::default();
        let expanded = coarse.expand(&strings[at], &mut found);
        expanded.map_err(|_| "a fault that there is not".to_owned())?;
        let mut row = BTreeSet::new();
        for (label, _, bytes) in found.iter() {
            let next = numbers.len();
            let number = *numbers.entry(bytes.to_vec()).or_insert(next);
            if number == next {
                strings.push(bytes.to_vec());
            }
            row.insert((label, classes.len() + number));
        }
        steps.push(row);
        at += 1;
    }
    if strings.len() > classes.len() {
        return Err(format!("{} classes, and {} without", strings.len(), classes.len()));
    }
    let owned = |place: &Place| matches!(place.hold, net::Hold::Owned(_));
    let mut views: Vec<Visible> =
        classes.iter().map(|class| seen_plainly(case, &class.state)).collect();
    views.extend(strings.iter().map(|bytes| seen_folded(case, compiled, coarse, bytes)));
    for (place, _) in case.net.places.iter().enumerate().filter(|(_, place)| owned(place)) {
        views.iter_mut().for_each(|view| view.0[place] = 0);
    }
    let mut block = numbered(views.iter());
    loop {
        let signature = |state: usize| {
            let next: BTreeSet<(u32, usize)> =
                steps[state].iter().map(|(label, next)| (*label, block[*next])).collect();
            (block[state], next)
        };
        let signatures: Vec<_> = (0..steps.len()).map(signature).collect();
        let refined = numbered(signatures.iter());
        if refined == block {
            break;
        }
        block = refined;
    }
    match block[0] == block[classes.len()] {
        true => Ok(()),
        false => Err("the graphs are not bisimilar".into()),
    }
}

/// The number of the first that is equal.
fn numbered<'a, T: Ord + 'a>(all: impl Iterator<Item = &'a T>) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    all.enumerate().map(|(at, one)| *numbers.entry(one).or_insert(at)).collect()
}

fn observed(case: &Case, of: &RandomNet) -> Observed {
    case.net.observed(of.relations, &case.properties, None)
}

/// The net of a seed, made of each of the ingredients in turn.
fn net_of(seed: u64) -> RandomNet {
    let ingredients = THREADS[(seed / 16) as usize % THREADS.len()];
    random_net(seed, ingredients, |net| explored(net, &GLANCE).states.len() < DULL)
}

#[test]
fn what_is_not_observed_makes_no_difference() {
    check_nets(NETS);
}

#[test]
#[ignore = "it takes some minutes"]
fn what_is_not_observed_makes_no_difference_to_many_nets() {
    check_nets(MANY_NETS);
}

fn check_nets(nets: u64) {
    let compared = of_each(nets, net_of, |seed, random_net| {
        let case = case(random_net, &mut Random::new(!seed));
        compare(&case, &observed(&case, random_net))
    });
    let count =
        |is_it: &dyn Fn(&Compared) -> bool| compared.iter().filter(|one| is_it(one)).count();
    let precise: usize = compared.iter().map(|one| one.precise).sum();
    let left: usize = compared.iter().map(|one| one.left).sum();
    let fewer = count(&|one| one.left < one.precise);
    let [complete, dead, links] = [
        count(&|one| one.complete),
        count(&|one| one.has_dead_columns),
        count(&|one| one.drops_links),
    ];
    println!("{nets} nets: {precise} classes, {left} by what is observed; {fewer} nets have fewer");
    println!("{complete} were explored to the end, {dead} have dead columns, {links} drop links");
    for number in [fewer, complete, dead, links] {
        assert!(number as u64 > nets / 8, "only {number} of {nets} nets");
    }
    assert!(left * 20 < precise * 19, "little is folded: {left} of {precise} classes");
}

/// A way to overlook something.
type Blindness = fn(&mut Net, &mut Vec<Property>, &mut Random);

/// An analysis that overlooks something is noticed.
#[test]
fn what_is_overlooked_is_noticed() {
    let blind: [(&str, Blindness); 7] = [
        ("what inhibits", |net, _, _| {
            net.transitions.iter_mut().for_each(|transition| transition.inhibitors.clear());
        }),
        ("a property", |_, properties, _| properties.clear()),
        ("guards", |net, _, _| {
            net.transitions.iter_mut().for_each(|transition| transition.guard.clear());
        }),
        ("what is handed on", |net, _, _| {
            net.transitions.iter_mut().for_each(|transition| transition.puts.clear());
        }),
        ("what children are asked", |net, _, _| {
            net.transitions.iter_mut().for_each(|transition| transition.spawns.clear());
        }),
        ("a transition", |net, _, random| {
            let which = random.below(net.transitions.len());
            net.transitions.remove(which);
        }),
        ("what is read", |net, _, _| {
            net.transitions.iter_mut().for_each(|transition| transition.reads.clear());
        }),
    ];
    let noticed = of_each(NETS_TO_NOTICE, net_of, |seed, random_net| {
        let case = case(random_net, &mut Random::new(!seed));
        let right = observed(&case, random_net);
        let notices = |(_, overlook): &(&str, Blindness)| {
            let (mut net, mut properties) = (Net::clone(&case.net), case.properties.clone());
            overlook(&mut net, &mut properties, &mut Random::new(seed));
            let observed = net.observed(random_net.relations, &properties, None);
            if observed == right {
                return false;
            }
            // What is overlooked may as well make it panic.
            let compared = catch_unwind(AssertUnwindSafe(|| compare(&case, &observed)));
            !matches!(compared, Ok(Ok(_)))
        };
        Ok(blind.iter().map(notices).collect::<Vec<bool>>())
    });
    for (which, (what, _)) in blind.iter().enumerate() {
        let number = noticed.iter().filter(|notices| notices[which]).count();
        println!("without {what}: noticed by {number} of {NETS_TO_NOTICE} nets");
        assert!(number > 0, "that {what} is overlooked is noticed by no net");
    }
}
