//! Mistakes that are planted in the library of the translation: kernels that are blocked only because of what was
//! changed are found to hold. So the collection would notice such a mistake.

use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use decide::{Checking, Verdict, verify};
use go::{Options, Source};
use survey::Plan;

use crate::collection::programs;

/// A kernel, where the change is in its processes, what is changed there, and into what.
const PLANTED: [(&str, &str, &str, &str); 5] = [
    // Readers pass a writer that waits.
    ("cockroach_3710", "step read_lock", "await holder == none", "await not inside"),
    ("cockroach_6181", "step read_lock", "await holder == none", "await not inside"),
    ("cockroach_16167", "step read_lock", "await holder == none", "await not inside"),
    // Who sends does not wait for room.
    (
        "cockroach_18101",
        "step send",
        "await len(items) < capacity",
        "if len(items) == capacity { return }",
    ),
    (
        "cockroach_35931",
        "step send",
        "await len(items) < capacity",
        "if len(items) == capacity { return }",
    ),
];

#[test]
fn planted_mistakes_change_what_is_said() {
    let kernels = programs("kernels");
    for (name, after, from, to) in PLANTED {
        let known = kernels.iter().find(|one| one.name == name).expect("there is such a kernel");
        let source = Source { name: "kernel.go", text: &known.text };
        let kin = go::translate(&[source], &Options::default()).kin.expect("it is understood");
        let changed = kin.split_inclusive(after).enumerate().map(|(number, part)| match number {
            0 => part.to_owned(),
            _ => part.replacen(from, to, 1),
        });
        let changed: String = changed.collect();
        assert_ne!(changed, kin, "{name}: `{from}` is not there");
        for (text, is_stuck) in [(kin, true), (changed, false)] {
            let net = Arc::new(lang::compile(&text, &[]).net.expect("the text is right"));
            let budget = Budget::unlimited().within(Duration::from_secs(60));
            let plan = Plan { budget, ..Plan::default() };
            let checking = Checking { plan, ..Checking::default() };
            let report = verify(&net, &net.default_properties(), &checking, &mut |_| {});
            let verdict = &report.expect("it can be decided").outcomes[0].verdict;
            let found =
                (matches!(verdict, Verdict::Fails(_)), matches!(verdict, Verdict::Holds { .. }));
            assert_eq!(found, (is_stuck, !is_stuck), "{name}, changed: {}: {verdict:?}", !is_stuck);
        }
    }
}
