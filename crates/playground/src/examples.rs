//! The models to choose from: those of the tutorials, as they are written there, and some that show more.

/// A model to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it is called, which is no other's name.
    pub name: String,
    /// Its text.
    pub source: String,
}

/// The tutorials, and what their models are called before they are numbered.
const TUTORIALS: [(&str, &str); 2] = [
    ("tutorial", include_str!("../../../docs/tutorial.md")),
    ("tutorial_nets", include_str!("../../../docs/tutorial_nets.md")),
];

/// Models from `models/`.
const MODELS: [(&str, &str); 6] = [
    ("abba", include_str!("../../../models/processes/abba.kin")),
    ("join_set", include_str!("../../../models/processes/join_set.kin")),
    ("pool", include_str!("../../../models/pool.kin")),
    ("philosophers", include_str!("../../../models/philosophers.kin")),
    ("peterson", include_str!("../../../models/peterson.kin")),
    ("server", include_str!("../../../models/server.kin")),
];

/// All examples. The files of a tutorial are numbered in the order in which it writes them.
#[must_use]
pub fn examples() -> Vec<Example> {
    let of_tutorials = TUTORIALS.iter().flat_map(|(name, page)| {
        let numbered = (1..).zip(files(page));
        numbered.map(move |(number, source)| Example { name: format!("{name}_{number}"), source })
    });
    let of_models = MODELS
        .iter()
        .map(|(name, source)| Example { name: (*name).to_owned(), source: (*source).to_owned() });
    of_tutorials.chain(of_models).collect()
}

/// What a page has between ` ```kin file=NAME ` and the end of the block.
fn files(page: &str) -> Vec<String> {
    let mut files = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```kin file=") {
            let of_file = lines.by_ref().take_while(|line| !line.starts_with("```"));
            files.push(of_file.map(|line| format!("{line}\n")).collect());
        }
    }
    files
}
