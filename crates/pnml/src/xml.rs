//! The XML under a document: elements one after the other, with their places.
//!
//! A pull parser over `quick-xml`: [`Xml::child`] gives the next element within the one that is open, or
//! closes it; [`Xml::text`] and [`Xml::skip`] read to the end of the open element. Nothing is kept of
//! what was read, so a document costs what its tree costs, and one pass.
//!
//! Refused at once: document types and the entities they define (a page of them can stand for
//! terabytes), elements nested too deeply, and characters that XML does not allow. Comments and
//! processing instructions are skipped. Namespaces: an element is known by its local name if its
//! prefix is that of the root, and their namespace has to be the right one where it is given; other
//! prefixes make other names.

mod attributes;
mod entities;

use std::borrow::Cow;

use budget::Budget;
use quick_xml::errors::{Error as XmlError, IllFormedError};
use quick_xml::events::Event;

use crate::limits::Limits;
pub(crate) use attributes::{Element, ignored_attribute};
use diagnostics::{Diagnostic, Diagnostics, Span, nearest};
use entities::with_line_feeds;

/// No more elements than this are listed as what may stand somewhere.
const SHOWN: usize = 10;

/// The document cannot be read on; why has been reported.
#[derive(Debug)]
pub(crate) struct Stop;

pub(crate) type Step<T> = Result<T, Stop>;

/// The elements of a text, and the mistakes found in them.
pub(crate) struct Xml<'t> {
    text: &'t str,
    reader: quick_xml::Reader<&'t [u8]>,
    /// Where the reader started: after the byte order mark.
    base: usize,
    pub(crate) sink: Diagnostics,
    format: Format,
    prefix: Option<&'t str>,
    /// The start tags of the open elements.
    open: Vec<Span>,
    /// Whether the innermost one was an empty-element tag.
    empty: bool,
    deepest: usize,
    budget: Budget,
}

/// What kind of document is to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// The name of the outermost element.
    pub(crate) root: &'static str,
    pub(crate) namespace: &'static str,
}

/// What the reader came upon.
enum Token<'t> {
    Open(Element<'t>),
    Close,
    /// Characters; those of a `CDATA` section are taken as they are.
    Text(&'t str, Span),
    Reference(&'t str, Span),
    End,
}

impl<'t> Xml<'t> {
    /// Starts with the text; the size and the characters of it are looked at first.
    pub(crate) fn new(text: &'t str, format: Format, limits: &Limits) -> (Xml<'t>, Step<()>) {
        let base = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        let mut reader = quick_xml::Reader::from_str(&text[base..]);
        reader.config_mut().check_end_names = true;
        let mut xml = Xml {
            text,
            reader,
            base,
            sink: Diagnostics::default(),
            format,
            prefix: None,
            open: Vec::new(),
            empty: false,
            deepest: limits.depth.min(Limits::DEEPEST),
            budget: limits.budget.clone(),
        };
        let largest = limits.bytes.min(u32::MAX as usize - 1);
        let accepted = if text.len() > largest {
            xml.stop(|| {
                let message = format!("the document is larger than {largest} bytes");
                Diagnostic::error("P0001", message).at(Span::new(0..0), "")
            })
        } else if let Some(at) = entities::forbidden(text) {
            xml.stop(|| {
                let c = text[at..].chars().next().unwrap_or_default();
                let message = format!("the character {c:?} is not allowed in XML");
                Diagnostic::error("P0006", message)
                    .at(Span::new(at..at + c.len_utf8()), "")
                    .help("is this a text file, and complete?")
            })
        } else {
            Ok(())
        };
        (xml, accepted)
    }

    pub(crate) fn report(&mut self, error: impl FnOnce() -> Diagnostic) {
        self.sink.report(error);
    }

    /// Reports what makes going on impossible.
    fn stop<T>(&mut self, error: impl FnOnce() -> Diagnostic) -> Step<T> {
        self.sink.report(error);
        Err(Stop)
    }

    /// Takes what an element says, unless another one has said it.
    pub(crate) fn once<T>(
        &mut self,
        slot: &mut Option<T>,
        value: Option<T>,
        element: &Element<'t>,
    ) {
        if slot.is_some() && value.is_some() {
            self.report(|| {
                let message = format!("a second `<{}>` in the same element", element.name);
                Diagnostic::error("P0108", message).at(element.tag, "").help("remove one of them")
            });
        } else if value.is_some() {
            *slot = value;
        }
    }

    /// Reports that something which has to be in an element is not.
    pub(crate) fn missing(&mut self, what: &str, element: &Element<'t>) {
        self.report(|| {
            Diagnostic::error("P0107", format!("`<{}>` needs {what}", element.name))
                .at(element.tag, "")
        });
    }

    /// The outermost element, which has to be the one of the format.
    pub(crate) fn root(&mut self) -> Step<Element<'t>> {
        let name = self.format.root;
        match self.next_but_blanks()? {
            Token::Open(element) => {
                self.check_namespace(&element);
                if element.name != name {
                    return self.stop(|| {
                        let message = format!("this is no `<{name}>` document");
                        let label = format!("the outermost element is `<{}>`", element.name);
                        Diagnostic::error("P0101", message).at(element.name_span, label)
                    });
                }
                Ok(element)
            }
            Token::End => {
                let end = self.text.len();
                self.stop(|| {
                    Diagnostic::error("P0101", "there is no element in this text")
                        .at(Span::new(end..end), "")
                        .help(format!("a document starts with `<{name}>`"))
                })
            }
            Token::Text(_, span) | Token::Reference(_, span) => self.stop(|| {
                Diagnostic::error("P0002", "a document starts with `<`")
                    .at(span, "this stands outside of all elements")
            }),
            Token::Close => self.stop(|| closes_nothing(Span::new(0..0))),
        }
    }

    /// Reads what follows the outermost element: nothing.
    pub(crate) fn finish(&mut self) -> Step<()> {
        let span = match self.next_but_blanks()? {
            Token::End => return Ok(()),
            Token::Open(element) => element.tag,
            Token::Text(_, span) | Token::Reference(_, span) => span,
            Token::Close => return self.stop(|| closes_nothing(Span::new(0..0))),
        };
        self.stop(|| {
            Diagnostic::error("P0002", "the document goes on after its outermost element")
                .at(span, "")
                .help("a document is one element; remove what follows its end tag")
        })
    }

    /// The next element within the open one; none, and the open one is closed.
    pub(crate) fn child(&mut self) -> Step<Option<Element<'t>>> {
        loop {
            match self.next_but_blanks()? {
                Token::Open(element) => {
                    self.check_namespace(&element);
                    return Ok(Some(element));
                }
                Token::Close => return Ok(None),
                Token::Text(_, span) | Token::Reference(_, span) => {
                    let blank = |text: &str| text.len() - text.trim_start().len();
                    let start = span.range().start + blank(span.text(self.text));
                    let end = start + self.text[start..span.range().end].trim_end().len();
                    self.sink.report_kind("text".into(), || {
                        let message = "text is ignored where only elements belong";
                        Diagnostic::warning("P0104", message).at(Span::new(start..end), "")
                    });
                }
                Token::End => unreachable!("an end within an element stops the reader"),
            }
        }
    }

    /// The characters of the open element, which is closed.
    pub(crate) fn text(&mut self) -> Step<Cow<'t, str>> {
        let mut content = Cow::default();
        loop {
            match self.next()? {
                Token::Text(text, _) => content += with_line_feeds(text),
                Token::Reference(name, span) => match entities::resolve(name) {
                    Some(c) => content.to_mut().push(c),
                    None => self.report(|| unknown_reference(name, span)),
                },
                Token::Open(child) => {
                    self.report(|| {
                        Diagnostic::error("P0103", "only text may stand here")
                            .at(child.tag, "this is an element")
                    });
                    self.skip()?;
                }
                Token::Close => return Ok(content),
                Token::End => unreachable!("an end within an element stops the reader"),
            }
        }
    }

    /// Skips what is in the open element, and closes it.
    pub(crate) fn skip(&mut self) -> Step<()> {
        self.skip_with(|_| {})
    }

    /// Skips what is in the open element but for the characters in it, however deep, and closes it.
    pub(crate) fn skip_with(&mut self, mut take: impl FnMut(&'t str)) -> Step<()> {
        let depth = self.open.len();
        loop {
            match self.next()? {
                Token::Text(text, _) => take(text),
                Token::Close if self.open.len() < depth => return Ok(()),
                _ => {}
            }
        }
    }

    /// Reports an element that has no place in its parent, and skips it.
    pub(crate) fn unexpected(
        &mut self,
        child: &Element<'t>,
        parent: &str,
        expected: &[&str],
    ) -> Step<()> {
        self.report(|| {
            let message = format!("`<{}>` has no place in `<{parent}>`", child.name);
            let error = Diagnostic::error("P0103", message).at(child.name_span, "");
            match (nearest(child.name, expected.iter().copied()), expected) {
                (Some(meant), _) => error.help(format!("did you mean `<{meant}>`?")),
                (None, []) => error.help(format!("`<{parent}>` has nothing in it")),
                (None, _) => {
                    let shown = expected.iter().take(SHOWN).map(|name| format!("`{name}`"));
                    let more = if expected.len() > SHOWN { ", …" } else { "" };
                    let list: Vec<String> = shown.collect();
                    error.help(format!("what may stand here: {}{more}", list.join(", ")))
                }
            }
        });
        self.skip()
    }

    /// Skips an element that is not in the standard, with one warning for all of its kind; but one
    /// whose name is misspelt is reported.
    pub(crate) fn ignore(&mut self, child: &Element<'t>, parent: &str, known: &[&str]) -> Step<()> {
        let near = nearest(child.name, known.iter().copied());
        if near.is_some_and(|meant| meant.len().abs_diff(child.name.len()) < 2) {
            return self.unexpected(child, parent, known);
        }
        self.ignored(child);
        self.skip()
    }

    /// Warns that an element was not needed to know what the document means.
    pub(crate) fn ignored(&mut self, child: &Element<'t>) {
        self.sink.report_named("elements".into(), child.name, || {
            let message = "elements are ignored that PNML does not have";
            Diagnostic::warning("P0103", message).at(child.name_span, "")
        });
    }

    /// What has not been read yet.
    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.place()..]
    }

    /// Opens an element; `rest` is what follows the name in the tag, up to its end.
    fn element(&mut self, full: &'t str, rest: &'t str, tag: Span) -> Step<Element<'t>> {
        if self.open.len() >= self.deepest {
            let deepest = self.deepest;
            return self.stop(|| {
                let message = format!("elements are nested more than {deepest} deep");
                Diagnostic::error("P0004", message).at(tag, "").help(
                    "sums, conjunctions and disjunctions take any number of parts side by side",
                )
            });
        }
        if self.open.is_empty() {
            self.prefix = full.split_once(':').map(|(prefix, _)| prefix);
        }
        self.open.push(tag);
        let at = tag.range().start + 1;
        let name_span = Span::new(at..at + full.len());
        if !attributes::is_name(full) {
            return self
                .stop(|| Diagnostic::error("P0002", "this is no name of an element").at(tag, ""));
        }
        let name = match full.split_once(':') {
            Some((before, name)) if Some(before) == self.prefix => name,
            _ => full,
        };
        match attributes::attributes(rest, at + full.len()) {
            Ok(attributes) => Ok(Element { name, name_span, tag, attributes }),
            Err(error) => self.stop(|| *error),
        }
    }

    /// Warns of another namespace than that of the format: the names in it say the same.
    fn check_namespace(&mut self, element: &Element<'t>) {
        let Some(attribute) = element.namespace(self.prefix) else { return };
        let Format { root, namespace } = self.format;
        if attribute.raw.trim() != namespace {
            self.sink.report_kind("namespace".into(), || {
                let message = format!("this is not the namespace of `<{root}>` documents");
                Diagnostic::warning("P0101", message)
                    .at(attribute.span, format!("expected `{namespace}`"))
                    .help("the names in it are taken for those of the standard")
            });
        }
    }

    /// The next token that is not blank text.
    fn next_but_blanks(&mut self) -> Step<Token<'t>> {
        loop {
            match self.next()? {
                Token::Text(_, span) if span.text(self.text).trim().is_empty() => {}
                token => return Ok(token),
            }
        }
    }

    fn next(&mut self) -> Step<Token<'t>> {
        if let Err(reason) = self.budget.check() {
            let at = self.place();
            return self.stop(|| {
                Diagnostic::error("P0001", format!("{reason} while the document was read"))
                    .at(Span::new(at..at), "so far it was read")
            });
        }
        if std::mem::take(&mut self.empty) {
            self.open.pop();
            return Ok(Token::Close);
        }
        let (event, start) = loop {
            let start = self.place();
            match self.reader.read_event() {
                Ok(Event::Comment(_) | Event::PI(_)) => {}
                Ok(Event::Decl(_)) if start == self.base => {}
                Ok(event) => break (event, start),
                Err(error) => return self.malformed(&error),
            }
        };
        let (text, end) = (self.text, self.place());
        let span = Span::new(start..end);
        let inside = |before: usize, after: usize| &text[start + before..end - after];
        Ok(match event {
            Event::Start(ref tag) | Event::Empty(ref tag) => {
                self.empty = matches!(event, Event::Empty(_));
                let (name, rest) =
                    text[start + 1..start + 1 + tag.len()].split_at(tag.name().as_ref().len());
                Token::Open(self.element(name, rest, span)?)
            }
            Event::End(_) => {
                self.open.pop();
                Token::Close
            }
            Event::Text(_) => Token::Text(inside(0, 0), span),
            Event::CData(_) => Token::Text(inside(9, 3), span),
            Event::GeneralRef(_) => Token::Reference(inside(1, 1), span),
            Event::Comment(_) | Event::PI(_) => unreachable!("these are skipped above"),
            Event::Decl(_) => {
                return self.stop(|| {
                    Diagnostic::error("P0002", "an XML declaration is the first thing in a file")
                        .at(span, "")
                        .help("remove it, and what stands before it")
                });
            }
            Event::DocType(_) => {
                return self.stop(|| {
                    Diagnostic::error("P0003", "document types are not read")
                        .at(span, "this could define entities without end")
                        .help("remove the `<!DOCTYPE …>`: PNML needs none")
                });
            }
            Event::Eof => match self.open.last().copied() {
                None => Token::End,
                Some(tag) => {
                    return self.stop(|| {
                        Diagnostic::error("P0002", "the text ends too early")
                            .at(span, "")
                            .also(tag, "this element is not closed")
                            .help("is the file complete?")
                    });
                }
            },
        })
    }

    /// How far the text has been read.
    fn place(&self) -> usize {
        let read = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
        read.saturating_add(self.base).min(self.text.len())
    }

    fn malformed<T>(&mut self, error: &XmlError) -> Step<T> {
        let at = usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX);
        let at = self.text.floor_char_boundary(at.saturating_add(self.base));
        let end = self.text[at..].find(['>', '\n']).map_or(self.text.len(), |more| at + more + 1);
        let span = Span::new(at..end);
        let open = self.open.last().copied();
        self.stop(|| match error {
            XmlError::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
                let message = format!("`<{expected}>` is closed by `</{found}>`");
                let error = Diagnostic::error("P0002", message).at(span, "");
                match open {
                    Some(tag) => error.also(tag, "this is the element that is open"),
                    None => error,
                }
            }
            XmlError::IllFormed(IllFormedError::UnmatchedEndTag(_)) => closes_nothing(span),
            XmlError::IllFormed(IllFormedError::UnclosedReference) => {
                Diagnostic::error("P0008", "a reference ends with `;`")
                    .at(span, "")
                    .help("write `&amp;` for the character `&`")
            }
            XmlError::Syntax(error) => {
                Diagnostic::error("P0002", "this is not XML").at(span, error.to_string())
            }
            _ => Diagnostic::error("P0002", "this is not XML").at(span, error.to_string()),
        })
    }
}

fn closes_nothing(span: Span) -> Diagnostic {
    Diagnostic::error("P0002", "this end tag closes nothing").at(span, "")
}

fn unknown_reference(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("P0008", format!("`&{name};` stands for no character"))
        .at(span, "")
        .help("known are `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;`, and numbers such as `&#233;`")
}
