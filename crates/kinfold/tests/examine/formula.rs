//! Random formulas, and how property files write them.

use random::Random;

use crate::random_net::RandomNet;

/// A formula as the contest has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    True,
    False,
    Deadlock,
    Fireable(Vec<usize>),
    /// The tokens of these places are, compared by this, this many.
    Compare(&'static str, Vec<usize>, i64),
    /// The tokens of the first are at most those of the second.
    AtMost(Vec<usize>, Vec<usize>),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Box<[Formula; 2]>),
    Equivalent(Box<[Formula; 2]>),
    Differ(Box<[Formula; 2]>),
    All(Box<Formula>),
    Some(Box<Formula>),
    Next(Box<Formula>),
    Globally(Box<Formula>),
    Finally(Box<Formula>),
    Until(Box<[Formula; 2]>),
}

use Formula as F;

impl Formula {
    pub fn random_branching(random: &mut Random, net: &RandomNet) -> F {
        branching(random, net, 3)
    }

    pub fn random_linear(random: &mut Random, net: &RandomNet) -> F {
        // The naive evaluator goes through all sets of what may come next.
        loop {
            let formula = linear(random, net, 3);
            if formula.temporal() <= 4 {
                return F::All(Box::new(formula));
            }
        }
    }

    fn temporal(&self) -> usize {
        let own = matches!(self, F::Next(_) | F::Globally(_) | F::Finally(_) | F::Until(_));
        usize::from(own) + self.parts().iter().map(|part| part.temporal()).sum::<usize>()
    }

    pub fn parts(&self) -> Vec<&F> {
        match self {
            F::True | F::False | F::Deadlock => Vec::new(),
            F::Fireable(_) | F::Compare(..) | F::AtMost(..) => Vec::new(),
            F::And(parts) | F::Or(parts) => parts.iter().collect(),
            F::Implies(parts) | F::Equivalent(parts) | F::Differ(parts) | F::Until(parts) => {
                parts.iter().collect()
            }
            F::Not(a) | F::All(a) | F::Some(a) | F::Next(a) | F::Globally(a) | F::Finally(a) => {
                vec![a]
            }
        }
    }

    pub fn xml(&self) -> String {
        let inner = || self.parts().iter().map(|part| part.xml()).collect::<String>();
        let tokens = |places: &[usize]| {
            let places: String = places.iter().map(|p| format!("<place>p{p}</place>")).collect();
            format!("<tokens-count>{places}</tokens-count>")
        };
        let element = match self {
            F::True => return "<true/>".into(),
            F::False => return "<false/>".into(),
            F::Deadlock => return "<deadlock/>".into(),
            F::Fireable(transitions) => {
                let of = |t: &usize| format!("<transition>t{t}</transition>");
                let transitions: String = transitions.iter().map(of).collect();
                return format!("<is-fireable>{transitions}</is-fireable>");
            }
            F::Compare(element, places, number) => {
                let number = format!("<integer-constant>{number}</integer-constant>");
                return format!("<{element}>{}{number}</{element}>", tokens(places));
            }
            F::AtMost(a, b) => {
                return format!("<integer-le>{}{}</integer-le>", tokens(a), tokens(b));
            }
            F::Until(parts) => {
                let [a, b] = &**parts;
                let (a, b) = (a.xml(), b.xml());
                return format!("<until><before>{a}</before><reach>{b}</reach></until>");
            }
            F::Not(_) => "negation",
            F::And(_) => "conjunction",
            F::Or(_) => "disjunction",
            F::Implies(_) => "implication",
            F::Equivalent(_) => "equivalence",
            F::Differ(_) => "exclusive-disjunction",
            F::All(_) => "all-paths",
            F::Some(_) => "exists-path",
            F::Next(_) => "next",
            F::Globally(_) => "globally",
            F::Finally(_) => "finally",
        };
        format!("<{element}>{}</{element}>", inner())
    }
}

/// About the present marking.
fn atom(random: &mut Random, net: &RandomNet) -> F {
    let comparisons =
        ["integer-eq", "integer-ne", "integer-lt", "integer-le", "integer-gt", "integer-ge"];
    match random.below(12) {
        0 => F::True,
        1 => F::False,
        2 => F::Deadlock,
        3..6 => {
            let transitions = net.transitions.len();
            F::Fireable((0..1 + random.below(2)).map(|_| random.below(transitions)).collect())
        }
        6..8 => F::AtMost(net.random_places(random), net.random_places(random)),
        _ => {
            let comparison = *random.pick(&comparisons);
            F::Compare(comparison, net.random_places(random), random.below(4) as i64)
        }
    }
}

type Make = fn(&mut Random, &RandomNet, usize) -> F;

fn connective(random: &mut Random, net: &RandomNet, depth: usize, make: Make) -> F {
    let of = |random: &mut Random| make(random, net, depth - 1);
    match random.below(7) {
        0 | 1 => F::Not(Box::new(of(random))),
        2 => F::And((0..1 + random.below(3)).map(|_| of(random)).collect()),
        3 => F::Or((0..1 + random.below(3)).map(|_| of(random)).collect()),
        4 => F::Implies(Box::new([of(random), of(random)])),
        5 => F::Equivalent(Box::new([of(random), of(random)])),
        _ => F::Differ(Box::new([of(random), of(random)])),
    }
}

fn path(random: &mut Random, net: &RandomNet, depth: usize, make: Make) -> F {
    let of = |random: &mut Random| make(random, net, depth - 1);
    match random.below(4) {
        0 => F::Next(Box::new(of(random))),
        1 => F::Globally(Box::new(of(random))),
        2 => F::Finally(Box::new(of(random))),
        _ => F::Until(Box::new([of(random), of(random)])),
    }
}

fn branching(random: &mut Random, net: &RandomNet, depth: usize) -> F {
    match random.below(7) {
        _ if depth == 0 => atom(random, net),
        0 => atom(random, net),
        1 | 2 => connective(random, net, depth, branching),
        // A and E go through some connectives.
        3 => {
            let one = path(random, net, depth, branching);
            let other = path(random, net, depth, branching);
            match random.below(3) {
                0 => F::All(Box::new(F::Not(Box::new(one)))),
                1 => F::All(Box::new(F::And(vec![one, other]))),
                _ => F::Some(Box::new(F::Or(vec![one, other]))),
            }
        }
        4 | 5 => F::All(Box::new(path(random, net, depth, branching))),
        _ => F::Some(Box::new(path(random, net, depth, branching))),
    }
}

fn linear(random: &mut Random, net: &RandomNet, depth: usize) -> F {
    match random.below(6) {
        _ if depth == 0 => atom(random, net),
        0 => atom(random, net),
        1 | 2 => connective(random, net, depth, linear),
        _ => path(random, net, depth, linear),
    }
}
