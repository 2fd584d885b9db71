//! Random models in which the members of a class go from place to place, alone or after others, under locks.
//!
//! Nobody comes or goes, so that states are finitely many, and most models go on for ever: what is fair to
//! members and transitions makes a difference.

use std::fmt::Write;

use random::Random;

/// The text of a model.
pub fn random_ring(random: &mut Random) -> String {
    let places = 2 + random.below(3);
    let is_cyclic = random.percent(40);
    let kind = if is_cyclic { "cyclic" } else { "symmetric" };
    let locks = random.below(3);
    let mut text = format!("model random\nclass Member {kind} {}\n", 2 + random.below(2));
    writeln!(text, "place lock = {locks}\nplace s0: Member = all").expect("strings are long");
    for place in 1..places {
        writeln!(text, "place s{place}: Member").expect("strings are long");
    }
    for number in 0..3 + random.below(4) {
        // Most go on to the place after theirs, so that there are ways back.
        let from = random.below(places);
        let to = if random.percent(70) { (from + 1) % places } else { random.below(places) };
        let mut taken = vec![format!("s{from}(x)")];
        let mut put = vec![format!("s{to}(x)")];
        match random.weighted(&[50, 20, 15, 15]) {
            0 => {}
            1 => taken.push("lock".into()),
            2 => put.push("lock".into()),
            _ => {
                taken.push("lock".into());
                put.push("lock".into());
            }
        }
        let (other, after) = (random.below(places), random.below(places));
        let mut clauses = String::new();
        match random.weighted(&[60, 20, 20]) {
            0 => {}
            1 if is_cyclic => write!(clauses, "   read s{other}(succ(x))").expect("likewise"),
            1 => write!(clauses, "   read s{other}(y)   when x != y").expect("likewise"),
            _ => {
                taken.push(format!("s{other}(y)"));
                put.push(format!("s{after}(y)"));
            }
        }
        let (taken, put) = (taken.join(", "), put.join(", "));
        writeln!(text, "transition t{number} {{ take {taken}   put {put}{clauses} }}")
            .expect("strings are long");
    }
    text
}
