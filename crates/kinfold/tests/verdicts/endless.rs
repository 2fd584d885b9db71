//! Models in which threads are born and die for ever.

use kinfold::{Checking, Verdict, verify};
use net::{Fairness, Net, Property, interpret};
use random::Random;
use state::{Relations, State, Value};

use crate::linear::Linear;
use crate::oracle::{entered, said};
use crate::predicate::Meaning;
use crate::random_property::{Sketch, random_fairness};
use crate::random_server::random_server;
use crate::space::{Space, entering, fired, followed, following, threads_at};
use crate::tally::Tally;
use crate::walks::{Tried, Walks, is_endless};
use crate::{compiled, evidence, is_mixed, plan, random_property_that, told};

/// Models with more classes are not looked at, nor are those with fewer.
const MOST_CLASSES: usize = 40;
const FEWEST_CLASSES: usize = 4;
/// With a thread that is followed.
const MOST_FOLLOWED: usize = 100;
/// The longest walks that are tried, and how many for one property.
const LONGEST_WALK: usize = 8;
const MOST_WALKS: usize = 30_000;
/// The longest that are tried in search of a property that depends on fairness.
const SHORT_WALK: usize = 4;
/// What is asked of each model: under this many assumptions, this many properties at once.
const ASSUMPTIONS: usize = 2;
const PROPERTIES: usize = 3;

/// Looks into verdicts on properties of the model of a seed.
pub fn look_into(seed: u64, tally: &mut Tally) {
    let random = &mut Random::new(seed);
    let text = random_server(random, true);
    let net = compiled(&text);
    let initial = vec![interpret::initial(&net)];
    let Some(space) = Space::folded(&net, initial, net.relations(), MOST_CLASSES) else { return };
    if space.states.len() < FEWEST_CLASSES || !is_endless(&space) {
        return;
    }
    for _ in 0..ASSUMPTIONS {
        let fairness = random_fairness(&net, random);
        if is_mixed(&fairness) {
            continue;
        }
        let mut property = |_| {
            let sketch = *random.pick(&[Sketch::Linear, Sketch::FollowedLinear]);
            let verdict = |property: &Property, fairness: &[Fairness]| {
                let space = classes(&net, property)?;
                let tried = tried(&net, property, fairness, &space, SHORT_WALK);
                Some(!matches!(tried, Tried::Violation(_)))
            };
            random_property_that(&net, sketch, &fairness, random, verdict)
        };
        let properties: Vec<Property> = (0..PROPERTIES).map(&mut property).collect();
        let (plan, fairness) = (plan_folded(random), fairness.clone());
        let checking = Checking { plan, fairness, ..Checking::default() };
        let outcomes = verify(&net, &properties, &checking, &mut |_| {});
        let outcomes = outcomes.unwrap_or_else(|error| panic!("no outcome: {error}")).outcomes;
        let fairness = checking.fairness;
        for (property, outcome) in properties.iter().zip(&outcomes) {
            if let Err(wrong) = judge(&net, property, &fairness, &outcome.verdict, tally) {
                let told = told(&net, &outcome.verdict);
                panic!("seed {seed}: {wrong}\n{text}\n{property:?}\n{fairness:?}\n{told}");
            }
        }
    }
}

/// A plan by which exploring comes to an end.
fn plan_folded(random: &mut Random) -> kinfold::Plan {
    kinfold::Plan { full: false, ..plan(random) }
}

/// The classes of states, with the thread that a property follows; none if there are too many.
fn classes(net: &Net, property: &Property) -> Option<Space> {
    let relations = property.relations().iter().fold(net.relations(), Relations::with);
    let initial = interpret::initial(net);
    let space = Space::folded(net, vec![initial.clone()], relations, MOST_CLASSES)?;
    let Some((_, places, _)) = entered(property) else { return Some(space) };
    let start = threads_at(net, &initial, places).into_iter();
    let mut roots: Vec<State> = start.map(|pid| following(initial.clone(), &pid)).collect();
    for state in &space.states {
        for (_, step) in fired(net, state)? {
            let comers = entering(net, state, &step.state, places).into_iter();
            roots.extend(comers.map(|pid| following(step.state.clone(), &pid)));
        }
    }
    Space::folded(net, roots, relations, MOST_FOLLOWED)
}

/// What all short walks show.
fn tried(
    net: &Net,
    property: &Property,
    fairness: &[Fairness],
    space: &Space,
    longest: usize,
) -> Tried {
    let body = entered(property).map_or(&property.formula, |(_, _, body)| body);
    let linear = Linear::of(body).expect("it is of linear time");
    let thread = entered(property).map(|(thread, _, _)| thread);
    let says = space.states.iter().flat_map(|state| {
        let followed = followed();
        let mut tokens = state.tokens(&followed);
        let pid: Option<Value> = tokens.next().map(|(token, _)| token[0].clone());
        let meaning: Meaning = thread.zip(pid).into_iter().collect();
        said(net, std::slice::from_ref(state), &linear, &meaning)
    });
    let says: Vec<u64> = says.collect();
    Walks::new(space, &linear, &says, fairness, MOST_WALKS).tried(longest)
}

fn judge(
    net: &Net,
    property: &Property,
    fairness: &[Fairness],
    verdict: &Verdict,
    tally: &mut Tally,
) -> Result<(), String> {
    let Some(space) = classes(net, property) else { return Ok(()) };
    let tried = |fairness: &[Fairness]| tried(net, property, fairness, &space, LONGEST_WALK);
    let mattered = || !fairness.is_empty() && matches!(tried(&[]), Tried::Violation(_));
    match (verdict, tried(fairness)) {
        (Verdict::Holds { .. }, Tried::Violation(walk)) => {
            let states = walk.iter().map(|&state| {
                kinfold::state_text(space.states[state].marked(), &space.states[state])
            });
            let states: Vec<String> = states.collect();
            return Err(format!("a walk violates it:\n{}", states.join("\n")));
        }
        (Verdict::Holds { .. }, Tried::None(walks)) => {
            tally.decided(property, fairness, true, mattered());
            tally.walked(walks);
        }
        (Verdict::Holds { .. }, Tried::TooMany) => tally.gave_up += 1,
        (Verdict::Fails(Some(evidence)), tried) => {
            evidence::replayed(net, evidence)?;
            let repeated = evidence::repeated(net, property, fairness, evidence)?;
            if !evidence::violates(net, property, evidence)? {
                return Err("what is shown violates nothing".into());
            }
            tally.shown(repeated.as_ref());
            tally.decided(property, fairness, false, false);
            tally.found_by_walking += usize::from(matches!(tried, Tried::Violation(_)));
        }
        (other, _) => return Err(format!("no verdict: {other:?}")),
    }
    Ok(())
}
