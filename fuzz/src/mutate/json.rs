//! Gentle changes to JSON.

use random::Random;
use serde_json::Value as Json;

/// Puts values in the place of values, takes members out and puts others in. `None` if the text is not JSON.
pub(super) fn gently(input: &str, donor: &str, random: &mut Random) -> Option<Vec<u8>> {
    let mut json: Json = serde_json::from_str(input).ok()?;
    let donor: Json = serde_json::from_str(donor).ok()?;
    for _ in 0..=random.below(3) {
        let values = values(if random.percent(70) { &json } else { &donor });
        let new = match random.below(6) {
            0 => odd(random),
            _ => (*random.pick(&values)).clone(),
        };
        let count = self::values(&json).len();
        change(nth(&mut json, &mut random.below(count))?, new, random);
    }
    Some(json.to_string().into_bytes())
}

fn odd(random: &mut Random) -> Json {
    let numbers = [-1, 0, 1, 2, i64::from(u32::MAX), i64::from(u32::MAX) + 1, i64::MAX, i64::MIN];
    let texts = ["", "1", "1.1", "2", "0", "1.0", "1.4294967295", "4294967296", "x", "\0", "1.1.1"];
    match random.below(5) {
        0 => Json::Null,
        1 => random.percent(50).into(),
        2 => (*random.pick(&numbers)).into(),
        _ => (*random.pick(&texts)).into(),
    }
}

fn change(at: &mut Json, new: Json, random: &mut Random) {
    match at {
        Json::Array(list) if random.percent(80) => {
            let index = random.below(list.len() + 1);
            match random.below(3) {
                0 => list.insert(index, new),
                1 if index < list.len() => drop(list.remove(index)),
                _ if index < list.len() => list[index] = new,
                _ => list.push(new),
            }
        }
        Json::Object(members) if random.percent(80) => {
            let keys: Vec<String> = members.keys().cloned().collect();
            let key = match &new {
                Json::String(key) if random.percent(30) => key.clone(),
                _ if keys.is_empty() => String::new(),
                _ => random.pick(&keys).clone(),
            };
            if random.percent(30) {
                members.remove(&key);
            } else {
                members.insert(key, new);
            }
        }
        _ => *at = new,
    }
}

/// All values in a value, itself first.
fn values(json: &Json) -> Vec<&Json> {
    let mut all = vec![json];
    let mut next = 0;
    while next < all.len() {
        match all[next] {
            Json::Array(list) => all.extend(list),
            Json::Object(members) => all.extend(members.values()),
            _ => {}
        }
        next += 1;
    }
    all
}

/// The value of this number, in the order in which they are written.
fn nth<'j>(json: &'j mut Json, number: &mut usize) -> Option<&'j mut Json> {
    if *number == 0 {
        return Some(json);
    }
    *number -= 1;
    match json {
        Json::Array(list) => list.iter_mut().find_map(|value| nth(value, number)),
        Json::Object(members) => members.values_mut().find_map(|value| nth(value, number)),
        _ => None,
    }
}
