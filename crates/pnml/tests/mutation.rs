//! Nothing that can be in a file brings the reader down: documents and property files, mutated.
//!
//! For every text: decoding, reading and drawing do not panic; every place lies within the text, on
//! character boundaries; every code is explained. What is accepted can be written, and is then read as
//! the same; it means a net that can be fired, and that a document can be made of again.

use std::ops::Range;
use std::path::Path;

use diagnostics::Report;
use pnml::{Document, Limits, decode, from_net, properties, read, to_net, write};
use random::{Random, for_seeds};

const ITERATIONS: u64 = 24_000;

/// The project's own small files, right and wrong, and of those beside the project the small ones.
fn corpus() -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![here.join("tests/nets"), here.join("tests/gallery")];
    let shared = here.join("../../../shared");
    for folder in ["expected/pnml", "mcc/col/Peterson-COL-2", "mcc/pt/Kanban-PT-00010"] {
        folders.extend(Some(shared.join(folder)).filter(|folder| folder.is_dir()));
    }
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("it is there"));
    let paths = files.map(|entry| entry.expect("it can be read").path());
    let mut texts: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "pnml" || e == "xml"))
        .map(|path| std::fs::read_to_string(path).expect("it is text"))
        .filter(|text| text.len() < 16_000)
        .collect();
    texts.sort();
    texts
}

/// Tags, words within them, and text between them.
fn pieces(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let cut = match c {
            '<' | '"' | ' ' | '=' | '/' | '&' => at,
            '>' | ';' => at + 1,
            _ => continue,
        };
        if cut > start {
            list.push(&text[start..cut]);
            start = cut;
        }
    }
    list.push(&text[start..]);
    list
}

/// Changes pieces of any kind, so that most texts are no longer well-formed.
fn roughly(random: &mut Random, corpus: &[String]) -> Vec<u8> {
    let mut list = pieces(random.pick::<String>(corpus));
    let donor = random.pick(corpus);
    let odd = [
        "\u{e9}",
        "\u{1F600}",
        "\0",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE x [",
        "&#0;",
        "&amp;",
        "<",
        ">",
        "/>",
        "\"",
        "'",
        "\r\n",
        "-1",
        "0",
        "99999999999999999999",
        "",
        "<?",
        "?>",
        " id=\"x\"",
        "xmlns=\"\"",
        "<subterm>",
        "</subterm>",
        "<toolspecific/>",
        "true",
    ];
    for _ in 0..=random.below(4) {
        let at = random.below(list.len());
        let other = random.below(list.len());
        match random.below(8) {
            0 => drop(list.remove(at)),
            1 => list.insert(at, list[other]),
            2 => list.swap(at, other),
            3 => list[at] = list[other],
            4 => {
                let donor = pieces(donor);
                let start = random.below(donor.len());
                let end = (start + random.below(40)).min(donor.len());
                list.splice(at..at, donor[start..end].iter().copied());
            }
            5 => list.insert(at, *random.pick(&odd)),
            6 => {
                let end = (at + random.below(60)).min(list.len());
                let again = list[at..end].to_vec();
                list.splice(at..at, again);
            }
            _ if random.below(8) == 0 => list.truncate(at.max(1)),
            _ => {
                let end = (at + random.below(6)).min(list.len());
                list.drain(at..end);
            }
        }
        if list.is_empty() {
            list.push("");
        }
    }
    let mut bytes = list.concat().into_bytes();
    if random.below(4) == 0 && !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
    bytes
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
        let tag = &text[at..end];
        depth += match tag.as_bytes() {
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

/// Some value of an attribute, text or element.
fn part(random: &mut Random, kind: usize, text: &str) -> Option<Range<usize>> {
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

/// Changes values, texts and whole elements, so that texts stay well-formed, and many of them right.
fn gently(random: &mut Random, corpus: &[String]) -> Vec<u8> {
    let mut text = random.pick(corpus).clone();
    for _ in 0..=random.below(2) {
        let donor = if random.below(3) == 0 { random.pick(corpus).clone() } else { text.clone() };
        let kind = random.below(4);
        let places = (part(random, kind, &text), part(random, kind, &donor));
        let (Some(place), Some(other)) = places else { continue };
        let new = if random.below(4) == 0 { "" } else { &donor[other] };
        // Beside what is there, or instead of it.
        let end = if random.below(3) == 0 { place.start } else { place.end };
        text.replace_range(place.start..end, new);
    }
    text.into_bytes()
}

fn check_errors(errors: &Report, text: &str) {
    assert!(errors.iter().count() > 0);
    for error in errors.iter() {
        for label in &error.labels {
            assert!(text.get(label.span.clone()).is_some(), "{error:?}");
        }
        assert!(pnml::EXPLANATIONS.find(error.code).is_some(), "{error:?}");
        assert!(error.line > 0 && error.column > 0, "{error:?}");
    }
    assert!(!errors.render("file", text, true).is_empty());
}

/// What a document means is a net, or what keeps it from being one is reported.
fn check_net(document: &Document, text: &str) {
    let net = match to_net(document, text) {
        Ok(net) => net,
        Err(errors) => return check_errors(&errors, text),
    };
    // Checking writes the initial marking out.
    let size = |id: &net::EnumId| net.enumerations[id.index()].members.len();
    let choices = net.tokens.iter().map(|token| token.each.iter().map(size).product::<usize>());
    if choices.sum::<usize>() < 10_000 {
        assert_eq!(net.check(), []);
    }
    if let Ok(document) = from_net(&net) {
        let written = write(&document);
        assert_eq!(read(&written, &Limits::default()).as_ref(), Ok(&document), "{written}");
        assert_eq!(to_net(&document, &written), Ok(net), "{written}");
    }
}

/// Tells whether the bytes were accepted.
fn check(bytes: &[u8]) -> bool {
    let limits = Limits::default();
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(errors) => {
            assert!(!errors.to_string().is_empty());
            return false;
        }
    };
    let document = read(&text, &limits);
    match &document {
        Ok(document) => {
            let written = write(document);
            assert_eq!(read(&written, &limits).as_ref(), Ok(document), "written:\n{written}");
            check_net(document, &text);
        }
        Err(errors) => check_errors(errors, &text),
    }
    let list = properties::read(&text, &limits);
    match &list {
        Ok(list) => {
            let written = properties::write(list);
            assert_eq!(properties::read(&written, &limits).as_ref(), Ok(list), "{written}");
        }
        Err(errors) => check_errors(errors, &text),
    }
    document.is_ok() || list.is_ok()
}

#[test]
fn mutations_do_no_harm() {
    let corpus = corpus();
    let right: Vec<String> = corpus.iter().filter(|text| check(text.as_bytes())).cloned().collect();
    let mut accepted = 0;
    for_seeds(0..ITERATIONS, |seed, random| {
        let bytes = match seed % 2 {
            0 => roughly(random, &corpus),
            _ => gently(random, &right),
        };
        match std::panic::catch_unwind(|| check(&bytes)) {
            Ok(right) => accepted += u64::from(right),
            Err(cause) => {
                let message = cause.downcast_ref::<String>().map_or("a panic", String::as_str);
                panic!("seed {seed}: {message}\n{}", String::from_utf8_lossy(&bytes));
            }
        }
    });
    // The mutations are worth something only if they spare enough of the files.
    assert!(accepted > ITERATIONS / 20, "only {accepted} of {ITERATIONS} were accepted");
}

/// Whatever is cut off at the end is missed, or was not needed.
#[test]
fn truncated_files_do_no_harm() {
    for text in corpus() {
        for end in (0..text.len()).step_by(29) {
            check(&text.as_bytes()[..end]);
        }
    }
}
