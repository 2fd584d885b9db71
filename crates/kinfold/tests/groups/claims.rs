//! What is claimed of tokens with groups, in some order or in all orders, and what comes of it by the definition.

use kinfold::net::Quantifier;
use random::Random;

use crate::draft::{Draft, Sort, sorts};
use crate::oracle::{Graph, Value, orders};

/// That two columns are equal, or are not.
#[derive(Debug)]
enum Claim {
    Columns {
        quantifier: Quantifier,
        place: usize,
        columns: [usize; 2],
        is_equal: bool,
    },
    /// That a transition can fire.
    Enabled(String),
}

/// Some claims about a net.
#[derive(Debug)]
pub struct Claims(Vec<Claim>);

impl Claims {
    pub fn random(draft: &Draft, random: &mut Random) -> Claims {
        let mut claims = vec![Claim::Enabled(random.pick(&draft.transitions).name.clone())];
        for place in [2, 3] {
            let sorts = sorts(&draft.places[place].columns);
            let is_pid = |at: usize| sorts[at] != Sort::Int;
            let pairs = (0..sorts.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
            let pairs: Vec<[usize; 2]> = pairs.filter(|[a, b]| is_pid(*a) == is_pid(*b)).collect();
            for quantifier in [Quantifier::Exists, Quantifier::Forall] {
                if !pairs.is_empty() {
                    let (columns, is_equal) = (*random.pick(&pairs), random.percent(50));
                    claims.push(Claim::Columns { quantifier, place, columns, is_equal });
                }
            }
        }
        Claims(claims)
    }

    pub fn text(&self, draft: &Draft) -> String {
        let property = |(number, claim): (usize, &Claim)| {
            let what = match claim {
                Claim::Enabled(name) => format!("reachable enabled({name})"),
                Claim::Columns { quantifier, place, columns, is_equal } => {
                    let place = &draft.places[*place];
                    let name = |at: usize| match columns.iter().position(|column| *column == at) {
                        Some(which) => ["one", "other"][which],
                        None => "_",
                    };
                    let names: Vec<&str> = (0..sorts(&place.columns).len()).map(name).collect();
                    let words = match quantifier {
                        Quantifier::Exists => "reachable exists",
                        Quantifier::Forall => "always forall",
                    };
                    let op = if *is_equal { "==" } else { "!=" };
                    format!("{words} ({}) in {}: one {op} other", names.join(", "), place.name)
                }
            };
            format!("property claim{number}: {what}\n")
        };
        self.0.iter().enumerate().map(property).collect()
    }

    /// Whether each holds.
    pub fn verdicts(&self, graph: &Graph) -> Vec<bool> {
        let holds = |claim: &Claim| match claim {
            Claim::Enabled(name) => graph.edges.iter().any(|(_, other, _)| other == name),
            Claim::Columns { quantifier, place, columns: [a, b], is_equal } => {
                let tokens = graph.classes.iter().flatten().filter(|token| token.place == *place);
                let mut rows = tokens.flat_map(|token| orders(&token.cells));
                let is_so = |row: Vec<Value>| (row[*a] == row[*b]) == *is_equal;
                match quantifier {
                    Quantifier::Exists => rows.any(is_so),
                    Quantifier::Forall => rows.all(is_so),
                }
            }
        };
        self.0.iter().map(holds).collect()
    }
}
