//! What is not decided, and why.

use state::Relations;

/// Why a question is not decided. The text says what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Neither CTL nor LTL.
    #[error(
        "it mixes linear time (`always`, `eventually`, `until`, …) with branching time \
         (`reachable`, `deadlock_free`, AG, EF, …); make it several properties, or say all of it in \
         one of the two"
    )]
    Mixed,
    /// `exists h entering …`.
    #[error(
        "it says of some thread what can only be asked of all that enter a place; write `forall`, \
         or ask for the opposite"
    )]
    SomeThreadFollowed,
    /// `entering` inside of something else.
    #[error(
        "a thread is followed inside of something else, or beside another: `entering` can only \
         come first, and once; make it a property of its own"
    )]
    FollowedInside,
    /// A quantifier over what is in one state, around a statement about later ones.
    #[error(
        "it says of the threads or tokens of one state what becomes of them later; to follow a \
         thread, write `forall p entering PLACE: …`"
    )]
    QuantifiedPath,
    /// `no_one_stuck` or `everyone_can_end` inside of something else.
    #[error(
        "it says `no_one_stuck` or `everyone_can_end` under an operator on the future, or of a \
         thread that is followed; make it a property of its own"
    )]
    EveryoneInside,
    /// Fairness and CTL.
    #[error(
        "fairness is assumed, and it says of paths of branching time that they go on for ever (EG, \
         AF, AU), of which it is not known which are fair; say it in linear time, or assume no \
         fairness"
    )]
    FairBranching,
    /// Fairness of two strengths.
    #[error(
        "fairness of threads and of members of classes is either weak for all or strong for all; \
         assume the strong one of both"
    )]
    TwoStrengths,
    /// Fairness of members of classes, or of transitions.
    #[error(
        "fairness is assumed of members of a class or of transitions, of which the machine knows \
         nothing; check it on the net, or assume it of threads or of arms"
    )]
    FairMembers,
    /// The relations given are too few.
    #[error(
        "it observes {missing}, which the relations given do not contain; leave out --relations, or \
         add {missing}"
    )]
    TooFewRelations {
        /// What is missing.
        missing: Relations,
    },
    /// Threads and tokens are not told apart.
    #[error(
        "it looks at single threads or tokens; decision diagrams know only how many tokens places \
         have: use --engine explicit"
    )]
    Individuals,
    /// Fairness, which diagrams do not know.
    #[error(
        "fairness is assumed, and decision diagrams do not know which runs are fair: use --engine \
         explicit, or assume no fairness"
    )]
    FairDiagrams,
    /// It is not linear.
    #[error("products and quotients of numbers of tokens are not compared")]
    NotLinear,
    /// A number is too large.
    #[error("a number is too large")]
    Overflow,
}
