//! Small random P/T nets, and their documents.

use random::Random;

/// A P/T net: the initial tokens of its places, and what transitions take and put, by place.
#[derive(Debug)]
pub struct RandomNet {
    pub initial: Vec<u64>,
    pub transitions: Vec<(Vec<u64>, Vec<u64>)>,
}

impl RandomNet {
    pub fn new(random: &mut Random) -> Self {
        let places = 2 + random.below(3);
        let initial = (0..places).map(|_| random.below(3) as u64).collect();
        let arcs = |random: &mut Random| -> Vec<u64> {
            let mut weights = vec![0; places];
            for _ in 0..1 + random.below(2) {
                weights[random.below(places)] += 1;
            }
            weights
        };
        let count = 1 + random.below(4);
        let transitions = (0..count).map(|_| (arcs(random), arcs(random))).collect();
        Self { initial, transitions }
    }

    pub fn random_places(&self, random: &mut Random) -> Vec<usize> {
        (0..1 + random.below(2)).map(|_| random.below(self.initial.len())).collect()
    }

    pub fn xml(&self, places: &[usize]) -> String {
        places.iter().map(|place| format!("<place>p{place}</place>")).collect()
    }

    pub fn pnml(&self) -> String {
        let mut text = String::from(
            r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"
            type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">"#,
        );
        for (place, tokens) in self.initial.iter().enumerate() {
            text += &format!(
                r#"<place id="p{place}"><initialMarking><text>{tokens}</text></initialMarking></place>"#
            );
        }
        for (t, (takes, puts)) in self.transitions.iter().enumerate() {
            text += &format!(r#"<transition id="t{t}"/>"#);
            for (is_taken, weights) in [(true, takes), (false, puts)] {
                for (place, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0)
                {
                    let (place, transition) = (format!("p{place}"), format!("t{t}"));
                    let (source, target) =
                        if is_taken { (&place, &transition) } else { (&transition, &place) };
                    text += &format!(
                        r#"<arc id="{source}-{target}" source="{source}" target="{target}">
                        <inscription><text>{weight}</text></inscription></arc>"#
                    );
                }
            }
        }
        text + "</page></net></pnml>"
    }
}
