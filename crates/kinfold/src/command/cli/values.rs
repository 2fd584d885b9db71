//! Values on the command line, from their text.

use std::net::IpAddr;
use std::time::Duration;

use lang::Override;

use super::model::RelationsArg;

pub(super) fn relations_of(text: &str) -> Result<RelationsArg, String> {
    match text {
        "auto" => Ok(RelationsArg::Auto),
        list => list.parse().map(RelationsArg::Given).map_err(|error| format!("{error}")),
    }
}

pub(super) fn override_of(text: &str) -> Result<Override, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok(Override { name: name.trim().into(), value: value.trim().into() })
        }
        _ => Err("write NAME=VALUE, such as k=3".into()),
    }
}

/// A constant with the values that it is to have in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub name: String,
    pub values: Vec<String>,
    /// Whether a range or a list was given, even if it has one value only.
    pub is_sweep: bool,
}

/// The values of one constant, at most.
const MOST_VALUES: i64 = 10_000;

pub(super) fn setting_of(text: &str) -> Result<Setting, String> {
    let Override { name, value } = override_of(text)?;
    if let Some((first, last)) = value.split_once("..") {
        let values = range_of(first, last)?;
        return Ok(Setting { name, values, is_sweep: true });
    }
    let values: Vec<String> = value.split(',').map(|value| value.trim().to_owned()).collect();
    match values.iter().find(|value| values.iter().filter(|other| other == value).count() > 1) {
        Some(twice) => Err(format!("`{twice}` is there twice")),
        None => Ok(Setting { name, is_sweep: values.len() > 1, values }),
    }
}

/// The integers of `first..=last`, as text.
fn range_of(first: &str, last: &str) -> Result<Vec<String>, String> {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let Some((first, last)) = number(first).zip(last.strip_prefix('=').and_then(number)) else {
        return Err("write a range as FIRST..=LAST, such as 1..=5".into());
    };
    match last.checked_sub(first) {
        Some(more) if more < 0 => Err(format!("the range {first}..={last} is empty")),
        Some(more) if more < MOST_VALUES => Ok((first..=last).map(|n| n.to_string()).collect()),
        _ => Err(format!("the range {first}..={last} has more than {MOST_VALUES} values")),
    }
}

pub(super) fn address_of(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "write an address, such as 127.0.0.1 or ::1".into())
}

pub(super) fn time_of(text: &str) -> Result<Duration, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[number.len()..] {
        "" | "s" => Some(1.0),
        "m" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let time = seconds.zip(number.parse::<f64>().ok()).map(|(unit, number)| number * unit);
    time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "write a time, such as 90, 90s, 5m or 1h".into())
}

pub(super) fn bytes_of(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kb" | "kib" => Some(10),
        "m" | "mb" | "mib" => Some(20),
        "g" | "gb" | "gib" => Some(30),
        "t" | "tb" | "tib" => Some(40),
        _ => None,
    };
    let number = digits.parse::<u64>().ok();
    shift
        .zip(number)
        .and_then(|(shift, number)| number.checked_mul(1 << shift))
        .ok_or_else(|| "write a number of bytes, such as 268435456, 256MiB or 4G".into())
}
