//! Packages of the library that are written in Go, here as there: their texts are in `packages/`.
//!
//! A text is read like a file of the program, put after its last one. Names that it declares are given the path of the package
//! by its tokens already (`container/list.New`), so that they are no names that a program can have; `list.New` in a program is
//! looked up as that. What is not used is not translated. Nobody has these texts before them, so what is found in one is told of
//! the place in the program by which it is used, and its steps are told as those of the prelude are.
//!
//! In these texts no name of the package is declared again in a function, nor is one that is imported, and declarations are not
//! grouped.

use std::collections::BTreeSet;

use diagnostics::Diagnostics;

use crate::lexer::{Kind, Token, tokens};
use crate::syntax::*;

/// A package, or a part of one. No part uses the names of another.
struct Package {
    path: &'static str,
    /// What a program says that uses it; of one that is all written in Go, nothing but the path.
    asks: &'static [&'static str],
    text: &'static str,
}

const fn whole(path: &'static str, text: &'static str) -> Package {
    Package { path, asks: &[], text }
}

const fn part(path: &'static str, asks: &'static [&'static str], text: &'static str) -> Package {
    Package { path, asks, text }
}

/// What of package `sort` is written in Go.
const SORT: [&str; 6] = [".Sort(", ".Stable(", ".Interface", ".Search", ".Strings(", ".IsSorted("];

const PACKAGES: [Package; 16] = [
    whole("container/heap", include_str!("packages/heap.go")),
    whole("container/list", include_str!("packages/list.go")),
    whole("container/ring", include_str!("packages/ring.go")),
    part("io", &[".Pipe"], include_str!("packages/io.go")),
    whole("cmp", include_str!("packages/cmp.go")),
    whole("iter", include_str!("packages/iter.go")),
    whole("maps", include_str!("packages/both_maps.go")),
    whole("maps", include_str!("packages/maps.go")),
    whole("golang.org/x/exp/maps", include_str!("packages/both_maps.go")),
    whole("golang.org/x/exp/maps", include_str!("packages/exp_maps.go")),
    whole("slices", include_str!("packages/slices.go")),
    whole("golang.org/x/exp/slices", include_str!("packages/slices.go")),
    part("sync", &[".OnceFunc", ".OnceValue"], include_str!("packages/sync.go")),
    part("sort", &SORT, include_str!("packages/sort.go")),
    part("sync/atomic", &[".Pointer["], include_str!("packages/atomic.go")),
    whole("golang.org/x/sync/singleflight", include_str!("packages/singleflight.go")),
];

/// How a name begins that stands for a package, whatever the program imports.
const IMPORT: &str = "import ";

/// The path of a package, if a name stands for one by itself.
pub(crate) fn imported(name: &str) -> Option<&str> {
    name.strip_prefix(IMPORT)
}

/// A declaration of a package, as it is looked up.
pub(crate) fn qualified(path: &str, name: &str) -> String {
    format!("{path}.{name}")
}

/// Whether a declaration is one of a package, by its name.
pub(crate) fn is_qualified(name: &str) -> bool {
    name.contains('.')
}

/// A name as it is written in programs: `list.New`.
pub(crate) fn plain(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Whether all of a package that is known is written in Go.
pub(crate) fn is_whole(path: &str) -> bool {
    PACKAGES.iter().any(|one| one.path == path && one.asks.is_empty())
}

/// The packages that a text asks for, and those that they ask for.
fn wanted(program: &str) -> Vec<&'static Package> {
    let mut found: Vec<&Package> = Vec::new();
    loop {
        let texts = || found.iter().map(|one| one.text).chain([program]);
        let is_wanted = |one: &&Package| {
            let path = format!("\"{}\"", one.path);
            let asks =
                |text: &str| one.asks.is_empty() || one.asks.iter().any(|ask| text.contains(ask));
            texts().any(|text| text.contains(&path) && asks(text))
        };
        let known = |one: &&Package| found.iter().any(|other| std::ptr::eq(*one, *other));
        let more: Vec<&Package> =
            PACKAGES.iter().filter(is_wanted).filter(|one| !known(one)).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// A program with the texts of the packages that it asks for after it.
pub(crate) fn with_packages(program: &str) -> String {
    let texts = wanted(program).into_iter().flat_map(|one| ["\n", one.text]);
    [program].into_iter().chain(texts).collect()
}

/// The declarations of the packages that a program asks for, with their places in what [`with_packages`] gives.
pub(crate) fn declarations(program: &str, found: &mut Diagnostics) -> Vec<Decl> {
    let mut base = program.len() as u32 + 1;
    let mut decls = Vec::new();
    for one in wanted(program) {
        let (mut tokens, _) = tokens(one.text, base, found);
        qualify(&mut tokens, one.path);
        let file = crate::parser::parse_tokens(tokens, found);
        decls.extend(file.decls.into_iter().filter(|decl| !matches!(decl, Decl::Import { .. })));
        base += one.text.len() as u32 + 1;
    }
    decls
}

/// Gives the names that a package declares its path, and those of packages that it imports theirs.
fn qualify(tokens: &mut [Token], path: &str) {
    let mut own: BTreeSet<String> = BTreeSet::new();
    let mut imports: Vec<(String, String)> = Vec::new();
    let mut depth = 0usize;
    for pair in tokens.windows(2) {
        match (&pair[0].kind, &pair[1].kind) {
            (Kind::Op("{" | "("), _) => depth += 1,
            (Kind::Op("}" | ")"), _) => depth -= 1,
            (Kind::Word("func" | "type" | "var" | "const"), Kind::Name(name)) if depth == 0 => {
                own.insert(name.clone());
            }
            (Kind::Word("import"), Kind::Str(of)) => {
                imports.push((plain(of).to_owned(), format!("{IMPORT}{of}")));
            }
            _ => {}
        }
    }
    // Braces, and whether they are those of an interface, in which names before `(` are methods.
    let mut braces: Vec<bool> = Vec::new();
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map(|before| tokens[before].kind.clone());
        match tokens[at].kind.clone() {
            Kind::Op("{") => braces.push(before == Some(Kind::Word("interface"))),
            Kind::Op("}") => drop(braces.pop()),
            Kind::Name(name) if before != Some(Kind::Op(".")) => {
                let after = tokens.get(at + 1).map(|after| &after.kind);
                let is_method = braces.last() == Some(&true)
                    && after == Some(&Kind::Op("("))
                    && matches!(before, Some(Kind::Op("{" | ";")));
                let of = imports.iter().find(|(of, _)| *of == name);
                let whole = match of {
                    Some((_, of)) if after == Some(&Kind::Op(".")) => of.clone(),
                    _ if own.contains(&name) && !is_method => qualified(path, &name),
                    _ => continue,
                };
                // Methods are known by the names alone.
                let is_receiver_of = before == Some(Kind::Op(")")) && after == Some(&Kind::Op("("));
                if !is_receiver_of {
                    tokens[at].kind = Kind::Name(whole);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PACKAGES, declarations};

    #[test]
    fn the_texts_can_be_read() {
        for one in &PACKAGES {
            let asks = one.asks.join(" ");
            let program = format!("package a\nimport \"{}\"\n// {asks}\n", one.path);
            let mut found = diagnostics::Diagnostics::default();
            assert!(!declarations(&program, &mut found).is_empty(), "{}", one.path);
            assert!(!found.has_errors(), "{}: {:?}", one.path, found.finish(&program));
        }
    }
}
