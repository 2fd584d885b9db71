//! Making dynamic subclasses as large as can be, after a firing.
//!
//! Two elements that a binding does not name are treated alike by what is taken and put: what
//! exchanging them does to the marking is the same before and after. So if their dynamic subclasses
//! were different before, they still are, and only *named* elements can have become alike others.
//!
//! For an element `x` of its own and a dynamic subclass A of p elements in the same static
//! subclass, (x a) leaves the marking as it is exactly when all elements of A ∪ {x} can be permuted:
//! when entries that differ only in which of their elements of A ∪ {x} is `x` have equal counts,
//! and all of these that can exist do. With b different elements of A ∪ {x} in a tuple, there is
//! one without `x` if p ≥ b, and b with it if p ≥ b − 1.
//!
//! Signatures tell most elements apart before entries are compared: the sum, over all concrete
//! tuples with the element, of a hash of what exchanging two elements leaves as it is. What is
//! equal in truth has equal signatures; the converse is never relied on.
//!
//! Cost: one pass over the words for signatures, one pass and a sort for each comparison that
//! signatures leave, one for each union.

use crate::explicit::marking::{Marking, number_elements};
use crate::explicit::rules::{Column, Kind, Place, Rules};
use crate::word::{dynamic, nth, word};

#[derive(Debug, Default)]
pub(crate) struct Regroup {
    signatures: Vec<u64>,
    /// Whether a subclass is still to be compared with others.
    waiting: Vec<bool>,
    /// Entries with an element of the union: tuple, number of such elements, count.
    united: Vec<u32>,
    order: Vec<u32>,
    tuple: Vec<u32>,
    scratch: Vec<u32>,
    /// The bits of a signature that are used.
    mask: Option<u64>,
}

#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9E37_79B9_7F4A_7C15 ^ b.rotate_left(32))
        * u128::from(b ^ 0xD6E8_FEB8_6659_FD93);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Regroup {
    /// One whose signatures keep only this many bits, to show that nothing rests on them.
    pub(crate) fn with_signature_bits(bits: u32) -> Self {
        Self { mask: Some(u64::MAX.checked_shr(64 - bits.min(64)).unwrap_or(0)), ..Self::default() }
    }

    /// Unites the given dynamic subclasses, each of one element, with those alike. A subclass that
    /// is no more has no elements afterwards.
    pub(crate) fn regroup(&mut self, rules: &Rules, marking: &mut Marking, singles: &[u32]) {
        if !singles.iter().any(|&x| has_others(marking, x)) {
            return;
        }
        self.sign(rules, marking);
        self.waiting.clear();
        self.waiting.resize(marking.sizes.len(), false);
        singles.iter().for_each(|&x| self.waiting[x as usize] = true);
        for &x in singles {
            // Those still waiting will be compared with this one: so it stays alone till then.
            self.waiting[x as usize] = false;
            let (signature, subclass) =
                (self.signatures[x as usize], marking.subclasses[x as usize]);
            let alike = (0..marking.sizes.len() as u32).find(|&a| {
                let i = a as usize;
                self.signatures[i] == signature
                    && a != x
                    && marking.sizes[i] > 0
                    && marking.subclasses[i] == subclass
                    && !self.waiting[i]
                    && self.is_alike(rules, marking, x, a)
            });
            if let Some(a) = alike {
                self.unite(rules, marking, x, a);
            }
        }
    }

    fn sign(&mut self, rules: &Rules, marking: &Marking) {
        self.signatures.clear();
        self.signatures.resize(marking.sizes.len(), 0);
        for (id, place) in rules.places.iter().enumerate().filter(|(_, place)| place.symmetric) {
            let salt = id as u64 + 1;
            if let [_] = place.columns[..] {
                for entry in marking.entries(id as u32, 2) {
                    let signature = &mut self.signatures[dynamic(entry[1]) as usize];
                    *signature = signature.wrapping_add(mix(salt, u64::from(entry[0])));
                }
                continue;
            }
            for entry in marking.entries(id as u32, place.stride()) {
                let (count, tuple) = (entry[0], &entry[1..]);
                for (i, column) in place.columns.iter().enumerate() {
                    if column.kind == Kind::Symmetric
                        && !tuple[..i].iter().zip(&place.columns).any(|(&other, before)| {
                            before.kind == Kind::Symmetric && other == tuple[i]
                        })
                    {
                        let hash = mix(salt, u64::from(count));
                        let word = seen_from(marking, &place.columns, tuple, i, hash);
                        let signature = &mut self.signatures[dynamic(tuple[i]) as usize];
                        *signature = signature.wrapping_add(word);
                    }
                }
            }
        }
        if let Some(mask) = self.mask {
            self.signatures.iter_mut().for_each(|signature| *signature &= mask);
        }
    }

    /// Whether exchanging `x` with an element of `a` leaves the marking as it is.
    fn is_alike(&mut self, rules: &Rules, marking: &Marking, x: u32, a: u32) -> bool {
        let class = rules.subclasses[marking.subclasses[x as usize] as usize].class;
        let p = marking.sizes[a as usize];
        let mut places = (0..).zip(&rules.places).filter(|(_, place)| place.has(class));
        places
            .all(|(id, place)| self.is_alike_at(place, &marking.words[marking.range(id)], x, a, p))
    }

    /// Whether exchanging `x` with an element of `a`, which has `p` of them, leaves the entries of a
    /// place as they are.
    pub(crate) fn is_alike_at(
        &mut self,
        place: &Place,
        words: &[u32],
        x: u32,
        a: u32,
        p: u32,
    ) -> bool {
        let arity = place.columns.len();
        let entries = words.chunks_exact(arity + 1);
        if arity == 1 {
            let count = |of: u32| {
                let entry = entries.clone().find(|entry| dynamic(entry[1]) == of);
                entry.map_or(0, |entry| entry[0])
            };
            return count(x) == count(a);
        }
        self.united.clear();
        for entry in entries {
            let (count, tuple) = (entry[0], &entry[1..]);
            if let Some(met) = self.unite_tuple(&place.columns, tuple, x, a) {
                self.united.extend_from_slice(&self.tuple);
                self.united.extend([met, count]);
            }
        }
        let stride = arity + 2;
        self.order.clear();
        self.order.extend((0..self.united.len() / stride).map(|i| (i * stride) as u32));
        let united = |at: u32| &self.united[at as usize..at as usize + stride];
        self.order.sort_unstable_by(|&p, &q| united(p).cmp(united(q)));
        self.order.chunk_by(|&p, &q| united(p)[..arity] == united(q)[..arity]).all(|run| {
            let (first, last) = (united(run[0]), united(run[run.len() - 1]));
            let met = first[arity];
            let expected = u32::from(p >= met) + if p + 1 >= met { met } else { 0 };
            first == last && run.len() == expected as usize
        })
    }

    /// Leaves in `tuple` what a tuple is when `x` is counted as an element of `a`, and gives the
    /// number of elements of the union in it; `None` if there is none.
    fn unite_tuple(&mut self, columns: &[Column], tuple: &[u32], x: u32, a: u32) -> Option<u32> {
        let of = |i: usize| {
            columns[i].kind == Kind::Symmetric && {
                let of = dynamic(tuple[i]);
                of == x || of == a
            }
        };
        if !(0..tuple.len()).any(of) {
            return None;
        }
        self.tuple.clear();
        self.tuple.extend_from_slice(tuple);
        for (i, value) in self.tuple.iter_mut().enumerate() {
            // Elements of `a` are numbered from 0, `x` gets a number beyond all of them.
            if of(i) && dynamic(*value) == x {
                *value = word(a, u8::MAX.into());
            }
        }
        let symmetric = |i: usize| columns[i].kind == Kind::Symmetric;
        number_elements(&mut self.tuple, symmetric, &mut self.scratch);
        (0..tuple.len()).filter(|&i| of(i)).map(|i| nth(self.tuple[i]) + 1).max()
    }

    /// Makes `x` an element of `a`, to which it is alike.
    fn unite(&mut self, rules: &Rules, marking: &mut Marking, x: u32, a: u32) {
        let class = rules.subclasses[marking.subclasses[x as usize] as usize].class;
        let p = marking.sizes[a as usize];
        for (id, place) in (0..).zip(&rules.places).filter(|(_, place)| place.has(class)) {
            let range = marking.range(id);
            let left = self.unite_at(place, &mut marking.words[range], x, a, p);
            marking.ranges[id as usize].1 = marking.ranges[id as usize].0 + left as u32;
        }
        marking.sizes[a as usize] += 1;
        marking.sizes[x as usize] = 0;
    }

    /// Makes `x` an element of `a`, which has `p` of them, in the entries of a place, and gives how many
    /// words are left. Of the entries that become the same, the one without `x` is kept, or if there is
    /// none the one in which `x` comes first.
    pub(crate) fn unite_at(
        &mut self,
        place: &Place,
        words: &mut [u32],
        x: u32,
        a: u32,
        p: u32,
    ) -> usize {
        let stride = place.stride();
        let symmetric = |i: usize| place.columns[i].kind == Kind::Symmetric;
        let mut to = 0;
        for from in (0..words.len()).step_by(stride) {
            let tuple = &words[from + 1..from + stride];
            let is_x = |i: &usize| symmetric(*i) && dynamic(tuple[*i]) == x;
            let is_a = |i: &usize| symmetric(*i) && dynamic(tuple[*i]) == a;
            let first_x = (0..tuple.len()).find(is_x);
            if let Some(first_x) = first_x {
                let first_a = (0..tuple.len()).find(is_a);
                let met = self.unite_tuple(&place.columns, tuple, x, a).unwrap_or(0);
                if p >= met || first_a.is_some_and(|first_a| first_a < first_x) {
                    continue;
                }
                words[from + 1..from + stride].copy_from_slice(&self.tuple);
            }
            words.copy_within(from..from + stride, to);
            to += stride;
        }
        to
    }
}

/// Whether there is another dynamic subclass in the same static one.
fn has_others(marking: &Marking, x: u32) -> bool {
    let subclass = marking.subclasses[x as usize];
    let mut all = marking.subclasses.iter().zip(&marking.sizes).enumerate();
    all.any(|(a, (&of, &size))| of == subclass && size > 0 && a != x as usize)
}

/// A hash of a tuple as its component `i` sees it, times the number of concrete tuples that look
/// like this to one element of its subclass. Others of its static subclass are not told apart.
fn seen_from(marking: &Marking, columns: &[Column], tuple: &[u32], i: usize, mut hash: u64) -> u64 {
    let this = tuple[i];
    let subclass = marking.subclasses[dynamic(this) as usize];
    let mut tuples = 1_u64;
    for (j, (&other, column)) in tuple.iter().zip(columns).enumerate() {
        let seen = if column.kind != Kind::Symmetric {
            u64::from(other) << 2
        } else if other == this {
            1
        } else {
            let of = dynamic(other) as usize;
            let before = |k: &usize| columns[*k].kind == Kind::Symmetric;
            if !(0..j).filter(before).any(|k| tuple[k] == other) {
                // A further element of its subclass, with those before it and this one taken.
                let met = (0..j).filter(before).filter(|&k| {
                    dynamic(tuple[k]) == of as u32
                        && tuple[k] != this
                        && !(0..k).filter(before).any(|l| tuple[l] == tuple[k])
                });
                let taken = met.count() as u32 + u32::from(of as u32 == dynamic(this));
                tuples = tuples.wrapping_mul(u64::from(marking.sizes[of] - taken));
            }
            if marking.subclasses[of] == subclass { 2 } else { u64::from(dynamic(other)) << 2 | 3 }
        };
        hash = mix(hash, seen);
    }
    hash.wrapping_mul(tuples)
}
