//! Bytes per second, of reading and of writing. That they do not fall with the size is the claim.

use divan::Bencher;
use divan::counter::BytesCount;
use pnml::{Limits, read, write};

fn main() {
    divan::main();
}

/// A ring of as many places and transitions.
fn ring(size: usize) -> String {
    let mut text = String::from(
        "<pnml><net id='ring' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>\n",
    );
    for i in 0..size {
        let next = (i + 1) % size;
        text.push_str(&format!(
            "<place id='p{i}'><name><text>place {i}</text></name>\
             <initialMarking><text>{i}</text></initialMarking></place>\n\
             <transition id='t{i}'><name><text>step {i}</text></name></transition>\n\
             <arc id='a{i}' source='p{i}' target='t{i}'/><arc id='b{i}' source='t{i}' target='p{next}'/>\n"
        ));
    }
    text.push_str("</page></net></pnml>\n");
    text
}

/// A place that starts with as many pairs.
fn pairs(size: usize) -> String {
    let mut constants = String::new();
    let mut terms = String::new();
    for i in 0..size {
        constants.push_str(&format!("<feconstant id='c{i}' name='{i}'/>\n"));
        terms.push_str(&format!(
            "<subterm><numberof><subterm><numberconstant value='1'><positive/></numberconstant>\
             </subterm><subterm><tuple><subterm><useroperator declaration='c{i}'/></subterm>\
             <subterm><useroperator declaration='c0'/></subterm></tuple></subterm></numberof></subterm>\n"
        ));
    }
    format!(
        "<pnml><net id='pairs' type='http://www.pnml.org/version-2009/grammar/symmetricnet'>\
         <declaration><structure><declarations><namedsort id='C' name='C'><cyclicenumeration>\n\
         {constants}</cyclicenumeration></namedsort></declarations></structure></declaration>\
         <page id='g'><place id='p'><type><structure><productsort><usersort declaration='C'/>\
         <usersort declaration='C'/></productsort></structure></type><hlinitialMarking><structure><add>\n\
         {terms}</add></structure></hlinitialMarking></place></page></net></pnml>\n"
    )
}

fn read_all(bencher: Bencher<'_, '_>, text: &str) {
    let limits = Limits::default();
    let bench = || read(divan::black_box(text), &limits).expect("it is right");
    bencher.counter(BytesCount::of_str(text)).bench_local(bench);
}

#[divan::bench(args = [100, 1_000, 10_000, 100_000])]
fn read_ring(bencher: Bencher<'_, '_>, size: usize) {
    read_all(bencher, &ring(size));
}

#[divan::bench(args = [100, 1_000, 10_000, 100_000])]
fn read_pairs(bencher: Bencher<'_, '_>, size: usize) {
    read_all(bencher, &pairs(size));
}

#[divan::bench(args = [1_000, 100_000])]
fn write_ring(bencher: Bencher<'_, '_>, size: usize) {
    let document = read(&ring(size), &Limits::default()).expect("it is right");
    let bytes = BytesCount::of_str(&write(&document));
    bencher.counter(bytes).bench_local(|| write(divan::black_box(&document)));
}
