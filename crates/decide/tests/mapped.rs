//! Runs that were found on reduced nets: executed here by the plain interpreter, and looked at whether they show what
//! they should.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use decide::{Checking, Evidence, Question, Reduction, Reductions, Report, Verdict, decide};
use net::{Net, TransitionId, interpret};
use random::{Random, Seed};
use state::State;
use survey::Engine;

fn compiled(text: &str, constants: &[lang::Override]) -> Arc<Net> {
    Arc::new(lang::compile(text, constants).net.unwrap_or_else(|| panic!("a flaw in\n{text}")))
}

/// What is found of the properties of a net with these names, and that there is no deadlock.
fn decided(net: &Arc<Net>, names: &[&str], checking: &Checking) -> Report {
    let named = net.properties.iter().filter(|property| names.contains(&property.name.as_str()));
    let all = named.cloned().chain(net.default_properties()).map(Question::Holds);
    let all: Vec<Question> = all.collect();
    decide(net, &all, checking, &mut |_| {}, &mut |_| {}).expect("a model")
}

/// Reduced nets first, and runs.
fn reduced(stubborn: bool) -> Checking {
    let reductions = Reductions { stubborn, structural: true, from_start: true };
    Checking { reductions, evidence: true, ..Checking::default() }
}

/// States one by one.
fn plainly() -> Checking {
    let (reductions, engine) = (Reductions::NONE, Some(Engine::Explicit));
    Checking { reductions, engine, ..Checking::default() }
}

/// The states of a run, each of which the interpreter has found after the one before; what is repeated for ever begins
/// where the last of them is again, or nothing can fire in the last.
fn states(net: &Net, evidence: &Evidence) -> Vec<State> {
    let run = &evidence.trace.run;
    let mut states = vec![interpret::initial(net)];
    for step in &run.steps {
        let state = states.last().unwrap();
        let modes = interpret::modes(net, state, step.mode.transition).unwrap();
        assert!(modes.contains(&step.mode), "{:?} cannot fire", step.mode);
        let after = interpret::fire(net, state, &step.mode).unwrap().state;
        assert_eq!(after, step.state);
        states.push(after);
    }
    match &evidence.trace.back {
        Some(back) if back.to == run.steps.len() => assert!(is_dead(net, states.last().unwrap())),
        Some(back) => assert_eq!(states[back.to], *states.last().unwrap(), "it does not come back"),
        None => {}
    }
    states
}

fn is_dead(net: &Net, state: &State) -> bool {
    let transitions = (0..net.transitions.len() as u32).map(TransitionId);
    { transitions }.all(|transition| interpret::modes(net, state, transition).unwrap().is_empty())
}

fn count(state: &State, place: usize) -> u32 {
    state.tokens(&format!("s{place}")).map(|(_, count)| count).sum()
}

/// A statement about the tokens of a place.
#[derive(Clone, Copy, Debug)]
struct AtLeast {
    place: usize,
    tokens: u32,
}

impl AtLeast {
    fn random(random: &mut Random, places: usize) -> AtLeast {
        AtLeast { place: random.below(places), tokens: 1 + random.below(3) }
    }

    fn text(self) -> String {
        format!("count(s{}) >= {}", self.place, self.tokens)
    }

    fn holds(self, state: &State) -> bool {
        count(state, self.place) >= self.tokens
    }
}

/// A model in which members of a class, or tokens that are all alike, go from place to place, some through places where
/// nothing else happens to them.
fn model(random: &mut Random, statements: &[AtLeast; 3], places: usize) -> String {
    let is_coloured = random.percent(60);
    let (sort, start, token) = match is_coloured {
        true => (": Member", "all", "(x)"),
        false => ("", "3", ""),
    };
    let kind = *random.pick(&["symmetric", "cyclic"]);
    let mut text = format!("model m\nclass Member {kind} 3\nplace s0{sort} = {start}\n");
    for place in 1..places {
        writeln!(text, "place s{place}{sort}").unwrap();
    }
    writeln!(text, "place lock = {}", random.below(3)).unwrap();
    for number in 0..places + random.below(3) {
        let from = if number < places { number } else { random.below(places) };
        let to = if random.percent(75) { (from + 1) % places } else { random.below(places) };
        let (taken, put) = match random.below(6) {
            0 => (", lock", ""),
            1 => ("", ", lock"),
            2 => (", lock", ", lock"),
            _ => ("", ""),
        };
        let read = match random.below(5) {
            0 if is_coloured => format!("   read s{}(y)   when x != y", random.below(places)),
            1 if is_coloured => format!("   unless s{}(x)", random.below(places)),
            _ => String::new(),
        };
        // What would have no end is left out.
        let put = if put == ", lock" && taken.is_empty() { "" } else { put };
        let arcs = format!("take s{from}{token}{taken}   put s{to}{token}{put}{read}");
        writeln!(text, "transition t{number} {{ {arcs} }}").unwrap();
    }
    let [a, b, c] = statements.map(AtLeast::text);
    writeln!(text, "property met: reachable ({a} and {b})").unwrap();
    writeln!(text, "property comes: eventually ({c})").unwrap();
    writeln!(text, "property again: always (eventually ({a}))").unwrap();
    text
}

/// Whether a property fails on a run, or holds as it shows.
fn shows(net: &Net, name: &str, of: &[AtLeast; 3], evidence: &Evidence) -> bool {
    let [a, b, c] = of;
    let states = states(net, evidence);
    let last = states.last().unwrap();
    let repeated = evidence.trace.back.as_ref().map(|back| &states[back.to..]);
    match name {
        "met" => a.holds(last) && b.holds(last),
        "comes" => repeated.is_some() && !states.iter().any(|state| c.holds(state)),
        "again" => repeated.is_some_and(|states| !states.iter().any(|state| a.holds(state))),
        _ => is_dead(net, last),
    }
}

#[test]
fn runs_of_random_models_show_what_was_found_on_reduced_nets() {
    let (mut shown, mut missing, mut structural) = (0, 0, 0);
    for seed in 0..120 {
        let _seed = Seed(seed);
        let random = &mut Random::new(seed);
        let places = 2 + random.below(4);
        let of = [(); 3].map(|()| AtLeast::random(random, places));
        let net = compiled(&model(random, &of, places), &[]);
        let names = ["met", "comes", "again"];
        let expected = decided(&net, &names, &plainly());
        let report = decided(&net, &names, &reduced(random.percent(50)));
        structural += usize::from(report.reductions.contains(&Reduction::Structural));
        for (outcome, plain) in report.outcomes.iter().zip(&expected.outcomes) {
            let evidence = match (&outcome.verdict, &plain.verdict) {
                (Verdict::Holds { witness, .. }, Verdict::Holds { .. }) => {
                    if outcome.name != "met" {
                        continue;
                    }
                    witness
                }
                (Verdict::Fails(run), Verdict::Fails(_)) => {
                    if outcome.name == "met" {
                        continue;
                    }
                    run
                }
                different => panic!("{}: {different:?}\n{}", outcome.name, lang::write(&net)),
            };
            match evidence {
                Some(run) => {
                    let is_shown = shows(&net, &outcome.name, &of, run);
                    assert!(is_shown, "{}: {of:?}\n{}", outcome.name, lang::write(&net));
                    shown += 1;
                }
                None => missing += 1,
            }
        }
    }
    // No place grows for ever here.
    assert!(shown > 100 && missing == 0 && structural > 40, "{shown} {missing} {structural}");
}

/// Thirty philosophers are too many to be looked at state by state.
#[test]
fn what_is_too_large_to_be_explored_is_shown() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/philosophers.kin");
    let seats = [lang::Override { name: "n".into(), value: "30".into() }];
    let net = compiled(&fs::read_to_string(path).unwrap(), &seats);
    let report = decided(&net, &["stuck"], &reduced(true));
    assert!(report.reductions.contains(&Reduction::Structural), "{:?}", report.reductions);
    let mut shown = 0;
    for outcome in &report.outcomes {
        let (Verdict::Holds { witness: Some(run), .. } | Verdict::Fails(Some(run))) =
            &outcome.verdict
        else {
            continue;
        };
        let states = states(&net, run);
        let waiting: u32 = states.last().unwrap().tokens("waiting").map(|(_, count)| count).sum();
        assert_eq!((waiting, states.len()), (30, 31), "everybody has taken one fork");
        shown += 1;
    }
    assert_eq!(shown, 2, "that all are stuck, and that this is a deadlock");
}
