//! What a net means, word for word: concrete markings, concrete bindings, and orbits by trying all
//! permutations. Slow, and written to be obviously right; it shares nothing with the crate but the
//! description of nets.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use symbolic::{
    Arc, ClassId, Condition, Element, SymmetricNet, Symmetry, Term, Tokens, Transition,
};

/// A token: a place and a tuple of elements.
type Token = (u32, Vec<u32>);

/// A marking: tokens with how often they are there.
pub type Marking = BTreeMap<Token, u64>;

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub struct Counts {
    pub classes: u64,
    pub edges: u64,
    pub concrete_states: u64,
    pub concrete_edges: u64,
    pub deadlocks: u64,
    pub concrete_deadlocks: u64,
    pub most_tokens: u64,
    pub most_in_place: u64,
}

/// The unfolded state space, and its orbits.
pub struct Unfolded {
    pub states: Vec<Marking>,
    /// The orbit of each state.
    pub orbits: Vec<usize>,
    /// From which state which transition leads where, once for each binding.
    #[allow(dead_code, reason = "only some tests go along them")]
    pub steps: Vec<(usize, usize, usize)>,
    pub counts: Counts,
}

fn size(net: &SymmetricNet, class: ClassId) -> u32 {
    match &net.classes[class.0 as usize].symmetry {
        Symmetry::Symmetric(sizes) => sizes.iter().sum(),
        Symmetry::Cyclic(size) | Symmetry::Plain(size) => *size,
    }
}

/// All ways to choose an element of each class.
fn assignments(net: &SymmetricNet, classes: &[ClassId]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for &class in classes {
        let longer = all.iter().flat_map(|values: &Vec<u32>| {
            (0..size(net, class)).map(move |element| [values.as_slice(), &[element]].concat())
        });
        all = longer.collect();
    }
    all
}

fn evaluate(net: &SymmetricNet, class: ClassId, element: Element, values: &[u32]) -> Option<u32> {
    match element {
        Element::Var(variable) => Some(values[variable.index()]),
        Element::Shift { of, by, wraps } => {
            let to = i64::from(values[of.index()]) + i64::from(by);
            let size = i64::from(size(net, class));
            let cyclic = matches!(net.classes[class.0 as usize].symmetry, Symmetry::Cyclic(_));
            if wraps || cyclic {
                Some((((to % size) + size) % size) as u32)
            } else if to >= 0 && to < size {
                Some(to as u32)
            } else {
                None
            }
        }
        Element::Constant(number) => match &net.classes[class.0 as usize].symmetry {
            Symmetry::Symmetric(sizes) => Some(sizes[..number as usize].iter().sum()),
            _ => Some(number),
        },
    }
}

fn holds(net: &SymmetricNet, condition: &Condition, scope: &[ClassId], values: &[u32]) -> bool {
    let class = |a: Element, b: Element| {
        [a, b].iter().find_map(|element| match element {
            Element::Var(of) | Element::Shift { of, .. } => Some(scope[of.index()]),
            Element::Constant(_) => None,
        })
    };
    let both = |a: Element, b: Element| {
        let class = class(a, b).unwrap();
        Some((evaluate(net, class, a, values)?, evaluate(net, class, b, values)?))
    };
    match condition {
        Condition::Not(inner) => !holds(net, inner, scope, values),
        Condition::All(inner) => inner.iter().all(|inner| holds(net, inner, scope, values)),
        Condition::Any(inner) => inner.iter().any(|inner| holds(net, inner, scope, values)),
        Condition::Equal(a, b) => both(*a, *b).is_some_and(|(a, b)| a == b),
        Condition::Less(a, b) => both(*a, *b).is_some_and(|(a, b)| a < b),
        Condition::Within(variable, number) => {
            let Symmetry::Symmetric(sizes) =
                &net.classes[scope[variable.index()].0 as usize].symmetry
            else {
                panic!("only symmetric classes have static subclasses")
            };
            let from: u32 = sizes[..*number as usize].iter().sum();
            (from..from + sizes[*number as usize]).contains(&values[variable.index()])
        }
    }
}

/// The tuples of a term with multiplicity 1 each; `None` if a component is not there whatever the
/// locals.
fn tuples(
    net: &SymmetricNet,
    arc: &Arc,
    variables: &[ClassId],
    values: &[u32],
) -> Option<Vec<Vec<u32>>> {
    let Term { tuple, locals, condition, .. } = &arc.term;
    let domain = &net.places[arc.place.0 as usize].domain;
    let scope = [variables, locals].concat();
    for (&element, &class) in tuple.iter().zip(domain) {
        if let Element::Shift { of, .. } = element
            && of.index() < variables.len()
        {
            evaluate(net, class, element, values)?;
        }
    }
    let mut all = Vec::new();
    for chosen in assignments(net, locals) {
        let values = [values, &chosen].concat();
        if holds(net, condition, &scope, &values) {
            let elements = tuple.iter().zip(domain);
            all.extend(
                elements
                    .map(|(&e, &class)| evaluate(net, class, e, &values))
                    .collect::<Option<Vec<u32>>>(),
            );
        }
    }
    Some(all)
}

/// Adds up the tokens of arcs; `None` if one cannot be followed.
fn sum<'a>(
    net: &SymmetricNet,
    arcs: impl Iterator<Item = &'a Arc>,
    variables: &[ClassId],
    values: &[u32],
) -> Option<Marking> {
    let mut all = Marking::new();
    for arc in arcs {
        let count = u64::from(arc.term.count);
        if count == 0 {
            continue;
        }
        for tuple in tuples(net, arc, variables, values)? {
            *all.entry((arc.place.0, tuple)).or_default() += count;
        }
    }
    Some(all)
}

/// A transition under an assignment of its variables, written out.
struct Mode {
    label: usize,
    takes: Marking,
    needs: Marking,
    puts: Marking,
    /// Tokens, and the number that they must stay below in all.
    inhibitors: Vec<(Vec<Token>, u64)>,
}

/// All transitions under all assignments that satisfy the guard and for which all arcs can be
/// followed.
fn modes(net: &SymmetricNet) -> Vec<Mode> {
    let mut modes = Vec::new();
    for (number, transition) in net.transitions.iter().enumerate() {
        let label = transition.label.map_or(number, |whole| whole.0 as usize);
        let variables = &transition.variables;
        for values in assignments(net, variables) {
            modes.extend(mode(net, label, transition, &values));
        }
    }
    modes
}

fn mode(net: &SymmetricNet, label: usize, transition: &Transition, values: &[u32]) -> Option<Mode> {
    let variables = &transition.variables;
    if !holds(net, &transition.guard, variables, values) {
        return None;
    }
    let needs = transition.takes.iter().chain(&transition.reads);
    let inhibitors = transition.inhibitors.iter().map(|arc| {
        let matching = tuples(net, arc, variables, values).unwrap_or_default();
        let matching: BTreeSet<Vec<u32>> = matching.into_iter().collect();
        let tokens = matching.into_iter().map(|tuple| (arc.place.0, tuple)).collect();
        (tokens, u64::from(arc.term.count))
    });
    Some(Mode {
        label,
        takes: sum(net, transition.takes.iter(), variables, values)?,
        needs: sum(net, needs, variables, values)?,
        puts: sum(net, transition.puts.iter(), variables, values)?,
        inhibitors: inhibitors.collect(),
    })
}

/// Where a mode leads, if it is enabled.
fn fire(marking: &Marking, mode: &Mode) -> Option<Marking> {
    let count = |token: &Token| marking.get(token).copied().unwrap_or(0);
    if mode.needs.iter().any(|(token, need)| count(token) < *need) {
        return None;
    }
    let inhibited =
        mode.inhibitors.iter().any(|(tokens, most)| tokens.iter().map(count).sum::<u64>() >= *most);
    if inhibited {
        return None;
    }
    let mut after = marking.clone();
    for (token, taken) in &mode.takes {
        *after.get_mut(token).unwrap() -= taken;
    }
    for (token, put) in &mode.puts {
        *after.entry(token.clone()).or_default() += put;
    }
    after.retain(|_, count| *count > 0);
    Some(after)
}

/// All permutations of `0..n`.
fn permutations(n: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = all.iter().flat_map(|some: &Vec<u32>| {
            (0..n).filter(|x| !some.contains(x)).map(move |x| [some.as_slice(), &[x]].concat())
        });
        all = longer.collect();
    }
    all
}

/// The images of the elements of a class under each permutation it allows.
fn class_group(symmetry: &Symmetry) -> Vec<Vec<u32>> {
    match symmetry {
        Symmetry::Symmetric(sizes) => {
            let mut all: Vec<Vec<u32>> = vec![Vec::new()];
            for &size in sizes {
                let longer = all.iter().flat_map(|some| {
                    let from = some.len() as u32;
                    permutations(size).into_iter().map(move |permutation| {
                        some.iter().copied().chain(permutation.iter().map(|x| x + from)).collect()
                    })
                });
                all = longer.collect();
            }
            all
        }
        Symmetry::Cyclic(size) => {
            (0..*size).map(|by| (0..*size).map(|x| (x + by) % size).collect()).collect()
        }
        Symmetry::Plain(size) => vec![(0..*size).collect()],
    }
}

/// All permutations of all classes.
pub fn group(net: &SymmetricNet) -> Vec<Vec<Vec<u32>>> {
    let mut all = vec![Vec::new()];
    for class in &net.classes {
        let images = class_group(&class.symmetry);
        let images = if images.is_empty() { vec![Vec::new()] } else { images };
        let longer = all.iter().flat_map(|some: &Vec<Vec<u32>>| {
            images.iter().map(move |image| [some.as_slice(), std::slice::from_ref(image)].concat())
        });
        all = longer.collect();
    }
    all
}

/// A token in one word, for quick comparison: place, components, count.
fn word(place: u32, tuple: impl Iterator<Item = u32>, count: u64) -> u64 {
    let tuple = tuple.fold(1, |word: u64, element| word << 5 | u64::from(element));
    assert!(tuple < 1 << 40 && count < 1 << 16 && place < 1 << 8);
    u64::from(place) << 56 | tuple << 16 | count
}

/// The image of a marking.
fn image(net: &SymmetricNet, marking: &Marking, images: &[Vec<u32>], words: &mut Vec<u64>) {
    words.clear();
    words.extend(marking.iter().map(|((place, tuple), &count)| {
        let domain = &net.places[*place as usize].domain;
        let tuple =
            tuple.iter().zip(domain).map(|(&x, class)| images[class.0 as usize][x as usize]);
        word(*place, tuple, count)
    }));
    words.sort_unstable();
}

/// The least image of a marking under the group.
pub fn least_image(net: &SymmetricNet, group: &[Vec<Vec<u32>>], marking: &Marking) -> Vec<u64> {
    let (mut least, mut words) = (Vec::new(), Vec::new());
    for (i, images) in group.iter().enumerate() {
        image(net, marking, images, &mut words);
        if i == 0 || words < least {
            std::mem::swap(&mut least, &mut words);
        }
    }
    least
}

/// The tokens of a marking, as the crate takes them.
pub fn tokens(marking: &Marking) -> Vec<Tokens> {
    let tokens = marking.iter().map(|((place, tuple), &count)| Tokens {
        place: symbolic::PlaceId(*place),
        tuple: tuple.clone(),
        count: count as u32,
    });
    tokens.collect()
}

/// The number of tokens in each place.
pub fn tokens_in_places(net: &SymmetricNet, marking: &Marking) -> Vec<u64> {
    let mut counts = vec![0; net.places.len()];
    for ((place, _), count) in marking {
        counts[*place as usize] += count;
    }
    counts
}

/// A marking, from tokens.
pub fn marking(tokens: &[Tokens]) -> Marking {
    tokens.iter().map(|t| ((t.place.0, t.tuple.clone()), u64::from(t.count))).collect()
}

/// Limits on what is worth exploring.
pub struct Limits {
    pub states: usize,
    pub tokens: u64,
}

/// Unfolds a net; `None` if it is too large.
pub fn unfold(net: &SymmetricNet, limits: &Limits) -> Option<Unfolded> {
    let group = group(net);
    let initial = sum(net, net.initial.iter(), &[], &[]).unwrap();
    let modes = modes(net);
    let mut numbers: HashMap<Marking, usize> = HashMap::from([(initial.clone(), 0)]);
    let mut states = vec![initial];
    let mut steps: Vec<(usize, usize, usize)> = Vec::new();
    let mut queue = VecDeque::from([0]);
    while let Some(source) = queue.pop_front() {
        let from = states[source].clone();
        if from.values().sum::<u64>() > limits.tokens {
            return None;
        }
        for mode in &modes {
            let Some(to) = fire(&from, mode) else { continue };
            let next = states.len();
            let target = *numbers.entry(to).or_insert_with_key(|to| {
                states.push(to.clone());
                queue.push_back(next);
                next
            });
            steps.push((source, mode.label, target));
        }
        if states.len() > limits.states {
            return None;
        }
    }
    let mut found: HashMap<Vec<u64>, usize> = HashMap::new();
    let orbits: Vec<usize> = states
        .iter()
        .map(|state| {
            let next = found.len();
            *found.entry(least_image(net, &group, state)).or_insert(next)
        })
        .collect();
    let edges: BTreeSet<(usize, usize, usize)> = steps
        .iter()
        .map(|&(source, label, target)| (orbits[source], label, orbits[target]))
        .collect();
    let mut dead = vec![true; states.len()];
    steps.iter().for_each(|step| dead[step.0] = false);
    let dead: Vec<usize> = (0..states.len()).filter(|&state| dead[state]).collect();
    let dead_orbits: BTreeSet<usize> = dead.iter().map(|&state| orbits[state]).collect();
    let counts = Counts {
        classes: found.len() as u64,
        edges: edges.len() as u64,
        concrete_states: states.len() as u64,
        concrete_edges: steps.len() as u64,
        deadlocks: dead_orbits.len() as u64,
        concrete_deadlocks: dead.len() as u64,
        most_tokens: states.iter().map(|state| state.values().sum()).max().unwrap_or(0),
        most_in_place: states
            .iter()
            .filter_map(|state| state.values().max().copied())
            .max()
            .unwrap_or(0),
    };
    Some(Unfolded { states, orbits, steps, counts })
}
