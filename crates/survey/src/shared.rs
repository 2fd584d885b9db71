//! Surveys by several processes, each of which holds a part of the states.
//!
//! All processes survey the same net by the same plan, and call the same functions in the same order: whatever one has
//! to know of the states of others is agreed by all. What they conclude is the same everywhere.

mod agreed;

use std::fmt;
use std::sync::Arc;

use budget::{Budget, Exhausted, Phase};
use explore::checkpoint::Facts;
use explore::distributed::{
    Describe, Destination, DistributedSearch, FaultFound, Gathered, Lost, Network, Path, Portion,
    Progress, ShardJournal, Totals,
};
use explore::{Control, Exploration, Fired, Options, Space, Stop, Successors};
use net::{Fault, FaultKind, Net, PlaceId};

use crate::reader::{Markings, Observer, Reader};
use crate::spaces::Spaces;
use crate::unbounded::{self, Covering, Walks};
use crate::{Growth, Plan, SurveyError, Tally};

/// What is called with how far a team has come.
pub type WatchTeam = Arc<dyn Fn(&Progress) + Send + Sync>;

/// Processes that survey together. Each has as many workers as the network says; `threads` of a plan is not looked at.
#[derive(Clone)]
pub struct Team {
    /// What joins them.
    pub network: Arc<dyn Network>,
    /// Called now and then with how far they have come.
    pub watch: Option<WatchTeam>,
}

impl fmt::Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.network)
    }
}

/// A search by a team, whatever states are stored as.
pub(crate) trait Shared: Send {
    fn totals(&self) -> Totals;
    fn network(&self) -> &Arc<dyn Network>;
    fn advance(
        &mut self,
        states: u64,
        is_due: &Arc<dyn Fn() -> bool + Send + Sync>,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), Lost>;
    fn save(&self, journal: &mut ShardJournal) -> Result<(), Lost>;
    fn seconds(&self) -> f64;
    fn exchange(&self, said: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost>;
    fn fired(&self) -> Result<Fired, Lost>;
    fn paths_to(
        &self,
        to: &[Destination],
        budget: &Budget,
    ) -> Result<Result<Vec<Path>, Exhausted>, Lost>;
    fn path_to_label(
        &self,
        label: u32,
        budget: &Budget,
    ) -> Result<Result<Option<Path>, Exhausted>, Lost>;
    fn look(&self, worker: usize, look: &mut dyn FnMut(&Portion, &mut dyn Observer));
    fn gather(&self, into: &Gathered) -> Result<Option<Exhausted>, Lost>;
    fn forget(&self);
}

impl<S: Space<Fault: 'static> + Observer + Send + 'static> Shared for DistributedSearch<S> {
    fn totals(&self) -> Totals {
        self.totals()
    }

    fn network(&self) -> &Arc<dyn Network> {
        self.network()
    }

    fn advance(
        &mut self,
        states: u64,
        is_due: &Arc<dyn Fn() -> bool + Send + Sync>,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), Lost> {
        self.advance(states, is_due, watch)
    }

    fn save(&self, journal: &mut ShardJournal) -> Result<(), Lost> {
        self.save(journal)
    }

    fn seconds(&self) -> f64 {
        self.seconds()
    }

    fn exchange(&self, said: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost> {
        self.exchange(said)
    }

    fn fired(&self) -> Result<Fired, Lost> {
        self.fired()
    }

    fn paths_to(
        &self,
        to: &[Destination],
        budget: &Budget,
    ) -> Result<Result<Vec<Path>, Exhausted>, Lost> {
        self.paths_to(to, budget)
    }

    fn path_to_label(
        &self,
        label: u32,
        budget: &Budget,
    ) -> Result<Result<Option<Path>, Exhausted>, Lost> {
        self.path_to_label(label, budget)
    }

    fn look(&self, worker: usize, look: &mut dyn FnMut(&Portion, &mut dyn Observer)) {
        self.look(worker, |portion, space| look(portion, space));
    }

    fn gather(&self, into: &Gathered) -> Result<Option<Exhausted>, Lost> {
        self.gather(into)
    }

    fn forget(&self) {
        self.forget();
    }
}

/// What the workers of this process hold, and what joins it to the other processes.
pub struct Shards<'s> {
    pub(crate) search: &'s dyn Shared,
    is_gathering: bool,
    /// The graph that was gathered, and what looks into its states, on the process that has it.
    graph: Option<(&'s Gathered, &'s mut dyn Observer)>,
}

impl<'s> Shards<'s> {
    pub(crate) fn of(search: &'s dyn Shared) -> Shards<'s> {
        Shards { search, is_gathering: false, graph: None }
    }

    /// Looks at the graph, if it is gathered and this is the process that has it.
    pub fn look_at_graph<T>(
        &mut self,
        look: impl FnOnce(&Exploration, &mut dyn Reader) -> T,
    ) -> Option<T> {
        let (graph, observer) = self.graph.as_mut()?;
        Some(graph.look(|found| look(found, *observer)))
    }

    /// Whether the first process gathers the graph.
    #[must_use]
    pub fn is_gathering(&self) -> bool {
        self.is_gathering
    }

    /// The number of this process.
    #[must_use]
    pub fn process(&self) -> usize {
        self.search.network().process()
    }

    /// What all have found.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.search.totals()
    }

    /// The number of shards of this process.
    #[must_use]
    pub fn count(&self) -> usize {
        self.search.network().threads()
    }

    /// Looks into a shard of this process.
    pub fn look(&self, shard: usize, look: &mut dyn FnMut(&Portion, &mut dyn Reader)) {
        self.search.look(shard, &mut |portion, observer| look(portion, observer));
    }

    /// Has every process tell all others something, and gives what they said, in their order. All processes have to.
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone.
    pub fn exchange(&self, said: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost> {
        self.search.exchange(said)
    }
}

/// What is called each time the number of states has doubled, on all processes; all must come to the same.
pub type SharedReview<'r> = dyn FnMut(&mut Shards<'_>) -> Result<Control, Lost> + 'r;

/// A search by a team that is over, and what all know of it.
pub(crate) struct SharedSurvey {
    pub(crate) search: Box<dyn Shared>,
    pub(crate) totals: Totals,
    /// The bytes that hold the states, in all.
    pub(crate) store_bytes: u64,
    /// What was still rising when the search ended.
    pub(crate) growth: Vec<Growth>,
    /// Whether the first process has the graph.
    pub(crate) is_gathered: bool,
    /// Why not, if it was to have it.
    pub(crate) given_up: Option<Exhausted>,
}

/// With fewer states nothing is reviewed.
const FIRST_REVIEW: u64 = 1 << 10;

/// What a team has explored.
pub(crate) struct Explored {
    pub(crate) shared: SharedSurvey,
    /// What looks at states here.
    pub(crate) spaces: Spaces,
    /// Counts without states.
    pub(crate) exploration: Exploration,
    pub(crate) covering: Option<Covering>,
    pub(crate) fault: Option<FaultFound>,
}

/// Explores by a team.
pub(crate) fn explored(
    net: &Arc<Net>,
    plan: &Plan,
    team: &Team,
    spaces: Spaces,
    options: &Options,
    facts: &Facts,
    review: &mut SharedReview<'_>,
) -> Result<Explored, SurveyError> {
    let mut journal = match &plan.checkpoint {
        Some(checkpoint) => Some(ShardJournal::open(checkpoint, facts, &*team.network)??),
        None => None,
    };
    let (mut search, mut spaces) = begun(net, team, spaces, options, journal.as_mut())?;
    let can_be_proved = unbounded::can_be_proved(net);
    let mut walks = Walks::default();
    let mut found = Successors::within(&plan.budget);
    let mut covering = None;
    let mut is_interrupted = false;
    let is_due = journal.as_ref().map_or_else(
        || Arc::new(|| false) as Arc<dyn Fn() -> bool + Send + Sync>,
        ShardJournal::is_due,
    );
    let mut gathered = plan.keep_edges.then(Gathered::default);
    // Why the graph is not gathered, or not all of it.
    let mut shortage = None;
    let mut next = FIRST_REVIEW;
    let watch = |progress: &Progress| {
        if let Some(watch) = &team.watch {
            watch(progress);
        }
    };
    loop {
        search.advance(next, &is_due, &mut { watch })?;
        let totals = search.totals();
        if let Some(journal) = &mut journal
            && (totals.is_over() || totals.wants_pause())
        {
            search.save(journal)?;
        }
        if !totals.is_over() && totals.states < next {
            continue;
        }
        let is_cut = !totals.complete && totals.is_over();
        if can_be_proved && (is_cut || !totals.is_over()) && totals.fault.is_none() {
            let states = u32::try_from(totals.states).unwrap_or(u32::MAX);
            let mut walk = |observer: &mut dyn Observer| walks.go(states, &mut found, observer);
            covering = agreed::covering(&*search, spaces.observer(), &mut walk)?;
        }
        if let Some(gathered) = &gathered {
            let _under = plan.budget.progress().during(Phase::Gathering);
            shortage = search.gather(gathered)?;
        }
        if shortage == Some(Exhausted::Memory) {
            gathered = None;
        }
        if totals.is_over() || covering.is_some() {
            break;
        }
        let graph = gathered.as_ref().filter(|_| team.network.process() == 0);
        let graph = graph.map(|gathered| (gathered, spaces.observer()));
        let is_gathering = gathered.is_some();
        let mut shards = Shards { search: &*search, is_gathering, graph };
        if review(&mut shards)? == Control::Interrupt {
            if let Some(journal) = &mut journal {
                search.save(journal)?;
            }
            is_interrupted = true;
            break;
        }
        next = totals.states.saturating_mul(2);
    }
    let totals = search.totals();
    let is_gathered = gathered.is_some();
    // A part of the graph is as good as a search that has ended there.
    let cut = shortage.filter(|_| is_gathered);
    let reason = totals.reason.or(cut.map(Stop::Exhausted)).or_else(|| {
        (is_interrupted || covering.is_some()).then_some(Stop::Exhausted(Exhausted::Interrupted))
    });
    let fired = search.fired()?;
    let here = gathered.filter(|_| team.network.process() == 0);
    let mut exploration = here.map_or_else(
        || {
            let mut counts = Exploration::default();
            counts.edges = totals.edges;
            counts.modes = totals.modes;
            counts.expanded = totals.expanded;
            counts.fired = fired;
            counts
        },
        Gathered::into_exploration,
    );
    exploration.complete = totals.complete && cut.is_none();
    exploration.reason = reason;
    exploration.seconds = search.seconds();
    let store_bytes = agreed::store_bytes(&*search, spaces.part_bytes())?;
    let fault = totals.fault.clone();
    let growth = match totals.complete {
        true => Vec::new(),
        false => agreed::growth(&*search, net)?,
    };
    let shared = SharedSurvey {
        search,
        totals,
        store_bytes,
        growth,
        is_gathered,
        given_up: shortage.filter(|_| !is_gathered),
    };
    Ok(Explored { shared, spaces, exploration, covering, fault })
}

/// A search that has begun, and a space that understands its states.
fn begun(
    net: &Arc<Net>,
    team: &Team,
    spaces: Spaces,
    options: &Options,
    journal: Option<&mut ShardJournal>,
) -> Result<(Box<dyn Shared>, Spaces), SurveyError> {
    let network = team.network.clone();
    let described = {
        let net = net.clone();
        Arc::new(move |fault: Fault| (Some(fault.transition.0), fault.kind.describe(&net)))
    };
    Ok(match spaces {
        Spaces::Folded(all, why, observed) => {
            let here = Spaces::Folded(vec![all[0].worker()], why, observed);
            (search(network, all, options, described, journal)?, here)
        }
        Spaces::Full(all) => {
            let here = Spaces::full(net, 1);
            (search(network, all, options, described, journal)?, here)
        }
        Spaces::Symbolic(all) => {
            let here = Spaces::Symbolic(vec![Markings::of(&all[0].translation)]);
            let net = net.clone();
            let described = Arc::new(move |fault| match fault {
                symbolic::Fault::TooManyTokens(place) => {
                    let place = PlaceId(place.0);
                    (None, FaultKind::TooManyTokens { place }.describe(&net))
                }
                other @ symbolic::Fault::TooManySubclasses => (None, other.to_string()),
            });
            (search(network, all, options, described, journal)?, here)
        }
    })
}

/// Begins a search, or goes on with it.
fn search<S: Space<Fault: 'static> + Observer + Send + 'static>(
    network: Arc<dyn Network>,
    spaces: Vec<S>,
    options: &Options,
    described: Describe<S::Fault>,
    journal: Option<&mut ShardJournal>,
) -> Result<Box<dyn Shared>, SurveyError> {
    Ok(match journal {
        None => Box::new(DistributedSearch::begin(network, spaces, options, described)?),
        Some(journal) => {
            Box::new(DistributedSearch::begin_kept(network, spaces, options, described, journal)??)
        }
    })
}

impl SharedSurvey {
    /// What was counted.
    pub(crate) fn tally(&self) -> Tally {
        let Totals { states, edges, deadlocks, terminated, .. } = self.totals;
        Tally { states, edges, deadlocks, terminated, depth: self.totals.depth() }
    }
}

pub(crate) use agreed::{census, most_tokens};
