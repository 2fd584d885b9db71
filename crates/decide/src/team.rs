//! Deciding with several processes.
//!
//! What single states decide is decided by all, on the states of each. What needs the whole graph is decided by the
//! first process alone, as if there were no others, while they wait for its answers. So all have the same answers, and
//! go on to the next question together; only the first has runs that show them.

use explore::Exploration;
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use survey::{Engine, Lost, Plan, SurveyError, Team, exchange_on};

use crate::explicit::{explored_shared, for_all};
use crate::goal::Answer;
use crate::strategy::{Pursuit, Strategy};

/// An answer on its way.
#[derive(Serialize, Deserialize)]
enum Said {
    Holds(bool),
    Greatest(String),
    Unbounded,
}

/// What the first process tells the others when it has worked alone.
#[derive(Serialize, Deserialize)]
enum Told {
    Answers(Vec<(usize, Said)>),
    Failed(String),
}

impl<'a> Strategy<'_, 'a, '_> {
    /// Sets all processes to work.
    pub(crate) fn by_team(
        &self,
        team: &Team,
        pursuit: &mut Pursuit<'a>,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        if self.is_over_for_some(team)? {
            return Ok(());
        }
        let for_all = self.board.read(|goals, pending| for_all(goals, &pending, self.subject));
        if !for_all.is_empty() {
            let mut explored =
                explored_shared(self.subject, self.board, &self.plan(), self.checking)?;
            pursuit.runs.append(&mut explored.runs);
            pursuit.explored = Some(explored);
        }
        let is_answered = self.board.is_answered();
        if is_answered || self.is_over_for_some(team)? {
            return Ok(());
        }
        let for_one = self.board.read(|goals, pending| {
            let for_all = crate::explicit::for_all(goals, &pending, self.subject);
            pending.into_iter().filter(|goal| !for_all.contains(goal)).collect::<Vec<_>>()
        });
        if for_one.is_empty() {
            return Ok(());
        }
        // What all have seen is seen again by one; both would be too much to keep.
        pursuit.explored = None;
        if team.network.process() > 0 {
            let said = exchange_on(&*team.network, Vec::new())?;
            return self.listen(&said[0]);
        }
        let alone = Plan { team: None, ..self.plan() };
        let explored = self.explore(&alone, pursuit, watch);
        let told = match &explored {
            Err(error) => Told::Failed(error.to_string()),
            Ok(()) => self.board.read(|goals, _| {
                let answers = for_one.iter().filter_map(|goal| {
                    let said = match goals.answer(*goal)? {
                        Answer::Holds(holds) => Said::Holds(*holds),
                        Answer::Greatest(value) => Said::Greatest(value.to_string()),
                        Answer::Unbounded => Said::Unbounded,
                    };
                    Some((*goal, said))
                });
                Told::Answers(answers.collect())
            }),
        };
        exchange_on(&*team.network, serde_json::to_vec(&told).expect("numbers and texts"))?;
        explored
    }

    /// Whether some process has no time or memory left, or all is answered.
    fn is_over_for_some(&self, team: &Team) -> Result<bool, Lost> {
        let said = exchange_on(&*team.network, vec![u8::from(self.board.is_over())])?;
        Ok(said.iter().any(|is_over| is_over.contains(&1)))
    }

    /// Takes the answers of the first process.
    fn listen(&self, said: &[u8]) -> Result<(), SurveyError> {
        let nonsense = |error| Lost(format!("process 0 makes no sense: {error}"));
        match serde_json::from_slice(said).map_err(nonsense)? {
            Told::Failed(why) => Err(Lost(format!("process 0: {why}")).into()),
            Told::Answers(answers) => {
                for (goal, said) in answers {
                    let answer = match said {
                        Said::Holds(holds) => Answer::Holds(holds),
                        Said::Unbounded => Answer::Unbounded,
                        Said::Greatest(value) => {
                            let value: Option<BigInt> = value.parse().ok();
                            Answer::Greatest(value.ok_or_else(|| {
                                Lost("process 0 counts what is no number".to_owned())
                            })?)
                        }
                    };
                    self.board.settle(Engine::Explicit, [(goal, answer)]);
                }
                Ok(())
            }
        }
    }
}
