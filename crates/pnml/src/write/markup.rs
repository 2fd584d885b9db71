//! XML put together, indented.

use std::fmt::{self, Write as _};

use draw::xml;

use crate::xml::Format;

/// No line is indented by more levels than this, so that deep documents are not mostly blanks.
const DEEPEST: usize = 40;

/// A text of elements. Two spaces for each level; an element of text alone stays on one line.
#[derive(Default)]
pub(crate) struct Markup {
    text: String,
    /// How many elements are open.
    depth: usize,
    /// Whether the last start tag still lacks its end, since nothing may follow in its element.
    pending: bool,
}

impl Markup {
    /// A document: its outermost element, with what `content` adds to it.
    pub(crate) fn document(format: Format, content: impl FnOnce(&mut Markup)) -> String {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        let mut markup = Markup { text, ..Markup::default() };
        markup.element(format.root, &[("xmlns", format.namespace)], content);
        markup.text
    }

    /// An element with what `content` adds to it.
    pub(crate) fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        content: impl FnOnce(&mut Markup),
    ) {
        self.tag(name, attributes);
        self.depth += 1;
        self.pending = true;
        content(self);
        self.depth -= 1;
        if std::mem::take(&mut self.pending) {
            self.text.push_str("/>\n");
        } else {
            self.indent();
            self.write(format_args!("</{name}>\n"));
        }
    }

    /// An element with nothing in it.
    pub(crate) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.element(name, attributes, |_| ());
    }

    /// An element with text.
    pub(crate) fn leaf(&mut self, name: &str, content: &str) {
        self.tag(name, &[]);
        self.write(format_args!(">{}</{name}>\n", xml::Text(content)));
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        if std::mem::take(&mut self.pending) {
            self.text.push_str(">\n");
        }
        self.indent();
        self.write(format_args!("<{name}"));
        for (attribute, value) in attributes {
            self.write(format_args!(" {attribute}=\"{}\"", xml::Attribute(value)));
        }
    }

    fn write(&mut self, text: fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("strings do not fail");
    }

    fn indent(&mut self) {
        for _ in 0..self.depth.min(DEEPEST) {
            self.text.push_str("  ");
        }
    }
}
