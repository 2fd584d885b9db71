//! What is symmetric in a model, and what is to blame where not all of it is.

use std::fmt::Write;

use net::{Enumeration, Finding, Lost, Net, Symmetry};

/// How many members, pieces or reasons are listed before the rest is counted.
const LISTED: usize = 3;

/// A comment for each enumeration: the symmetry it has, why it has no more, and whether more could be
/// declared.
pub fn comments(net: &Net) -> String {
    let found = net.find_symmetry(&net.properties);
    let mut text = String::new();
    for finding in &found.findings {
        let class = &net.enumerations[finding.class.index()];
        let declared: Vec<Vec<u32>> = match class.symmetry {
            Symmetry::None => (0..class.members.len() as u32).map(|member| vec![member]).collect(),
            _ => class.part_ranges().map(Iterator::collect).collect(),
        };
        let shown = shown(class, class.symmetry, &declared);
        write!(text, "// class {}: {shown}", class.name).expect("strings do not fail");
        let reasons = reasons(net, finding, &declared);
        text.push_str(if reasons.is_empty() { "" } else { " — " });
        text.push_str(&reasons.join("; "));
        text.push_str(".\n");
        if is_more(class, &declared, finding) {
            let more = self::shown(class, finding.symmetry, &finding.parts);
            writeln!(text, "//   It could be declared {more}; declaring less is respected.")
                .expect("strings do not fail");
        }
        if !finding.is_settled {
            text.push_str("//   Too many members to compare them all: it may be more symmetric.\n");
        }
    }
    text
}

/// A symmetry and its parts.
fn shown(class: &Enumeration, symmetry: Symmetry, parts: &[Vec<u32>]) -> String {
    match symmetry {
        Symmetry::None if class.members.len() == 1 => "one member".into(),
        Symmetry::None => "no two members are alike".into(),
        Symmetry::Rotations => "cyclic".into(),
        Symmetry::Full if parts.len() == 1 => "symmetric".into(),
        Symmetry::Full => {
            let shown = parts.iter().map(|part| shown_part(class, part));
            format!("symmetric in {} parts: {}", parts.len(), listed(shown.collect()))
        }
    }
}

fn shown_part(class: &Enumeration, part: &[u32]) -> String {
    let name = |member: u32| &*class.members[member as usize];
    match part {
        [first, .., last] if part.len() > LISTED => {
            format!("{{{} … {}}}", name(*first), name(*last))
        }
        _ => {
            let names: Vec<&str> = part.iter().map(|member| name(*member)).collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}

/// The first few, and how many more there are.
fn listed(mut items: Vec<String>) -> String {
    let more = items.len().saturating_sub(LISTED);
    if more > 0 {
        items.truncate(LISTED);
        items.push(format!("and {more} more"));
    }
    items.join(", ")
}

/// Why members are told apart that are not declared to be alike.
fn reasons(net: &Net, finding: &Finding, declared: &[Vec<u32>]) -> Vec<String> {
    let class = &net.enumerations[finding.class.index()];
    let name = |member: u32| &class.members[member as usize];
    let part = |member: u32| declared.iter().position(|part| part.contains(&member));
    let is_alike = |a: u32, b: u32| part(a) == part(b);
    let mut reasons: Vec<(Lost, Vec<String>)> = Vec::new();
    for loss in &finding.losses {
        let concerns = match (loss.lost, class.symmetry) {
            (Lost::Order | Lost::Successor, symmetry) => symmetry != Symmetry::Full,
            (_, Symmetry::Rotations) => false,
            (Lost::Apart { member, from } | Lost::Unsayable { member, from }, _) => {
                !is_alike(member, from)
            }
        };
        if concerns {
            let piece = loss.piece.describe(net);
            match reasons.iter_mut().find(|(lost, _)| *lost == loss.lost) {
                Some((_, pieces)) => pieces.push(piece),
                None => reasons.push((loss.lost, vec![piece])),
            }
        }
    }
    let more = reasons.len().saturating_sub(LISTED);
    let said = reasons.into_iter().take(LISTED).map(|(lost, mut pieces)| {
        pieces.dedup();
        let pieces = listed(pieces);
        match lost {
            Lost::Order => format!("their order is used by {pieces}"),
            Lost::Successor => format!("their successors are used by {pieces}"),
            Lost::Apart { member, from } => {
                format!("{} is distinguished from {} by {pieces}", name(member), name(from))
            }
            Lost::Unsayable { member, from } => format!(
                "{} and {} are told apart because {pieces} names them by turns",
                name(member),
                name(from)
            ),
        }
    });
    let mut said: Vec<String> = said.collect();
    if more > 0 {
        said.push(format!("and {more} more such reasons"));
    }
    said
}

/// Whether what was found is more than what is declared.
fn is_more(class: &Enumeration, declared: &[Vec<u32>], finding: &Finding) -> bool {
    match (class.symmetry, finding.symmetry) {
        (_, Symmetry::None) | (Symmetry::Full | Symmetry::Rotations, Symmetry::Rotations) => false,
        (Symmetry::None, _) => true,
        // The rotations of two members are all permutations of them.
        (Symmetry::Rotations, Symmetry::Full) => {
            finding.parts.len() == 1 && class.members.len() > 2
        }
        (Symmetry::Full, Symmetry::Full) => {
            let mut part_of = vec![0; class.members.len()];
            for (index, part) in finding.parts.iter().enumerate() {
                part.iter().for_each(|member| part_of[*member as usize] = index);
            }
            let found = |member: &u32| part_of[*member as usize];
            let is_coarser = declared.iter().all(|p| p.iter().all(|m| found(m) == found(&p[0])));
            is_coarser && finding.parts.len() < declared.len()
        }
    }
}
