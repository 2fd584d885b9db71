//! Runs of a graph that violate a formula and are fair: strongly connected sets of nodes, looked into as
//! Streett's condition says.

use std::collections::BTreeSet;

use net::{Fairness, Net, Strength, Whom};
use state::{Pid, Value};

use crate::linear::Linear;
use crate::space::{Someone, Space};

/// Who must not be passed over, of those that ever are in a space.
pub fn required(net: &Net, fairness: &[Fairness], space: &Space) -> Vec<(Strength, Someone)> {
    let mut all = Vec::new();
    for Fairness { strength, of } in fairness {
        match *of {
            Whom::Transition(transition) => {
                all.push((*strength, Someone::Transition(transition)));
            }
            Whom::Threads => {
                let threads = space.states.iter().flat_map(|state| state.eta().keys());
                let threads: BTreeSet<&Pid> = threads.collect();
                all.extend(
                    threads.into_iter().map(|pid| (*strength, Someone::Thread(pid.clone()))),
                );
            }
            Whom::Action(_) => panic!("nets at random have no actions"),
            Whom::Class(id) => {
                let members = net.enumerations[id.index()].members.iter();
                let member = |name: &std::sync::Arc<str>| {
                    (*strength, Someone::Member(id, Value::Enum(name.clone())))
                };
                all.extend(members.map(member));
            }
        }
    }
    all
}

/// The product of a space and of guesses, as far as it is reachable.
struct Product {
    /// The state of each node, who is enabled there, and which untils are not put off.
    nodes: Vec<(usize, u128, u64)>,
    /// Targets, and who acts.
    steps: Vec<Vec<(usize, u128)>>,
}

/// Whether a fair run from one of the roots violates a formula, given what is said of each state.
pub fn is_violated(
    space: &Space,
    roots: &BTreeSet<usize>,
    linear: &Linear,
    says: &[u64],
    required: &[(Strength, Someone)],
) -> bool {
    assert!(required.len() <= 128, "more must be fair to than there are bits");
    let bits = |someone: &dyn Fn(&Someone) -> bool| {
        let set = required.iter().enumerate().filter(|(_, (_, who))| someone(who));
        set.fold(0_u128, |all, (bit, _)| all | 1 << bit)
    };
    let enabled: Vec<u128> = (0..space.states.len())
        .map(|s| {
            let enabled = space.enabled(s);
            bits(&|who| enabled.contains(who))
        })
        .collect();
    let acting: Vec<Vec<u128>> = space
        .steps
        .iter()
        .map(|steps| steps.iter().map(|step| bits(&|who| step.acting.contains(who))).collect())
        .collect();
    let guesses = 1_usize << linear.guesses;
    let number = |s: usize, guess: usize| s * guesses + guess;
    let truths: Vec<u64> = (0..space.states.len() * guesses)
        .map(|node| linear.truths(says[node / guesses], (node % guesses) as u64))
        .collect();
    // The nodes of each state by what had to be guessed before.
    let mut after = vec![Vec::new(); truths.len()];
    for s in 0..space.states.len() {
        for guess in 0..guesses {
            let node = number(s, guess);
            after[number(s, linear.foretold(truths[node]) as usize)].push(node);
        }
    }
    let mut numbers = vec![usize::MAX; truths.len()];
    let mut product = Product { nodes: Vec::new(), steps: Vec::new() };
    let mut waiting = Vec::new();
    let mut arrived = |node: usize, product: &mut Product, waiting: &mut Vec<usize>| {
        if numbers[node] == usize::MAX {
            numbers[node] = product.nodes.len();
            let s = node / guesses;
            product.nodes.push((s, enabled[s], linear.kept(truths[node])));
            product.steps.push(Vec::new());
            waiting.push(node);
        }
        numbers[node]
    };
    for &root in roots {
        for guess in 0..guesses {
            if !linear.is_true(truths[number(root, guess)]) {
                arrived(number(root, guess), &mut product, &mut waiting);
            }
        }
    }
    while let Some(node) = waiting.pop() {
        let (s, guess) = (node / guesses, node % guesses);
        let from = arrived(node, &mut product, &mut waiting);
        let mut steps: Vec<(usize, u128)> = space.steps[s]
            .iter()
            .zip(&acting[s])
            .map(|(step, &acts)| (step.target, acts))
            .collect();
        if steps.is_empty() {
            steps.push((s, 0));
        }
        for (target, acts) in steps {
            for &to in &after[number(target, guess)] {
                let to = arrived(to, &mut product, &mut waiting);
                product.steps[from].push((to, acts));
            }
        }
    }
    let of = |strength: Strength| {
        let set = required.iter().enumerate().filter(|(_, (s, _))| *s == strength);
        set.fold(0_u128, |all, (bit, _)| all | 1 << bit)
    };
    let (weak, strong) = (of(Strength::Weak), of(Strength::Strong));
    let all = (0..product.nodes.len()).collect();
    product.has_fair_part(all, (1 << linear.guesses) - 1, weak, strong)
}

impl Product {
    /// Whether a fair run that puts nothing off stays within some nodes.
    fn has_fair_part(&self, nodes: Vec<usize>, untils: u64, weak: u128, strong: u128) -> bool {
        self.components(&nodes).into_iter().any(|component| {
            let mut inside = vec![false; self.nodes.len()];
            component.iter().for_each(|&node| inside[node] = true);
            let (mut kept, mut acts, mut can, mut always_can) = (0, 0_u128, 0_u128, u128::MAX);
            let mut goes_on = false;
            for &node in &component {
                let (_, enabled, not_put_off) = self.nodes[node];
                kept |= not_put_off;
                can |= enabled;
                always_can &= enabled;
                for &(_, acting) in self.steps[node].iter().filter(|(to, _)| inside[*to]) {
                    goes_on = true;
                    acts |= acting;
                }
            }
            if !goes_on || kept & untils != untils || weak & always_can & !acts != 0 {
                return false;
            }
            let passed_over = strong & can & !acts;
            if passed_over == 0 {
                return true;
            }
            let rest = component.into_iter().filter(|&n| self.nodes[n].1 & passed_over == 0);
            self.has_fair_part(rest.collect(), untils, weak, strong)
        })
    }

    /// The strongly connected components of some nodes: those who finish last are looked at first, against
    /// the direction of the steps.
    fn components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        let mut inside = vec![false; self.nodes.len()];
        nodes.iter().for_each(|&node| inside[node] = true);
        let mut before = vec![Vec::new(); self.nodes.len()];
        for &node in nodes {
            for &(to, _) in self.steps[node].iter().filter(|(to, _)| inside[*to]) {
                before[to].push(node);
            }
        }
        let mut seen = vec![false; self.nodes.len()];
        let mut finished = Vec::new();
        for &start in nodes {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut path = vec![(start, 0)];
            while let Some((node, next)) = path.last_mut() {
                match self.steps[*node].get(*next) {
                    Some(&(to, _)) => {
                        *next += 1;
                        if inside[to] && !std::mem::replace(&mut seen[to], true) {
                            path.push((to, 0));
                        }
                    }
                    None => {
                        finished.push(*node);
                        path.pop();
                    }
                }
            }
        }
        let mut components = Vec::new();
        for start in finished.into_iter().rev() {
            // Nodes in a component are seen no more.
            let mut component = Vec::new();
            let mut waiting = vec![start];
            while let Some(node) = waiting.pop() {
                if std::mem::replace(&mut seen[node], false) {
                    component.push(node);
                    waiting.extend(&before[node]);
                }
            }
            if !component.is_empty() {
                components.push(component);
            }
        }
        components
    }
}
