//! Nets as `.kin` text: the model as it was understood.
//!
//! What is written compiles to the same net, as far as the language can say it: constants are inlined
//! already, and names that are no names in the language stand in backticks.

mod all;
mod expression;
mod fairness;
mod groups;
mod names;
mod quote;
mod transition;

use net::{
    Arc, Column, EnumId, Enumeration, Expr, Hold, InitialToken, InitialValue, Kind, Net, Place,
    StartThread, Symmetry, Transition, Var, Variable,
};

use crate::resolve::UNNAMED;
use fairness::write_fairness;
use names::Names;
use quote::{literal, quoted, sort};
use transition::Writer;

pub use groups::with_too_many_orders;
pub use transition::{
    write_arc, write_expr, write_guard, write_inhibitor, write_pattern, write_transition,
};

/// The whole model.
#[must_use]
pub fn write(net: &Net) -> String {
    let names = Names::of(net);
    let mut text = format!("model {}\n", quoted(&net.name));
    let classes = (0..).map(EnumId).zip(&net.enumerations);
    // Constants may be members of classes.
    section(&mut text, classes.map(|(id, class)| write_class(class, names.may_be_numbered(id))));
    section(
        &mut text,
        net.fresh.iter().map(|class| format!("class {} fresh", quoted(&class.name))),
    );
    let constants = net.constants.iter();
    let constant =
        |c: &net::Constant| format!("const {} = {}", quoted(&c.name), literal(net, c.value));
    section(&mut text, constants.map(constant));
    let mut tokens: Vec<Vec<String>> = vec![Vec::new(); net.places.len()];
    for token in &net.tokens {
        tokens[token.place.index()].push(write_tokens(net, &names, token));
    }
    let places = net.places.iter().zip(&tokens);
    section(&mut text, places.map(|(place, tokens)| write_place(net, place, tokens)));
    let objects = net.objects.iter().enumerate();
    section(
        &mut text,
        objects.map(|(index, class)| {
            let class = quoted(&net.fresh[class.index()].name);
            format!("new {}: {class}", names.object(index))
        }),
    );
    section(&mut text, write_start(net, &names).into_iter());
    section(&mut text, groups::write_transitions(net, &names).into_iter());
    section(&mut text, write_fairness(net).into_iter());
    let property = |p: &net::Property| format!("property {}: {}", quoted(&p.name), p.text);
    section(&mut text, net.properties.iter().map(property));
    text
}

fn section(text: &mut String, lines: impl Iterator<Item = String>) {
    for (i, line) in lines.enumerate() {
        text.push_str(if i == 0 { "\n" } else { "" });
        text.push_str(&line);
        text.push('\n');
    }
}

/// A class. Members that have its name and their numbers need not be listed, unless something else is
/// called like them.
fn write_class(class: &Enumeration, may_be_numbered: bool) -> String {
    let Enumeration { name, members, symmetry, parts, round } = class;
    let extent = |range: std::ops::Range<u32>| {
        let range = range.start as usize..(range.end as usize).min(members.len());
        let mut numbered =
            range.clone().map(|i| *members[i] == *format!("{}{}", class.name, i + 1));
        match may_be_numbered && numbered.all(|is_numbered| is_numbered) {
            true => range.len().to_string(),
            false => {
                let members: Vec<String> = members[range].iter().map(|m| quoted(m)).collect();
                format!("{{ {} }}", members.join(", "))
            }
        }
    };
    let name = quoted(name);
    let word = match symmetry {
        Symmetry::None if *round => "ordered round",
        Symmetry::None => "ordered",
        Symmetry::Rotations => "cyclic",
        Symmetry::Full => "symmetric",
    };
    if parts.is_empty() {
        let members = extent(class.part(0));
        return match symmetry {
            Symmetry::None if members.starts_with('{') && !round => {
                format!("enum {name} {members}")
            }
            _ => format!("class {name} {word} {members}"),
        };
    }
    let parts = (0..parts.len()).map(|i| {
        let name = match parts[i].name.as_str() {
            // Not the first word after `ordered`.
            "round" => "`round`".into(),
            name => quoted(name),
        };
        format!("{name} {}", extent(class.part(i)))
    });
    format!("class {name} {word} {}", parts.collect::<Vec<_>>().join(", "))
}

fn write_place(net: &Net, place: &Place, tokens: &[String]) -> String {
    let column = |index: usize, column: &Column| {
        let owner = if place.hold == Hold::Owned(index) { "owner " } else { "" };
        let name = column.name.iter().map(|name| format!("{}: ", quoted(name)));
        let optional = if column.optional { "?" } else { "" };
        format!("{owner}{}{}{optional}", name.collect::<String>(), sort(net, column.sort))
    };
    let threads = usize::from(place.is_flow());
    let columns = groups::write_columns(&place.columns, &place.groups, threads, &column);
    let manner = match (place.idle, place.forgotten) {
        (true, _) => "idle ",
        (_, true) => "forgotten ",
        _ => "",
    };
    let name = quoted(&place.name);
    let mut text = format!("{manner}{} {name}{}", place.kind, in_parentheses(&columns));
    if !tokens.is_empty() {
        text += &format!(" = {}", tokens.join(", "));
    }
    text
}

/// Threads are named when a token refers to one; alike ones in a row are counted otherwise.
fn write_start(net: &Net, names: &Names<'_>) -> Vec<String> {
    let tokens = net.tokens.iter().flat_map(|token| &token.values);
    let values = tokens.chain(net.start.iter().flat_map(|thread| &thread.values));
    let named = values.clone().any(|value| matches!(value, InitialValue::Thread(_)));
    let place = |thread: &StartThread| {
        let values = thread.values.iter().map(|value| write_initial(net, names, *value));
        let values: Vec<String> = values.collect();
        format!("{}{}", quoted(&net.place(thread.place).name), in_parentheses(&values))
    };
    if named {
        let thread = |(i, thread)| format!("start {}: {}", names.thread(i), place(thread));
        return net.start.iter().enumerate().map(thread).collect();
    }
    let alike = net.start.chunk_by(|a, b| a == b);
    let threads = alike.map(|threads| match threads.len() {
        1 => format!("start {}", place(&threads[0])),
        n => format!("start {n} times {}", place(&threads[0])),
    });
    threads.collect()
}

fn write_initial(net: &Net, names: &Names<'_>, value: InitialValue) -> String {
    match value {
        InitialValue::Thread(index) => names.thread(index),
        InitialValue::Object(index) => names.object(index),
        InitialValue::Data(datum) => literal(net, datum),
        // A thread goes through nothing.
        InitialValue::Each(_) => "all".into(),
    }
}

/// Initial tokens, perhaps for all members of a class: an arc whose variables have no names, except for
/// the start threads.
fn write_tokens(net: &Net, names: &Names<'_>, token: &InitialToken) -> String {
    let variable = |name: String, kind| Variable { name, kind, optional: false };
    let unnamed = |id: &EnumId| variable(UNNAMED.into(), Kind::Enum(*id));
    let mut variables: Vec<Variable> = token.each.iter().map(unnamed).collect();
    let number = |index: usize| Var(u32::try_from(index).unwrap_or(u32::MAX));
    let values = token.values.iter().map(|value| match *value {
        InitialValue::Data(datum) => Expr::Literal(datum),
        InitialValue::Each(index) => Expr::Var(number(index)),
        InitialValue::Thread(index) => {
            variables.push(variable(names.thread(index), Kind::Pid));
            Expr::Var(number(variables.len() - 1))
        }
        InitialValue::Object(index) => {
            variables.push(variable(names.object(index), Kind::Object(net.objects[index])));
            Expr::Var(number(variables.len() - 1))
        }
    });
    let pattern = values.map(Some).collect();
    let each = (0..token.each.len()).map(number).collect();
    let InitialToken { place, count, condition, .. } = token;
    let arc = Arc { place: *place, pattern, count: *count, each, condition: condition.clone() };
    let transition = Transition { variables, ..Transition::default() };
    let (values, with) =
        Writer { net, transition: &transition, names: Some(names) }.components(&arc);
    let tuple = match (values.as_slice(), token.count) {
        ([], count) => count.to_string(),
        ([value], 1) => value.clone(),
        ([value], count) => format!("{count} of {value}"),
        (_, 1) => in_parentheses(&values),
        (_, count) => format!("{count} of {}", in_parentheses(&values)),
    };
    tuple + &with
}

fn in_parentheses(items: &[String]) -> String {
    if items.is_empty() { String::new() } else { format!("({})", items.join(", ")) }
}
