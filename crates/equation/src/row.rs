//! Rows of a tableau: a basic variable as a combination of others, in whole numbers.
//!
//! A row says `den · basic = Σ factor · variable`, with `den > 0` and nothing common to all numbers. Whole numbers
//! cost less than fractions, and a combination of rows is exact or fails: nothing is rounded.

use num_integer::gcd;

use crate::Halt;

/// `den · basic = Σ factor · variable`.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) basic: u32,
    pub(crate) den: i64,
    /// By ascending variable; no factor is 0.
    pub(crate) entries: Vec<(u32, i64)>,
}

impl Row {
    /// The factor of a variable; 0 if it does not occur.
    pub(crate) fn factor(&self, variable: u32) -> i64 {
        match self.entries.binary_search_by_key(&variable, |entry| entry.0) {
            Ok(at) => self.entries[at].1,
            Err(_) => 0,
        }
    }

    /// The same equation, solved for one of the variables on its right.
    pub(crate) fn solved_for(&self, variable: u32) -> Row {
        let factor = self.factor(variable);
        let sign = factor.signum();
        let others = self.entries.iter().filter(|entry| entry.0 != variable);
        let mut entries: Vec<(u32, i64)> = others.map(|&(v, a)| (v, -sign * a)).collect();
        let at = entries.partition_point(|entry| entry.0 < self.basic);
        entries.insert(at, (self.basic, sign * self.den));
        Row { basic: variable, den: factor.abs(), entries }
    }

    /// The row with a variable replaced by what another row says of it. `new` is called with each variable
    /// that was not there.
    pub(crate) fn replaced(&self, by: &Row, mut new: impl FnMut(u32)) -> Result<Row, Halt> {
        let factor = self.factor(by.basic);
        let common = gcd(factor.abs(), by.den);
        let (own, other) = (i128::from(by.den / common), i128::from(factor / common));
        let mut merged = Vec::with_capacity(self.entries.len() + by.entries.len());
        let (mut a, mut b) = (self.entries.iter().peekable(), by.entries.iter().peekable());
        loop {
            let next = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(x), Some(y)) if x.0 == y.0 => {
                    let sum = own * i128::from(x.1) + other * i128::from(y.1);
                    let next = (x.0, sum);
                    a.next();
                    b.next();
                    next
                }
                (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                    let next = (x.0, own * i128::from(x.1));
                    a.next();
                    next
                }
                (_, Some(y)) => {
                    new(y.0);
                    let next = (y.0, other * i128::from(y.1));
                    b.next();
                    next
                }
                (Some(_), None) => unreachable!("covered above"),
            };
            if next.1 != 0 && next.0 != by.basic {
                merged.push(next);
            }
        }
        let den = own * i128::from(self.den);
        Row::reduced(self.basic, den, merged)
    }

    /// A row with what its numbers have in common taken out.
    pub(crate) fn reduced(basic: u32, den: i128, entries: Vec<(u32, i128)>) -> Result<Row, Halt> {
        let mut common = den;
        for (_, factor) in &entries {
            if common == 1 {
                break;
            }
            common = gcd(common, factor.abs());
        }
        let small = |number: i128| i64::try_from(number / common).map_err(|_| Halt::Overflow);
        let entries = entries.into_iter().map(|(v, a)| Ok((v, small(a)?)));
        Ok(Row { basic, den: small(den)?, entries: entries.collect::<Result<_, Halt>>()? })
    }
}
