//! Gentle changes to XML.

use std::ops::Range;

use random::Random;

/// Changes values, texts and whole elements, so that the text stays well-formed if it is.
pub(super) fn gently(input: &str, donor: &str, random: &mut Random) -> String {
    let mut text = input.to_owned();
    for _ in 0..=random.below(2) {
        let donor = if random.below(3) == 0 { donor.to_owned() } else { text.clone() };
        let kind = random.below(4);
        let places = (part(random, kind, &text), part(random, kind, &donor));
        let (Some(place), Some(other)) = places else { continue };
        let new = if random.below(4) == 0 { "" } else { &donor[other] };
        // Beside what is there, or instead of it.
        let end = if random.below(3) == 0 { place.start } else { place.end };
        text.replace_range(place.start..end, new);
    }
    text
}

/// Some value of an attribute, text or element.
fn part(random: &mut Random, kind: u32, text: &str) -> Option<Range<usize>> {
    let stretches = match kind {
        0 => between(text, "=\"", '"'),
        1 => between(text, "<text>", '<'),
        _ => between(text, "<", '>'),
    };
    if stretches.is_empty() {
        return None;
    }
    let some = random.pick(&stretches).clone();
    if kind < 2 { Some(some) } else { element(text, some.start - 1) }
}

/// The stretches of a text between two marks.
fn between(text: &str, open: &str, close: char) -> Vec<Range<usize>> {
    let starts = text.match_indices(open).map(|(at, _)| at + open.len());
    starts.filter_map(|start| Some(start..start + text[start..].find(close)?)).collect()
}

/// The element that starts at the `<` here, if it does, up to the end of its end tag.
fn element(text: &str, start: usize) -> Option<Range<usize>> {
    let mut depth = 0_i32;
    let mut at = start;
    loop {
        let end = at + text[at..].find('>')? + 1;
        depth += match &text.as_bytes()[at..end] {
            [b'<', b'!' | b'?', ..] => return None,
            [b'<', b'/', ..] => -1,
            [.., b'/', b'>'] => 0,
            _ => 1,
        };
        if depth <= 0 {
            return (depth == 0).then_some(start..end);
        }
        at = end + text[end..].find('<')?;
    }
}
