//! `kinfold tests`: runs that cover a model, to drive an implementation of it.

use budget::{Budget, Phase};
use cover::{Cover, Suite};
use kinfold::Plan;

use super::cli::{CoverArg, TestsArgs};
use super::output::{self, Output};
use super::progress::About;
use super::{Exit, Failure, explore as exploring, load, progress};

pub fn run(args: &TestsArgs) -> Result<Exit, Failure> {
    let budget = args.exploration.budget(load::is_go(&args.model.model));
    let about = About::new("tests", &args.model.model, &args.exploration, &budget);
    let shown = &args.exploration.limits.progress;
    progress::reported(shown, about, &budget, || within(args, &budget), Exit::of)
}

fn within(args: &TestsArgs, budget: &Budget) -> Result<Exit, Failure> {
    let cover = match (args.cover, args.depth) {
        (CoverArg::Classes, depth) => Cover::Classes { depth },
        (_, Some(_)) => return Err(Failure::usage("--depth goes with --cover classes")),
        (CoverArg::Transitions, None) => Cover::Transitions,
        (CoverArg::Pairs, None) => Cover::Pairs,
    };
    let net = progress::preparing(budget, || load::net(&args.model))?;
    let plan = Plan { keep_edges: true, ..args.exploration.plan(budget) };
    let showing = plan.showing();
    let (mut survey, _) = exploring::explored(&net, plan)?;
    let _under = budget.progress().during(Phase::Showing);
    let suite = match Suite::of(&net, &mut survey, cover, &showing) {
        Ok(suite) => suite,
        Err(why) => {
            let states = survey.exploration().states();
            output::tell(format_args!(
                "kinfold: INCOMPLETE: {why} after {states} states; no runs are written: use --max-states for \
                 the part nearest to the start"
            ));
            return Ok(Exit::Incomplete);
        }
    };
    Output::to(args.output.as_deref()).write(format!("{:#}\n", suite.json()))?;
    suite.summary().iter().for_each(output::tell);
    Ok(if suite.is_complete() { Exit::Done } else { Exit::Incomplete })
}
