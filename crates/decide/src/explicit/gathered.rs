//! What needs the whole graph, decided by the process that gathers it from all others.
//!
//! It looks at the graph as one would that has explored alone, and tells the others what it has found. So all have the
//! same answers, and go on to the next question together; only the first has runs that show them.

use budget::{Budget, Exhausted};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use survey::{Engine, Lost, Plan, Shards, Survey};

use super::{Explicit, Stage, Subject};
use crate::Checking;
use crate::board::Board;
use crate::goal::Answer;

/// An answer on its way.
#[derive(Serialize, Deserialize)]
enum Said {
    Holds(bool),
    Greatest(String),
    Unbounded,
    Depends(String),
}

impl Said {
    fn of(answer: &Answer) -> Said {
        match answer {
            Answer::Holds(holds) => Said::Holds(*holds),
            Answer::Greatest(value) => Said::Greatest(value.to_string()),
            Answer::Unbounded => Said::Unbounded,
            Answer::Depends(on) => Said::Depends(on.clone()),
        }
    }

    fn answer(self) -> Result<Answer, Lost> {
        Ok(match self {
            Said::Holds(holds) => Answer::Holds(holds),
            Said::Unbounded => Answer::Unbounded,
            Said::Depends(on) => Answer::Depends(on),
            Said::Greatest(value) => {
                let value: Option<BigInt> = value.parse().ok();
                let nonsense = || Lost("process 0 counts what is no number".to_owned());
                Answer::Greatest(value.ok_or_else(nonsense)?)
            }
        })
    }
}

/// What the first process tells the others when it has looked at the graph.
#[derive(Default, Serialize, Deserialize)]
struct Told {
    answers: Vec<(usize, Said)>,
    /// Why it cannot go on checking.
    problem: Option<String>,
    /// Whether its budget was used up before it had seen all.
    is_cut: bool,
}

/// What is known from looks at the graph: all of it on the process that has the graph, answers on others.
pub(super) struct GraphLook<'s, 'a, 'b, 't> {
    explicit: Explicit<'s, 'a, 'b, 't>,
    board: &'b Board<'t>,
    pub(super) problem: Option<String>,
    /// The answers that others know.
    told: usize,
}

impl<'s, 'a, 'b, 't> GraphLook<'s, 'a, 'b, 't> {
    /// Nothing is known yet. Some goals are decided in another way.
    pub(super) fn new(
        subject: &'s Subject<'a>,
        board: &'b Board<'t>,
        plan: &Plan,
        checking: &Checking,
        left_out: Vec<usize>,
    ) -> Self {
        let mut explicit = Explicit::new(subject, board, plan, checking);
        explicit.findings.left_out = left_out;
        GraphLook { explicit, board, problem: None, told: 0 }
    }

    /// Looks at what is gathered so far. Says whether a budget was used up before all was seen.
    pub(super) fn at(&mut self, shards: &mut Shards<'_>, budget: &Budget) -> Result<bool, Lost> {
        let explicit = &mut self.explicit;
        let looked = shards.look_at_graph(|so_far, reader| {
            explicit.look(so_far, reader, Stage::Exploring, budget)
        });
        let said = self.said(looked);
        let said = shards.exchange(said)?;
        self.listen(&said[0])
    }

    /// Looks at what was gathered in the end.
    pub(super) fn at_end(&mut self, survey: &mut Survey, budget: &Budget) -> Result<(), Lost> {
        let stage = if survey.exploration().complete { Stage::Complete } else { Stage::Cut };
        let looked = survey.has_graph().then(|| {
            survey.review(|so_far, reader| self.explicit.look(so_far, reader, stage, budget))
        });
        let said = self.said(looked);
        let shards = survey.shards().expect("several have explored");
        let said = shards.exchange(said)?;
        self.listen(&said[0]).map(|_| ())
    }

    /// What is to be told after a look, if there was one.
    fn said(&mut self, looked: Option<Result<(), Exhausted>>) -> Vec<u8> {
        let Some(looked) = looked else { return Vec::new() };
        let new = &self.explicit.findings.settled[self.told..];
        let answers = self.board.read(|goals, _| {
            let answer = |goal: &usize| Some((*goal, Said::of(&goals.answer(*goal)?)));
            new.iter().filter_map(answer).collect()
        });
        self.told = self.explicit.findings.settled.len();
        let (problem, is_cut) = (self.explicit.problem.clone(), looked.is_err());
        serde_json::to_vec(&Told { answers, problem, is_cut }).expect("numbers and texts")
    }

    /// Takes the answers of the first process.
    fn listen(&mut self, said: &[u8]) -> Result<bool, Lost> {
        if said.is_empty() {
            return Ok(false);
        }
        let nonsense = |error| Lost(format!("process 0 makes no sense: {error}"));
        let Told { answers, problem, is_cut } = serde_json::from_slice(said).map_err(nonsense)?;
        for (goal, said) in answers {
            self.board.settle(Engine::Explicit, [(goal, said.answer()?)]);
        }
        self.problem = problem;
        Ok(is_cut)
    }

    /// Whether no run begins that goals are about; all states are known.
    pub(super) fn has_no_roots(&self, survey: &Survey) -> bool {
        let has_seen_all = self.explicit.valuation.seen() == survey.exploration().store.len();
        survey.has_graph() && has_seen_all && self.explicit.roots.is_empty()
    }
}
