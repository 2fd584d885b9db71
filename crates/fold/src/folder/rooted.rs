//! States in which nothing but ancestry ties pids together: forests.

use canon::Canoniser;

use super::code_of;
use crate::writer::Writer;
use crate::{Kin, Sight};

/// Appends the pids with their ancestors and own tokens, and gives the labelling.
pub(super) fn write<'c>(
    kin: &[Kin],
    own: &[u32],
    canoniser: &'c mut Canoniser,
    ancestors: Sight,
    writer: &mut Writer,
) -> &'c [u32] {
    // All that is known of a pid beside its ancestor: its own token, whether it is close to its
    // ancestor, and whether it is active.
    let colour = |kin: &Kin, own: &u32| {
        4 * own + 2 * u32::from(kin.ancestor.is_close()) + u32::from(kin.active)
    };
    let root = kin.len() as u32;
    let pids = kin.iter().zip(own).map(|(kin, own)| (colour(kin, own), kin.ancestor.pid_or(root)));
    let canonical = canoniser.canonise_forest(pids).expect("nobody descends from himself");
    let mut room = writer.room(1 + 2 * kin.len());
    room.write(root);
    for &(above, colour) in canonical.written() {
        let code = code_of(above, colour & 2 > 0, ancestors);
        room.write_two(2 * code + (colour & 1), colour >> 2);
    }
    canonical.position()
}
