//! Mistakes that tests plant: each leaves out a rule that looks as if it could be left out.
//!
//! Outside of the unit tests of this crate none is ever planted, and what asks for them is compiled to nothing.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    // In canonical form.
    /// Of a cell only one object is tried as the first.
    OneCandidate,
    /// The cell counts that comes first, not the smallest one.
    FirstCell,
    /// Colours are hashes of two bits, so that many are equal by chance. It is slower, and no mistake.
    FewColours,
    /// What is in a bag is named by it.
    NamesThroughBags,
    /// The bags that contain an object are left out.
    NoMemberships,
    /// Which bag of its owner contains an object is left out.
    NoBagNumbers,
    /// How often an object is in a bag is left out. It is in none twice, so this is no mistake.
    NoMultiplicity,
    /// The parts of a component are written in any order.
    UnsortedParts,
    /// The objects of a component stay in the order in which they are.
    OrderKept,
    /// Threads that have ended are kept.
    EndedKept,
    // In members.
    /// Sets of members that are alike are sorted.
    MembersSorted,
    /// All members of a class are in one part.
    OnePart,
    /// Members of a cyclic class have no neighbours but themselves.
    NoRing,
    // In what is read back.
    /// Elements are added to their bags before what is in them.
    UnsortedMembers,
    /// Parts with strings of the same length are interchangeable.
    AlikeByLength,
    /// Nothing is interchangeable. It is slower, and no mistake.
    NothingAlike,
    // In moves.
    /// Satellites that mention a hub that is lost stay as they are.
    LostHubs,
    /// Bags of hubs that are cleared keep the others.
    ClearedBags,
    /// Satellites whose hubs have other names keep the order of their objects.
    NotCanonisedAgain,
    /// Hubs have other names, and satellites stay as they are.
    NotRenamed,
    /// A bag of a hub has only the elements that are there.
    PartialBags,
    /// The same where it is compared with another one.
    PartialElements,
    /// The key of a map that is a hub is there if it is anywhere.
    HubKeys,
    /// A bag of a hub may be anywhere.
    MisplacedBags,
    /// Who polls asks only for those in its own part of the state.
    OwnPolls,
    /// Of interchangeable threads that can meet somebody only the first is noted. That is no mistake: if one of them can
    /// meet somebody, so can the first.
    FirstsMeet,
    /// Equal copies of a satellite do not meet.
    EqualCopies,
    /// Of interchangeable threads of a satellite only the first is met.
    FirstMet,
    /// Fields of hubs are no part of the footprint.
    NoFields,
    /// Whether a hub that is a thread has ended is no part of the footprint.
    NoEndings,
    /// A move that changes references from hub to hub is remembered by its footprint.
    HubReferences,
    // In what threads may still do.
    /// Children do nothing.
    NoChildren,
    /// What is started in a loop that is done at once is started once.
    LoopsOnce,
    /// A variable has the value that it has now for ever.
    OldVariables,
    /// What is done to some object is done to any.
    SureOfAnything,
    /// Who looks whether a step can be done waits for it.
    TriersWait,
    /// Nobody gives others references.
    NothingPassed,
    /// Nobody asks whether another one has ended.
    NobodyAsks,
    // In who runs on.
    /// Who may go several ways, of which one can be gone now, goes that.
    OnlyWay,
    /// Of what may come of a move, anything does.
    AnyOutcome,
    /// Who is where it may wait for ever does not stay there.
    PassesIdle,
    /// Who can be met is not.
    NobodyMeets,
    /// Nobody is looked for without being waited for.
    UnseenArrivals,
    /// Who goes round goes round as long as moves are joined. It is slower, and no mistake.
    GoesRound,
    // In what others may do meanwhile.
    /// Who waits may act at any time. Fewer run on, and it is no mistake.
    NobodyWaits,
    /// Who waits does so until the other has acted.
    NobodyWakes,
    /// The end of a thread wakes nobody.
    EndsWakeNobody,
    /// Who polls waits.
    PollersWait,
    /// Who can be met waits.
    MeetersWait,
    /// Those who are alike do nothing. That was never noticed: whoever of them goes first, it is the same.
    OwnCopyOnly,
    /// Of satellites that are alike there is one.
    OneOfEach,
    /// What is in sets is reached by nobody.
    NoElements,
    /// Global variables are reached by nobody.
    NoGlobals,
    /// Others change nothing.
    UnseenWrites,
    /// Others read nothing.
    UnseenReads,
    /// Who has not ended does not end.
    NobodyEnds,
    /// What is found by a variable is another object.
    OtherObjects,
    // In steps that are tried.
    /// They are tried on the fields as they are, and not on what others make of them.
    TriedNow,
    /// Others do each once.
    TriedOnce,
    /// Others may be kept from what they could do before.
    KeepsOff,
    /// Results are not compared.
    AnyResult,
    /// The order in which fields are changed is not compared.
    AnyOrder,
    /// Nobody fails after others.
    NobodyFails,
    /// Who may do something else to the object first does not.
    WaitsFirst,
}

#[cfg(test)]
thread_local! {
    static PLANTED: std::cell::Cell<Option<Mistake>> = const { std::cell::Cell::new(None) };
}

/// Whether a mistake is planted.
#[cfg(test)]
pub(crate) fn planted(mistake: Mistake) -> bool {
    PLANTED.get() == Some(mistake)
}

/// Whether a mistake is planted.
#[cfg(not(test))]
pub(crate) const fn planted(_: Mistake) -> bool {
    false
}

/// Does something; if the first mistake is planted, the second is meanwhile.
#[cfg(test)]
pub(crate) fn instead<T>([planted, other]: [Mistake; 2], act: impl FnOnce() -> T) -> T {
    let before = PLANTED.get();
    PLANTED.set(if before == Some(planted) { Some(other) } else { before });
    let done = act();
    PLANTED.set(before);
    done
}

/// Does something.
#[cfg(not(test))]
pub(crate) fn instead<T>(_: [Mistake; 2], act: impl FnOnce() -> T) -> T {
    act()
}

/// Does something with a mistake planted; gives nothing if that panics.
#[cfg(test)]
pub(crate) fn with<T>(mistake: Mistake, act: impl FnOnce() -> T) -> Option<T> {
    PLANTED.set(Some(mistake));
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(act));
    PLANTED.set(None);
    done.ok()
}
