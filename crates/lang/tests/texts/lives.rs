//! Idle places, what is done to threads by others, crashes, failures, and what is said of all threads: read, written,
//! laid out.

use lang::{Compilation, compile, format, write};
use net::{Fate, Formula, Net};

const MODEL: &str = "model lives
flow main, working, crash
idle flow idle, listening(n: 0..=3)
flow passive
place fails
start main, listening(0)
transition begin { move m: main -> idle   spawn w from m: working }
transition kill { stay m: idle   passive move w: working -> passive }
transition lose { passive crash w: working   crash c: crash }
transition drop { passive end w: passive   passive stay m: main }
transition full fails { read l: listening(3) }
transition late(n: 0..=3) fails `it is too late` { read l: listening(n), fails   when n > 1 }
property leak: no_one_stuck and everyone_can_end
";

fn net(text: &str) -> Net {
    let Compilation { net, diagnostics, .. } = compile(text, &[]);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render("lives.kin", text, false));
    net.expect("nothing is wrong")
}

#[test]
fn what_is_written_is_understood() {
    let net = net(MODEL);
    let idle: Vec<&str> = net.places.iter().filter(|p| p.idle).map(|p| &*p.name).collect();
    assert_eq!(idle, ["idle", "listening"]);
    let parts = net.transitions.iter().flat_map(|transition| {
        transition.participants.iter().map(|part| {
            let fate = match part.fate {
                Fate::Move { .. } => "move",
                Fate::Stay => "stay",
                Fate::End => "end",
                Fate::Crash => "crash",
            };
            (&*transition.name, fate, part.passive)
        })
    });
    assert_eq!(
        parts.collect::<Vec<_>>(),
        [
            ("begin", "move", false),
            ("kill", "stay", false),
            ("kill", "move", true),
            ("lose", "crash", true),
            ("lose", "crash", false),
            ("drop", "end", true),
            ("drop", "stay", true),
        ]
    );
    let failures: Vec<Option<&str>> =
        net.transitions.iter().map(|transition| transition.failure.as_deref()).collect();
    assert_eq!(failures, [None, None, None, None, Some("full"), Some("it is too late")]);
    let Formula::Binary(_, a, b) = &net.properties[0].formula else { panic!("it is `and`") };
    assert_eq!((&**a, &**b), (&Formula::NoOneStuck, &Formula::EveryoneCanEnd));
}

#[test]
fn what_is_written_again_is_the_same() {
    let first = net(MODEL);
    let text = write(&first);
    assert_eq!(net(&text), first, "{text}");
    assert_eq!(format(MODEL).unwrap(), MODEL);
    assert_eq!(format(&text).map(|laid_out| net(&laid_out)).unwrap(), first);
}

#[test]
fn mistakes_have_a_way_out() {
    for (wrong, right, code, said) in [
        ("idle flow idle, listening(n: 0..=3)", "idel flow listening(n: 0..=3)", "E0101", "`idle`"),
        ("passive end w: passive", "passive spawn w: passive", "E0101", ""),
        ("passive stay m: main", "passive m: main", "E0101", ""),
        ("crash c: crash", "crash crash", "E0101", "names the thread first"),
    ] {
        let text = MODEL.replacen(wrong, right, 1);
        let Compilation { net, diagnostics, .. } = compile(&text, &[]);
        let rendered = diagnostics.render("lives.kin", &text, false);
        assert!(net.is_none() && rendered.contains(code) && rendered.contains(said), "{rendered}");
    }
}
