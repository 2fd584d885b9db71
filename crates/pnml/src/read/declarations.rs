//! Declarations of sorts, variables, partitions and operators.

use super::Reader;
use super::sorts::SORTS;
use crate::declaration::{Declaration, NamedOperator, NamedSort, Part, Partition, Variable};
use crate::document::Id;
use crate::sort::Sort;
use crate::xml::{Element, Step};
use diagnostics::Diagnostic;

const DECLARATIONS: &[&str] = &["namedsort", "variabledecl", "partition", "namedoperator"];

impl<'t> Reader<'t> {
    /// Adds what a `declaration` declares. Without structure it declares nothing.
    pub(super) fn declaration(
        &mut self,
        element: &Element<'t>,
        list: &mut Vec<Declaration>,
    ) -> Step<()> {
        element.allow(&[], &mut self.xml.sink);
        while let Some(child) = self.xml.child()? {
            match child.name {
                "structure" => {
                    while let Some(inner) = self.xml.child()? {
                        match inner.name {
                            "declarations" => self.declarations(list)?,
                            _ => self.xml.unexpected(&inner, "structure", &["declarations"])?,
                        }
                    }
                }
                "text" | "graphics" | "toolspecific" => self.xml.skip()?,
                _ => {
                    let expected = ["text", "structure", "graphics", "toolspecific"];
                    self.xml.ignore(&child, "declaration", &expected)?;
                }
            }
        }
        Ok(())
    }

    fn declarations(&mut self, list: &mut Vec<Declaration>) -> Step<()> {
        while let Some(child) = self.xml.child()? {
            match child.name {
                "namedsort" => {
                    let (id, name) = self.declared(&child)?;
                    if let Some(sort) = self.only_sort(&child)? {
                        let span = child.tag;
                        list.push(Declaration::Sort(NamedSort { id, name, sort, span }));
                    }
                }
                "variabledecl" => {
                    list.extend(self.variable(&child)?.map(Declaration::Variable));
                }
                "partition" => {
                    list.extend(self.partition(&child)?.map(Declaration::Partition));
                }
                "namedoperator" => {
                    list.extend(self.named_operator(&child)?.map(Declaration::Operator));
                }
                "arbitrarysort" | "arbitraryoperator" | "unparsed" => {
                    self.xml.report(|| {
                        let message =
                            format!("`<{}>` is no declaration of symmetric nets", child.name);
                        Diagnostic::error("P0112", message)
                            .at(child.tag, "")
                            .help("what it stands for is not said, so the net has no meaning")
                    });
                    self.xml.skip()?;
                }
                _ => self.xml.unexpected(&child, "declarations", DECLARATIONS)?,
            }
        }
        Ok(())
    }

    /// Identifier and name of something declared.
    pub(super) fn declared(&mut self, element: &Element<'t>) -> Step<(Id, String)> {
        element.allow(&["id", "name"], &mut self.xml.sink);
        let id = element.id("id", &mut self.xml.sink);
        let name = element.value("name", &mut self.xml.sink);
        Ok((id, name.map(|(name, _)| name.trim().to_owned()).unwrap_or_default()))
    }

    /// The sort that is all there is in an element.
    fn only_sort(&mut self, element: &Element<'t>) -> Step<Option<Sort>> {
        let mut sort = None;
        let mut seen = false;
        while let Some(child) = self.xml.child()? {
            seen = true;
            if !is_sort(&child) {
                self.xml.unexpected(&child, element.name, SORTS)?;
                continue;
            }
            let tag = child.tag;
            let found = self.sort(child)?;
            if sort.is_some() {
                self.second("a sort", element.name, tag);
            } else {
                sort = found;
            }
        }
        if !seen {
            self.missing("a sort", element.name, element.tag);
        }
        Ok(sort)
    }

    fn variable(&mut self, element: &Element<'t>) -> Step<Option<Variable>> {
        let (id, name) = self.declared(element)?;
        let sort = self.only_sort(element)?;
        Ok(sort.map(|sort| Variable { id, name, sort, span: element.tag }))
    }

    fn partition(&mut self, element: &Element<'t>) -> Step<Option<Partition>> {
        let (id, name) = self.declared(element)?;
        let mut sort = None;
        let mut parts = Vec::new();
        let mut has_sort = false;
        while let Some(child) = self.xml.child()? {
            has_sort |= is_sort(&child);
            if child.name == "partitionelement" {
                parts.push(self.part(&child)?);
            } else if is_sort(&child) {
                let tag = child.tag;
                let found = self.sort(child)?;
                if sort.is_some() {
                    self.second("a sort", "partition", tag);
                } else {
                    sort = found;
                }
            } else {
                self.xml.unexpected(&child, "partition", &["usersort", "partitionelement"])?;
            }
        }
        if !has_sort {
            self.missing("the sort that it divides", "partition", element.tag);
        }
        if parts.is_empty() {
            self.missing("at least one `<partitionelement>`", "partition", element.tag);
        }
        Ok(sort.map(|sort| Partition { id, name, sort, parts, span: element.tag }))
    }

    fn part(&mut self, element: &Element<'t>) -> Step<Part> {
        let (id, name) = self.declared(element)?;
        let mut constants = Vec::new();
        let mut seen = false;
        while let Some(child) = self.xml.child()? {
            seen = true;
            match child.name {
                "useroperator" | "finiteintrangeconstant" => {
                    constants.extend(self.term(child)?);
                }
                _ => {
                    let expected = ["useroperator", "finiteintrangeconstant"];
                    self.xml.unexpected(&child, "partitionelement", &expected)?;
                }
            }
        }
        if !seen {
            self.missing("at least one constant", "partitionelement", element.tag);
        }
        Ok(Part { id, name, constants, span: element.tag })
    }

    fn named_operator(&mut self, element: &Element<'t>) -> Step<Option<NamedOperator>> {
        let (id, name) = self.declared(element)?;
        let mut parameters = Vec::new();
        let mut definition = None;
        let mut defined = false;
        while let Some(child) = self.xml.child()? {
            match child.name {
                "parameter" => {
                    while let Some(inner) = self.xml.child()? {
                        match inner.name {
                            "variabledecl" => parameters.extend(self.variable(&inner)?),
                            _ => self.xml.unexpected(&inner, "parameter", &["variabledecl"])?,
                        }
                    }
                }
                "def" => {
                    while let Some(inner) = self.xml.child()? {
                        defined = true;
                        let tag = inner.tag;
                        let term = self.term(inner)?;
                        if definition.is_some() && term.is_some() {
                            self.second("a definition", "namedoperator", tag);
                        } else {
                            definition = definition.or(term);
                        }
                    }
                }
                _ => self.xml.unexpected(&child, "namedoperator", &["parameter", "def"])?,
            }
        }
        if !defined {
            self.missing("a `<def>` with a term", "namedoperator", element.tag);
        }
        let span = element.tag;
        Ok(definition.map(|definition| NamedOperator { id, name, parameters, definition, span }))
    }
}

/// Whether an element is to be read as a sort, perhaps only to say that it is none of ours.
fn is_sort(element: &Element<'_>) -> bool {
    let foreign = ["natural", "positive", "integer", "string", "list", "multisetsort"];
    SORTS.contains(&element.name) || foreign.contains(&element.name)
}
