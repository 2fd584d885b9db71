//! OTLP in JSON: spans, their events, and log records.
//!
//! A span `serve` becomes two entries, `serve:start` and `serve:end`, and its events one each. Fields are the attributes of
//! the event or record, then those of the span, then those of the resource; and of spans `traceId`, `spanId`,
//! `parentSpanId`. A log record is named by its `eventName`, or by its body if that is a text.

use serde_json::{Map, Value as Json};

use crate::entry::{Entry, Fields, LogError, lookup};

/// Adds the entries of a line, with their times.
pub(super) fn read(
    line: &str,
    number: u64,
    event: Option<&str>,
    entries: &mut Vec<(u128, Entry)>,
) -> Result<(), LogError> {
    let wrong = |what: &str| LogError::new(number, what.to_owned());
    let all: Json = serde_json::from_str(line)
        .map_err(|error| wrong(&format!("not JSON, at column {}: {error}", error.column())))?;
    let (spans, logs) = (list(&all, "resourceSpans"), list(&all, "resourceLogs"));
    if spans.is_none() && logs.is_none() {
        return Err(wrong(
            "neither `resourceSpans` nor `resourceLogs` is there; OTLP in JSON has them",
        ));
    }
    let mut add = |time: &Json, name: Option<&Json>, text: String, fields: Fields| {
        let time = match time {
            Json::String(text) => text.parse().ok(),
            other => other.as_u64().map(u128::from),
        };
        let time = time.ok_or_else(|| wrong("a time is missing or no number of nanoseconds"))?;
        let named = event.and_then(|path| lookup(&fields.all, path).or_else(|| fields.get(path)));
        let Some(event) = named.or(name).and_then(Json::as_str).map(str::to_owned) else {
            return Err(wrong("the name of a span, an event or a record is missing"));
        };
        entries.push((time, Entry { line: number, text, event, fields }));
        Ok(())
    };
    for resource in spans.into_iter().flatten() {
        let of_resource = attributes(&resource["resource"]);
        let scopes = list(resource, "scopeSpans").into_iter().flatten();
        for span in scopes.flat_map(|scope| list(scope, "spans").into_iter().flatten()) {
            let name = span["name"].as_str().unwrap_or_default();
            let own = attributes(span);
            let ids = ["traceId", "spanId", "parentSpanId"].into_iter();
            let ids = ids.filter_map(|id| Some((id.to_owned(), span.get(id)?.clone())));
            let ids: Map<String, Json> = ids.collect();
            let scopes = |first: Option<Map<String, Json>>| {
                let after = [own.clone(), ids.clone(), of_resource.clone()];
                let all = span.as_object().cloned().unwrap_or_default();
                Fields { all, scopes: first.into_iter().chain(after).collect() }
            };
            for (what, time) in [("start", "startTimeUnixNano"), ("end", "endTimeUnixNano")] {
                let event = format!("{name}:{what}");
                let text = format!("{event} {}", shown(&own));
                add(&span[time], Some(&event.into()), text, scopes(None))?;
            }
            for event in list(span, "events").into_iter().flatten() {
                let fields = attributes(event);
                let name = &event["name"];
                let text = format!("{} {}", name.as_str().unwrap_or_default(), shown(&fields));
                add(&event["timeUnixNano"], Some(name), text, scopes(Some(fields)))?;
            }
        }
    }
    for resource in logs.into_iter().flatten() {
        let of_resource = attributes(&resource["resource"]);
        let scopes = list(resource, "scopeLogs").into_iter().flatten();
        for record in scopes.flat_map(|scope| list(scope, "logRecords").into_iter().flatten()) {
            let own = attributes(record);
            let body = plain(&record["body"]);
            let name = record.get("eventName").cloned().or(body);
            let time = record.get("timeUnixNano").unwrap_or(&record["observedTimeUnixNano"]);
            let said = name.as_ref().and_then(Json::as_str).unwrap_or_default();
            let text = format!("{said} {}", shown(&own));
            let all = record.as_object().cloned().unwrap_or_default();
            let fields = Fields { all, scopes: vec![own, of_resource.clone()] };
            add(time, name.as_ref(), text, fields)?;
        }
    }
    Ok(())
}

fn list<'j>(of: &'j Json, name: &str) -> Option<&'j Vec<Json>> {
    of.get(name)?.as_array()
}

/// The attributes of something, by their names.
fn attributes(of: &Json) -> Map<String, Json> {
    let attributes = list(of, "attributes").into_iter().flatten();
    let pair = |attribute: &Json| {
        Some((attribute["key"].as_str()?.to_owned(), plain(&attribute["value"])?))
    };
    attributes.filter_map(pair).collect()
}

/// A value without its type.
fn plain(value: &Json) -> Option<Json> {
    let (kind, value) = value.as_object()?.iter().next()?;
    Some(match (kind.as_str(), value) {
        // Whole numbers are written as texts.
        ("intValue", Json::String(text)) => text.parse::<i64>().map_or(Json::Null, Json::from),
        (_, value) => value.clone(),
    })
}

fn shown(fields: &Map<String, Json>) -> String {
    let texts = fields.iter().map(|(name, value)| match value {
        Json::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    });
    texts.collect::<Vec<_>>().join(" ")
}
