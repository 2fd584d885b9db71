//! Concrete states as bytes, for stores that keep very many of them.
//!
//! Places are written as numbers, which writer and reader share ([`Names`]); they need not be known
//! beforehand. Equal states have equal bytes, since places, tokens and pids are kept in order. Numbers
//! are written in groups of seven bits.

use crate::{Names, Pid, State, Token, Value};

impl State {
    /// Appends the state to `bytes`.
    pub fn pack(&self, places: &Names, bytes: &mut Vec<u8>) {
        write_number(self.marked().count() as u64, bytes);
        for place in self.marked() {
            write_number(places.number(place).into(), bytes);
            write_number(self.tokens(place).count() as u64, bytes);
            for (token, count) in self.tokens(place) {
                write_number(count.into(), bytes);
                write_number(token.len() as u64, bytes);
                token.iter().for_each(|value| write_value(value, bytes));
            }
        }
        write_number(self.eta().len() as u64, bytes);
        for (pid, &children) in self.eta() {
            write_pid(pid, bytes);
            write_number(children.into(), bytes);
        }
    }

    /// Reads a state that [`State::pack`] has written with the same `places`.
    ///
    /// # Panics
    /// If the bytes are not such.
    #[must_use]
    pub fn unpack(places: &Names, bytes: &[u8]) -> State {
        let mut bytes = bytes.iter().copied();
        let mut state = State::new();
        for _ in 0..read_number(&mut bytes) {
            let place = places.name(read_number(&mut bytes) as u32);
            for _ in 0..read_number(&mut bytes) {
                let count = read_number(&mut bytes) as u32;
                let length = read_number(&mut bytes);
                let token: Token = (0..length).map(|_| read_value(&mut bytes)).collect();
                assert!(state.put(&place, token, count), "tokens are listed once");
            }
        }
        for _ in 0..read_number(&mut bytes) {
            let pid = read_pid(&mut bytes);
            state.activate(pid, read_number(&mut bytes) as u32);
        }
        state
    }
}

fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut impl Iterator<Item = u8>) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes.next().expect("a packed state is complete");
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

fn write_pid(pid: &Pid, bytes: &mut Vec<u8>) {
    write_number(pid.digits().len() as u64, bytes);
    pid.digits().iter().for_each(|&digit| write_number(digit.into(), bytes));
}

fn read_pid(bytes: &mut impl Iterator<Item = u8>) -> Pid {
    let length = read_number(bytes);
    let mut digits = (0..length).map(|_| read_number(bytes) as u32);
    let first = Pid::initial(digits.next().expect("a pid has a digit"));
    digits.fold(first, |pid, digit| pid.child(digit))
}

fn write_value(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Bool(truth) => bytes.push(u8::from(*truth)),
        Value::Int(number) => {
            bytes.push(2);
            write_number((number << 1 ^ number >> 63) as u64, bytes);
        }
        Value::Pid(pid) => {
            bytes.push(3);
            write_pid(pid, bytes);
        }
        Value::Enum(member) => {
            bytes.push(4);
            write_number(member.len() as u64, bytes);
            bytes.extend_from_slice(member.as_bytes());
        }
    }
}

fn read_value(bytes: &mut impl Iterator<Item = u8>) -> Value {
    match bytes.next().expect("a packed state is complete") {
        2 => {
            let number = read_number(bytes);
            Value::Int((number >> 1) as i64 ^ -((number & 1) as i64))
        }
        3 => Value::Pid(read_pid(bytes)),
        4 => {
            let length = read_number(bytes) as usize;
            let name: Vec<u8> = bytes.take(length).collect();
            Value::Enum(String::from_utf8(name).expect("names are text").into())
        }
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
        state.activate(pid, 70_000);
        let places = Names::new();
        let mut bytes = Vec::new();
        state.pack(&places, &mut bytes);
        assert_eq!(State::unpack(&places, &bytes), state);
        // A place that appears later changes nothing of what was written.
        let _ = places.number("b");
        let mut again = Vec::new();
        state.pack(&places, &mut again);
        assert_eq!(again, bytes);
    }
}
