//! What is observed of columns, in words.

use fold::Interest;
use state::Relation;

use super::{Observed, is_identity};
use crate::{Net, PlaceId};

impl Observed {
    /// For each column that holds identities, what it is called, and what is asked of them.
    #[must_use]
    pub fn words(&self, net: &Net) -> Vec<(String, String)> {
        let mut words = Vec::new();
        for (id, place) in (0..).map(PlaceId).zip(&net.places) {
            for (at, column) in place.columns.iter().enumerate() {
                if is_identity(column.sort) {
                    let is_thread = place.is_flow() && at == 0;
                    words.push((place.column_name(at), self.asked(self.of(id, at), is_thread)));
                }
            }
        }
        words
    }

    /// What an interest is in.
    fn asked(&self, interest: Interest, is_thread: bool) -> String {
        let named = |relations: [Relation; 2]| {
            let known = relations.into_iter().filter(|relation| self.relations.contains(*relation));
            known.map(Relation::name).collect::<Vec<_>>().join(" and ")
        };
        let ancestors = named([Relation::Parent, Relation::Ancestor]);
        let siblings = named([Relation::NextSibling, Relation::ElderSibling]);
        let mut asked = Vec::new();
        if interest.includes(Interest::EQUALITY) && !is_thread {
            asked.push("who it is".to_owned());
        }
        let (first, second) = (Interest::ANCESTOR, Interest::DESCENDANT);
        match (interest.includes(first), interest.includes(second)) {
            (true, true) => asked.push(format!("{ancestors}, on either side")),
            (true, false) => asked.push(format!("{ancestors}, of others")),
            (false, true) => asked.push(format!("{ancestors}, its own")),
            (false, false) => {}
        }
        if interest.includes(Interest::SIBLING) {
            asked.push(siblings.clone());
        }
        if interest.includes(Interest::NEXT) {
            asked.push(format!("{siblings} of its next child"));
        }
        match (asked.is_empty(), is_thread) {
            (true, true) => "where it is".to_owned(),
            (true, false) => "nothing: it is left out".to_owned(),
            (false, _) => asked.join("; "),
        }
    }
}
