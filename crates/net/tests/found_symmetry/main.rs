//! The symmetry that is found in random nets, against brute force.
//!
//! What is found must be sound: permuting members keeps the initial state, and what follows a permuted
//! state is what follows the state, permuted. It must be complete: of all permutations of the members of a
//! class those that are symmetries by the definition, read literally, are the ones found. And the net with
//! its symmetry imposed must be well-formed, and do what the net did.

#![expect(clippy::print_stdout, reason = "what the nets were like is of interest")]

mod behaviour;
mod definition;
mod random_net;

use net::{Finding, Lost, Net, Symmetry};

use behaviour::{check_permutations, check_same, reached};
use definition::expected;
use random_net::random_net;

const NETS: u64 = 1_200;
const STATES: usize = 20;

/// How often something was met.
#[derive(Debug, Default)]
struct Met {
    nets: u32,
    states: usize,
    fixed: u32,
    turning: u32,
    whole: u32,
    in_parts: u32,
    unsayable: u32,
    imposed: u32,
}

fn is_unsayable(finding: &Finding) -> bool {
    finding.losses.iter().any(|loss| matches!(loss.lost, Lost::Unsayable { .. }))
}

fn check_complete(net: &Net, finding: &Finding) -> Result<(), String> {
    let class = &net.enumerations[finding.class.index()];
    let size = class.members.len() as u32;
    let expected = expected(net, finding.class);
    let turn: Vec<u32> = (0..size).map(|member| (member + 1) % size).collect();
    let wrong = |what: &str| Err(format!("{what}: {finding:?} is not what {expected:?} says"));
    for loss in &finding.losses {
        let is_right = match loss.lost {
            Lost::Order => expected.uses_order,
            Lost::Successor => expected.uses_successors,
            Lost::Unsayable { member, from } => {
                expected.has(&turn) || expected.swaps(member, from, size)
            }
            Lost::Apart { member, from } if expected.uses_successors => {
                (member + 1) % size == from && !expected.has(&turn)
            }
            Lost::Apart { member, from } => !expected.swaps(member, from, size),
        };
        if !is_right {
            return wrong(&format!("{loss:?}"));
        }
    }
    if expected.uses_order || expected.uses_successors && !class.goes_round() {
        return if finding.symmetry == Symmetry::None { Ok(()) } else { wrong("order") };
    }
    if expected.uses_successors {
        let turns = expected.has(&turn) && size > 1 && !is_unsayable(finding);
        let symmetry = if turns { Symmetry::Rotations } else { Symmetry::None };
        return if finding.symmetry == symmetry { Ok(()) } else { wrong("successors") };
    }
    let part = |member: u32| finding.parts.iter().position(|part| part.contains(&member));
    for a in 0..size {
        for b in 0..a {
            let (swaps, alike) = (expected.swaps(a, b, size), part(a) == part(b));
            if alike && !swaps || swaps && !alike && !is_unsayable(finding) {
                return wrong(&format!("{b} and {a}"));
            }
        }
    }
    Ok(())
}

fn check_net(net: &Net, met: &mut Met) -> Result<(), String> {
    let found = net.find_symmetry(&[]);
    for finding in &found.findings {
        check_complete(net, finding)?;
        met.unsayable += u32::from(is_unsayable(finding));
        match finding.symmetry {
            Symmetry::None => met.fixed += 1,
            Symmetry::Rotations => met.turning += 1,
            Symmetry::Full if finding.parts.len() == 1 => met.whole += 1,
            Symmetry::Full => met.in_parts += 1,
        }
    }
    let breaches = found.net.check();
    if !breaches.is_empty() {
        return Err(format!("imposed, it is none: {breaches:?}\n{:#?}", found.net));
    }
    let states = reached(net, STATES);
    met.states += states.len();
    check_permutations(net, &found.findings, &states)?;
    check_same(net, &found.net, &states)?;
    let rewritten = net.transitions != found.net.transitions;
    met.imposed += u32::from(rewritten);
    // Nothing more is to be found in what was found.
    let again = found.net.find_symmetry(&[]);
    let shapes = |findings: &[Finding]| {
        let shape = |finding: &Finding| {
            let mut sizes: Vec<usize> = finding.parts.iter().map(Vec::len).collect();
            sizes.sort_unstable();
            (finding.symmetry, sizes)
        };
        findings.iter().map(shape).collect::<Vec<_>>()
    };
    if shapes(&again.findings) != shapes(&found.findings) {
        return Err(format!("found again, it is other: {:?}", again.findings));
    }
    Ok(())
}

#[test]
fn what_is_found_is_what_there_is() {
    let mut met = Met::default();
    for seed in 0..NETS {
        let net = random_net(seed);
        if !net.check().is_empty() {
            continue;
        }
        met.nets += 1;
        if let Err(wrong) = check_net(&net, &mut met) {
            panic!("seed {seed}: {wrong}\n{net:#?}");
        }
    }
    println!("{met:?}");
    let classes = met.fixed + met.turning + met.whole + met.in_parts;
    assert!(u64::from(met.nets) * 10 > NETS * 9, "{met:?}");
    assert!(met.states as u32 > met.nets * 5, "{met:?}");
    for often in [met.fixed, met.whole, met.in_parts, met.imposed] {
        assert!(often * 10 > met.nets, "{met:?}");
    }
    assert!(met.turning * 15 > met.nets, "{met:?}");
    assert!(met.unsayable > 0 && met.unsayable * 8 < classes, "{met:?}");
}
