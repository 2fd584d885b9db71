//! Two texts side by side.

/// The first lines in which two texts differ.
pub fn difference(one: &str, other: &str) -> String {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let part = |lines: &[&str]| {
        lines[same.min(lines.len())..].iter().take(4).copied().collect::<Vec<_>>().join("\n    ")
    };
    let before = one[same.saturating_sub(2)..same].join("\n  ");
    format!("  {before}\n  - {}\n  + {}", part(&one), part(&other))
}
