//! Texts made to do harm: refused at once and with a reason, or read in time and space that fit them.

use std::fmt::Write;

use diagnostics::{Diagnostics, Report};
use pnml::{Document, Limits, properties, read, to_net, write};

const HEAD: &str = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/";

fn place_transition(body: &str) -> String {
    format!("{HEAD}ptnet'><page id='page'>{body}</page></net></pnml>")
}

fn symmetric(declarations: &str, body: &str) -> String {
    format!(
        "{HEAD}symmetricnet'><declaration><structure><declarations>{declarations}</declarations>\
         </structure></declaration><page id='page'>{body}</page></net></pnml>"
    )
}

fn condition(term: &str) -> String {
    format!("<transition id='t'><condition><structure>{term}</structure></condition></transition>")
}

fn refused(text: &str, limits: &Limits) -> Report {
    read(text, limits).expect_err("it is refused")
}

fn codes(text: &str) -> Vec<&'static str> {
    match read(text, &Limits::default()) {
        Ok(_) => Vec::new(),
        Err(errors) => {
            drop(errors.render("net", text, false));
            errors.iter().map(|error| error.code).collect()
        }
    }
}

#[test]
fn reading_ends_with_its_budget() {
    let limits = Limits::default();
    limits.budget.interrupt();
    let errors = refused("<pnml></pnml>", &limits);
    let message = "1:1: the run was interrupted while the document was read [P0001]";
    assert_eq!(errors.to_string(), message);
}

#[test]
fn large_documents_are_refused_before_they_are_looked_at() {
    let limits = Limits { bytes: 100, ..Limits::default() };
    let errors = refused(&"<".repeat(101), &limits);
    assert_eq!(errors.to_string(), "1:1: the document is larger than 100 bytes [P0001]");
    assert_eq!(codes(&"<".repeat(101)), ["P0002"]);
}

#[test]
fn characters_that_are_no_text_are_refused() {
    for (text, column) in [("<pnml>\0</pnml>", 7), ("é<pnml>\u{1b}", 8), ("\u{FFFF}", 1)] {
        let errors = refused(text, &Limits::default());
        let error = errors.iter().next().expect("at least one");
        assert_eq!((error.code, error.line, error.column), ("P0006", 1, column));
    }
}

#[test]
fn depth_is_limited_however_it_comes_about() {
    let deep = |open: &str, close: &str| (open.repeat(100_000), close.repeat(100_000));
    let not = deep("<not><subterm>", "</subterm></not>");
    let pages = deep("<page id='x'>", "</page>");
    let tools = deep("<a>", "</a>");
    let products = deep("<productsort>", "</productsort>");
    let dot = "<dot/>";
    for text in [
        symmetric("", &condition(&format!("{}{}", not.0, not.1))),
        symmetric("", &condition(&not.0)),
        place_transition(&format!("{}{}", pages.0, pages.1)),
        place_transition(&format!("<toolspecific>{}{}</toolspecific>", tools.0, tools.1)),
        "<pnml>".repeat(100_000),
    ] {
        assert_eq!(codes(&text).last(), Some(&"P0004"));
    }
    let sort = format!("<namedsort id='s' name='s'>{}{dot}{}</namedsort>", products.0, products.1);
    assert_eq!(codes(&symmetric(&sort, "")).first(), Some(&"P0301"));
    let formula = deep("<negation>", "</negation>");
    let text = format!(
        "<property-set><property><id>x</id><formula>{}<true/>{}</formula></property></property-set>",
        formula.0, formula.1
    );
    let errors = properties::read(&text, &Limits::default()).expect_err("it is refused");
    assert_eq!(errors.iter().map(|error| error.code).collect::<Vec<_>>(), ["P0004"]);
    let shallow = Limits { depth: 3, ..Limits::default() };
    assert_eq!(refused(&place_transition("<place id='p'/>"), &shallow).iter().count(), 1);
}

/// Test threads have 2 MiB of stack, as most threads have.
#[test]
fn what_is_allowed_fits_the_stack() {
    let use_it = |text: &str| {
        let document: Document = read(text, &Limits::default())
            .unwrap_or_else(|errors| panic!("{}", errors.render("net", text, false)));
        let written = write(&document);
        assert_eq!(read(&written, &Limits::default()).as_ref(), Ok(&document));
        assert_eq!(document.clone(), document);
        assert!(format!("{document:?}").len() > text.len());
    };
    let levels = (Limits::DEEPEST - 7) / 2;
    let (open, close) = ("<not><subterm>".repeat(levels), "</subterm></not>".repeat(levels));
    let truth = "<booleanconstant value='true'/>";
    use_it(&symmetric("", &condition(&format!("{open}{truth}{close}"))));
    let mut pages = String::new();
    for page in 0..Limits::DEEPEST - 3 {
        write!(pages, "<page id='p{page}'>").expect("strings do not fail");
    }
    pages.push_str(&"</page>".repeat(Limits::DEEPEST - 3));
    use_it(&place_transition(&pages));

    let levels = Limits::DEEPEST - 4;
    let (open, close) = ("<negation>".repeat(levels), "</negation>".repeat(levels));
    let text = format!(
        "<property-set><property><id>x</id><formula>{open}<true/>{close}</formula></property>\
         </property-set>"
    );
    let list = properties::read(&text, &Limits::default()).expect("it is right");
    let written = properties::write(&list);
    assert_eq!(properties::read(&written, &Limits::default()), Ok(list.clone()));
    assert!(format!("{list:?}").len() > text.len());
}

#[test]
fn a_flood_of_mistakes_is_cut_short() {
    let text = place_transition(&"<plaec/>".repeat(100_000));
    let errors = refused(&text, &Limits::default());
    assert_eq!(
        (errors.iter().count(), errors.more()),
        (Diagnostics::KEPT, 100_000 - Diagnostics::KEPT)
    );
    assert!(errors.to_string().ends_with("\nand 99950 more"));
    assert!(errors.render("net", &text, true).ends_with("\nand 99950 more\n"));

    let mut arcs = String::new();
    for arc in 0..100_000 {
        write!(arcs, "<arc id='a{arc}' source='p{arc}' target='q'/>").expect("strings do not fail");
    }
    let errors = refused(&place_transition(&arcs), &Limits::default());
    assert_eq!(errors.more(), 200_000 - Diagnostics::KEPT);
}

/// Everything here would take minutes if reading were quadratic in it.
#[test]
fn long_lists_and_long_chains_are_no_harder_than_short_ones() {
    const MANY: usize = 50_000;
    let list = |each: &dyn Fn(usize) -> String| (0..MANY).map(each).collect::<String>();
    let attributes = list(&|i| format!(" a{i}='1'"));
    assert_eq!(codes(&place_transition(&format!("<place{attributes}/>"))), ["P0007"]);

    let references = list(&|i| format!("<referencePlace id='r{i}' ref='r{}'/>", i + 1));
    let arcs = list(&|i| format!("<arc id='a{i}' source='r{}' target='t'/>", i / 2));
    let end = format!("<place id='r{MANY}'/><transition id='t'/>");
    assert!(codes(&place_transition(&format!("{references}{end}{arcs}"))).is_empty());
    let circle = format!("{references}<referencePlace id='r{MANY}' ref='r0'/>");
    assert_eq!(codes(&place_transition(&circle)).len(), Diagnostics::KEPT);

    let sorts = list(&|i| {
        format!("<namedsort id='s{i}' name='s'><usersort declaration='s{}'/></namedsort>", i + 1)
    });
    let end = format!("<namedsort id='s{MANY}' name='s'><dot/></namedsort>");
    let place = "<place id='p'><type><structure><usersort declaration='s0'/></structure></type>\
                 <hlinitialMarking><structure><dotconstant/></structure></hlinitialMarking></place>";
    assert!(codes(&symmetric(&format!("{sorts}{end}"), place)).is_empty());
    assert_eq!(codes(&symmetric(&sorts, place)), ["P0205"]);

    let operators = list(&|i| {
        format!(
            "<namedoperator id='o{i}' name='o'><parameter/><def><useroperator declaration='o{}'/>\
             </def></namedoperator>",
            i + 1
        )
    });
    let end = format!(
        "<namedoperator id='o{MANY}' name='o'><def><booleanconstant value='1'/></def></namedoperator>"
    );
    let applied = condition("<useroperator declaration='o0'/>");
    assert!(codes(&symmetric(&format!("{operators}{end}"), &applied)).is_empty());

    let parameters = list(&|i| format!("<variabledecl id='v{i}' name='v'><bool/></variabledecl>"));
    let uses = list(&|i| format!("<subterm><variable refvariable='v{i}'/></subterm>"));
    let wide = format!(
        "<namedoperator id='o' name='o'><parameter>{parameters}</parameter><def><and>{uses}</and>\
         </def></namedoperator>"
    );
    assert!(codes(&symmetric(&wide, "")).is_empty());

    let factors = "<dot/>".repeat(MANY);
    let product =
        format!("<namedsort id='s' name='s'><productsort>{factors}</productsort></namedsort>");
    assert_eq!(codes(&symmetric(&product, "")), ["P0301"]);

    let text = place_transition(&format!("<place id='p'><name><text>{}", "&amp;x]]".repeat(MANY)));
    assert_eq!(codes(&text), ["P0002"]);
}

/// Each is named by the one before twice: were products taken apart, there would be 2¹⁰⁰⁰⁰⁰ of them.
#[test]
fn products_of_products_are_not_taken_apart() {
    let mut sorts = String::from("<namedsort id='s0' name='s'><dot/></namedsort>");
    for i in 1..100_000 {
        let used = format!("<usersort declaration='s{}'/>", i - 1);
        write!(
            sorts,
            "<namedsort id='s{i}' name='s'><productsort>{used}{used}</productsort></namedsort>"
        )
        .expect("strings do not fail");
    }
    let place = "<place id='p'><type><structure><usersort declaration='s99999'/></structure></type>\
                 <hlinitialMarking><structure><dotconstant/></structure></hlinitialMarking></place>";
    let errors = refused(&symmetric(&sorts, place), &Limits::default());
    assert!(errors.iter().all(|error| error.code == "P0301"), "{errors}");
}

#[test]
fn limits_on_sorts_are_the_callers() {
    let range = "<namedsort id='r' name='r'><finiteintrange start='-500' end='499'/></namedsort>";
    let pair = "<namedsort id='p' name='p'><productsort><usersort declaration='r'/>\
                <usersort declaration='r'/></productsort></namedsort>";
    let text = symmetric(&format!("{range}{pair}"), "");
    let limits = |class, product| Limits { class, product, ..Limits::default() };
    assert!(read(&text, &limits(1000, 1_000_000)).is_ok());
    assert_eq!(refused(&text, &limits(999, 1_000_000)).iter().count(), 1);
    assert_eq!(refused(&text, &limits(1000, 999_999)).iter().count(), 1);
    let all = "<namedsort id='r' name='r'><finiteintrange start='-9223372036854775808' \
               end='9223372036854775807'/></namedsort>";
    assert_eq!(codes(&symmetric(all, "")), ["P0301"]);
}

fn net_codes(text: &str) -> Vec<&'static str> {
    let document = read(text, &Limits::default())
        .unwrap_or_else(|errors| panic!("{}", errors.render("net", text, false)));
    match to_net(&document, text) {
        Ok(net) => {
            assert_eq!(net.check(), []);
            Vec::new()
        }
        Err(errors) => errors.iter().map(|error| error.code).collect(),
    }
}

/// A net with one place over a class, a transition, and what an arc from the one to the other carries.
fn carrying(declarations: &str, sort: &str, term: &str) -> String {
    let place = format!("<place id='p'><type><structure>{sort}</structure></type></place>");
    let arc = format!(
        "<arc id='a' source='t' target='p'><hlinscription><structure>{term}</structure>\
         </hlinscription></arc>"
    );
    symmetric(declarations, &format!("{place}<transition id='t'/>{arc}"))
}

fn class(name: &str, size: usize) -> String {
    let constants: String =
        (0..size).map(|i| format!("<feconstant id='{name}{i}' name='{i}'/>")).collect();
    format!(
        "<namedsort id='{name}' name='{name}'><cyclicenumeration>{constants}</cyclicenumeration>\
         </namedsort>"
    )
}

fn subterms(element: &str, list: impl IntoIterator<Item = String>) -> String {
    let list: String = list.into_iter().map(|t| format!("<subterm>{t}</subterm>")).collect();
    format!("<{element}>{list}</{element}>")
}

const CLASS: &str = "<usersort declaration='C'/>";
const ALL: &str = "<all><usersort declaration='C'/></all>";

#[test]
fn products_of_classes_are_never_written_out() {
    let large =
        "<namedsort id='C' name='C'><finiteintrange start='1' end='4000000000'/></namedsort>";
    assert_eq!(net_codes(&carrying(large, CLASS, ALL)), ["P0502"]);
    let product = |n: usize| format!("<productsort>{}</productsort>", CLASS.repeat(n));
    let all = |n: usize| format!("<all>{}</all>", product(n));
    let ten = class("C", 10);
    assert!(net_codes(&carrying(&ten, &product(6), &all(6))).is_empty());
    assert_eq!(net_codes(&carrying(&ten, &product(12), &all(12))), ["P0502"]);
    let truths = format!("<productsort>{}</productsort>", "<bool/>".repeat(40));
    assert_eq!(net_codes(&carrying("", &truths, &format!("<all>{truths}</all>"))), ["P0505"]);
}

#[test]
fn what_is_abbreviated_has_a_limit_when_it_is_written_out() {
    let halves = "<partition id='H' name='H'><usersort declaration='C'/>";
    let part = |name: &str, range: std::ops::Range<usize>| {
        let constants: String =
            range.map(|i| format!("<useroperator declaration='C{i}'/>")).collect();
        format!("<partitionelement id='{name}' name='{name}'>{constants}</partitionelement>")
    };
    let declarations = |n: usize| {
        let (low, high) = (part("low", 0..n / 2), part("high", n / 2..n));
        format!("{}{halves}{low}{high}</partition>", class("C", n))
    };
    let product = format!("<productsort>{}</productsort>", CLASS.repeat(4));
    let low = || "<useroperator declaration='low'/>".to_owned();
    let tuple = subterms("tuple", (0..4).map(|_| low()));
    assert!(net_codes(&carrying(&declarations(8), &product, &tuple)).is_empty());
    assert_eq!(net_codes(&carrying(&declarations(200), &product, &tuple)), ["P0505"]);

    // Every difference of variables doubles the cases.
    let variables: String = (0..40)
        .map(|i| format!("<variabledecl id='x{i}' name='x'>{CLASS}</variabledecl>"))
        .collect();
    let variable = |i: usize| format!("<variable refvariable='x{i}'/>");
    let sum = subterms("add", (0..20).map(variable));
    let rest = subterms("add", (20..40).map(variable));
    let difference = subterms("subtract", [sum, rest]);
    let text = carrying(&format!("{}{variables}", class("C", 3)), CLASS, &difference);
    assert_eq!(net_codes(&text), ["P0505"]);
}

/// Everything here would take minutes if it took more than linear time, or overflow the stack.
#[test]
fn long_terms_are_no_harder_than_short_ones() {
    const MANY: usize = 20_000;
    let declarations =
        format!("{}<variabledecl id='x' name='x'>{CLASS}</variabledecl>", class("C", MANY));
    let member = |i: usize| format!("<useroperator declaration='C{i}'/>");
    let sum = subterms("add", (0..MANY).map(member));
    assert!(net_codes(&carrying(&declarations, CLASS, &sum)).is_empty());
    let difference = subterms("subtract", std::iter::once(ALL.into()).chain((1..MANY).map(member)));
    assert!(net_codes(&carrying(&declarations, CLASS, &difference)).is_empty());
    let equality =
        |i: usize| subterms("equality", ["<variable refvariable='x'/>".to_owned(), member(i)]);
    let guard = subterms("or", (0..MANY).map(equality));
    assert!(net_codes(&symmetric(&declarations, &condition(&guard))).is_empty());
}

/// Test threads have 2 MiB of stack, as most threads have.
#[test]
fn nets_of_what_is_allowed_fit_the_stack() {
    let levels = (Limits::DEEPEST - 9) / 2;
    let variable = format!("{}<variabledecl id='x' name='x'>{CLASS}</variabledecl>", class("C", 3));
    let nested = |element: &str, inner: &str, other: &str| {
        let open = format!("<{element}><subterm>").repeat(levels);
        let close = format!("</subterm>{other}</{element}>").repeat(levels);
        format!("{open}{inner}{close}")
    };
    let x = "<variable refvariable='x'/>";
    let holds = format!("<equality><subterm>{x}</subterm><subterm>{x}</subterm></equality>");
    let other = "<subterm><equality><subterm><variable refvariable='x'/></subterm><subterm>\
                 <useroperator declaration='C1'/></subterm></equality></subterm>";
    for (element, other) in [("not", ""), ("and", other), ("or", other), ("imply", other)] {
        let text = symmetric(&variable, &condition(&nested(element, &holds, other)));
        assert!(net_codes(&text).is_empty(), "{element}");
    }
    for (element, other) in [("add", ""), ("subtract", ""), ("successor", "")] {
        assert!(net_codes(&carrying(&variable, CLASS, &nested(element, x, other))).is_empty());
    }
}
