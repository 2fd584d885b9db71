//! Models that have to compile, and their state spaces.

use std::sync::Arc;

use explore::{Control, Exploration, Options, explore};
use fold::Folded;
use lang::{Compilation, Override, compile};
use net::{Compiled, Net};

pub fn compiled(text: &str) -> Compilation {
    compiled_with(text, &[])
}

/// The same, with some constants replaced.
pub fn compiled_with(text: &str, constants: &[(&str, u32)]) -> Compilation {
    let of =
        |(name, value): &(&str, u32)| Override { name: (*name).into(), value: value.to_string() };
    let overrides: Vec<Override> = constants.iter().map(of).collect();
    let compilation = compile(text, &overrides);
    let drawn = compilation.diagnostics.render("model.kin", text, false);
    assert!(compilation.net.is_some(), "{drawn}");
    compilation
}

/// All states; nothing if something fails.
pub fn explored(net: Net) -> Option<Exploration> {
    assert_eq!(net.check(), []);
    let relations = net.relations();
    let mut folded = Folded::new(Compiled::new(Arc::new(net), relations), relations);
    let explored = explore(&mut folded, &Options::default(), &mut |_| Control::Continue);
    explored.ok().inspect(|explored| assert!(explored.complete))
}
