//! The models of the tree that have processes, and the examples of its documents: by their definition, by the machine, and
//! by the nets that they are compiled to.

use interpret::{Interpreter, Turns};
use program::{Observed, Program};

use crate::graph::{Graph, graph};
use crate::{bisimulation, compiled, executed, temporal};

/// How many states a model may have to be compared.
const MOST_STATES: usize = 1_000;

/// Where a first process might end before its first step, engines begin with a step of their own, by which nothing is done.
fn skip_start(graph: &mut Graph) {
    if let [first] = graph.initial[..]
        && let [(label, second)] = graph.states[first].edges[..]
        && label.statement == 0
        && !graph.states[first].faults
    {
        graph.initial = vec![second];
    }
}

/// Whether a model is compared, since it has few states.
///
/// # Errors
/// How an engine differs from the definition.
fn compared(program: &Program, observed: &Observed) -> Result<bool, String> {
    let interpreter = Interpreter::new(program, observed);
    let Some((defined, _)) = graph(&interpreter, Turns::Steps, MOST_STATES) else {
        return Ok(false);
    };
    // Classes differ by what an engine cannot drop.
    let most = 4 * defined.states.len() + 10;
    let code = executed::code_of(program, observed, &[]).expect("it was compiled before");
    let executed = executed::graph(program, observed, &code, most);
    let net = compiled::net_of(program, observed).expect("it was compiled before");
    let compiled = compiled::graph(program, observed, &net, most)?;
    for (engine, graph) in [("machine", executed), ("net", compiled)] {
        let mut graph = graph.ok_or_else(|| format!("the {engine} has more than {most} states"))?;
        skip_start(&mut graph);
        if let Some(difference) = bisimulation::difference(&defined, &graph) {
            return Err(format!("the {engine}: {difference:#?}"));
        }
    }
    Ok(true)
}

#[test]
fn models_do_what_they_say() {
    let (mut all, mut small) = (0, 0);
    for (path, text) in crate::texts::texts() {
        let Some(processes) = lang::compile(&text, &[]).processes else { continue };
        let program = processes.program;
        let labels = temporal::labels(&program).into_iter().collect();
        let seen = [
            Observed::default(),
            Observed { branching: true, ..Observed::default() },
            Observed { labels, ..Observed::default() },
        ];
        for observed in seen {
            all += 1;
            match compared(&program, &observed) {
                Ok(is_small) => small += usize::from(is_small),
                Err(why) => panic!("{}, where {observed:?}: {why}\n{text}", path.display()),
            }
        }
    }
    println!("{small} of {all} are small enough");
    assert!(4 * small >= 3 * all && small >= 500, "{small} of {all} are small enough");
}
