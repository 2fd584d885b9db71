//! Boolean functions, each kept once: reduced ordered decision diagrams (Bryant 1986), without complemented
//! edges, for the labels and the alternatives of automata, which are small.
//!
//! A node asks for a variable, by its level; those of lower levels are asked first. Equal functions are the same
//! node, so that comparing is comparing numbers. Nothing is freed: a table lives as long as one translation.
//!
//! Cost: an operation on two functions takes time in the product of their nodes at most, each pair once.

use rustc_hash::FxHashMap;

/// A function, by the number of its node.
pub(crate) type Node = u32;
/// The functions that are nowhere and everywhere true.
pub(crate) const FALSE: Node = 0;
pub(crate) const TRUE: Node = 1;
/// The level of the constants, below all variables.
const LEAF: u32 = u32::MAX;
/// The most nodes after which nothing more is begun.
const MOST: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    And,
    Or,
    /// The first and not the second.
    Without,
}

/// A conjunction: levels of variables, ascending, with whether they are to be true.
pub(crate) type Literals = Vec<(u32, bool)>;

/// Functions.
pub(crate) struct Bdd {
    /// Level, and the functions where the variable is false and true.
    nodes: Vec<(u32, Node, Node)>,
    /// The numbers of nodes, each at the first free place from that of its hash on; 0 where there is none.
    unique: Vec<Node>,
    /// The last result with each hash: operation, operands, result.
    known: Vec<(Operation, Node, Node, Node)>,
}

/// How many places the tables have at first.
const PLACES: usize = 1 << 10;
/// How many results are kept at most.
const MOST_KNOWN: usize = 1 << 18;

fn hash(a: u32, b: u32, c: u32) -> usize {
    let mixed = (u64::from(a) ^ u64::from(b) << 32 ^ u64::from(c) << 15)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 24) as usize ^ (mixed >> 44) as usize
}

impl Bdd {
    pub(crate) fn new() -> Self {
        let nodes = vec![(LEAF, FALSE, FALSE), (LEAF, TRUE, TRUE)];
        let known = vec![(Operation::And, FALSE, FALSE, FALSE); PLACES];
        Self { nodes, unique: vec![0; PLACES], known }
    }

    /// Whether there are so many nodes that it is better to stop.
    pub(crate) fn is_full(&self) -> bool {
        self.nodes.len() > MOST
    }

    pub(crate) fn level(&self, node: Node) -> u32 {
        self.nodes[node as usize].0
    }

    fn node(&mut self, level: u32, low: Node, high: Node) -> Node {
        if low == high {
            return low;
        }
        let mut place = hash(level, low, high) & (self.unique.len() - 1);
        loop {
            match self.unique[place] {
                0 => break,
                known if self.nodes[known as usize] == (level, low, high) => return known,
                _ => place = (place + 1) & (self.unique.len() - 1),
            }
        }
        let node = self.nodes.len() as Node;
        self.nodes.push((level, low, high));
        self.unique[place] = node;
        if self.nodes.len() * 2 > self.unique.len() {
            self.grow();
        }
        node
    }

    /// Doubles the tables.
    fn grow(&mut self) {
        let places = self.unique.len() * 2;
        self.unique = vec![0; places];
        for (node, &(level, low, high)) in (0..).zip(&self.nodes).skip(2) {
            let mut place = hash(level, low, high) & (places - 1);
            while self.unique[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            self.unique[place] = node;
        }
        if self.known.len() < places.min(MOST_KNOWN) {
            let old = std::mem::take(&mut self.known);
            self.known = vec![(Operation::And, FALSE, FALSE, FALSE); places];
            for entry in old {
                let place = hash(entry.0 as u32, entry.1, entry.2) & (places - 1);
                self.known[place] = entry;
            }
        }
    }

    /// That a variable is true.
    pub(crate) fn variable(&mut self, level: u32) -> Node {
        self.node(level, FALSE, TRUE)
    }

    /// That a variable has a value.
    pub(crate) fn literal(&mut self, level: u32, value: bool) -> Node {
        if value { self.node(level, FALSE, TRUE) } else { self.node(level, TRUE, FALSE) }
    }

    /// Where a function's variable of a level is false, and where it is true.
    fn branches(&self, node: Node, level: u32) -> (Node, Node) {
        let (own, low, high) = self.nodes[node as usize];
        if own == level { (low, high) } else { (node, node) }
    }

    fn apply(&mut self, operation: Operation, a: Node, b: Node) -> Node {
        let (a, b) = match operation {
            Operation::And if a == b || b == TRUE => return a,
            Operation::And if a == TRUE => return b,
            Operation::And if a == FALSE || b == FALSE => return FALSE,
            Operation::Or if a == b || b == FALSE => return a,
            Operation::Or if a == FALSE => return b,
            Operation::Or if a == TRUE || b == TRUE => return TRUE,
            Operation::Without if b == FALSE => return a,
            Operation::Without if a == b || a == FALSE || b == TRUE => return FALSE,
            Operation::Without => (a, b),
            _ => (a.min(b), a.max(b)),
        };
        let place = hash(operation as u32, a, b);
        let (known, c, d, result) = self.known[place & (self.known.len() - 1)];
        if (known, c, d) == (operation, a, b) {
            return result;
        }
        let level = self.level(a).min(self.level(b));
        let ((a0, a1), (b0, b1)) = (self.branches(a, level), self.branches(b, level));
        let low = self.apply(operation, a0, b0);
        let high = self.apply(operation, a1, b1);
        let result = self.node(level, low, high);
        let place = place & (self.known.len() - 1);
        self.known[place] = (operation, a, b, result);
        result
    }

    pub(crate) fn and(&mut self, a: Node, b: Node) -> Node {
        self.apply(Operation::And, a, b)
    }

    pub(crate) fn or(&mut self, a: Node, b: Node) -> Node {
        self.apply(Operation::Or, a, b)
    }

    /// The first and not the second.
    pub(crate) fn without(&mut self, a: Node, b: Node) -> Node {
        self.apply(Operation::Without, a, b)
    }

    /// The different functions that are left of one when all variables above a level have values, none of them
    /// false everywhere, each with where it is left. None if there are more than `most`.
    pub(crate) fn split(
        &mut self,
        node: Node,
        level: u32,
        most: usize,
    ) -> Option<Vec<(Node, Node)>> {
        let mut known = FxHashMap::default();
        self.split_known(node, level, most, &mut known)?;
        known.remove(&node)
    }

    fn split_known(
        &mut self,
        node: Node,
        level: u32,
        most: usize,
        known: &mut FxHashMap<Node, Vec<(Node, Node)>>,
    ) -> Option<()> {
        if known.contains_key(&node) {
            return Some(());
        }
        let (own, low, high) = self.nodes[node as usize];
        let parts = if node == FALSE {
            Vec::new()
        } else if own >= level {
            vec![(node, TRUE)]
        } else {
            self.split_known(low, level, most, known)?;
            self.split_known(high, level, most, known)?;
            let mut parts: Vec<(Node, Node)> = Vec::new();
            let mut places: FxHashMap<Node, usize> = FxHashMap::default();
            for (branch, value) in [(low, false), (high, true)] {
                for &(rest, label) in &known[&branch] {
                    let (low, high) = if value { (FALSE, label) } else { (label, FALSE) };
                    let label = self.node(own, low, high);
                    match places.get(&rest) {
                        Some(&place) => parts[place].1 = self.or(parts[place].1, label),
                        None => {
                            places.insert(rest, parts.len());
                            parts.push((rest, label));
                        }
                    }
                }
            }
            parts
        };
        if parts.len() > most {
            return None;
        }
        known.insert(node, parts);
        Some(())
    }

    /// Conjunctions whose disjunction is the function: prime, and none superfluous (Minato 1992). Of a function
    /// in which no variable is negated these are all its prime implicants.
    pub(crate) fn cubes(&mut self, node: Node) -> Vec<Literals> {
        let mut cubes = Vec::new();
        self.cover(node, node, &mut Vec::new(), &mut cubes);
        cubes
    }

    /// Adds conjunctions that cover the first function and lie within the second; their disjunction.
    fn cover(
        &mut self,
        least: Node,
        most: Node,
        prefix: &mut Literals,
        cubes: &mut Vec<Literals>,
    ) -> Node {
        if least == FALSE {
            return FALSE;
        }
        if most == TRUE {
            cubes.push(prefix.clone());
            return TRUE;
        }
        let level = self.level(least).min(self.level(most));
        let (least0, least1) = self.branches(least, level);
        let (most0, most1) = self.branches(most, level);
        let mut covered = [FALSE; 2];
        let sides = [(least0, most0, most1), (least1, most1, most0)];
        for (value, (least, most, other)) in [false, true].into_iter().zip(sides) {
            let only_here = self.without(least, other);
            prefix.push((level, value));
            covered[usize::from(value)] = self.cover(only_here, most, prefix, cubes);
            prefix.pop();
        }
        let (rest0, rest1) = (self.without(least0, covered[0]), self.without(least1, covered[1]));
        let rest = self.or(rest0, rest1);
        let within = self.and(most0, most1);
        let either = self.cover(rest, within, prefix, cubes);
        let (low, high) = (self.or(covered[0], either), self.or(covered[1], either));
        self.node(level, low, high)
    }

    /// Values of variables for which a function is true; those that do not matter are left out.
    pub(crate) fn example(&self, mut node: Node) -> Literals {
        let mut literals = Vec::new();
        while node != TRUE {
            assert_ne!(node, FALSE, "there is no example of what is never true");
            let (level, low, high) = self.nodes[node as usize];
            literals.push((level, low == FALSE));
            node = if low == FALSE { high } else { low };
        }
        literals
    }

    /// Whether a function is true where these variables have these values and others are false.
    pub(crate) fn holds(&self, mut node: Node, values: &Literals) -> bool {
        while node > TRUE {
            let (level, low, high) = self.nodes[node as usize];
            let place = values.binary_search_by_key(&level, |&(level, _)| level);
            node = if place.is_ok_and(|place| values[place].1) { high } else { low };
        }
        node == TRUE
    }
}
