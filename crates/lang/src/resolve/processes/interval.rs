//! Which numbers an expression can be, given those that its operands can be. What leaves 64 bits stays at the end.

use net::BinaryOp;

/// From the least to the greatest.
pub(super) type Interval = (i64, i64);

fn narrow(number: i128) -> i64 {
    i64::try_from(number.clamp(i64::MIN.into(), i64::MAX.into())).expect("it is clamped")
}

fn corners(a: Interval, b: Interval, op: impl Fn(i128, i128) -> i128) -> Interval {
    let all = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
    let all = all.map(|(a, b)| op(a.into(), b.into()));
    let (least, most) = (all.into_iter().min(), all.into_iter().max());
    (narrow(least.unwrap_or(0)), narrow(most.unwrap_or(0)))
}

/// Of a number with its sign changed.
pub(super) fn negated(a: Interval) -> Interval {
    (a.1.saturating_neg(), a.0.saturating_neg())
}

/// Of either of two.
pub(super) fn joined(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Of what an operator gives.
pub(super) fn of(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    match op {
        BinaryOp::Add => corners(a, b, |a, b| a + b),
        BinaryOp::Subtract => corners(a, b, |a, b| a - b),
        BinaryOp::Multiply => corners(a, b, |a, b| a * b),
        BinaryOp::Divide if b.0 > 0 => corners(a, b, i128::div_euclid),
        BinaryOp::Divide => {
            let most = a.0.unsigned_abs().max(a.1.unsigned_abs());
            (narrow(-i128::from(most)), narrow(most.into()))
        }
        _ => {
            let divisor = b.0.unsigned_abs().max(b.1.unsigned_abs());
            let most = narrow(i128::from(divisor) - 1).max(0);
            match a.0 >= 0 {
                // What is smaller than every divisor is its own remainder.
                true if b.0 > 0 && a.1 < b.0 => a,
                true => (0, most.min(a.1)),
                false => (0, most),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_within() {
        let ranges = [(-3, 2), (0, 4), (2, 5), (-5, -2), (1, 1), (0, 0)];
        let ops = [
            BinaryOp::Add,
            BinaryOp::Subtract,
            BinaryOp::Multiply,
            BinaryOp::Divide,
            BinaryOp::Remainder,
        ];
        for (a, b, op) in itertools(&ranges, &ops) {
            let (least, most) = of(op, a, b);
            for x in a.0..=a.1 {
                for y in b.0..=b.1 {
                    let value = match op {
                        BinaryOp::Add => x + y,
                        BinaryOp::Subtract => x - y,
                        BinaryOp::Multiply => x * y,
                        _ if y == 0 => continue,
                        BinaryOp::Divide => x.div_euclid(y),
                        _ => x.rem_euclid(y),
                    };
                    assert!((least..=most).contains(&value), "{x} {op:?} {y} is {value}");
                }
            }
        }
        assert_eq!(of(BinaryOp::Add, (0, i64::MAX), (1, 1)), (1, i64::MAX));
    }

    fn itertools(ranges: &[Interval], ops: &[BinaryOp]) -> Vec<(Interval, Interval, BinaryOp)> {
        let mut all = Vec::new();
        for a in ranges {
            for b in ranges {
                all.extend(ops.iter().map(|op| (*a, *b, *op)));
            }
        }
        all
    }
}
