//! What canonical bytes decode to, and what the labelling says.

use fold::{Folded, Folder, Kin, Link, Working};
use net::Compiled;
use random::Random;
use state::State;

use crate::permutations::Permutations;
use crate::renaming::renamed;
use crate::slow_checker::{Compared, equivalent};

/// Checks that the string of a state decodes to an equivalent one, which has the same string; and that
/// the state with other pids and its members permuted has the same string.
pub fn check_decoding(
    state: &State,
    string: &[u8],
    compiled: &Compiled,
    folded: &mut Folded<Compiled>,
    permutations: &Permutations,
    random: &mut Random,
) -> Result<(), String> {
    let relations = compiled.relations();
    let decoded = folded.decode(string);
    let realised = compiled.state(&decoded);
    let other = permutations.permuted(&renamed(state, relations, random), random);
    let compared = Compared::new(state, relations, permutations);
    for (what, other) in [("decoded", &realised), ("renamed", &other)] {
        let shown = || {
            format!(
                "{state}\n    η = {:?}\nis {what}\n{other}\n    η = {:?}",
                state.eta(),
                other.eta()
            )
        };
        if !equivalent(&compared, &Compared::new(other, relations, permutations)) {
            return Err(format!("{}\nwhich is not equivalent", shown()));
        }
        if let Err(inconsistency) = other.check() {
            return Err(format!("{}\nwhich is inconsistent: {inconsistency}", shown()));
        }
        if folded.fold(compiled.working(other).0) != string {
            return Err(format!("{}\nwhich has another string", shown()));
        }
    }
    if folded.fold(decoded.clone()) != string {
        return Err(format!("what is decoded of {state} has another string"));
    }
    Ok(())
}

/// Checks that the labelling maps a state onto what its canonical bytes decode to.
pub fn check_labelling(state: &State, bytes: &[u8], compiled: &Compiled) -> Result<(), String> {
    let (working, _) = compiled.working(state);
    let mut folder = Folder::new(compiled.schema(), compiled.relations());
    let mut decoded = Working::new(compiled.schema(), compiled.relations());
    folder.unfold(bytes, &mut decoded);
    let labelling = folder.fold(&working, &mut Vec::new()).to_vec();
    let classes = 0..compiled.schema().classes.len();
    let members: Vec<Vec<u32>> = classes.map(|class| folder.members(class)).collect();
    if is_mapped_by(&labelling, &members, &working, &decoded, compiled) {
        Ok(())
    } else {
        Err(format!(
            "the labelling {labelling:?}, {members:?} of {state} does not lead to what is decoded"
        ))
    }
}

fn is_mapped_by(
    labelling: &[u32],
    members: &[Vec<u32>],
    working: &Working,
    decoded: &Working,
    compiled: &Compiled,
) -> bool {
    let link = |link: Link| match link.get() {
        Some((pid, close)) => Link::new(labelling[pid as usize], close),
        None => Link::NONE,
    };
    let (kin, others) = (working.kinship.kin(), decoded.kinship.kin());
    let kinship = kin.len() == others.len()
        && kin.iter().zip(labelling).all(|(kin, &label)| {
            let image = Kin {
                active: kin.active,
                ancestor: link(kin.ancestor),
                elder: link(kin.elder),
                youngest: link(kin.youngest),
            };
            others[label as usize] == image
        });
    let tokens = compiled.schema().places.iter().enumerate().all(|(place, shape)| {
        let image = |entry: &[u32]| {
            let columns = shape.columns.iter().zip(&entry[1..]);
            let words = columns.map(|(column, &word)| match column {
                _ if word == fold::NONE => word,
                fold::Column::Pid | fold::Column::OptionalPid => labelling[word as usize],
                fold::Column::Data(_) => word,
                fold::Column::Member(class) | fold::Column::OptionalMember(class) => {
                    members[*class as usize][word as usize]
                }
            });
            let mut words = words.collect::<Vec<u32>>();
            shape.normalise(&mut words);
            words
        };
        working.len(place) == decoded.len(place)
            && working.entries(place).all(|e| decoded.count(place, &image(e)) == e[0])
    });
    kinship && tokens
}
