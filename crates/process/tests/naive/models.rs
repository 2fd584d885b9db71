//! The models of the tree that have processes: by their definition, and by the nets that they are compiled to.

use std::fs;
use std::path::{Path, PathBuf};

use interpret::{Interpreter, Turns};
use program::{Observed, Program};

use crate::graph::{Graph, graph};
use crate::{bisimulation, compiled, temporal};

/// How many states a model may have to be compared.
const MOST_STATES: usize = 1_000;

/// The models in a folder and those below it.
fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("there is a folder of models") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "kin") {
            found.push(path);
        }
    }
}

/// Where a first process might end before its first step, nets begin with a step of their own, by which nothing is done.
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
/// How it differs from its net.
fn compared(program: &Program, observed: &Observed) -> Result<bool, String> {
    let interpreter = Interpreter::new(program, observed);
    let Some((defined, _)) = graph(&interpreter, Turns::Steps, MOST_STATES) else {
        return Ok(false);
    };
    let net = compiled::net_of(program, observed).expect("it was compiled before");
    // Classes differ by what the net cannot drop.
    let most = 4 * defined.states.len() + 10;
    let graph = compiled::graph(program, observed, &net, most)?;
    let mut graph = graph.ok_or_else(|| format!("the net has more than {most} classes"))?;
    skip_start(&mut graph);
    match bisimulation::difference(&defined, &graph) {
        None => Ok(true),
        Some(difference) => Err(format!("{difference:#?}")),
    }
}

#[test]
fn models_do_what_their_nets_do() {
    let mut paths = Vec::new();
    models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut paths);
    let (mut all, mut small) = (0, 0);
    for path in paths {
        let text = fs::read_to_string(&path).expect("it can be read");
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
                Err(why) => panic!("{}, where {observed:?}: {why}", path.display()),
            }
        }
    }
    println!("{small} of {all} are small enough");
    assert!(4 * small >= 3 * all && small >= 250, "{small} of {all} are small enough");
}
