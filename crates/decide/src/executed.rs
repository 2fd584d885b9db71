//! Programs whose net has many states are executed by the machine: it needs a small part of the time.
//!
//! What holds is taken from there. What fails is left to the net, by whose runs it is shown. The machine is asked when the
//! exploration of the net has found many states, and each time these are twice as many until it has an answer; it gets time
//! in proportion to what was spent until then, so that it costs little where it does not come to an end.

use std::cell::Cell;
use std::time::Duration;

use budget::{Budget, Instant};
use machine::compile;
use net::{Fairness, Formula, Net};
use program::claim::{Claim as Claimed, Proposition};
use program::{Observed, Program};
use survey::Engine;

use crate::Checking;
use crate::board::Board;
use crate::goal::{Answer, Claim, Goal, Goals};
use crate::program::{Asked, ProgramVerdict, decide_program};
use crate::question::Question;

/// A program, beside the net that it became.
#[derive(Clone, Debug)]
pub struct Executable {
    /// The program.
    pub program: Program,
    /// What is claimed of it.
    pub claims: Vec<Claimed>,
    /// What of it is observed.
    pub observed: Observed,
}

/// A net with more states is left to the machine.
const SMALL: u64 = 1 << 12;
/// The share of the memory that the machine may use, and how much longer it may take than what was spent before, or for
/// how long in any case.
const SHARE: f64 = 0.5;
const LONGER: u32 = 2;
const LEAST: Duration = Duration::from_millis(500);

/// Questions that are on a board, as claims about a program.
pub(crate) struct Executed<'e> {
    executable: &'e Executable,
    net: &'e Net,
    fairness: &'e [Fairness],
    threads: usize,
    states: Option<u64>,
    claims: Vec<Claimed>,
    /// What is on the board of each: the claim, and what it presupposes.
    on_board: Vec<(Claim, Option<Claim>)>,
    began: Instant,
    /// The net has so many states when it is tried next; nothing once there is an answer.
    next_try: Cell<Option<u64>>,
    /// The states of the program, where all were found and nothing was left to the net.
    states_found: Cell<Option<u64>>,
}

impl<'e> Executed<'e> {
    /// Nothing if the machine cannot say anything of what is asked.
    pub(crate) fn of(
        checking: &'e Checking,
        net: &'e Net,
        asked: &[(usize, Question)],
        claims: &[(usize, Claim)],
        premises: &[(usize, Claim)],
    ) -> Option<Executed<'e>> {
        let executable = checking.executable.as_deref()?;
        let plan = &checking.plan;
        let is_usual = checking.engine.is_none()
            && plan.team.is_none()
            && plan.relations.is_none()
            && plan.checkpoint.is_none()
            && !plan.full
            && !plan.precise;
        if !is_usual {
            return None;
        }
        let (mut own, mut on_board) = (Vec::new(), Vec::new());
        for (number, claim) in claims {
            let question = asked.iter().find(|(other, _)| other == number);
            let (_, question) = question.expect("it was asked");
            own.push(claimed(executable, net, question)?);
            let premise = premises.iter().find(|(other, _)| other == number);
            on_board.push((claim.clone(), premise.map(|(_, premise)| premise.clone())));
        }
        Some(Executed {
            executable,
            net,
            fairness: &checking.fairness,
            threads: plan.threads,
            states: plan.states,
            claims: own,
            on_board,
            began: Instant::now(),
            next_try: Cell::new(Some(SMALL)),
            states_found: Cell::new(None),
        })
    }

    /// The states of the program, where all were found and nothing was left to the net.
    pub(crate) fn states(&self) -> Option<u64> {
        self.states_found.get()
    }

    /// Asks the machine if the net has many states, and puts on the board what holds.
    pub(crate) fn turn(&self, board: &Board<'_>, states: u64) {
        if self.next_try.get().is_none_or(|next| states < next) {
            return;
        }
        self.next_try.set(Some(states.saturating_mul(2)));
        let time = (self.began.elapsed() * LONGER).max(LEAST);
        let budget = board.budget().share(SHARE).within(time);
        if self.asked(board, &budget) {
            self.next_try.set(None);
        }
    }

    /// Whether the machine has come to an end.
    fn asked(&self, board: &Board<'_>, budget: &Budget) -> bool {
        let Executable { program, observed, .. } = self.executable;
        let Ok(code) = compile(program, self.net, observed, &self.claims) else { return true };
        let (base, fairness, threads, states) =
            (self.net, self.fairness, self.threads, self.states);
        let asked = Asked { program, base, code: &code, fairness, budget, states, threads };
        let Ok(report) = decide_program(asked) else { return true };
        let is_open = |verdict: &ProgramVerdict| matches!(verdict, ProgramVerdict::Unknown(_));
        let is_over = !report.verdicts.iter().any(is_open);
        // What goes wrong is to be shown, and ends runs.
        if report.ended_early || !report.failures.is_empty() {
            return is_over || !report.failures.is_empty();
        }
        for (verdict, (claim, premise)) in report.verdicts.iter().zip(&self.on_board) {
            let ProgramVerdict::Holds { vacuously } = verdict else { continue };
            if let Some(premise) = premise {
                settle(premise, !vacuously, board);
            }
            settle(claim, true, board);
        }
        if board.is_answered() {
            self.states_found.set(Some(report.states));
        }
        is_over
    }
}

/// What is asked, as a claim about the program.
fn claimed(executable: &Executable, net: &Net, question: &Question) -> Option<Claimed> {
    let Question::Holds(property) = question else { return None };
    let own = executable.claims.iter().find(|claim| claim.name == property.name);
    if let Some(claim) = own.filter(|_| net.properties.contains(property)) {
        return Some(claim.clone());
    }
    let proposition = match &property.formula {
        Formula::NoOneStuck | Formula::EveryoneCanEnd | Formula::DeadlockFree => {
            Proposition::Net(property.formula.clone())
        }
        formula if *formula == net.race_free() => Proposition::RaceFree,
        _ => return None,
    };
    Some(Claimed { proposition, ..Claimed::from(property) })
}

/// Notes what follows for the goals of a claim. What is somewhere is left to those who show it.
fn settle(claim: &Claim, holds: bool, board: &Board<'_>) {
    match claim {
        Claim::Goal(goal) => {
            let is_shown = |goals: &mut Goals| matches!(goals.goal(*goal), Goal::Somewhere(..));
            if !(holds && board.read(|goals, _| is_shown(goals))) {
                board.settle(Engine::Explicit, [(*goal, Answer::Holds(holds))]);
            }
        }
        Claim::Not(inner) => settle(inner, !holds, board),
        Claim::All(parts) if holds => parts.iter().for_each(|part| settle(part, true, board)),
        Claim::Any(parts) if !holds => parts.iter().for_each(|part| settle(part, false, board)),
        Claim::Known(_) | Claim::All(_) | Claim::Any(_) | Claim::Greatest(..) => {}
    }
}
