//! Automata in the Hanoi Omega-Automata format (HOA v1; Babiak et al. 2015).
//!
//! Written: state 0 initial, acceptance on transitions, explicit labels. Read: automata with one initial
//! state, no alternation, and generalised Büchi acceptance (`t`, or a conjunction of `Inf(n)`), on states
//! or transitions, with explicit labels. What else the format can say is refused with the line.

mod label;
mod scan;

use std::fmt::Write;

use crate::automaton::{Automaton, Cube, Edge, Label};
use scan::{Scanner, Token};

/// A text that is not an automaton, or not one that is read here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct HoaError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub what: String,
}

/// The most states and atoms that are read.
const MOST: u64 = 1 << 20;

/// The text of an automaton; `names` are those of its atoms, as many as it has.
///
/// # Panics
///
/// If an atom has no name.
#[must_use]
pub fn write(automaton: &Automaton, names: &[String]) -> String {
    assert!(names.len() >= automaton.atoms() as usize, "every atom has a name");
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("strings do not fail");
    line("HOA: v1".into());
    line(format!("States: {}", automaton.states.len().max(1)));
    line("Start: 0".into());
    let quoted =
        |name: &String| format!(" \"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    line(format!("AP: {}{}", names.len(), names.iter().map(quoted).collect::<String>()));
    let sets: Vec<String> = (0..automaton.sets).map(|set| format!("Inf({set})")).collect();
    let (name, condition) = match automaton.sets {
        0 => ("all".to_owned(), "t".to_owned()),
        1 => ("Buchi".to_owned(), sets.join("&")),
        n => (format!("generalized-Buchi {n}"), sets.join("&")),
    };
    line(format!("acc-name: {name}"));
    line(format!("Acceptance: {} {condition}", automaton.sets));
    line("properties: trans-labels explicit-labels trans-acc".into());
    line("--BODY--".into());
    if automaton.states.is_empty() {
        line("State: 0".into());
    }
    for (state, edges) in automaton.states.iter().enumerate() {
        line(format!("State: {state}"));
        for Edge { to, label, accepting } in edges {
            let sets = (0..automaton.sets).filter(|set| accepting >> set & 1 == 1);
            let sets: Vec<String> = sets.map(|set| set.to_string()).collect();
            let sets =
                if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) };
            line(format!("[{}] {to}{sets}", label::text(label)));
        }
    }
    line("--END--".into());
    text
}

/// Reads an automaton, and the names of its atoms.
///
/// # Errors
///
/// If the text is not such an automaton.
pub fn read(text: &str) -> Result<(Automaton, Vec<String>), HoaError> {
    let mut reader =
        Reader { scanner: Scanner::new(text)?, names: Vec::new(), aliases: Vec::new() };
    let header = reader.header()?;
    let automaton = reader.body(&header)?;
    Ok((automaton, reader.names))
}

struct Header {
    states: Option<u64>,
    start: u64,
    sets: u32,
}

struct Reader<'t> {
    scanner: Scanner<'t>,
    names: Vec<String>,
    /// Names for parts of labels, each as its alternatives.
    aliases: Vec<(String, Vec<Cube>)>,
}

impl Reader<'_> {
    fn error<T>(&self, what: impl Into<String>) -> Result<T, HoaError> {
        Err(HoaError { line: self.scanner.line(), what: what.into() })
    }

    fn number(&mut self, of: &str) -> Result<u64, HoaError> {
        match self.scanner.next() {
            Some(Token::Number(number)) if number <= MOST => Ok(number),
            Some(Token::Number(number)) => self.error(format!("{number} is too large for {of}")),
            _ => self.error(format!("expected a number: {of}")),
        }
    }

    fn header(&mut self) -> Result<Header, HoaError> {
        let mut header = Header { states: None, start: u64::MAX, sets: 0 };
        if self.scanner.next() != Some(Token::Header("HOA")) {
            return self.error("expected `HOA: v1` at the beginning");
        }
        if self.scanner.next() != Some(Token::Word("v1")) {
            return self.error("only version v1 of the format is read");
        }
        let mut has_acceptance = false;
        loop {
            match self.scanner.next() {
                Some(Token::Body) => break,
                Some(Token::Header("States")) => {
                    header.states = Some(self.number("the number of states")?);
                }
                Some(Token::Header("Start")) => {
                    if header.start != u64::MAX {
                        return self.error("there are several initial states; give one");
                    }
                    header.start = self.number("the initial state")?;
                    if self.scanner.takes('&') {
                        return self.error("alternating automata are not read");
                    }
                }
                Some(Token::Header("AP")) => self.atoms()?,
                Some(Token::Header("Alias")) => self.alias()?,
                Some(Token::Header("Acceptance")) => {
                    header.sets = self.acceptance()?;
                    has_acceptance = true;
                }
                Some(Token::Header(name)) if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    return self
                        .error(format!("`{name}:` changes the meaning, and is not known here"));
                }
                Some(Token::Header(_)) => self.scanner.skip_item(),
                _ => return self.error("expected a header, such as `States:`, or `--BODY--`"),
            }
        }
        if !has_acceptance {
            return self.error("there is no `Acceptance:`");
        }
        if header.start == u64::MAX {
            return self.error("there is no `Start:`");
        }
        Ok(header)
    }

    fn atoms(&mut self) -> Result<(), HoaError> {
        let count = self.number("the number of atoms")?;
        for _ in 0..count {
            match self.scanner.next() {
                Some(Token::Text(name)) => self.names.push(name),
                _ => return self.error(format!("expected the names of {count} atoms, in quotes")),
            }
        }
        Ok(())
    }

    fn alias(&mut self) -> Result<(), HoaError> {
        let Some(Token::Alias(name)) = self.scanner.next() else {
            return self.error("expected `@` and a name");
        };
        let label = self.label()?;
        self.aliases.push((name.to_owned(), label));
        Ok(())
    }

    /// `Acceptance: n Inf(0)&…`.
    fn acceptance(&mut self) -> Result<u32, HoaError> {
        let sets = self.number("the number of acceptance sets")?;
        if sets > 64 {
            return self.error("at most 64 acceptance sets are read");
        }
        let mut seen = 0_u64;
        loop {
            match self.scanner.next() {
                Some(Token::Word("t")) if sets == 0 => return Ok(0),
                Some(Token::Word("Inf")) if self.scanner.next() == Some(Token::Symbol('(')) => {
                    let set = self.number("an acceptance set")?;
                    if set >= sets || self.scanner.next() != Some(Token::Symbol(')')) {
                        return self.error("expected the number of an acceptance set, and `)`");
                    }
                    seen |= 1 << set;
                }
                _ => {
                    return self.error(
                        "only generalised Büchi acceptance is read: `t`, or `Inf(0)&Inf(1)…`",
                    );
                }
            }
            if !self.scanner.takes('&') {
                break;
            }
        }
        let all = u64::MAX.checked_shr(64 - sets as u32).unwrap_or(0);
        if seen == all {
            Ok(sets as u32)
        } else {
            self.error("every acceptance set has to occur in the condition")
        }
    }

    fn label_in_brackets(&mut self) -> Result<Option<Vec<Cube>>, HoaError> {
        if !self.scanner.takes('[') {
            return Ok(None);
        }
        let label = self.label()?;
        match self.scanner.next() {
            Some(Token::Symbol(']')) => Ok(Some(label)),
            _ => self.error("expected `]` after the label"),
        }
    }

    /// `{0 2}`, if it is there.
    fn sets(&mut self, count: u32) -> Result<u64, HoaError> {
        let mut sets = 0;
        if self.scanner.takes('{') {
            while !self.scanner.takes('}') {
                let set = self.number("an acceptance set")?;
                if set >= u64::from(count) {
                    return self.error(format!("there is no acceptance set {set}"));
                }
                sets |= 1 << set;
            }
        }
        Ok(sets)
    }

    fn body(&mut self, header: &Header) -> Result<Automaton, HoaError> {
        let mut states: Vec<Vec<Edge>> = vec![Vec::new(); header.states.unwrap_or(0) as usize];
        loop {
            match self.scanner.next() {
                Some(Token::End) => break,
                Some(Token::Header("State")) => {}
                _ => return self.error("expected `State:` or `--END--`"),
            }
            let of_state = self.label_in_brackets()?;
            let state = self.number("a state")? as usize;
            if header.states.is_some_and(|count| state as u64 >= count) {
                return self.error(format!("there is no state {state}"));
            }
            states.resize(states.len().max(state + 1), Vec::new());
            if let Some(Token::Text(_)) = self.scanner.peek() {
                self.scanner.next();
            }
            let on_state = self.sets(header.sets)?;
            while !matches!(self.scanner.peek(), Some(Token::Header(_) | Token::End) | None) {
                let Some(cubes) = self.label_in_brackets()?.or_else(|| of_state.clone()) else {
                    self.scanner.next();
                    return self
                        .error("implicit labels are not read; write `[…]` before the target");
                };
                let to = self.number("the target of a transition")?;
                if self.scanner.takes('&') {
                    return self.error("alternating automata are not read");
                }
                let accepting = on_state | self.sets(header.sets)?;
                if !cubes.is_empty() {
                    states[state].push(Edge { to: to as u32, label: Label { cubes }, accepting });
                }
            }
        }
        let most = states.iter().flatten().map(|edge| u64::from(edge.to)).max();
        if header.start >= states.len() as u64 || most >= Some(states.len() as u64) {
            return self.error("a state is mentioned that is not there");
        }
        // The initial state becomes the first.
        let start = header.start as u32;
        let swapped = |state: u32| match state {
            0 => start,
            state if state == start => 0,
            state => state,
        };
        states.swap(0, start as usize);
        states.iter_mut().flatten().for_each(|edge| edge.to = swapped(edge.to));
        Ok(Automaton { states, sets: header.sets })
    }
}
