//! Random models whose transitions calculate, and step to neighbours within an ordered class.

use random::Random;

/// What a token of a place is.
#[derive(Clone, Copy)]
enum Of {
    /// A number up to this.
    Number(usize),
    /// A level, of an ordered class.
    Level,
    /// A member of a symmetric class.
    Member,
}

/// The text of a model with one token or two in each of some places.
pub fn random_model(random: &mut Random) -> String {
    let levels = 2 + random.below(3);
    let mut text = format!("model random\nclass Level ordered {levels}\nclass Who symmetric 2\n");
    let mut places = Vec::new();
    for i in 0..1 + random.below(3) {
        let of = match random.below(5) {
            0 | 1 => Of::Number(1 + random.below(3)),
            2 | 3 => Of::Level,
            _ => Of::Member,
        };
        let (sort, initial) = match of {
            Of::Number(most) => (format!("0..={most}"), random.below(most + 1).to_string()),
            Of::Level => ("Level".into(), format!("Level{}", 1 + random.below(levels))),
            Of::Member => ("Who".into(), "all".into()),
        };
        text += &format!("place p{i}: {sort} = {initial}\n");
        places.push(of);
    }
    text += "place fuel = 2\n";
    for t in 0..2 + random.below(3) {
        let at = random.below(places.len());
        let fuel = match random.below(4) {
            0 => "take fuel   ",
            1 => "take fuel   put fuel   ",
            2 => "unless fuel   ",
            _ => "",
        };
        let step = match places[at] {
            Of::Number(most) => number_step(random, at, most),
            Of::Level => level_step(random, at, levels),
            Of::Member => format!("take p{at}(x)   put p{at}(x)"),
        };
        text += &format!("transition t{t} {{ {fuel}{step} }}\n");
    }
    text
}

/// Puts a number that is worked out, under a guard that may be.
fn number_step(random: &mut Random, at: usize, most: usize) -> String {
    let by = 1 + random.below(most);
    let put = match random.below(5) {
        0 | 1 => format!("(x + {by}) % {}", most + 1),
        2 => format!("if x < {by} then x + 1 else 0"),
        3 => format!("x * x % {}", most + 1),
        _ => format!("{most} - x"),
    };
    let guard = match random.below(5) {
        0 => format!("   when x >= {by}"),
        1 => format!("   when (x + {by}) % 2 == 0"),
        2 => format!("   when x * 2 > {most}"),
        _ => String::new(),
    };
    format!("take p{at}(x)   put p{at}({put}){guard}")
}

/// Puts a neighbour, where there is one.
fn level_step(random: &mut Random, at: usize, levels: usize) -> String {
    let steps = 1 + random.below(levels - 1);
    match random.below(5) {
        0 | 1 => {
            let last = levels - steps;
            format!("take p{at}(x)   put p{at}(succ(x, {steps}))   when x <= Level{last}")
        }
        2 | 3 => {
            let first = steps + 1;
            format!("take p{at}(x)   put p{at}(pred(x, {steps}))   when x >= Level{first}")
        }
        _ => {
            let other = 1 + random.below(levels);
            format!("take p{at}(x)   put p{at}(Level{other})   when x != Level{other}")
        }
    }
}
