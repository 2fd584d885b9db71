//! An order in which everything comes after what it is defined by.

use std::collections::HashMap;

/// The positions of items, each given by its name and the names that it uses, so ordered that each comes
/// after those that it uses; and those that use, in the end, themselves. Of two with the same name the first
/// counts.
pub(crate) fn order<'d>(items: &[(&'d str, Vec<&'d str>)]) -> (Vec<usize>, Vec<usize>) {
    let positions: HashMap<&str, usize> =
        items.iter().enumerate().rev().map(|(at, (name, _))| (*name, at)).collect();
    let position = |name: &&str| positions.get(name).copied();
    let uses = items.iter().map(|(_, used)| used.iter().filter_map(position).collect());
    order_of_numbers(&uses.collect::<Vec<_>>())
}

/// The numbers below `uses.len()` so ordered that each comes after those that it uses; and those that
/// use, in the end, themselves: one of each circle. Depth-first, without recursion; linear.
fn order_of_numbers(uses: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; uses.len()];
    let (mut order, mut circular) = (Vec::with_capacity(uses.len()), Vec::new());
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for root in 0..uses.len() {
        if states[root] == State::New {
            states[root] = State::Open;
            stack.push((root, 0));
        }
        while let Some((item, next)) = stack.last_mut() {
            let item = *item;
            let Some(&used) = uses[item].get(*next) else {
                states[item] = State::Done;
                order.push(item);
                stack.pop();
                continue;
            };
            *next += 1;
            match states[used] {
                State::New => {
                    states[used] = State::Open;
                    stack.push((used, 0));
                }
                State::Open => circular.push(item),
                State::Done => {}
            }
        }
    }
    (order, circular)
}

#[cfg(test)]
mod tests {
    use super::order_of_numbers as order;

    #[test]
    fn what_is_used_comes_first() {
        let (order, circular) = order(&[vec![2, 1], vec![2], vec![], vec![0]]);
        assert_eq!((order, circular), (vec![2, 1, 0, 3], vec![]));
    }

    #[test]
    fn circles_are_found() {
        assert_eq!(order(&[vec![0]]), (vec![0], vec![0]));
        let (order, circular) = order(&[vec![1], vec![2], vec![0], vec![1]]);
        assert_eq!(order.len(), 4);
        assert_eq!(circular, [2]);
    }

    #[test]
    fn long_chains_take_no_stack() {
        let chain: Vec<Vec<usize>> = (0..1_000_000).map(|i| vec![i + 1]).collect();
        let (order, circular) = order(&[chain, vec![vec![]]].concat());
        assert_eq!((order[0], order.len(), circular.len()), (1_000_000, 1_000_001, 0));
    }
}
