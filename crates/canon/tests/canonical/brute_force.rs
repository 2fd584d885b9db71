//! Random structures of up to six atoms, against all permutations.

use std::collections::HashMap;

use canon::{Canoniser, Structure};
use random::Random;

use crate::structures::structure;
use crate::{WAYS, form};

fn permutations(n: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for i in 0..n as u32 {
        let mut longer = Vec::new();
        for p in &all {
            for at in 0..=p.len() {
                let mut q: Vec<u32> = p.clone();
                q.insert(at, i);
                longer.push(q);
            }
        }
        all = longer;
    }
    all
}

fn identity(n: usize) -> Vec<u32> {
    (0..n as u32).collect()
}

/// The least relabelling: a canonical form by definition.
fn least(s: &Structure) -> (Vec<u32>, Vec<(u32, Vec<u32>)>) {
    let shape = |t: &Structure| {
        let mut tuples = Vec::new();
        t.for_each_tuple(|label, atoms| tuples.push((label, atoms.to_vec())));
        (t.colours().to_vec(), tuples)
    };
    permutations(s.len()).iter().map(|p| shape(&s.relabelled(p))).min().unwrap()
}

fn check_group(canoniser: &mut Canoniser, s: &Structure, seed: u64) {
    let same = s.relabelled(&identity(s.len()));
    let all = permutations(s.len());
    let automorphisms: Vec<_> = all.iter().filter(|p| s.relabelled(p) == same).collect();
    let canonical = canoniser.canonise(s);
    assert_eq!(canonical.group_order(), automorphisms.len().into(), "seed {seed}: {s:?}");
    let orbits: Vec<u32> = (0..s.len())
        .map(|a| automorphisms.iter().map(|p| p[a]).min().unwrap_or(a as u32))
        .collect();
    assert_eq!(canonical.orbits(), orbits, "seed {seed}: {s:?}");
    for generator in canonical.generators() {
        assert_eq!(s.relabelled(&generator), same, "seed {seed}: {s:?}");
    }
    assert_eq!(generated(&canonical.generators(), s.len()), automorphisms.len());
}

/// How many permutations the generators generate.
fn generated(generators: &[Vec<u32>], n: usize) -> usize {
    let mut found = std::collections::HashSet::from([identity(n)]);
    let mut open = vec![identity(n)];
    while let Some(p) = open.pop() {
        for g in generators {
            let q: Vec<u32> = p.iter().map(|&a| g[a as usize]).collect();
            if found.insert(q.clone()) {
                open.push(q);
            }
        }
    }
    found.len()
}

#[test]
fn forms_are_equal_exactly_for_isomorphic_structures() {
    for way in WAYS {
        let mut canoniser = way.canoniser();
        let mut classes = HashMap::new();
        let mut forms = HashMap::new();
        for seed in 0..1500 {
            let s = structure(&mut Random::new(seed), 6);
            let class = least(&s);
            let form = form(&mut canoniser, &s);
            let known = classes.entry(class.clone()).or_insert_with(|| form.clone());
            assert_eq!(*known, form, "seed {seed} {way}: {s:?}");
            let known = forms.entry(form).or_insert_with(|| class.clone());
            assert_eq!(*known, class, "seed {seed} {way}: {s:?}");
        }
        assert!(classes.len() > 300);
    }
}

#[test]
fn group_order_orbits_and_generators_are_those_of_all_permutations() {
    for way in WAYS {
        let mut canoniser = way.canoniser();
        for seed in 0..1500 {
            check_group(&mut canoniser, &structure(&mut Random::new(seed), 6), seed);
        }
    }
}

/// All graphs on up to five vertices, directed or not: 1, 2, 4, 11, 34 classes without direction
/// (OEIS A000088) and 1, 3, 16, 218 with (A000273).
#[test]
fn all_small_graphs_fall_into_the_known_numbers_of_classes() {
    for way in WAYS {
        let mut canoniser = way.canoniser();
        for (directed, counts) in [(false, &[1, 2, 4, 11, 34][..]), (true, &[1, 3, 16, 218][..])] {
            for (i, &count) in counts.iter().enumerate() {
                let n = i as u32 + 1;
                let pairs: Vec<(u32, u32)> = (0..n)
                    .flat_map(|u| (0..n).map(move |v| (u, v)))
                    .filter(|(u, v)| if directed { u != v } else { u < v })
                    .collect();
                let mut forms = std::collections::HashSet::new();
                for set in 0..1u32 << pairs.len() {
                    let mut s = Structure::new();
                    (0..n).for_each(|_| _ = s.atom(0));
                    for (k, &(u, v)) in pairs.iter().enumerate() {
                        if set >> k & 1 == 1 {
                            s.tuple(0, &[u, v]);
                            if !directed {
                                s.tuple(0, &[v, u]);
                            }
                        }
                    }
                    forms.insert(form(&mut canoniser, &s));
                }
                assert_eq!(forms.len(), count, "{n} vertices, {way}");
            }
        }
    }
}
