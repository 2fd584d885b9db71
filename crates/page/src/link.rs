//! Modules put together into one script, for pages that work from disk, where a browser loads no modules.
//!
//! The modules of `web/` keep to a form that makes this easy, and a test holds them to it: imports stand in lines of
//! their own, name what they import, and are relative; `export` stands before a declaration at the start of a line;
//! no module imports itself by way of others. Each becomes a function that gives what it exports.

use std::collections::BTreeSet;

use crate::embedded::content;

/// An import: the names, and the module they are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import<'a> {
    pub names: &'a str,
    pub module: &'a str,
}

/// What a line imports, if it is an import of the form that is allowed.
pub(crate) fn import(line: &str) -> Option<Import<'_>> {
    let (names, module) = line.strip_prefix("import { ")?.split_once(" } from './")?;
    let module = module.strip_suffix("';")?;
    Some(Import { names, module })
}

/// The name that a line exports, if it does.
pub(crate) fn export(line: &str) -> Option<&str> {
    let declaration = line.strip_prefix("export ")?;
    let declaration = declaration.strip_prefix("async ").unwrap_or(declaration);
    let name =
        ["function ", "class ", "const "].iter().find_map(|word| declaration.strip_prefix(word))?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    Some(&name[..end])
}

/// A script that does what a module does, with all it imports.
pub(crate) fn linked(main: &str) -> String {
    let mut script = String::from("'use strict';\n");
    add(main, &mut BTreeSet::new(), &mut script);
    script
}

/// The variable that holds what a module exports: `module_run` for `run.js`.
fn variable(module: &str) -> String {
    format!("module_{}", module.trim_end_matches(".js"))
}

fn add(module: &str, added: &mut BTreeSet<String>, script: &mut String) {
    if !added.insert(module.to_owned()) {
        return;
    }
    let (mut body, mut exports) = (String::new(), Vec::new());
    for line in content(module).lines() {
        if let Some(import) = import(line) {
            add(import.module, added, script);
            body += &format!("const {{ {} }} = {};\n", import.names, variable(import.module));
        } else {
            exports.extend(export(line));
            body += line.strip_prefix("export ").unwrap_or(line);
            body.push('\n');
        }
    }
    let exports = exports.join(", ");
    *script +=
        &format!("const {} = (() => {{\n{body}return {{ {exports} }};\n}})();\n", variable(module));
}
