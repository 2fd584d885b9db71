//! The server: where it listens, what it shows, and its end.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use explorer::{Explorer, Host};
use tokio::runtime;

use crate::events::Events;
use crate::guard::Guard;
use crate::jobs::Jobs;
use crate::name::names_of;
use crate::operations::Operations;
use crate::own::Own;
use crate::routes::{App, router};
use crate::watch::{Missing, Source, Watch};
use crate::{Bounds, Port, ServeError, Settings, Token, accept};

/// Enough for the deepest expression that the language admits, whatever the system's default is.
pub(crate) const STACK_BYTES: usize = 64 << 20;

/// The threads that listen and write. The work is done on others.
const NETWORK_THREADS: usize = 2;

/// The time that work has to notice that the server ends.
const PARTING_TIME: Duration = Duration::from_secs(2);

/// A server that listens already, and answers as soon as it [runs](Server::run).
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Token,
    explorer: Arc<Explorer>,
    sources: Vec<Source>,
    shown: Vec<Shown>,
    bounds: Bounds,
    budget: Budget,
}

/// A model that a server shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What it is called in requests.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Whether there was no error in it when the server started.
    pub is_right: bool,
}

impl Server {
    /// Listens, and reads the models. The server ends with `budget`.
    ///
    /// # Errors
    ///
    /// If the address cannot be listened on, or a model cannot be read. A model that is read and has errors is shown
    /// with them.
    pub fn bind(settings: Settings, budget: &Budget) -> Result<Server, ServeError> {
        let Settings { address, port, models, bounds } = settings;
        let listener = listen(address, port)?;
        let address = listener
            .local_addr()
            .map_err(|error| ServeError::listening(SocketAddr::new(address, 0), error))?;
        let explorer = Arc::new(Explorer::new(Host::Server));
        let names = names_of(models.iter().map(|model| model.path.as_path()));
        let mut server = Server {
            listener,
            address,
            token: Token::random()?,
            explorer,
            sources: Vec::new(),
            shown: Vec::new(),
            bounds,
            budget: budget.clone(),
        };
        for (name, model) in names.into_iter().zip(models) {
            let path = model.path.clone();
            let source = Source::open(name, model)
                .map_err(|error| ServeError::Unreadable { path, error })?;
            server.add(source);
        }
        Ok(server)
    }

    fn add(&mut self, source: Source) {
        let read = source.read(&self.explorer, &self.budget);
        self.shown.push(Shown {
            name: source.name().to_owned(),
            file: source.shown().to_owned(),
            is_right: read.is_right,
        });
        self.sources.push(source);
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The link to the page. Whoever has it may ask.
    #[must_use]
    pub fn link(&self) -> String {
        format!("{}/#token={}", Own::new(self.address).url(), self.token.as_str())
    }

    /// The models that it shows, in the order in which they were given.
    #[must_use]
    pub fn shown(&self) -> &[Shown] {
        &self.shown
    }

    /// Answers until the budget ends. Operations and jobs under way end with it; one that does not notice is left
    /// behind after a few seconds.
    ///
    /// # Errors
    ///
    /// If the system gives no threads.
    pub fn run(self) -> Result<(), ServeError> {
        let Server { listener, address, token, explorer, sources, bounds, budget, .. } = self;
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(NETWORK_THREADS)
            .max_blocking_threads(bounds.operations.max(1))
            .thread_stack_size(STACK_BYTES)
            .thread_name("serve")
            .enable_io()
            .enable_time()
            .build()
            .map_err(ServeError::NoThreads)?;
        let events = Events::new(bounds.events, bounds.alive_time);
        let jobs = Arc::new(Jobs::new(&bounds, &budget, events.clone()));
        let missing = Missing::default();
        let app = App {
            explorer: Arc::clone(&explorer),
            operations: Operations::new(&bounds, &budget),
            jobs: Arc::clone(&jobs),
            events: events.clone(),
            missing: missing.clone(),
            bounds,
        };
        let watch = Watch { explorer, events: events.clone(), missing, budget: budget.clone() };
        let watch = watch.start(sources, bounds.look_time).map_err(ServeError::NoThreads)?;
        let router = router(Arc::new(app), Guard { own: Own::new(address), token });
        let served = runtime.block_on(async {
            listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(listener)?;
            accept::serve(listener, router, bounds, events, budget.clone()).await;
            Ok(())
        });
        // Also if it could not begin.
        budget.interrupt();
        watch.thread().unpark();
        jobs.wait(PARTING_TIME);
        runtime.shutdown_timeout(PARTING_TIME);
        served.map_err(|error| ServeError::CannotListen { address, error })
    }
}

/// Listens on an address.
fn listen(address: std::net::IpAddr, port: Port) -> Result<TcpListener, ServeError> {
    let at = |port| {
        let address = SocketAddr::new(address, port);
        TcpListener::bind(address).map_err(|error| ServeError::listening(address, error))
    };
    match port {
        Port::Exactly(port) => at(port),
        Port::Preferred(port) => match at(port) {
            Err(ServeError::PortInUse(_) | ServeError::PortForbidden(_)) => at(0),
            listening => listening,
        },
    }
}
