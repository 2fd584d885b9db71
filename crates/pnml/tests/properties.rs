//! A property file that has everything in it once: read, looked at, written, and read again.

use std::collections::BTreeSet;

use pnml::properties::{self, Comparison, FormulaShape, Property, QuantityShape, Question};
use pnml::{Limits, read, render};

const NET: &str = include_str!("nets/partitions.pnml");
const PROPERTIES: &str = include_str!("nets/partitions.properties.xml");

fn properties(text: &str) -> Vec<Property> {
    properties::read(text, &Limits::default())
        .unwrap_or_else(|errors| panic!("{}", render(&errors, "properties", text, false)))
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
    let Question::Holds(formula) = &list[0].question else { panic!("{:?}", list[0]) };
    let FormulaShape::AllPaths(globally) = &formula.shape else { panic!("{formula:?}") };
    let FormulaShape::Globally(all) = &globally.shape else { panic!("{globally:?}") };
    let FormulaShape::And(parts) = &all.shape else { panic!("{all:?}") };
    let FormulaShape::Compare(Comparison::LessOrEqual, left, right) = &parts[5].shape else {
        panic!("{:?}", parts[5])
    };
    assert_eq!(left.shape, QuantityShape::Constant(-1));
    assert!(matches!(&right.shape, QuantityShape::Tokens(places) if places.len() == 2));
    assert!(PROPERTIES[right.span.range()].starts_with("<tokens-count>"));
    let Question::Value(quantity) = &list[2].question else { panic!("{:?}", list[2]) };
    assert!(matches!(&quantity.shape, QuantityShape::Bound(places) if places.len() == 2));
}

#[test]
fn places_and_transitions_are_looked_for_in_the_net() {
    let document = read(NET, &Limits::default()).expect("it is right");
    let check = |text: &str| properties::check(&properties(text), &document.nets[0], text);
    assert_eq!(check(PROPERTIES), Ok(()));
    let misspelt =
        PROPERTIES.replacen(">stations<", ">station<", 1).replacen(">go<", ">floors<", 1);
    let errors = check(&misspelt).expect_err("two are not there");
    let found: Vec<_> = errors.iter().map(|e| (e.code, &*e.message, e.help.as_deref())).collect();
    let ids = Some("places and transitions are meant by their identifiers");
    assert_eq!(
        found,
        [
            ("P0401", "the net has no transition `floors`", ids),
            ("P0401", "the net has no place `station`", Some("did you mean `stations`?")),
        ]
    );
}
