//! Deciding with several processes: all explore, and all come to the same answers.

use survey::{Lost, SurveyError, Team, exchange_on};

use crate::explicit::explored_shared;
use crate::strategy::{Pursuit, Strategy};

impl<'a> Strategy<'_, 'a, '_> {
    /// Sets all processes to work.
    pub(crate) fn by_team(
        &self,
        team: &Team,
        pursuit: &mut Pursuit<'a>,
    ) -> Result<(), SurveyError> {
        if self.is_over_for_some(team)? {
            return Ok(());
        }
        let explored = explored_shared(self.subject, self.board, &self.plan(), self.checking)?;
        pursuit.explored = Some(explored);
        Ok(())
    }

    /// Whether some process has no time or memory left, or all is answered.
    fn is_over_for_some(&self, team: &Team) -> Result<bool, Lost> {
        let said = exchange_on(&*team.network, vec![u8::from(self.board.is_over())])?;
        Ok(said.iter().any(|is_over| is_over.contains(&1)))
    }
}
