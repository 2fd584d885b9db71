//! A condition fails exactly where the transition cannot fire.

use std::fs;
use std::path::Path;

use random::Random;

use super::*;

/// All models in the folder, as they are.
fn models() -> Vec<Net> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let kin = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "kin"));
    kin.map(|path| lang::compile(&fs::read_to_string(path).unwrap(), &[]).net.unwrap()).collect()
}

#[test]
fn there_is_a_reason_exactly_where_a_transition_cannot_fire() {
    let (mut disabled, mut enabled) = (0, 0);
    for net in models() {
        let unlimited = Budget::unlimited();
        for seed in 0..3 {
            let mut random = Random::new(seed);
            let mut state = interpret::initial(&net);
            for _ in 0..25 {
                let mut trial = Trial::new(&net, &state, &unlimited);
                let mut modes = Vec::new();
                for id in (0..net.transitions.len() as u32).map(TransitionId) {
                    let found = interpret::modes(&net, &state, id).unwrap();
                    let unmet = Conditions::of(&net, id, None).unmet(&mut trial, None).unwrap();
                    assert_eq!(found.is_empty(), unmet.is_some(), "{} seed {seed}", net.name);
                    for (role, one) in net.transition(id).participants.iter().enumerate() {
                        for (token, _) in state.tokens(&net.place(one.from).name) {
                            let pid = token[0].as_pid().unwrap();
                            let conditions = Conditions::of(&net, id, Some(role));
                            let unmet = conditions.unmet(&mut trial, Some(pid)).unwrap();
                            let can = found.iter().any(|mode| mode.tokens[role] == *token);
                            assert_ne!(can, unmet.is_some(), "{} seed {seed}, {pid}", net.name);
                        }
                    }
                    if found.is_empty() {
                        disabled += 1
                    } else {
                        enabled += 1
                    }
                    modes.extend(found);
                }
                assert_eq!(is_dead(&net, &state), modes.is_empty(), "{} seed {seed}", net.name);
                if modes.is_empty() {
                    break;
                }
                let mode = random.pick(&modes);
                state = interpret::fire(&net, &state, mode).unwrap().state;
            }
        }
    }
    assert!(disabled > 1_000 && enabled > 1_000, "{disabled} {enabled}");
}
