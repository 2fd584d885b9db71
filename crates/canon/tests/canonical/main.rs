//! What a canonical labelling promises, checked against oracles that share no code with it.
//!
//! Every check runs with whole hashes and with hashes cut to eight and to three bits.

mod brute_force;
mod composed;
mod families;
mod known;
mod oracle;
mod random;
mod relabelling;

use canon::{Canoniser, Structure};

/// The widths of hashes under test.
pub const WIDTHS: [u32; 3] = [64, 8, 3];

/// The canonical form: the structure as it looks under its canonical labelling.
pub fn form(canoniser: &mut Canoniser, s: &Structure) -> Structure {
    let canonical = canoniser.canonise(s);
    let (order, position) = (canonical.order(), canonical.position());
    for (i, &a) in order.iter().enumerate() {
        assert_eq!(position[a as usize] as usize, i, "order and position are inverse");
    }
    let colours = order.iter().map(|&a| s.colours()[a as usize]);
    assert!(colours.is_sorted(), "positions ascend with colours");
    s.relabelled(position)
}

/// A worker may own a canoniser, and threads may share structures.
#[test]
fn canonisers_can_be_sent() {
    fn sent<T: Send>() {}
    fn shared<T: Send + Sync>() {}
    sent::<Canoniser>();
    shared::<Structure>();
}
