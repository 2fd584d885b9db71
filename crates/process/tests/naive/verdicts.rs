//! Verdicts on random programs: by turns after every statement, as is written, and by the engines on the compiled net.

use std::collections::BTreeMap;
use std::sync::Arc;

use decide::{Checking, Question, Reductions, Verdict, decide};
use interpret::{Interpreter, Race, State, Turns};
use machine::Machine;
use net::{Fairness, Formula, Origin, Strength, Whom};
use program::Observed;
use program::Program;
use program::claim::{Claim, Proposition};
use random::Random;
use survey::Plan;

use crate::counts::Refusals;
use crate::generate::Features;
use crate::graph::{Graph, graph};
use crate::lives::{self, Asked, Lives};
use crate::temporal::{Atom, Temporal, random_atoms};
use crate::{Compared, branching, compiled, executed, linear, programs, source};

/// How many formulas of each kind are asked of a program.
const FORMULAS: usize = 3;

/// A program, by its definition.
struct Defined<'p> {
    interpreter: Interpreter<'p>,
    graph: Graph,
    states: Vec<State>,
    /// What is said of each state.
    says: Vec<Vec<bool>>,
}

impl Defined<'_> {
    fn everyone(&self) -> [(&'static str, Formula, bool); 3] {
        let is_idle = |state: usize, pid| self.interpreter.is_idle(&self.states[state], pid);
        let lost = |asked| lives::is_hopeless(&self.graph, &self.states, asked, &is_idle);
        let dead = lives::has_deadlock(&self.graph, &self.states, &is_idle);
        [
            ("deadlock_free", Formula::DeadlockFree, !dead),
            ("no_one_stuck", Formula::NoOneStuck, !lost(Asked::Acting)),
            ("everyone_can_end", Formula::EveryoneCanEnd, !lost(Asked::Ending)),
        ]
    }

    fn race(&self) -> Option<(&State, Race)> {
        self.states.iter().find_map(|state| Some((state, self.interpreter.race(state)?)))
    }
}

/// How often what was found.
#[derive(Debug, Default)]
pub struct Tally(BTreeMap<(String, bool), usize>);

impl Tally {
    fn add(&mut self, what: &str, holds: bool) {
        *self.0.entry((what.into(), holds)).or_default() += 1;
    }

    fn require(&self, what: &str, least: usize) {
        for holds in [true, false] {
            let found = self.0.get(&(what.into(), holds)).copied().unwrap_or_default();
            assert!(found >= least, "{what} is {holds} of {found} programs: {:#?}", self.0);
        }
    }
}

fn claim(name: &str, proposition: Proposition) -> Claim {
    let (name, text, origin) = (name.into(), name.into(), Origin::default());
    Claim { name, text, mentions: Vec::new(), proposition, origin }
}

/// What the engines say of claims; nothing if the compiler refuses the program.
fn decided(
    program: &Program,
    observed: &Observed,
    claims: &[Claim],
    fairness: &[Option<Strength>],
) -> Option<Vec<Vec<bool>>> {
    // What is marked never to fault must not.
    let mut marked = program.clone();
    program::mark_sure(&mut marked);
    let translation = compiled::net_with(&marked, observed, claims)?;
    let net = Arc::new(translation.net);
    let questions: Vec<_> = net.properties.iter().cloned().map(Question::Holds).collect();
    let mut all = Vec::new();
    for strength in fairness {
        let fairness = strength.map(|strength| Fairness { strength, of: Whom::Threads });
        let plan = Plan { threads: 1, ..Plan::default() };
        let fairness = fairness.into_iter().collect();
        let checking = Checking { plan, fairness, ..Checking::default() };
        let report = decide(&net, &questions, &checking, &mut |_| {}, &mut |_| {});
        let report = report.expect("it is a model for all engines");
        let verdict = |outcome: &decide::Outcome| match outcome.verdict {
            Verdict::Holds { .. } => true,
            Verdict::Fails(_) => false,
            _ => panic!("{}: {:?}", outcome.name, outcome.verdict),
        };
        let verdicts: Vec<bool> = report.outcomes.iter().map(verdict).collect();
        if strength.is_none() {
            let reduced = questions.iter().map(|question| {
                let reductions = Reductions { from_start: true, ..Reductions::default() };
                let checking = Checking { reductions, ..checking.clone() };
                let one = std::slice::from_ref(question);
                let report = decide(&net, one, &checking, &mut |_| {}, &mut |_| {});
                verdict(&report.expect("it is a model for all engines").outcomes[0])
            });
            assert_eq!(reduced.collect::<Vec<bool>>(), verdicts, "stubborn sets change verdicts");
        }
        all.push(verdicts);
    }
    Some(all)
}

/// Compares the verdicts on a program that has no faults.
fn compare(program: &Program, random: &mut Random, most: usize, tally: &mut Tally) -> Compared {
    let atoms = random_atoms(random, program);
    let labels = atoms.iter().filter_map(|atom| match atom {
        Atom::At(_, source, label) => Some((*source, *label)),
        _ => None,
    });
    let observed = Observed { labels: labels.collect(), races: true, ..Observed::default() };
    let interpreter = Interpreter::new(program, &observed);
    let Some((graph, states)) = graph(&interpreter, Turns::Statements, most) else {
        return Compared::TooLarge;
    };
    if graph.has_faults() {
        return Compared::TooLarge;
    }
    let Some(lives) = lives::lives(&graph, &states, 20 * states.len()) else {
        return Compared::TooLarge;
    };
    let says = |state: &State| atoms.iter().map(|atom| atom.holds(state)).collect();
    let says = states.iter().map(says).collect();
    let defined = Defined { interpreter, graph, states, says };
    let compared = match compare_linear(program, &defined, &lives, &atoms, random, tally) {
        Ok(false) => return Compared::Refused,
        Ok(true) => compare_branching(program, &defined, &atoms, random, tally),
        Err(why) => Err(why),
    };
    match compared {
        Ok(()) => Compared::Same { classes: defined.states.len(), faults: false },
        Err(why) => Compared::Different(why),
    }
}

/// Whether the compiler takes the program; what differs is an error.
fn compare_linear(
    program: &Program,
    defined: &Defined,
    lives: &Lives,
    atoms: &[Atom],
    random: &mut Random,
    tally: &mut Tally,
) -> Result<bool, String> {
    let says = &defined.says;
    let formulas: Vec<Temporal> =
        (0..FORMULAS).map(|_| fair_formula(random, atoms.len(), lives, says)).collect();
    let everyone = defined.everyone();
    let mut claims: Vec<Claim> = everyone
        .iter()
        .map(|(name, formula, _)| claim(name, Proposition::Net(formula.clone())))
        .collect();
    claims.push(claim("race_free", Proposition::RaceFree));
    for (number, formula) in formulas.iter().enumerate() {
        claims.push(formula.claim(&format!("linear {number}"), atoms, program));
    }
    let strengths = [None, Some(Strength::Weak), Some(Strength::Strong)];
    let Some(found) = decided(program, defined.interpreter.observed(), &claims, &strengths) else {
        return Ok(false);
    };
    let mut expected: Vec<(&str, bool)> =
        everyone.iter().map(|(name, _, holds)| (*name, *holds)).collect();
    let race = defined.race();
    expected.push(("race_free", race.is_none()));
    for (index, (name, holds)) in expected.into_iter().enumerate() {
        tally.add(name, holds);
        if found[0][index] != holds {
            return Err(format!("{name} is {holds} by definition; races: {race:#?}"));
        }
    }
    let code = executed::code_of(program, defined.interpreter.observed(), &claims);
    let code = code.expect("it was compiled before");
    let is_free = race.is_none();
    let mut forgetful = Machine::new(&code);
    forgetful.forgets = true;
    // Who runs on passes by races.
    for (machine, sees_races) in
        [(Machine::new(&code), true), (forgetful, true), (Machine::reduced(&code), false)]
    {
        let by_machine = executed::everyone(machine, 10 * MANY_STATES);
        let executed::Everyone { deadlock, stuck, endless, race } =
            by_machine.ok_or("the machine has more states")?;
        let is_free = if sees_races { is_free } else { !race };
        let found = [!deadlock, !stuck, !endless, !race];
        let by_definition = everyone.iter().map(|(_, _, holds)| *holds).chain([is_free]);
        if !by_definition.eq(found) {
            return Err(format!("the machine says {found:?}, if it sees races: {sees_races}"));
        }
    }
    // Where `kill` waits for a local statement of another it is not enabled all the time by turns after every
    // statement, and it is where that statement is joined to the step before: weak fairness can tell.
    let waits = |state| defined.interpreter.has_kill_to_wait(state, Turns::Statements);
    let does_kill_wait = || defined.states.iter().any(waits);
    let mut by_strength = Vec::new();
    for (strength, found) in strengths.into_iter().zip(found) {
        let by_machine = executed::claimed(program, &code, strength);
        if by_machine != found {
            return Err(format!("the machine says {by_machine:?} ({strength:?}), not {found:?}"));
        }
        let mut verdicts = Vec::new();
        for (number, formula) in formulas.iter().enumerate() {
            let holds = linear::holds(formula, lives, says, strength);
            verdicts.push(holds);
            tally.add(&format!("linear {strength:?}"), holds);
            let can_tell = || strength == Some(Strength::Weak) && does_kill_wait();
            if found[claims.len() - FORMULAS + number] != holds && !can_tell() {
                let what = (atoms, formula, strength);
                return Err(format!("{what:?} is {holds} by definition"));
            }
        }
        by_strength.push(verdicts);
    }
    let [without, weak, strong] = &by_strength[..] else { unreachable!("there are three") };
    for ((without, weak), strong) in without.iter().zip(weak).zip(strong) {
        tally.add("weak fairness matters", without != weak);
        tally.add("strong fairness matters", weak != strong);
    }
    Ok(true)
}

/// A formula of linear time, if it can be one for which fairness makes a difference.
fn fair_formula(random: &mut Random, atoms: usize, lives: &Lives, says: &[Vec<bool>]) -> Temporal {
    let fairness = *random.pick(&[Strength::Weak, Strength::Strong]);
    let mut formula = Temporal::linear(random, atoms, 1);
    for _ in 0..FORMULAS {
        let holds = |fairness| linear::holds(&formula, lives, says, fairness);
        let without = match fairness {
            Strength::Weak => holds(None),
            Strength::Strong => holds(Some(Strength::Weak)),
        };
        if !without && holds(Some(fairness)) {
            break;
        }
        formula = Temporal::linear(random, atoms, 1);
    }
    formula
}

fn compare_branching(
    program: &Program,
    defined: &Defined,
    atoms: &[Atom],
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let formulas: Vec<Temporal> =
        (0..FORMULAS).map(|_| Temporal::branching(random, atoms.len(), 2)).collect();
    let claims = formulas.iter().map(|formula| formula.claim("branching", atoms, program));
    let labels = defined.interpreter.observed().labels.clone();
    let observed = Observed { labels, branching: true, ..Observed::default() };
    let claims: Vec<Claim> = claims.collect();
    let found = decided(program, &observed, &claims, &[None]);
    let found = found.expect("it was compiled before").remove(0);
    let code = executed::code_of(program, &observed, &claims).expect("it was compiled before");
    let by_machine = executed::claimed(program, &code, None);
    if by_machine != found {
        return Err(format!("the machine says {by_machine:?} of branching time, not {found:?}"));
    }
    for (formula, found) in formulas.iter().zip(found) {
        let holds = branching::holds(formula, &defined.graph, &defined.says);
        tally.add("branching", holds);
        if found != holds {
            return Err(format!("{:?} is {holds} by definition", (atoms, formula)));
        }
    }
    Ok(())
}

/// How many states a program may have, by turns after every statement; every fifth may have more.
const MOST_STATES: usize = 100;
const MANY_STATES: usize = 500;

/// Compares this many programs.
fn compare_many(first_seed: u64, wanted: usize) {
    let mut tally = Tally::default();
    let mut refusals = Refusals::default();
    let (mut compared, mut large) = (0, 0);
    for seed in first_seed.. {
        let _seed = random::Seed(seed);
        let random = &mut Random::new(seed);
        let features = match seed % 4 {
            0 => Features::LIVELY,
            _ => Features { faults: false, ..Features::ALL },
        };
        let program = crate::generate::program(random, features);
        let most = if compared % 5 == 0 { MANY_STATES } else { MOST_STATES };
        let found = compare(&program, random, most, &mut tally);
        refusals.note(&found);
        match found {
            Compared::TooLarge | Compared::TooSmall | Compared::Refused => {}
            Compared::Same { classes, .. } => {
                compared += 1;
                large += usize::from(classes > MOST_STATES);
            }
            Compared::Different(why) => panic!("{}\n{why}", source::text(&program)),
        }
        if compared == wanted {
            break;
        }
    }
    for what in ["deadlock_free", "no_one_stuck", "everyone_can_end", "race_free", "branching"] {
        tally.require(what, wanted / 20);
    }
    for what in ["linear None", "linear Some(Weak)", "linear Some(Strong)"] {
        tally.require(what, wanted / 4);
    }
    tally.require("weak fairness matters", wanted / 50);
    tally.require("strong fairness matters", wanted / 100);
    assert!(large > wanted / 20, "{large}");
    refusals.require_few();
}

#[test]
fn verdicts_are_those_of_the_definition() {
    compare_many(3_000_000, programs());
}

#[test]
fn verdicts_on_other_programs_are_those_of_the_definition() {
    compare_many(4_000_000, programs());
}
