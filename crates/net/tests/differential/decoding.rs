//! What canonical bytes decode to, and what the labelling says.

use fold::{Folded, Folder, Kin, Link, Working};
use net::Compiled;
use state::State;

use crate::random::Random;
use crate::renaming::renamed;
use crate::slow_checker::{Compared, equivalent};

/// Checks that the bytes of a state decode to an equivalent one, which has the same bytes; that the
/// labelling maps the one onto the other; and that the state with other pids has the same bytes.
pub fn check_decoding(
    state: &State,
    bytes: &[u8],
    compiled: &Compiled,
    folded: &mut Folded<Compiled>,
    random: &mut Random,
) -> Result<(), String> {
    let relations = compiled.relations();
    let decoded = folded.decode(bytes);
    let realised = compiled.state(&decoded);
    let other = renamed(state, relations, random);
    let compared = Compared::new(state, relations);
    for (what, other) in [("decoded", &realised), ("renamed", &other)] {
        let shown = || {
            format!(
                "{state}\n    η = {:?}\nis {what}\n{other}\n    η = {:?}",
                state.eta(),
                other.eta()
            )
        };
        if !equivalent(&compared, &Compared::new(other, relations)) {
            return Err(format!("{}\nwhich is not equivalent", shown()));
        }
        if let Err(inconsistency) = other.check() {
            return Err(format!("{}\nwhich is inconsistent: {inconsistency}", shown()));
        }
        if folded.fold(compiled.working(other).0) != bytes {
            return Err(format!("{}\nwhich has other bytes", shown()));
        }
    }
    if folded.fold(decoded.clone()) != bytes {
        return Err(format!("what is decoded of {state} has other bytes"));
    }
    let (working, _) = compiled.working(state);
    let mut folder = Folder::new(compiled.schema(), relations);
    let labelling = folder.fold(&working, &mut Vec::new()).to_vec();
    if is_mapped_by(&labelling, &working, &decoded, compiled) {
        Ok(())
    } else {
        Err(format!("the labelling {labelling:?} of {state} does not lead to what is decoded"))
    }
}

fn is_mapped_by(
    labelling: &[u32],
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
                fold::Column::Pid => labelling[word as usize],
                fold::Column::Data(_) => word,
            });
            words.collect::<Vec<u32>>()
        };
        working.len(place) == decoded.len(place)
            && working.entries(place).all(|e| decoded.count(place, &image(e)) == e[0])
    });
    kinship && tokens
}
