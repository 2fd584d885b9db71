//! A property file that has everything in it once: read, looked at, written, and read again.

use std::collections::BTreeSet;

use net::{BinaryOp, Expr, Formula, Literal, PathOp};
use pnml::properties::{self, Claim, Operator, Property, Reading};
use pnml::{Limits, read, to_net};

const NET: &str = include_str!("../nets/partitions.pnml");
const PROPERTIES: &str = include_str!("../nets/partitions.properties.xml");

fn properties(text: &str) -> Vec<Property> {
    properties::read(text, &Limits::default())
        .unwrap_or_else(|errors| panic!("{}", errors.render("properties", text, false)))
}

#[test]
fn what_is_written_is_read_again() {
    let list = properties(PROPERTIES);
    let written = properties::write(&list);
    assert_eq!(properties(&written), list);
    assert_eq!(properties::write(&properties(&written)), written);
    // Everything but what is read over is written.
    let elements = |text: &str| -> BTreeSet<String> {
        let names = text.split('<').skip(1).filter(|tag| !tag.starts_with(['/', '?', '!']));
        names.map(|tag| tag.split([' ', '>', '/']).next().unwrap_or_default().into()).collect()
    };
    let mut expected = elements(PROPERTIES);
    assert!(expected.remove("tags") && expected.remove("is-structural"));
    assert_eq!(elements(&written), expected);
}

#[test]
fn formulas_are_what_their_elements_say() {
    let list = properties(PROPERTIES);
    let ids: Vec<&str> = list.iter().map(|property| property.id.text.as_str()).collect();
    assert_eq!(ids, ["every-0", "every-1", "every-2"]);
    assert!(list[0].description.as_ref().is_some_and(|text| text.starts_with("Every element")));
    let operators: Vec<&Operator> =
        std::iter::successors(Some(&list[0].formula), |formula| formula.operands.first())
            .map(|formula| &formula.operator)
            .collect();
    let all = Operator::Binary(BinaryOp::And);
    assert_eq!(operators[..3], [&Operator::AllPaths, &Operator::Globally, &all]);
    let compared = &list[0].formula.operands[0].operands[0].operands[5];
    assert_eq!(compared.operator, Operator::Binary(BinaryOp::LessEqual));
    let [left, right] = &compared.operands[..] else { panic!("{compared:?}") };
    assert_eq!(left.operator, Operator::Constant(-1));
    assert!(matches!(&right.operator, Operator::Tokens(places) if places.len() == 2));
    assert!(PROPERTIES[right.span.range()].starts_with("<tokens-count>"));
    assert!(list[2].formula.is_integer() && !list[0].formula.is_integer());
    assert!(matches!(&list[2].formula.operator, Operator::Bound(places) if places.len() == 2));
}

#[test]
fn places_and_transitions_are_looked_for_in_the_net() {
    let document = read(NET, &Limits::default()).expect("it is right");
    let net = to_net(&document, NET).expect("it has a net");
    let claims = |text: &str| properties::claims(&properties(text), &net, Reading::Branching, text);
    let errors = |text: &str| claims(text).into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert!(errors(PROPERTIES).iter().flatten().all(|error| error.code == "P0403"));
    for (from, to, message, help) in [
        (
            ">go<",
            ">floors<",
            "the net has no transition `floors`",
            "places and transitions are named by their identifiers",
        ),
        (">stations<", ">station<", "the net has no place `station`", "did you mean `stations`?"),
    ] {
        let misspelt = PROPERTIES.replacen(from, to, 1);
        let errors = errors(&misspelt);
        let mut found = errors.iter().flatten().filter(|error| error.code == "P0401");
        let found = found.next().map(|error| (&*error.message, error.help.as_deref()));
        assert_eq!(found, Some((message, Some(help))));
    }
}

/// What a formula, written as XML, claims of the net.
fn claim(formula: &str, reading: Reading) -> Result<Claim, String> {
    let text = format!(
        r#"<property-set xmlns="http://mcc.lip6.fr/"><property><id>p</id>
        <formula>{formula}</formula></property></property-set>"#
    );
    let document = read(NET, &Limits::default()).expect("it is right");
    let net = to_net(&document, NET).expect("it has a net");
    let mut claims = properties::claims(&properties(&text), &net, reading, &text);
    claims.pop().expect("there is one").map_err(|errors| errors.to_string())
}

fn formula(text: &str, reading: Reading) -> Formula {
    match claim(text, reading) {
        Ok(Claim::Holds(property)) => property.formula,
        other => panic!("{other:?}"),
    }
}

const GO: &str = "<is-fireable><transition>go</transition></is-fireable>";

#[test]
fn paths_are_read_as_branching_or_linear() {
    let go = || Box::new(Formula::Term(Expr::Enabled(net::TransitionId(0))));
    let path = |op, inner| Formula::Path(op, inner);
    let next = format!("<all-paths><next>{GO}</next></all-paths>");
    assert_eq!(formula(&next, Reading::Branching), path(PathOp::AllNext, go()));
    assert_eq!(formula(&next, Reading::Linear), path(PathOp::Next, go()));
    // A goes through negation and conjunction.
    let text = format!(
        "<all-paths><conjunction><negation><finally>{GO}</finally></negation>{GO}</conjunction></all-paths>"
    );
    let never = Formula::Not(Box::new(path(PathOp::SomeFinally, go())));
    let both = Formula::Binary(BinaryOp::And, Box::new(never), go());
    assert_eq!(formula(&text, Reading::Branching), both);
    // What is of linear time only.
    let often = format!("<all-paths><globally><finally>{GO}</finally></globally></all-paths>");
    let expected = path(PathOp::Always, Box::new(path(PathOp::Eventually, go())));
    assert_eq!(formula(&often, Reading::Linear), expected);
    let refused = claim(&often, Reading::Branching).expect_err("it is not of branching time");
    assert!(refused.ends_with("[P0403]"), "{refused}");
    // What is of branching time only.
    let home = format!(
        "<all-paths><globally><exists-path><finally>{GO}</finally></exists-path></globally></all-paths>"
    );
    let expected = path(PathOp::AllGlobally, Box::new(path(PathOp::SomeFinally, go())));
    assert_eq!(formula(&home, Reading::Branching), expected);
    let refused = claim(&home, Reading::Linear).expect_err("it is not of linear time");
    assert!(refused.ends_with("[P0403]"), "{refused}");
}

#[test]
fn tokens_are_counted_whatever_their_colours() {
    let text = "<place-bound><place>stations</place><place>floors</place></place-bound>";
    let Ok(Claim::Greatest(Expr::Binary(BinaryOp::Add, a, b))) = claim(text, Reading::Branching)
    else {
        panic!("a sum is asked for");
    };
    for term in [&*a, &*b] {
        assert!(matches!(term, Expr::Count(_, pattern) if pattern.iter().all(Option::is_none)));
    }
    assert_ne!(a, b);
    let text = "<integer-le><place-bound><place>floors</place></place-bound>\
        <integer-constant>1</integer-constant></integer-le>";
    let refused = claim(text, Reading::Branching).expect_err("bounds are of all markings");
    assert!(refused.ends_with("[P0403]"), "{refused}");
    let text = "<place-bound><place>floor</place></place-bound>";
    let refused = claim(text, Reading::Branching).expect_err("it is misspelt");
    assert!(refused.ends_with("the net has no place `floor` [P0401]"), "{refused}");
}

#[test]
fn equivalences_do_not_explode() {
    let nested = |leaf: &str| {
        let start = "<equivalence>".repeat(60);
        let ends = format!("{leaf}</equivalence>").repeat(60);
        formula_or_error(&format!("{start}{leaf}{ends}"))
    };
    // Of the present state they are comparisons of truth values.
    let Ok(Formula::Term(mut term)) = nested("<true/>") else { panic!("they are terms") };
    let mut depth = 0;
    while let Expr::Binary(BinaryOp::Equal, a, _) = term {
        depth += 1;
        term = *a;
    }
    assert_eq!((depth, term), (60, Expr::Literal(Literal::Bool(true))));
    let refused = nested("<exists-path><finally><true/></finally></exists-path>");
    assert!(refused.is_err_and(|error| error.contains("too large")), "2^60 parts were written out");
}

fn formula_or_error(text: &str) -> Result<Formula, String> {
    match claim(text, Reading::Branching)? {
        Claim::Holds(property) => Ok(property.formula),
        Claim::Greatest(term) => Err(format!("{term:?}")),
    }
}

/// What a model asks is said in the contest's words, and means the same when it is read again.
#[test]
fn properties_of_nets_are_written_as_far_as_files_can_say_them() {
    let text = "model m\nplace p: 0..=1 = 0, 1\nplace q\n\
        transition t { take p(x)   put q }\n\
        property a: AG (count(p) + count(q) == 2 and not count(q) > 2 * count(p) + 2)\n\
        property b: EF not enabled(t)\n\
        property c: (count(p) >= 1) AU (count(q) - 1 < 3)\n\
        property d: EG (count(q) <= 2 implies EX true)\n\
        property e: always (eventually count(q) == 2)\n\
        property f: (count(p) != 0) until (next count(q) >= 1)\n\
        property g: deadlock_free\n\
        property h: reachable count(p(1)) == 2\n\
        property i: always forall x in p: x >= 0\n\
        property j: (always count(q) < 3) and (reachable count(q) > 1)\n";
    let net = lang::compile(text, &[]).net.expect("the model is right");
    let said: Vec<_> = net.properties.iter().map(|p| properties::from_net(p, &net)).collect();
    let reasons: Vec<String> =
        said.iter().filter_map(|said| said.as_ref().err()).map(ToString::to_string).collect();
    assert_eq!(
        reasons,
        [
            "property `h`: it counts only some of the tokens of a place, which property files cannot say",
            "property `i`: it speaks of single threads or tokens, which property files cannot say",
            "property `j`: it mixes branching and linear time, which property files cannot say",
        ]
    );
    let said: Vec<Property> = said.into_iter().flatten().collect();
    let file = properties::write(&said);
    let again = properties::read(&file, &Limits::default()).expect("it can be read");
    assert_eq!(again, said);
    // But for the words that the language has besides: `deadlock_free`.
    for (reading, which) in [(Reading::Branching, 0..4), (Reading::Linear, 4..6)] {
        let claims = properties::claims(&again[which.clone()], &net, reading, &file);
        for (claim, property) in claims.into_iter().zip(&net.properties[which]) {
            let Ok(Claim::Holds(claim)) = claim else { panic!("{claim:?}") };
            assert_eq!(claim.formula, property.formula, "{}", property.name);
        }
    }
}
