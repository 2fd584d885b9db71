//! The dining philosophers, who take their forks one after the other, in either order.

use ddd::{Ddd, Forest, Hom, Shift, Value, Variable};

/// A net whose places are variables.
pub struct Net {
    pub start: Vec<(Variable, Value)>,
    pub transitions: Vec<Vec<Shift>>,
}

/// Five places for each of n: thinking, the left fork, has the left fork, has the right one,
/// eating.
pub fn philosophers(n: u32) -> Net {
    let place = |i: u32, what: u32| 5 * (i % n) + what;
    let start = (0..5 * n).map(|x| (x, Value::from(x % 5 < 2))).collect();
    let mut transitions = Vec::new();
    for i in 0..n {
        let (think, left, right) = (place(i, 0), place(i, 1), place(i + 1, 1));
        let (has_left, has_right, eat) = (place(i, 2), place(i, 3), place(i, 4));
        transitions.push(transition(&[think, left], &[has_left]));
        transitions.push(transition(&[think, right], &[has_right]));
        transitions.push(transition(&[has_left, right], &[eat]));
        transitions.push(transition(&[has_right, left], &[eat]));
        transitions.push(transition(&[eat], &[think, left, right]));
    }
    Net { start, transitions }
}

fn transition(take: &[Variable], put: &[Variable]) -> Vec<Shift> {
    let take = take.iter().map(|x| Shift { variable: *x, within: 1..=Value::MAX, by: -1 });
    let put = put.iter().map(|x| Shift { variable: *x, within: 0..=Value::MAX - 1, by: 1 });
    let mut shifts: Vec<Shift> = take.chain(put).collect();
    shifts.sort_by_key(|shift| shift.variable);
    shifts
}

pub fn reachable(forest: &mut Forest, net: &Net) -> Ddd {
    let start = forest.sequence(&net.start).unwrap();
    let steps: Vec<Hom> =
        net.transitions.iter().map(|chain| forest.chain(chain).unwrap()).collect();
    let step = forest.sum(&steps);
    let all_steps = forest.star(&step);
    forest.apply(&all_steps, &start).unwrap()
}
