//! States written down with other pids and objects.
//!
//! A renaming is admissible when it keeps what Ω sees. So where Ω sees it, siblings keep their order
//! (`elder_sibling`) and stay next to each other or apart (`next_sibling`), and where it does not,
//! they change it; pids that are gone get new numbers, and new ones come in between; a next pid stays
//! the youngest of its siblings, as it is the next child.

use std::collections::{BTreeMap, BTreeSet};

use random::Random;
use state::{Pid, Relation, Relations, State, Value};

type Digits = Vec<u32>;

/// An equivalent state, most often with other pids.
pub fn renamed(state: &State, relations: Relations, random: &mut Random) -> State {
    let names = new_names(state, relations, random);
    let name = |pid: &Pid| pid_of(&names[pid.digits()]);
    let objects: BTreeSet<Value> =
        state.values().filter(|value| matches!(value, Value::Object(..))).cloned().collect();
    let mut numbers: Vec<u32> = (1..=2 * objects.len() as u32).collect();
    if !objects.is_empty() {
        random.shuffle(&mut numbers);
    }
    let objects: BTreeMap<Value, u32> = objects.into_iter().zip(numbers).collect();
    let mut result = State::new();
    for place in state.marked() {
        for (token, count) in state.tokens(place) {
            let token = token.iter().map(|value| match value {
                Value::Pid(pid) => Value::Pid(name(pid)),
                Value::Object(class, _) => Value::Object(class.clone(), objects[value]),
                data => data.clone(),
            });
            assert!(result.put(place, token.collect(), count), "as many as before");
        }
    }
    for pid in state.eta().keys() {
        let next = state.next(pid).expect("it is active, and has few children");
        result.activate(name(pid), name(&next).last() - 1);
    }
    result
}

fn pid_of(digits: &[u32]) -> Pid {
    digits[1..].iter().fold(Pid::initial(digits[0]), |pid, &digit| pid.child(digit))
}

fn new_names(state: &State, relations: Relations, random: &mut Random) -> BTreeMap<Digits, Digits> {
    let mut visible: BTreeSet<Digits> = state.pids().iter().map(|p| p.digits().into()).collect();
    let next = state.eta().keys().filter_map(|pid| state.next(pid));
    let next: BTreeSet<Digits> = next.map(|pid| pid.digits().into()).collect();
    visible.extend(next.iter().cloned());
    let mut groups: BTreeMap<Digits, BTreeSet<u32>> = BTreeMap::new();
    for pid in &visible {
        for n in 0..pid.len() {
            groups.entry(pid[..n].to_vec()).or_default().insert(pid[n]);
        }
    }
    // All may have descended from a thread that nobody remembers.
    let origin = (0..random.below(3)).map(|_| 1 + random.below(3) as u32).collect();
    let mut names: BTreeMap<Digits, Digits> = BTreeMap::from([(Vec::new(), origin)]);
    let blind = !relations.contains(Relation::Parent)
        && !relations.contains(Relation::NextSibling)
        && !relations.contains(Relation::ElderSibling);
    let mut strangers = 1_000;
    // A pid comes after its prefixes, so its parent has got its name.
    for (group, children) in groups {
        let is_visible = |child: u32| visible.contains(&[&group[..], &[child]].concat());
        let is_next = |child: u32| next.contains(&[&group[..], &[child]].concat());
        for (child, number) in new_numbers(&children, is_visible, is_next, relations, random) {
            let mut name = names[&group].clone();
            name.push(number);
            if blind && is_visible(child) && !is_next(child) && random.percent(50) {
                // Who descends from whom is all that is seen, or not even that.
                if !relations.contains(Relation::Ancestor) && random.percent(50) {
                    strangers += 1;
                    name = vec![strangers];
                } else {
                    name.push(1 + random.below(3) as u32);
                }
            }
            names.insert([&group[..], &[child]].concat(), name);
        }
    }
    names
}

/// New numbers for the children of one parent.
fn new_numbers(
    children: &BTreeSet<u32>,
    is_visible: impl Fn(u32) -> bool,
    is_next: impl Fn(u32) -> bool,
    relations: Relations,
    random: &mut Random,
) -> Vec<(u32, u32)> {
    let close = relations.contains(Relation::NextSibling);
    let far = relations.contains(Relation::ElderSibling);
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    for &child in children.iter().filter(|&&child| is_visible(child)) {
        match blocks.last_mut() {
            Some(block) if close && block[block.len() - 1] + 1 == child => block.push(child),
            _ => blocks.push(vec![child]),
        }
    }
    let has_next = |block: &[u32]| block.iter().any(|&child| is_next(child));
    if !far {
        random.shuffle(&mut blocks);
        blocks.sort_by_key(|block| has_next(block));
    }
    for &gone in children.iter().filter(|&&child| !is_visible(child)) {
        let after_all = usize::from(!blocks.last().is_some_and(|block| has_next(block)));
        blocks.insert(random.below(blocks.len() + after_all), vec![gone]);
    }
    let mut numbers = Vec::new();
    let mut used = random.below(3) as u32;
    let mut after_visible = false;
    for block in blocks {
        let visible = is_visible(block[0]);
        // One in between keeps those apart that are not next to each other.
        used += u32::from(close && visible && after_visible) + random.below(3) as u32;
        after_visible = visible;
        for child in block {
            used += 1;
            numbers.push((child, used));
        }
    }
    numbers
}
