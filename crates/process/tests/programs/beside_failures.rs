//! What is decided of models that can fail.

use crate::{outcomes, require};

const MODEL: &str = "model failing
    shared n: 0..=2 = 0
    process main { spawn other()   assert n == 0 }
    process other { n = 2 }";

#[test]
fn properties_of_states_are_decided_whatever_is_assumed_of_runs() {
    for assumed in ["", "fair threads", "strongly fair threads", "fair main.giving"] {
        let model = match assumed {
            "fair main.giving" => MODEL.replace("assert", "select { giving: timeout {} }   assert"),
            _ => MODEL.to_owned(),
        };
        let properties = [
            ("always n <= 2", "holds"),
            ("always n <= 1", "fails"),
            ("reachable n == 2", "holds"),
            ("no_one_stuck", "holds"),
            ("deadlock_free", "holds"),
            ("everyone_can_end", "holds"),
            ("race_free", "fails"),
            ("eventually n == 2", "unknown"),
            ("always n == 0 implies eventually n == 2", "unknown"),
            ("AG EF n == 2", "unknown"),
        ];
        require(&format!("{model}\n{assumed}"), &properties);
    }
    let outcome = &outcomes(MODEL, &["always n <= 2", "eventually n == 2"], false)[1];
    let why = "an assertion fails, and what all runs do is decided only where none can";
    assert!(format!("{:?}", outcome.verdict).contains(why), "{:?}", outcome.verdict);
}

/// Who has crashed is not ended by what fails later: then it matters in which order that comes.
#[test]
fn a_failure_ends_those_who_have_not_crashed() {
    let model = "model crashing
        shared ready: bool = false
        shared given = new channel[bool](capacity: 0)
        shared taken = new channel[bool](capacity: 0)
        process main {
            let waiting = spawn waits()
            spawn closes(waiting)
            select { taken.receive() {}  given.send(true) {} }
        }
        process waits { atomic { await ready } }
        process closes(waiting: any process) { given.close()  crash waiting }";
    require(model, &[("no_one_stuck", "holds"), ("everyone_can_end", "holds")]);
}

#[test]
fn labels_that_stand_at_several_points_are_entered_at_any() {
    let model = |early: &str| {
        format!(
            "model several
            shared atomic n: 0..=4 = 0
            process main {{
                defer {{ L: n = 4 }}
                n = 1
                {early}
                n = 2
            }}
            fair threads"
        )
    };
    for (early, after) in [
        ("if n == 1 { return }", "n == 1"),
        ("choose x in bool   if x { return }", "n == 1 or n == 2"),
        ("", "n == 2"),
    ] {
        let properties = [
            ("forall w entering main.L: eventually ended(w)", "holds"),
            (&*format!("forall w entering main.L: {after}"), "holds"),
            ("forall w entering main.L: n == 4", "fails"),
        ];
        require(&model(early), &properties);
    }
}
