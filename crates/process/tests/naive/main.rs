//! Programs by their definition, as `interpret` has it, against the nets that they are compiled to, and the machine.

#![expect(clippy::print_stdout, reason = "how many programs are refused is of interest")]

mod bisimulation;
mod branching;
mod checked;
mod compiled;
mod counts;
mod executed;
mod failing;
mod generate;
mod graph;
mod linear;
mod lives;
mod models;
mod planted;
mod races;
mod replayed;
mod source;
mod stutter;
mod temporal;
mod texts;
mod verdicts;

use counts::{Counts, Refusals};
use generate::Features;
use graph::{Graph, counted_graph, graph};
use interpret::{Interpreter, Turns};
use process::Translation;
use program::Observed;
use program::Program;
use random::Random;

/// What came of comparing a program with its net.
enum Compared {
    /// There are too many states.
    TooLarge,
    /// The compiler does not translate it.
    Refused,
    /// There are few states, and enough programs of that kind.
    TooSmall,
    Same {
        classes: usize,
        faults: bool,
    },
    Different(String),
}

/// Compares turns after every statement with turns where fused steps end, as branching time sees them.
fn compare_by_statements(program: &Program, observed: &Observed, most: usize) -> Compared {
    // What is marked never to fault must not. It is local, so that a thread may end by it.
    let mut marked = program.clone();
    program::mark_sure(&mut marked);
    let interpreter = Interpreter::new(&marked, observed);
    let Some((naive, _)) = graph(&interpreter, Turns::Statements, 5 * most) else {
        return Compared::TooLarge;
    };
    let Some((fused, _)) = graph(&interpreter, Turns::Steps, most) else {
        return Compared::TooLarge;
    };
    let Some(net) = compiled::net_of(&marked, observed) else { return Compared::Refused };
    match graph_like(&fused, &marked, observed, &net) {
        Ok(compiled) => {
            if let Some(difference) = bisimulation::difference(&fused, &compiled) {
                return Compared::Different(format!("fused: {difference:#?}"));
            }
        }
        Err(why) => return Compared::Different(why),
    };
    if naive.has_faults() != fused.has_faults() {
        return Compared::Different("only one of them faults".into());
    }
    match stutter::are_equivalent(&naive, &fused) {
        true => Compared::Same { classes: fused.states.len(), faults: fused.has_faults() },
        false => Compared::Different("turns after every statement tell".into()),
    }
}

/// What is observed of a program: nothing, labels, all variables, or choices.
fn observed(number: u64, program: &Program) -> Observed {
    let mut observed = Observed::default();
    match number % 4 {
        1 => observed.labels = temporal::labels(program).into_iter().collect(),
        2 => observed.all_locals = true,
        3 => observed.branching = true,
        _ => {}
    }
    observed
}

/// The graph of a net that is to be that of the definition. It may keep apart some states that are the same, but not
/// many.
fn graph_like(
    defined: &Graph,
    program: &Program,
    observed: &Observed,
    net: &Translation,
) -> Result<Graph, String> {
    let most = 2 * defined.states.len() + 10;
    let graph = compiled::graph(program, observed, net, most)?;
    graph.ok_or_else(|| format!("the net has more than {most} classes"))
}

fn compare(
    program: &Program,
    observed: &Observed,
    counts: &Counts,
    most: usize,
    want_small: bool,
) -> Compared {
    let interpreter = Interpreter::new(program, observed);
    let Some((naive, own_counts)) = counted_graph(&interpreter, Turns::Steps, most) else {
        return Compared::TooLarge;
    };
    if let Some(code) = executed::code_of(program, observed, &[]) {
        let most = 2 * naive.states.len() + 10;
        match executed::graph(program, observed, &code, most) {
            Some(executed) => {
                if let Some(difference) = bisimulation::difference(&naive, &executed) {
                    return Compared::Different(format!("executed: {difference:#?}"));
                }
            }
            None => return Compared::Different("the machine has more states".into()),
        }
    }
    if naive.states.len() <= 100 && !want_small {
        return Compared::TooSmall;
    }
    counts.extend(&own_counts);
    let Some(net) = compiled::net_of(program, observed) else { return Compared::Refused };
    let compiled = match graph_like(&naive, program, observed, &net) {
        Ok(graph) => graph,
        Err(why) => return Compared::Different(why),
    };
    match bisimulation::difference(&naive, &compiled) {
        None => Compared::Same { classes: compiled.states.len(), faults: naive.has_faults() },
        Some(difference) => Compared::Different(format!("{difference:#?}")),
    }
}

/// Marks what never faults; says whether there is something.
fn mark(program: &mut Program) -> bool {
    let text = |program: &Program| format!("{:?} {:?}", program.processes, program.functions);
    let before = text(program);
    program::mark_sure(program);
    before != text(program)
}

/// Compares this many programs, at least half of them with more than a hundred classes.
fn compare_many(features: Features, first_seed: u64, wanted: usize) -> Counts {
    let counts = Counts::default();
    let mut refusals = Refusals::default();
    let (mut small, mut big, mut marked) = (0, 0, 0);
    let mut seed = first_seed;
    while small + big < wanted {
        let _seed = random::Seed(seed);
        let mut program = generate::program(&mut Random::new(seed), features);
        let is_marked = seed.is_multiple_of(2) && mark(&mut program);
        let observed = observed(seed / 2, &program);
        seed += 1;
        let want_small = 2 * (small + 1) <= wanted;
        let compared = compare(&program, &observed, &counts, MOST_STATES, want_small);
        refusals.note(&compared);
        match compared {
            Compared::TooLarge | Compared::TooSmall | Compared::Refused => {}
            Compared::Same { classes, .. } => {
                marked += usize::from(is_marked);
                match classes > 100 {
                    true => big += 1,
                    false => small += usize::from(want_small),
                }
            }
            Compared::Different(why) => panic!("{}\n{why}", source::text(&program)),
        }
    }
    assert!(10 * marked >= wanted, "something is sure in {marked} of {wanted}");
    assert!(2 * big >= wanted, "{big} of {wanted} are big");
    refusals.require_few();
    counts
}

/// How many programs a test compares, if it compares them all.
const PROGRAMS: usize = 1_000;

/// How many programs with labels before many statements are compared, if all are.
const LABELLED: u64 = 2_000;

/// How many programs a test compares that is not the only one of its kind.
fn programs() -> usize {
    random::daily(PROGRAMS as u64, 5) as usize
}

/// How many states a program may have to be compared.
const MOST_STATES: usize = 1_000;

/// What random programs must have tried.
const TRIED: [&str; 26] = [
    "a handle of one who has ended",
    "a rendezvous",
    "a rendezvous of two atomic blocks",
    "a rendezvous of two selects",
    "a rendezvous with a select",
    "a rendezvous with an atomic block",
    "calls more than two deep",
    "crash another",
    "crash oneself",
    "else is not taken",
    "else is taken",
    "garbage in circles is dropped",
    "garbage is dropped",
    "kill at a plain access",
    "kill at a select",
    "kill at a turn",
    "kill at an atomic block",
    "kill before reading",
    "kill between reading and writing",
    "kill in a function",
    "kill in something deferred",
    "kill one that has ended",
    "kill one that was killed",
    "kill oneself",
    "one who was killed waits",
    "something deferred waits",
];

/// What they must have tried at once.
const TRIED_AT_ONCE: [&str; 6] = [
    "crash another at once",
    "crash oneself at once",
    "else is not taken at once",
    "else is taken at once",
    "kill another at once",
    "kill oneself at once",
];

/// The statements before which they must have had labels.
const TRIED_AT_LABELS: [&str; 16] = [
    "a label before `atomic`",
    "a label before `break`",
    "a label before `choose`",
    "a label before `continue`",
    "a label before `defer`",
    "a label before `either`",
    "a label before `if`",
    "a label before `kill` or `crash`",
    "a label before `return`",
    "a label before `select`",
    "a label before `spawn`",
    "a label before a call",
    "a label before an assertion",
    "a label before an assignment to a local variable",
    "a label before an assignment to what is shared",
    "a label before nothing",
];

/// What they must have tried of labels.
const TRIED_WITH_LABELS: [&str; 3] = [
    "at a label of a function called in something deferred",
    "in a function called at a label",
    "in a function called at a label, in something deferred",
];

fn require_tried(counts: &Counts, what: &[&str]) {
    let counts = counts.0.borrow();
    let missing: Vec<_> = what.iter().filter(|what| !counts.contains_key(*what)).collect();
    assert!(missing.is_empty(), "no program has tried {missing:?}: {counts:#?}");
}

#[test]
fn nets_do_what_programs_say() {
    require_tried(&compare_many(Features::ALL, 0, PROGRAMS), &TRIED);
}

#[test]
fn nets_do_what_other_programs_say() {
    let programs = programs();
    let counts = compare_many(Features::ALL, 1_000_000, programs);
    // What is rare is not among a part of them.
    if programs == PROGRAMS {
        require_tried(&counts, &TRIED);
    }
}

#[test]
fn members_of_classes_are_alike() {
    // The definition tries all ways to exchange members.
    let features = Features { members: true, ..Features::ALL };
    compare_many(features, 9_000_000, programs().div_ceil(2));
}

#[test]
fn processes_are_ended_at_once() {
    let counts = Counts::default();
    let mut refusals = Refusals::default();
    let mut compared = 0;
    for seed in 5_000_000.. {
        let _seed = random::Seed(seed);
        let mut program = generate::program(&mut Random::new(seed), Features::ALL);
        planted::end_at_once(&mut program);
        let found = compare(&program, &observed(seed, &program), &counts, 300, true);
        refusals.note(&found);
        match found {
            Compared::TooLarge | Compared::TooSmall | Compared::Refused => {}
            Compared::Same { .. } => compared += 1,
            Compared::Different(why) => panic!("{}\n{why}", source::text(&program)),
        }
        if compared == 300 {
            break;
        }
    }
    refusals.require_few();
    require_tried(&counts, &TRIED_AT_ONCE);
}

#[test]
fn processes_are_at_labels_while_functions_run() {
    let counts = Counts::default();
    let mut refusals = Refusals::default();
    let mut compared = 0;
    for seed in 6_000_000.. {
        let _seed = random::Seed(seed);
        let random = &mut Random::new(seed);
        let mut program = generate::program(random, Features::ALL);
        if !generate::label_calls(random, &mut program) {
            continue;
        }
        let labels = temporal::labels(&program).into_iter().collect();
        let observed = Observed { labels, ..Observed::default() };
        let found = compare(&program, &observed, &counts, 300, true);
        refusals.note(&found);
        match found {
            Compared::TooLarge | Compared::TooSmall | Compared::Refused => {}
            Compared::Same { .. } => compared += 1,
            Compared::Different(why) => panic!("{}\n{why}", source::text(&program)),
        }
        if compared == 300 {
            break;
        }
    }
    refusals.require_few();
    require_tried(&counts, &TRIED_WITH_LABELS);
}

#[test]
fn labels_are_seen_before_every_statement() {
    let counts = Counts::default();
    let mut refusals = Refusals::default();
    let (mut compared, wanted) = (0, random::daily(LABELLED, 10));
    for seed in 7_000_000.. {
        let _seed = random::Seed(seed);
        let random = &mut Random::new(seed);
        let mut program = generate::program(random, Features::ALL);
        generate::label_statements(random, &mut program);
        let labels = temporal::labels(&program).into_iter().collect();
        let observed = Observed { labels, branching: seed % 3 == 0, ..Observed::default() };
        let found = compare(&program, &observed, &counts, 300, true);
        refusals.note(&found);
        match found {
            Compared::TooLarge | Compared::TooSmall | Compared::Refused => {}
            Compared::Same { .. } => compared += 1,
            Compared::Different(why) => panic!("{}\n{why}", source::text(&program)),
        }
        if compared == wanted {
            break;
        }
    }
    refusals.require_few();
    // What is rare is not among a part of them.
    if wanted == LABELLED {
        require_tried(&counts, &TRIED_AT_LABELS);
    }
}

#[test]
fn fused_steps_look_like_statements() {
    let mut refusals = Refusals::default();
    let (mut compared, mut with_faults) = (0, 0);
    for seed in 2_000_000.. {
        let _seed = random::Seed(seed);
        let random = &mut Random::new(seed);
        let mut program = generate::program(random, Features::ALL);
        let mut observed = Observed { branching: true, ..Observed::default() };
        if seed % 2 == 0 {
            generate::label_statements(random, &mut program);
            observed.labels = temporal::labels(&program).into_iter().take(4).collect();
        }
        let found = compare_by_statements(&program, &observed, 150);
        refusals.note(&found);
        match found {
            Compared::TooLarge | Compared::TooSmall | Compared::Refused => {}
            Compared::Same { faults, .. } => {
                compared += 1;
                with_faults += usize::from(faults);
            }
            Compared::Different(why) => panic!("{}\n{why}", source::text(&program)),
        }
        if compared == 500 {
            break;
        }
    }
    refusals.require_few();
    assert!(with_faults >= 100, "{with_faults} of {compared} can fault");
}
