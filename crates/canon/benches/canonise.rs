//! Labellings per second of small families.

use canon::{Canoniser, Structure};
use divan::Bencher;

#[path = "../tests/canonical/families.rs"]
#[allow(dead_code)]
mod families;

fn main() {
    divan::main();
}

fn run(bencher: Bencher, s: &Structure) {
    let mut canoniser = Canoniser::new();
    bencher.bench_local(|| canoniser.canonise(divan::black_box(s)).order().len());
}

/// Threads that have made threads, three levels deep, as servers do.
#[divan::bench(args = [2, 3, 4, 8])]
fn forest(bencher: Bencher, k: u32) {
    let mut s = Structure::new();
    for i in 0..k {
        let top = s.atom(1);
        s.tuple(i % 3, &[top]);
        for j in 0..k {
            let child = s.atom(1);
            s.tuple(9, &[top, child]);
            s.tuple(j % 4 + 3, &[child]);
            if j % 3 == 0 {
                let leaf = s.atom(1);
                s.tuple(9, &[child, leaf]);
            }
        }
    }
    run(bencher, &s);
}

#[divan::bench(args = [10, 100])]
fn loose(bencher: Bencher, n: usize) {
    run(bencher, &families::complete(n).complement().structure());
}

#[divan::bench(args = [16, 64])]
fn complete(bencher: Bencher, n: usize) {
    run(bencher, &families::complete(n).structure());
}

#[divan::bench(args = [12, 120])]
fn ring(bencher: Bencher, n: usize) {
    run(bencher, &families::ring(n).structure());
}

#[divan::bench(args = [4, 8])]
fn torus(bencher: Bencher, n: usize) {
    run(bencher, &families::torus(n, n).structure());
}

#[divan::bench(args = [13, 61])]
fn paley(bencher: Bencher, q: usize) {
    run(bencher, &families::paley(q).structure());
}

#[divan::bench]
fn shrikhande(bencher: Bencher) {
    run(bencher, &families::shrikhande().structure());
}

#[divan::bench]
fn forty_triangles(bencher: Bencher) {
    run(bencher, &families::ring(3).copies(40).structure());
}

#[divan::bench]
fn ten_petersen(bencher: Bencher) {
    run(bencher, &families::petersen().copies(10).structure());
}
