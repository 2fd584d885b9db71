//! The graph of a program as the machine executes it.

use budget::Budget;
use check::Prospect;
use decide::program::{Asked, ProgramVerdict, decide_program};
use explore::{Control, Options, Space, Successors, explore};
use machine::{ClassKind, Code, Heap, Machine, Step, Survey, compile};
use net::{Fairness, Net, Strength, Whom};
use program::claim::Claim;
use program::{ObjectId, Observed, Program, Type};

use crate::graph::{Fates, Graph, Label, Node, labels_of, position};

/// The program, compiled; nothing if something in it is refused.
pub fn code_of(program: &Program, observed: &Observed, claims: &[Claim]) -> Option<Code> {
    compile(program, &base_of(program), observed, claims).ok()
}

fn base_of(program: &Program) -> Net {
    Net { enumerations: program.enumerations.clone(), ..Net::default() }
}

/// Which of its claims hold of a compiled program, if runs are fair to threads.
pub fn claimed(program: &Program, code: &Code, fairness: Option<Strength>) -> Vec<bool> {
    let fairness = fairness.map(|strength| Fairness { strength, of: Whom::Threads });
    let asked = Asked {
        program,
        base: &base_of(program),
        code,
        fairness: fairness.as_slice(),
        budget: &Budget::default(),
        states: None,
        threads: 1,
    };
    let report = decide_program(asked).expect("it starts");
    let verdict = |verdict: &ProgramVerdict| match verdict {
        ProgramVerdict::Holds { .. } => true,
        ProgramVerdict::Fails => false,
        other => panic!("{other:?}"),
    };
    report.verdicts.iter().map(verdict).collect()
}

/// The graph of a program; nothing if it has more than a number of states. What goes wrong leads nowhere.
pub fn graph(program: &Program, observed: &Observed, code: &Code, most: usize) -> Option<Graph> {
    let mut machine = Machine::new(code);
    let options = Options { states: Some(most as u64), ..Options::default() };
    let found = explore(&mut machine, &options, &mut |_| Control::Continue).expect("it starts");
    if !found.complete {
        return None;
    }
    let initial = found.initial().map(|id| id.index()).collect();
    let mut graph = Graph { initial, ..Graph::default() };
    let states: Vec<Vec<u8>> = found.store.iter().map(|(_, bytes)| bytes.to_vec()).collect();
    // What has gone wrong comes last in graphs, once.
    let wrong: Vec<bool> = states.iter().map(|state| machine.failure(state).is_some()).collect();
    let kept = |at: usize| wrong[..at].iter().filter(|wrong| !**wrong).count();
    for (state, _) in states.iter().zip(&wrong).filter(|(_, wrong)| !**wrong) {
        let node = node_of(program, observed, (code, &mut machine), state, &|target| {
            kept(found.store.find(target).expect("it was found").index())
        });
        // What is found state by state is what was explored.
        let mut successors = Successors::new();
        machine.expand(state, &mut successors).expect("it starts");
        let mut targets: Vec<usize> = successors
            .iter()
            .filter_map(|(_, _, bytes)| found.store.find(bytes))
            .map(|id| id.index())
            .filter(|id| !wrong[*id])
            .map(kept)
            .collect();
        targets.sort_unstable();
        targets.dedup();
        let mut of_steps: Vec<usize> = node.edges.iter().map(|(_, to)| *to).collect();
        of_steps.sort_unstable();
        of_steps.dedup();
        assert_eq!(targets, of_steps, "what is explored are the steps");
        graph.states.push(node);
    }
    graph.initial.iter_mut().for_each(|id| *id = kept(*id));
    graph.finish();
    Some(graph)
}

fn node_of(
    program: &Program,
    observed: &Observed,
    (code, machine): (&Code, &mut Machine),
    state: &[u8],
    number: &dyn Fn(&[u8]) -> usize,
) -> Node {
    let mut heap = Heap::default();
    machine.build(state, &mut heap);
    let is_running =
        |heap: &Heap, object| matches!(code.class(heap.class(object)), ClassKind::Running(_));
    let runs: Vec<u32> = (0..heap.len()).filter(|object| is_running(&heap, *object)).collect();
    let seen = seen(program, observed, code, &heap);
    let mut node = Node { seen, running: runs.len(), ..Node::default() };
    for Step { turn, acting, born, crashed, becomes, state, .. } in machine.steps(state) {
        let Ok(becomes) = becomes else {
            node.faults = true;
            continue;
        };
        let to = number(&state);
        let mut next = Heap::default();
        machine.build(&state, &mut next);
        let running = (0..next.len()).filter(|object| is_running(&next, *object)).count();
        let births = born.len() as u32;
        let deaths = (runs.len() + born.len() - running) as u32;
        node.edges.push((Label { statement: position(turn.origin(code)), births, deaths }, to));
        let lives = |object: Option<u32>| object.filter(|object| is_running(&next, *object));
        let all = runs.iter().chain(&born).map(|object| lives(becomes[*object as usize]));
        node.fates.push((to, Fates { acting, crashed, becomes: all.collect() }));
    }
    node
}

/// What is seen of a state, as of those of the definition.
fn seen(program: &Program, observed: &Observed, code: &Code, heap: &Heap) -> Vec<i64> {
    let globals = (0..).zip(&program.globals).filter_map(|(number, global)| {
        let is_number = matches!(global.variable.of, Type::Int { .. } | Type::Bool);
        is_number.then(|| match heap.fields(0)[number as usize] {
            machine::Value::Number(number) => number,
            other => panic!("{other:?} is no number"),
        })
    });
    let classes = || (0..heap.len()).map(|object| (object, code.class(heap.class(object))));
    let labels = labels_of(observed).into_iter().map(|label| {
        let threads = classes().filter(|(_, class)| matches!(class, ClassKind::Running(_)));
        threads.filter(|(thread, _)| code.is_at(heap, *thread, label)).count() as i64
    });
    let mut seen: Vec<i64> = globals.chain(labels).collect();
    if observed.all_locals {
        let count = |is_it: &dyn Fn(ClassKind) -> bool| {
            classes().filter(|(_, class)| is_it(*class)).count() as i64
        };
        seen.push(count(&|class| matches!(class, ClassKind::Ended(_))));
        for of in (0..program.objects.len() as u32).map(ObjectId) {
            seen.push(count(&|class| class == ClassKind::Object(of)));
        }
    }
    seen
}
/// What the machine finds of all threads: whether somebody is stuck, or can never end, whether there is a deadlock, and a
/// race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Everyone {
    pub deadlock: bool,
    pub stuck: bool,
    pub endless: bool,
    pub race: bool,
}

/// The same; nothing if there are more than a number of states.
pub fn everyone(mut machine: Machine, most: usize) -> Option<Everyone> {
    let options = Options { states: Some(most as u64), ..Options::default() };
    let found = explore(&mut machine, &options, &mut |_| Control::Continue).expect("it starts");
    if !found.complete {
        return None;
    }
    let everywhere = Budget::default();
    let mut survey = Survey::new(&mut machine, &found);
    let mut lost = |prospect| {
        let hopeless = survey.hopeless(prospect, &everywhere).expect("there is no limit");
        hopeless.is_some()
    };
    let (stuck, endless) = (lost(Prospect::Acting), lost(Prospect::Ending));
    let race = survey.race(&everywhere).expect("there is no limit").is_some();
    Some(Everyone { deadlock: survey.deadlock().is_some(), stuck, endless, race })
}
