//! Concrete states as bytes, for stores that keep very many of them.
//!
//! Places are written as numbers, which writer and reader share ([`Names`]); they need not be known
//! in advance. All of them come first, so that who shares no numbers can replace them. Equal states have equal bytes,
//! since places, tokens and pids are kept in order. Numbers are [`varint`]s.

use std::sync::Arc;

use explore::varint::{self, push};
use state::{Names, Pid, State, Token, Value};

/// Appends a state to `bytes`.
pub(crate) fn pack(state: &State, places: &Names, bytes: &mut Vec<u8>) {
    push(state.marked().count() as u64, bytes);
    state.marked().for_each(|place| push(places.number(place).into(), bytes));
    for place in state.marked() {
        push(state.tokens(place).count() as u64, bytes);
        for (token, count) in state.tokens(place) {
            push(count.into(), bytes);
            push(token.len() as u64, bytes);
            token.iter().for_each(|value| push_value(value, bytes));
        }
    }
    push(state.eta().len() as u64, bytes);
    for (pid, &children) in state.eta() {
        push_pid(pid, bytes);
        push(children.into(), bytes);
    }
}

/// Reads a state that [`pack`] has written with the same `places`.
pub(crate) fn unpack(places: &Names, mut bytes: &[u8]) -> State {
    let bytes = &mut bytes;
    let mut state = State::new();
    let mut numbers = Vec::new();
    read_places(bytes, &mut numbers);
    for number in numbers {
        let place = places.name(number);
        for _ in 0..varint::read(bytes) {
            let count = varint::read(bytes) as u32;
            let length = varint::read(bytes);
            let token: Token = (0..length).map(|_| read_value(bytes)).collect();
            assert!(state.put(&place, token, count), "tokens are listed once");
        }
    }
    for _ in 0..varint::read(bytes) {
        let pid = read_pid(bytes);
        state.activate(pid, varint::read(bytes) as u32);
    }
    state
}

/// Reads the numbers of the places of a packed state; what is left of the bytes says what is in them.
pub(crate) fn read_places(bytes: &mut &[u8], numbers: &mut Vec<u32>) {
    numbers.clear();
    let count = if bytes.is_empty() { 0 } else { varint::read(bytes) };
    numbers.extend((0..count).map(|_| varint::read(bytes) as u32));
}

/// Appends a packed state that is made of these places, and what is in them.
pub(crate) fn push_places(numbers: &[u32], rest: &[u8], bytes: &mut Vec<u8>) {
    push(numbers.len() as u64, bytes);
    numbers.iter().for_each(|number| push((*number).into(), bytes));
    bytes.extend_from_slice(rest);
}

fn push_pid(pid: &Pid, bytes: &mut Vec<u8>) {
    push(pid.digits().len() as u64, bytes);
    pid.digits().iter().for_each(|&digit| push(digit.into(), bytes));
}

fn read_pid(bytes: &mut &[u8]) -> Pid {
    let length = varint::read(bytes);
    let mut digits = (0..length).map(|_| varint::read(bytes) as u32);
    let first = Pid::initial(digits.next().expect("a pid has a digit"));
    digits.fold(first, |pid, digit| pid.child(digit))
}

fn push_value(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Bool(truth) => bytes.push(u8::from(*truth)),
        Value::Int(number) => {
            bytes.push(2);
            push((number << 1 ^ number >> 63) as u64, bytes);
        }
        Value::Pid(pid) => {
            bytes.push(3);
            push_pid(pid, bytes);
        }
        Value::Enum(member) => {
            bytes.push(4);
            push_text(member, bytes);
        }
        Value::Object(class, number) => {
            bytes.push(5);
            push_text(class, bytes);
            push((*number).into(), bytes);
        }
        Value::None => bytes.push(6),
    }
}

fn push_text(text: &str, bytes: &mut Vec<u8>) {
    push(text.len() as u64, bytes);
    bytes.extend_from_slice(text.as_bytes());
}

fn read_text(bytes: &mut &[u8]) -> Arc<str> {
    let length = varint::read(bytes) as usize;
    let (text, rest) = bytes.split_at(length);
    *bytes = rest;
    str::from_utf8(text).expect("names are text").into()
}

fn read_value(bytes: &mut &[u8]) -> Value {
    let (&kind, rest) = bytes.split_first().expect("a packed state is complete");
    *bytes = rest;
    match kind {
        2 => {
            let number = varint::read(bytes);
            Value::Int((number >> 1) as i64 ^ -((number & 1) as i64))
        }
        3 => Value::Pid(read_pid(bytes)),
        4 => Value::Enum(read_text(bytes)),
        5 => {
            let class = read_text(bytes);
            Value::Object(class, varint::read(bytes) as u32)
        }
        6 => Value::None,
        truth => Value::Bool(truth == 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let mut state = State::new();
        let values = [i64::MIN, -1, 0, 1, 64, i64::MAX].map(Value::Int);
        assert!(state.put(&"a".into(), values.to_vec(), 300));
        let pid: Pid = "1.300.2".parse().unwrap();
        let token = vec![pid.clone().into(), true.into(), Value::Enum("grün".into()), false.into()];
        assert!(state.put(&"c".into(), token, 1));
        let token = vec![Value::Object("lock".into(), 7), Value::None];
        assert!(state.put(&"d".into(), token, 1));
        state.activate(pid, 70_000);
        let places = Names::default();
        let mut bytes = Vec::new();
        pack(&state, &places, &mut bytes);
        assert_eq!(unpack(&places, &bytes), state);
        // A place that appears later changes nothing of what was written.
        let _ = places.number("b");
        let mut again = Vec::new();
        pack(&state, &places, &mut again);
        assert_eq!(again, bytes);
    }
}
