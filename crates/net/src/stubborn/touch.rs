//! What is done with the tokens of a place.

/// What a transition, or a thread from now on, does with a place, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Touch(u8);

impl Touch {
    /// Tokens are taken.
    pub(super) const TAKES: Touch = Touch(1);
    /// Tokens, or threads, are looked at.
    pub(super) const READS: Touch = Touch(2);
    /// Tokens are put.
    pub(super) const PUTS: Touch = Touch(4);
    /// Tokens, or threads, disable it.
    pub(super) const FORBIDS: Touch = Touch(8);
    /// A thread that takes part comes here.
    pub(super) const ENTERS: Touch = Touch(16);
    /// A thread that takes part goes away.
    pub(super) const LEAVES: Touch = Touch(32);

    /// What is disturbed by what: the former is no longer possible, or possible in another way, when the latter has
    /// happened; or the latter is no longer possible when the former has.
    ///
    /// Tokens that are put may be taken by others after that, and threads may follow each other: that only
    /// enables them. Threads that go each take their own token.
    const DISTURBED: [(Touch, u8); 6] = [
        (Touch::TAKES, Touch::TAKES.0 | Touch::READS.0 | Touch::PUTS.0),
        (Touch::READS, Touch::TAKES.0 | Touch::PUTS.0 | Touch::ENTERS.0 | Touch::LEAVES.0),
        (Touch::FORBIDS, Touch::TAKES.0 | Touch::PUTS.0 | Touch::ENTERS.0 | Touch::LEAVES.0),
        (Touch::PUTS, Touch::FORBIDS.0),
        (Touch::ENTERS, Touch::FORBIDS.0),
        (Touch::LEAVES, Touch::READS.0),
    ];

    /// Both.
    #[must_use]
    pub(super) fn and(self, other: Touch) -> Touch {
        Touch(self.0 | other.0)
    }

    /// Whether the two have something in common.
    pub(super) fn meets(self, other: Touch) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the tokens of the place are others afterwards.
    pub(super) fn changes(self) -> bool {
        let all = [Touch::TAKES, Touch::PUTS, Touch::ENTERS, Touch::LEAVES];
        all.into_iter().any(|change| self.meets(change))
    }

    /// Whether the order in which this and `theirs` are done makes a difference to this.
    pub(super) fn is_disturbed_by(self, theirs: Touch) -> bool {
        Touch::DISTURBED.iter().any(|&(mine, by)| self.meets(mine) && theirs.meets(Touch(by)))
    }
}
