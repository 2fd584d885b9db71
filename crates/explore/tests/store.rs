//! The store against a hash map.

use std::collections::HashMap;

use explore::{StateId, Store};
use proptest::prelude::*;

/// Strings that are often equal, often share a long beginning, and are sometimes long.
fn strings() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let string = prop_oneof![
        4 => prop::collection::vec(0_u8..3, 0..4),
        4 => prop::collection::vec(any::<u8>(), 0..40),
        2 => (0_usize..400, any::<u8>()).prop_map(|(length, last)| {
            let mut string = vec![0; length];
            string.push(last);
            string
        }),
        1 => (0_usize..40_000).prop_map(|length| vec![1; length]),
    ];
    prop::collection::vec(string, 0..600)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn behaves_like_a_map(strings in strings(), bits in prop::sample::select(vec![0, 1, 3, 8, 32])) {
        let mut store = Store::with_hash_bits(bits);
        let mut map: HashMap<&[u8], u32> = HashMap::new();
        for string in &strings {
            let next = map.len() as u32;
            prop_assert_eq!(store.find(string).map(|id| id.0), map.get(&string[..]).copied());
            let new = !map.contains_key(&string[..]);
            let number = *map.entry(string).or_insert(next);
            prop_assert_eq!(store.insert(string), (StateId(number), new));
            prop_assert_eq!(store.len() as usize, map.len());
        }
        for (&string, &number) in &map {
            prop_assert_eq!(store.get(StateId(number)), string);
            prop_assert_eq!(store.find(string), Some(StateId(number)));
        }
        prop_assert_eq!(store.iter().len(), map.len());
        let held: u64 = map.keys().map(|string| string.len() as u64).sum();
        prop_assert!(store.allocated_bytes() >= held + 12 * map.len() as u64);
    }
}

#[test]
fn holds_many_strings() {
    let count = 300_000_u64;
    let string = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes();
    let mut store = Store::new();
    for i in 0..count {
        assert_eq!(store.insert(&string(i)), (StateId(i as u32), true));
    }
    for i in 0..count {
        assert_eq!(store.insert(&string(i)), (StateId(i as u32), false));
        assert_eq!(store.get(StateId(i as u32)), string(i));
        assert_eq!(store.find(&string(i + count)), None);
    }
}

#[test]
fn holds_strings_longer_than_a_chunk() {
    let mut store = Store::new();
    let strings: Vec<Vec<u8>> =
        (0..40).map(|i| vec![i as u8; if i % 3 == 0 { 2_500_000 + i } else { i }]).collect();
    for string in &strings {
        assert!(store.insert(string).1);
    }
    for (i, string) in strings.iter().enumerate() {
        assert_eq!(store.find(string), Some(StateId(i as u32)));
    }
}
