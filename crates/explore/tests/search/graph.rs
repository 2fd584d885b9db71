//! Random graphs as spaces, from a seed.

use explore::{Space, Standing, Successors};
use random::Random;

/// A graph whose nodes have byte strings as names.
#[derive(Clone)]
pub struct Graph {
    pub names: Vec<Vec<u8>>,
    pub initial: Vec<usize>,
    /// Label, modes and target, with repetitions.
    pub arcs: Vec<Vec<(u32, u64, usize)>>,
    pub ended: Vec<bool>,
}

impl Graph {
    pub const LABELS: u32 = 5;

    pub fn random(random: &mut Random) -> Self {
        let nodes = 1 + random.below(60);
        let names = (0..nodes).map(|node| name(random, node)).collect();
        let initial = (0..random.below(4)).map(|_| random.below(nodes)).collect();
        let dense = 1 + random.below(5);
        let arcs = (0..nodes)
            .map(|_| {
                // Few targets and few labels: both repeat.
                let near = 1 + random.below(nodes);
                (0..random.below(2 * dense))
                    .map(|_| {
                        let label = random.below(Self::LABELS as usize) as u32;
                        (label, 1 + random.below(4) as u64, random.below(near))
                    })
                    .collect()
            })
            .collect();
        let ended = (0..nodes).map(|_| random.below(2) == 0).collect();
        Self { names, initial, arcs, ended }
    }

    pub fn node(&self, name: &[u8]) -> usize {
        self.names.iter().position(|known| known == name).expect("a name of the graph")
    }

    pub fn has_arc(&self, source: &[u8], label: u32, target: &[u8]) -> bool {
        let target = self.node(target);
        self.arcs[self.node(source)].iter().any(|arc| arc.0 == label && arc.2 == target)
    }
}

/// Names of very different lengths, many with a long common beginning; one is empty.
fn name(random: &mut Random, node: usize) -> Vec<u8> {
    if node == 0 {
        return Vec::new();
    }
    let mut name = vec![7; [0, 1, 5, 40, 126, 300][random.below(6)]];
    name.extend([node as u8, 1]);
    name
}

impl Space for Graph {
    type Fault = std::convert::Infallible;

    fn initial(&mut self, found: &mut Successors) -> Result<(), Self::Fault> {
        for &node in &self.initial {
            found.push(0, 1, &self.names[node]);
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, Self::Fault> {
        let node = self.node(state);
        for &(label, modes, target) in &self.arcs[node] {
            found.push(label, modes, &self.names[target]);
        }
        Ok(if self.ended[node] { Standing::Ended } else { Standing::Alive })
    }
}

/// A large graph whose arcs are computed from the numbers of its nodes.
#[derive(Clone)]
pub struct Web {
    pub seed: u64,
    pub nodes: u64,
    /// The node that is faulty when expanded.
    pub fault: Option<u64>,
}

impl Web {
    /// Fired from about one node in two thousand.
    pub const RARE: u32 = 70_000;

    fn name(node: u64, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(&node.to_le_bytes()[..(1 + node % 5).max(3) as usize]);
        buffer.extend(std::iter::repeat_n(3, if node.is_multiple_of(1000) { 200 } else { 0 }));
    }

    pub fn node(name: &[u8]) -> u64 {
        name.iter().take(3).rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

impl Space for Web {
    type Fault = u64;

    fn initial(&mut self, found: &mut Successors) -> Result<(), u64> {
        for node in [0, 1, 0] {
            Self::name(node, found.buffer());
            found.commit(0, 1);
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, u64> {
        let node = Self::node(state);
        if self.fault == Some(node) {
            return Err(node);
        }
        let mut random = Random::new(self.seed ^ node.wrapping_mul(0x2545_F491_4F6C_DD1D));
        // Targets repeat, with the same label and with others.
        let arcs = if random.below(50) == 0 { 0 } else { 1 + random.below(8) };
        for _ in 0..arcs {
            let near = (3 * node + 200).min(self.nodes) as usize;
            let target = random.below(near) as u64;
            let label = match random.below(10_000) {
                0 => Self::RARE,
                other => other as u32 % 3,
            };
            for _ in 0..=random.below(2) {
                Self::name(target, found.buffer());
                found.commit(label, 1 + target % 3);
            }
        }
        Ok(if node.is_multiple_of(2) { Standing::Ended } else { Standing::Alive })
    }
}
