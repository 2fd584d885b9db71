//! The models of the tree that have processes, and the examples of its documents: by their definition, by the machine, and
//! by the nets that they are compiled to.

use std::fs;
use std::path::{Path, PathBuf};

use interpret::{Interpreter, Turns};
use program::{Observed, Program};

use crate::graph::{Graph, graph};
use crate::{bisimulation, compiled, executed, temporal};

/// How many states a model may have to be compared.
const MOST_STATES: usize = 1_000;

/// The files in a folder and those below it that end in some way.
fn files(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("there is such a folder") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files(&path, end, found);
        } else if path.extension().is_some_and(|extension| extension == end) {
            found.push(path);
        }
    }
}

/// The models of the tree, and the examples of its documents, each with where it is.
pub fn texts() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &PathBuf| fs::read_to_string(path).expect("it can be read");
    let (mut models, mut documents) = (Vec::new(), Vec::new());
    files(&root.join("models"), "kin", &mut models);
    files(&root.join("docs"), "md", &mut documents);
    let examples = documents.iter().flat_map(|path| {
        let text = read(path);
        let parts = text.split("\n```kin\n").skip(1);
        let parts = parts.filter_map(|part| Some(part.split_once("\n```")?.0.to_owned()));
        parts.map(|part| (path.clone(), part)).collect::<Vec<_>>()
    });
    models.iter().map(|path| (path.clone(), read(path))).chain(examples).collect()
}

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
    for (path, text) in texts() {
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
