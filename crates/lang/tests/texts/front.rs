//! Another front end: a language of counters, whose expressions, classes and properties are those of
//! `.kin` models.
//!
//! `counter NAME: SORT from EXPR while EXPR becomes EXPR` is a place with one number in it, and a
//! transition that changes it. In its expressions the counter stands for its value.

use diagnostics::{Diagnostics, Report};
use lang::front::{Expr, Name, Parsed, Parser, Resolver, Scope, SortSyntax};
use net::{Arc, InitialToken, InitialValue, Kind, Net, Origin, PlaceKind, Transition};

struct Counter<'a> {
    name: Name<'a>,
    sort: SortSyntax<'a>,
    start: Expr<'a>,
    condition: Expr<'a>,
    next: Expr<'a>,
}

fn counter<'a>(parser: &mut Parser<'a, '_>) -> Parsed<Counter<'a>> {
    parser.expect_word("counter")?;
    let name = parser.name("a counter")?;
    parser.expect_word(":")?;
    let sort = parser.sort()?;
    parser.expect_word("from")?;
    let start = parser.expression()?;
    parser.expect_word("while")?;
    let condition = parser.expression()?;
    parser.expect_word("becomes")?;
    Ok(Counter { name, sort, start, condition, next: parser.expression()? })
}

fn compile(text: &str) -> Result<Net, Report> {
    let mut diagnostics = Diagnostics::default();
    let mut counters = Vec::new();
    let mut parser = Parser::new(text, &["counter"], &mut diagnostics);
    while !parser.is_at_end() {
        match parser.is_word("counter") {
            false => parser.declaration(),
            true => match counter(&mut parser) {
                Ok(counter) => counters.push(counter),
                Err(_) => parser.skip(),
            },
        }
    }
    let model = parser.finish();
    let mut resolver = Resolver::new(&model, &mut diagnostics);
    resolver.declare(&[]);
    let mut tokens = Vec::new();
    for counter in &counters {
        tokens.extend(add(counter, &mut resolver));
    }
    let mut net = resolver.finish();
    net.tokens.extend(tokens);
    diagnostics.finish(text).into_result()?;
    Ok(net)
}

/// Adds the place and the transition of a counter; its token is returned.
fn add<'a>(counter: &Counter<'a>, resolver: &mut Resolver<'a, '_>) -> Option<InitialToken> {
    let name = counter.name;
    let sort = resolver.sort(&counter.sort)?;
    let place = resolver.add_place(name, PlaceKind::Ordinary, &[(name, sort)])?;
    let mut scope = Scope::of_transition();
    let value = resolver.bind(name, Kind::from(sort), &mut scope);
    let what = "what follows `while`";
    let guard = resolver.expression_of(&counter.condition, Kind::Bool, what, &mut scope);
    let (next, _) = resolver.expression(&counter.next, &mut scope)?;
    let arc = |value| Arc::new(place, vec![Some(value)], 1);
    let span = name.span.to(counter.next.span());
    let transition = Transition {
        variables: scope.into_variables(),
        takes: vec![arc(net::Expr::Var(value))],
        puts: vec![arc(next)],
        guard: guard.into_iter().collect(),
        origin: Origin::new(span.range()),
        ..Transition::default()
    };
    resolver.add_transition(name, transition);
    let start = resolver.constant(&counter.start, "the start of a counter")?;
    Some(InitialToken::new(place, vec![InitialValue::Data(start)], 1))
}

const TEXT: &str = "const most = 3\n\
    counter c: 0..=most from most - 3 while c < most becomes c + 1\n\
    enum Light { red, green }\n\
    counter light: Light from red while light == red becomes green\n\
    property bounded: always (count(c(3)) <= 1 and not enabled(light))\n";

#[test]
fn counters_are_nets() {
    let net = compile(TEXT).expect("it is right");
    let expected = lang::compile(
        "model m\nconst most = 3\nenum Light { red, green }\n\
         place c(c: 0..=3) = 0\nplace light(light: Light) = red\n\
         transition c { take c(c)   put c(c + 1)   when c < 3 }\n\
         transition light { take light(light)   put light(green)   when light == red }\n\
         property bounded: always (count(c(3)) <= 1 and not enabled(light))\n",
        &[],
    );
    // There the variables have other names, since places, transitions and variables share none.
    let expected = expected.net.expect("it is right");
    assert_eq!(net.places, expected.places);
    assert_eq!(net.tokens, expected.tokens);
    assert_eq!(net.transitions, expected.transitions);
    assert_eq!(net.properties, expected.properties);
    assert_eq!(net.check(), Vec::new());
    let origin = net.transitions[1].origin.range().expect("it was read");
    assert_eq!(&TEXT[origin], "light: Light from red while light == red becomes green");
}

#[test]
fn mistakes_are_reported_where_they_stand() {
    let errors = |from: &str, to: &str| {
        let text = TEXT.replacen(from, to, 1);
        compile(&text).expect_err(to).to_string()
    };
    assert_eq!(
        errors("becomes c", "becomes d"),
        "2:58: the variable `d` is bound to nothing [E0203]"
    );
    assert_eq!(
        errors("while c < most", "while c"),
        "2:41: expected a truth value, found an integer [E0301]"
    );
    assert_eq!(errors("from most", "form most"), "2:21: expected `from`, found `form` [E0101]");
    assert_eq!(errors("count(c(3))", "count(b)"), "5:33: there is no place named `b` [E0201]");
    assert_eq!(
        errors("green }", "green, c }"),
        "2:9: the variable `c` has the name of a value [E0205]"
    );
}
