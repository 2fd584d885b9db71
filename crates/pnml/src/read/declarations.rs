//! Declarations of sorts, variables, partitions and operators.

use super::Reader;
use super::sorts::is_sort;
use crate::declaration::{Declaration, NamedOperator, NamedSort, Part, Partition, Variable};
use crate::document::Id;
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
                    let (id, name) = self.declared(&child);
                    let named = |sort| NamedSort { id, name, sort, span: child.tag };
                    list.extend(self.only_sort(&child)?.map(named).map(Declaration::Sort));
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
    pub(super) fn declared(&mut self, element: &Element<'t>) -> (Id, String) {
        element.allow(&["id", "name"], &mut self.xml.sink);
        let id = element.id("id", &mut self.xml.sink);
        let name = element.value("name", &mut self.xml.sink);
        (id, name.map(|(name, _)| name.trim().to_owned()).unwrap_or_default())
    }

    fn variable(&mut self, element: &Element<'t>) -> Step<Option<Variable>> {
        let (id, name) = self.declared(element);
        let sort = self.only_sort(element)?;
        Ok(sort.map(|sort| Variable { id, name, sort, span: element.tag }))
    }

    fn partition(&mut self, element: &Element<'t>) -> Step<Option<Partition>> {
        let (id, name) = self.declared(element);
        let mut parts = Vec::new();
        let mut sort = None;
        let mut has_sort = false;
        while let Some(child) = self.xml.child()? {
            if child.name == "partitionelement" {
                parts.push(self.part(&child)?);
            } else if is_sort(&child) {
                has_sort = true;
                let found = self.sort(&child, "partition")?;
                self.xml.once(&mut sort, found, &child);
            } else {
                self.xml.unexpected(&child, "partition", &["usersort", "partitionelement"])?;
            }
        }
        if !has_sort {
            self.xml.missing("the sort that it divides", element);
        }
        if parts.is_empty() {
            self.xml.missing("at least one `<partitionelement>`", element);
        }
        Ok(sort.map(|sort| Partition { id, name, sort, parts, span: element.tag }))
    }

    fn part(&mut self, element: &Element<'t>) -> Step<Part> {
        let (id, name) = self.declared(element);
        let constants = self.several(element, "constant", |reader, child| match child.name {
            "useroperator" | "finiteintrangeconstant" => reader.term(child, "partitionelement"),
            _ => {
                let expected = ["useroperator", "finiteintrangeconstant"];
                reader.xml.unexpected(&child, "partitionelement", &expected).map(|()| None)
            }
        })?;
        Ok(Part { id, name, constants, span: element.tag })
    }

    fn named_operator(&mut self, element: &Element<'t>) -> Step<Option<NamedOperator>> {
        let (id, name) = self.declared(element);
        let mut parameters = Vec::new();
        let mut definition = None;
        let mut is_defined = false;
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
                    is_defined = true;
                    let term = self.only(&child, "a term", |reader, term| reader.term(term, "def"));
                    self.xml.once(&mut definition, term?, &child);
                }
                _ => self.xml.unexpected(&child, "namedoperator", &["parameter", "def"])?,
            }
        }
        if !is_defined {
            self.xml.missing("a `<def>` with a term", element);
        }
        let span = element.tag;
        Ok(definition.map(|definition| NamedOperator { id, name, parameters, definition, span }))
    }
}
