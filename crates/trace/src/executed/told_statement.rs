//! Who can take a statement of a program, and why others cannot.

use std::collections::{BTreeMap, BTreeSet};

use interpret::Turns;
use net::listing::Line;

use super::act::acts;
use super::change::step_text;
use super::moment::Standing;
use super::scene::Scene;
use super::tale::ProgramTale;
use super::waits::reasons_at;
use super::{ProgramTrace, Teller};
use crate::told::{Able, ELSEWHERE, Position, ToldStatement, Unable, is_at};
use crate::words::{own_line, statement_text};

impl ToldStatement {
    /// What is told of a statement at a line, and column if that is given, in the state after `at` steps of a run of a
    /// program. None if there is no such statement.
    ///
    /// # Panics
    /// If the run leads through fewer states.
    #[must_use]
    pub fn of_program(
        trace: &ProgramTrace,
        at: usize,
        teller: &Teller,
        (line, column): (usize, Option<usize>),
    ) -> Option<ToldStatement> {
        let trace = trace.until(at);
        let tale = ProgramTale::of(&trace, teller);
        let scene = tale.last();
        let is_meant = |position: Option<(usize, usize)>| is_at(position, line, column);
        let all = statements(teller);
        let here = all.iter().filter(|(position, _)| is_meant(Some(**position)));
        let here: Vec<_> = here.collect();
        let ((line, column), (text, _)) = here.first()?;
        let statement = Position { line: Some(*line), column: Some(*column), text: text.clone() };
        let processes: BTreeSet<&str> =
            here.iter().flat_map(|(_, (_, processes))| processes).copied().collect();
        let mut told = ToldStatement { statement, can: Vec::new(), cannot: Vec::new() };
        let successors = teller.interpreter.successors(scene.moment.state, Turns::Steps);
        for (index, next) in successors.iter().enumerate() {
            for act in acts(scene, next).iter().filter(|act| is_meant(act.position())) {
                told.can.push(Able {
                    thread: Some(act.name.clone()),
                    name: Some(format!("{} {}", act.process, act.name)),
                    index,
                    text: step_text(scene, next),
                });
            }
        }
        for standing in scene.threads() {
            let thread = scene.thread(standing);
            let is_able = told.can.iter().any(|one| one.thread.as_ref() == Some(&thread.pid));
            let reasons = reasons(scene, standing, &is_meant);
            if is_able || reasons.is_none() && !processes.contains(standing.process) {
                continue;
            }
            told.cannot.push(Unable {
                thread: Some(thread.pid),
                name: Some(thread.name),
                at: Some(thread.at),
                line: thread.line,
                reasons: reasons.unwrap_or_else(|| vec![ELSEWHERE.to_owned()]),
            });
        }
        Some(told)
    }
}

/// Why a thread cannot take a statement, if it is there.
fn reasons(
    scene: Scene,
    standing: &Standing,
    is_meant: &dyn Fn(Option<(usize, usize)>) -> bool,
) -> Option<Vec<String>> {
    let of_arm = |line: &Line| position(line, standing.lines.first());
    let arms = scene.teller.stops.arms(standing.stops());
    let here = |line: &Line| is_meant(of_arm(line));
    arms.into_iter().find(|origin| here(&scene.teller.line(*origin)))?;
    let is_here = |origin| here(&scene.teller.line(origin));
    Some(reasons_at(scene, standing, &is_here))
}

/// Where a statement is that is done at a stop: what is in the prelude is told by the stop.
fn position(line: &Line, at: Option<&Line>) -> Option<(usize, usize)> {
    let lines: Vec<&Line> = [line].into_iter().chain(at).collect();
    own_line(&lines).map(|line| (line.line, line.column))
}

/// The statements by which threads go on, by their positions: what they are, and the kinds of processes that have them.
type Statements<'p> = BTreeMap<(usize, usize), (String, BTreeSet<&'p str>)>;

fn statements<'p>(teller: &Teller<'p>) -> Statements<'p> {
    let mut all = Statements::new();
    for (process, stop, arm) in teller.stops.all() {
        let [stop, arm] = [stop, arm].map(|origin| teller.line(origin));
        let Some(own) = own_line(&[&arm, &stop]) else { continue };
        let text = statement_text(own);
        let found = all.entry((own.line, own.column)).or_insert_with(|| (text, BTreeSet::new()));
        found.1.insert(teller.program().processes[process.index()].name.as_str());
    }
    all
}
