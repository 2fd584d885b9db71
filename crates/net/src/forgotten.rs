//! Data that a model does not keep.
//!
//! A test on it has several outcomes, exactly one of which is real, and neither the scheduler nor the user decides which.
//! A thread that makes such a test is in a *forgotten* place ([`Place::forgotten`](crate::Place)), and what takes it from
//! there are the outcomes. Tests take no time: nothing else fires meanwhile. So a state in which somebody tests is followed
//! by outcomes alone, and who asks what can *still* happen can tell them from what can be chosen.

use state::State;

use crate::listing::Listed;
use crate::{Net, PlaceId, Transition};

impl Net {
    /// The places where threads learn how a test on data that is not kept turns out.
    pub fn forgotten_places(&self) -> impl Iterator<Item = PlaceId> {
        let places = (0..).map(PlaceId).zip(&self.places);
        places.filter(|(_, place)| place.forgotten).map(|(id, _)| id)
    }

    /// Whether some thread may ask for data that is not kept.
    #[must_use]
    pub fn has_forgotten(&self) -> bool {
        self.forgotten_places().next().is_some()
    }

    /// Whether a transition is how a test on data that is not kept may turn out: all its threads come from where one
    /// learns that.
    #[must_use]
    pub fn is_outcome(&self, transition: &Transition) -> bool {
        let participants = &transition.participants;
        !participants.is_empty() && participants.iter().all(|one| self.place(one.from).forgotten)
    }

    /// Whether some thread of a state learns how a test on data that is not kept turns out. Then only that can happen.
    #[must_use]
    pub fn is_forgotten_choice(&self, state: &State) -> bool {
        let mut places = self.forgotten_places();
        places.any(|place| state.tokens(&self.place(place).name).next().is_some())
    }

    /// What is tested in a state, if something is, and where.
    #[must_use]
    pub fn tested(&self, state: &State) -> Option<String> {
        let mut places = self.forgotten_places();
        let is_here = |place: &PlaceId| state.tokens(&self.place(*place).name).next().is_some();
        let place = places.find(is_here)?;
        let listed = self.listing.as_ref().and_then(|listing| listing.places.get(&place));
        Some(match listed {
            Some(Listed::Point { line, .. }) if line.in_prelude => "a test in the library".into(),
            Some(Listed::Point { line, .. }) => format!("`{}` at {}", line.text, line.place()),
            _ => format!("what is tested at `{}`", self.place(place).name),
        })
    }
}
