//! What can go wrong with a net while it is fired.

use crate::PlaceId;

/// A marking that cannot be represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A token would be in a place more often than can be counted.
    #[error("place {} would hold a token more than 2^32 - 1 times", .0.0)]
    TooManyTokens(PlaceId),
    /// There would be too many dynamic subclasses.
    #[error("a marking would have more than 2^24 dynamic subclasses")]
    TooManySubclasses,
}
