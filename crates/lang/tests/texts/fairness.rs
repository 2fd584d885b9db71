//! What is assumed of runs: read, written, laid out.

use lang::{Compilation, compile, format, write};
use net::{EnumId, Fairness, Net, Strength, TransitionId, Whom};
use random::for_seeds;

const FAIRNESS: &str = include_str!("../corpus/fairness.kin");

fn net(text: &str) -> Net {
    let Compilation { net, diagnostics, .. } = compile(text, &[]);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render("fairness.kin", text, false));
    net.expect("nothing is wrong")
}

#[test]
fn assumptions_are_in_the_order_of_writing() {
    let net = net(FAIRNESS);
    let called = |fairness: &Fairness| {
        let (kind, name) = match fairness.of {
            Whom::Threads => ("each", "thread"),
            Whom::Transition(id) => ("transition", net.transition(id).name.as_str()),
            Whom::Class(id) => ("class", net.enumerations[id.index()].name.as_str()),
            Whom::Action(id) => ("action", net.actions[id.index()].name.as_str()),
        };
        let word = match fairness.strength {
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        };
        format!("{word} {kind} {name}")
    };
    let found: Vec<String> = net.fairness.iter().map(called).collect();
    assert_eq!(
        found,
        [
            "weak each thread",
            "weak transition begin",
            "strong class Site",
            "strong transition finish",
            "strong class Mode",
            "weak class threads",
            "weak class grant",
            "weak transition grant",
            "weak class grant_",
            "weak transition fair",
            "weak transition speed",
        ]
    );
}

#[test]
fn assumptions_are_written_so_that_they_are_read_again() {
    let net = net(FAIRNESS);
    let text = write(&net);
    let written: Vec<&str> = text.lines().filter(|line| line.contains("fair ")).collect();
    assert_eq!(
        written,
        [
            "fair threads",
            "fair begin",
            "strongly fair Site",
            "strongly fair finish",
            "strongly fair Mode",
            "fair `threads`",
            "fair class grant",
            "fair transition grant",
            "fair grant_",
            "fair `fair`",
            "fair speed",
        ]
    );
    assert_eq!(self::net(&text), net, "{text}");
}

/// Whatever is assumed of the nets of the corpus, in whatever order.
#[test]
fn any_assumptions_survive_being_written() {
    let corpus = [
        FAIRNESS,
        include_str!("../corpus/server.kin"),
        include_str!("../corpus/everything.kin"),
        include_str!("../corpus/classes.kin"),
        include_str!("../corpus/names.kin"),
    ];
    for text in corpus {
        let plain = net(text);
        let transitions = (0..).map(TransitionId).take(plain.transitions.len());
        let classes = (0..).map(EnumId).take(plain.enumerations.len());
        let everyone: Vec<Whom> = (transitions.map(Whom::Transition))
            .chain(classes.map(Whom::Class))
            .chain([Whom::Threads])
            .collect();
        for_seeds(0..100, |seed, random| {
            let mut left = everyone.clone();
            let count = random.below(left.len() + 1);
            let fairness = (0..count).map(|_| Fairness {
                strength: [Strength::Weak, Strength::Strong][random.below(2)],
                of: left.swap_remove(random.below(left.len())),
            });
            let assumed = Net { fairness: fairness.collect(), ..plain.clone() };
            let written = write(&assumed);
            let again = compile(&written, &[]);
            let drawn = again.diagnostics.render("written.kin", &written, false);
            assert_eq!(again.net.as_ref(), Some(&assumed), "seed {seed}: {drawn}{written}");
        });
    }
}

#[test]
fn assumptions_are_laid_out() {
    let formatted = format(FAIRNESS).expect("it parses");
    assert_eq!(net(&formatted), net(FAIRNESS));
    assert_eq!(format(&formatted).as_ref(), Ok(&formatted));
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("format_fairness", formatted);
    });
    let names: Vec<String> = (0..40).map(|i| format!("transition_{i}")).collect();
    let long = std::format!("model m\n\nstrongly fair {}\n", names.join(", "));
    let formatted = format(&long).expect("it parses");
    assert!(formatted.lines().all(|line| line.len() <= 100), "{formatted}");
    assert_eq!(
        formatted.split_whitespace().collect::<Vec<_>>(),
        long.split_whitespace().collect::<Vec<_>>()
    );
}

/// What did not parse may have declared whatever fairness is assumed of.
#[test]
fn a_mistake_elsewhere_is_not_repeated() {
    for (text, code) in [
        ("model m\nflow a(\nstart a\nfair threads\n", "E0101"),
        ("model m\nplace a = 1\ntransition t { take }\nfair t, threads\n", "E0101"),
        ("model m\nclass Site 3\nplace a = 1\nfair Site\n", "E0110"),
        ("model m\nplace a = b\nenum E { x }\nfair E, threads\n", "E0202"),
    ] {
        let diagnostics = compile(text, &[]).diagnostics;
        let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, [code], "{}", diagnostics.render("model.kin", text, false));
    }
}

/// A transition that is not finished is one, whatever was to be listed before it.
#[test]
fn a_list_that_is_not_finished_takes_no_declaration() {
    let text = "model m\nflow a\nstart a\nfair\ntransition go(n: 0..=3) { stay p: a }\n\
                fair go,\nclass Site symmetric 3\nfair\nenum Mode { on }\nproperty p: reachable enabled(go)\n";
    let diagnostics = compile(text, &[]).diagnostics;
    let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, ["E0101"; 3], "{}", diagnostics.render("model.kin", text, false));
}

#[test]
fn every_variable_that_a_mode_binds_counts() {
    for (transition, counts) in [
        ("t(s: Site) { take lock }", true),
        ("t { take free(s) }", true),
        ("t { read free(s) }", true),
        ("t { stay p: at_site(s) }", true),
        ("t { read h: at_site(s) }", true),
        ("t { take lock   let s = leader }", true),
        ("t { take 0 free(s) }", false),
        ("t { take free(_) }", false),
        ("t { take free(leader) }", false),
        ("t { take free(all s) }", false),
        ("t { take lock   unless free(s) }", false),
        ("t { take lock   put free(all s) }", false),
    ] {
        let text = format!(
            "model m\nclass Site symmetric leader 1, others 2\nplace lock = 1\nplace free: Site\n\
             flow at_site(s: Site)\nstart at_site(leader)\ntransition {transition}\nfair Site\n"
        );
        let Compilation { net, diagnostics, .. } = compile(&text, &[]);
        let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        let expected: &[&str] = if counts { &[] } else { &["W0002"] };
        assert_eq!(codes, expected, "{}", diagnostics.render("model.kin", &text, false));
        assert_eq!(net.map(|net| net.fairness.len()), Some(1));
    }
}
