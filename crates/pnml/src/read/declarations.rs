//! Declarations of sorts, variables, partitions and operators.

use super::Reader;
use super::sorts::is_sort;
use crate::declaration::{Declaration, Declared, Named};
use crate::term::Term;
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
            let declaration = match child.name {
                "namedsort" => {
                    self.named(&child, |reader| Ok(reader.only_sort(&child)?.map(Declared::Sort)))?
                }
                "variabledecl" => self.named(&child, |reader| {
                    Ok(reader.only_sort(&child)?.map(Declared::Variable))
                })?,
                "partition" => self.named(&child, |reader| reader.partition(&child))?,
                "namedoperator" => self.named(&child, |reader| reader.operator(&child))?,
                "arbitrarysort" | "arbitraryoperator" | "unparsed" => {
                    self.xml.report(|| {
                        let message =
                            format!("`<{}>` is no declaration of symmetric nets", child.name);
                        Diagnostic::error("P0112", message)
                            .at(child.tag, "")
                            .help("what it stands for is not said, so the net has no meaning")
                    });
                    self.xml.skip().map(|()| None)?
                }
                _ => self.xml.unexpected(&child, "declarations", DECLARATIONS).map(|()| None)?,
            };
            list.extend(declaration);
        }
        Ok(())
    }

    /// Something declared, with its identifier and its name.
    pub(super) fn named<T>(
        &mut self,
        element: &Element<'t>,
        value: impl FnOnce(&mut Self) -> Step<Option<T>>,
    ) -> Step<Option<Named<T>>> {
        element.allow(&["id", "name"], &mut self.xml.sink);
        let id = element.id("id", &mut self.xml.sink);
        let name = element.value("name", &mut self.xml.sink);
        let name = name.map(|(name, _)| name.trim().to_owned()).unwrap_or_default();
        let value = value(self)?;
        Ok(value.map(|value| Named { id, name, value, span: element.tag }))
    }

    fn partition(&mut self, element: &Element<'t>) -> Step<Option<Declared>> {
        let mut parts = Vec::new();
        let mut sort = None;
        let mut has_sort = false;
        while let Some(child) = self.xml.child()? {
            if child.name == "partitionelement" {
                parts.extend(self.named(&child, |reader| reader.part(&child).map(Some))?);
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
        Ok(sort.map(|sort| Declared::Partition { sort, parts }))
    }

    fn part(&mut self, element: &Element<'t>) -> Step<Vec<Term>> {
        self.several(element, "constant", |reader, child| match child.name {
            "useroperator" | "finiteintrangeconstant" => reader.term(child, "partitionelement"),
            _ => {
                let expected = ["useroperator", "finiteintrangeconstant"];
                reader.xml.unexpected(&child, "partitionelement", &expected).map(|()| None)
            }
        })
    }

    fn operator(&mut self, element: &Element<'t>) -> Step<Option<Declared>> {
        let mut parameters = Vec::new();
        let mut definition = None;
        let mut is_defined = false;
        while let Some(child) = self.xml.child()? {
            match child.name {
                "parameter" => {
                    while let Some(inner) = self.xml.child()? {
                        match inner.name {
                            "variabledecl" => {
                                let sort = |reader: &mut Self| reader.only_sort(&inner);
                                parameters.extend(self.named(&inner, sort)?);
                            }
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
        Ok(definition.map(|definition| Declared::Operator { parameters, definition }))
    }
}
