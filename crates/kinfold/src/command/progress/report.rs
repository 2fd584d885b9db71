//! Who shows progress while a run is under way: a thread that looks at what the run says of itself.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use budget::Budget;
use indicatif::{ProgressBar, ProgressStyle};

use super::pace::{Pace, remark};
use super::snapshot::{Event, History, Snapshot};
use crate::command::cli::{ExplorationArgs, ProgressArgs, ProgressForm};
use crate::command::{Exit, load, output};

/// The time between two changes of a line on a terminal.
const TIME_PER_TICK: Duration = Duration::from_millis(250);
/// The time between two lines that are asked for, and between two that are not.
const EVERY: Duration = Duration::from_secs(1);
const EVERY_NOW_AND_THEN: Duration = Duration::from_secs(10);
/// The time between two lines, at least.
const LEAST: Duration = Duration::from_millis(10);

/// What is run.
#[derive(Clone, Default)]
pub struct About {
    pub command: &'static str,
    pub model: String,
    /// The limit on the number of states.
    pub states: Option<u64>,
    /// Whether it is soon done, so that nothing is shown any more once something is printed.
    pub is_short: bool,
    /// Whether it could be given limits, and has none.
    pub is_endless: bool,
}

impl About {
    /// A run of a command on a model.
    pub fn new(
        command: &'static str,
        model: &Path,
        args: &ExplorationArgs,
        budget: &Budget,
    ) -> About {
        let states = args.max_states;
        let is_endless =
            states.is_none() && args.limits.memory.is_none() && budget.deadline().is_none();
        About { command, model: load::name(model), states, is_short: false, is_endless }
    }
}

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One line of a terminal, over and over.
    Drawn,
    /// Lines of text.
    Lines,
    /// Lines of JSON.
    Json,
}

/// A run that is reported on.
struct Report {
    about: About,
    budget: Budget,
    form: Form,
    /// Whether it is shown though nobody asked for it.
    is_by_default: bool,
    every: Duration,
    began: Instant,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    history: History,
    line: Option<ProgressBar>,
    is_over: bool,
}

/// The run that is reported on now.
static CURRENT: Mutex<Option<Arc<Report>>> = Mutex::new(None);

/// How many are writing results, during which no line is drawn.
static QUIET: AtomicU32 = AtomicU32::new(0);

/// Does what is to be reported on, within this budget. `exit` says how it ends.
pub fn reported<T>(
    args: &ProgressArgs,
    about: About,
    budget: &Budget,
    work: impl FnOnce() -> T,
    exit: impl FnOnce(&T) -> Exit,
) -> T {
    let is_terminal = io::stderr().is_terminal();
    let asked = args.progress.unwrap_or(ProgressForm::Auto);
    let is_by_default = asked == ProgressForm::Auto;
    let form = match asked {
        ProgressForm::None => return work(),
        ProgressForm::Auto | ProgressForm::Line if is_terminal => Form::Drawn,
        ProgressForm::Auto | ProgressForm::Line => Form::Lines,
        ProgressForm::Json => Form::Json,
    };
    let usual = match form {
        Form::Drawn => TIME_PER_TICK,
        Form::Lines if is_by_default => EVERY_NOW_AND_THEN,
        Form::Lines | Form::Json => EVERY,
    };
    let report = Arc::new(Report {
        about,
        budget: budget.clone(),
        form,
        is_by_default,
        every: args.progress_every.unwrap_or(usual).max(LEAST),
        began: Instant::now(),
        state: Mutex::default(),
        changed: Condvar::new(),
    });
    *current() = Some(Arc::clone(&report));
    if report.form == Form::Json {
        report.show(Event::Begin);
    }
    // Without a thread nothing is shown on the way.
    let shown = Arc::clone(&report);
    let thread = thread::Builder::new().name("progress".into()).spawn(move || shown.go_on());
    let over = Over(&report);
    let done = work();
    let exit = exit(&done);
    report.end(exit);
    drop(over);
    let _ = thread.map(thread::JoinHandle::join);
    done
}

/// Ends what is shown also when the work panics.
struct Over<'r>(&'r Report);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.end(Exit::Internal);
        *current() = None;
    }
}

/// Ends what is shown before the process ends with this status.
pub fn end(exit: Exit) {
    if let Some(report) = current().clone() {
        report.end(exit);
    }
}

/// Clears the line, if there is one. It may be drawn again after a moment.
pub fn clear_line() {
    if let Some(report) = current().clone() {
        let mut state = report.state();
        state.clear();
        state.is_over |= report.about.is_short;
    }
}

/// Whether results are being written.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::SeqCst) > 0
}

/// Clears the line, which is not drawn as long as what is returned lives.
pub fn quiet() -> Quiet {
    QUIET.fetch_add(1, Ordering::SeqCst);
    clear_line();
    Quiet
}

/// No line is drawn as long as this lives.
pub struct Quiet;

impl Drop for Quiet {
    fn drop(&mut self) {
        QUIET.fetch_sub(1, Ordering::SeqCst);
    }
}

fn current() -> MutexGuard<'static, Option<Arc<Report>>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Report {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows progress until the run is over.
    fn go_on(&self) {
        let mut state = self.state();
        let mut pace = Pace::new(self.every, !self.about.is_endless);
        loop {
            let wait = pace.wait(self.began.elapsed());
            let waited = self.changed.wait_timeout_while(state, wait, |state| !state.is_over);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.is_over {
                return;
            }
            // Of several processes, one speaks.
            if self.is_by_default && output::is_quiet() {
                continue;
            }
            let due = pace.due(self.began.elapsed());
            if due.line {
                self.show_in(&mut state, Event::Progress);
            }
            if due.remark {
                self.remark(&mut state);
            }
        }
    }

    /// Says what grows, where nothing will end the run.
    fn remark(&self, state: &mut State) {
        let snapshot = Snapshot::take(&self.about, &self.budget, self.began, &mut state.history);
        let said = snapshot.is_endless().then(|| {
            remark(
                self.began.elapsed(),
                &self.budget.progress().known(),
                snapshot.found_each_second(),
            )
        });
        if let Some(said) = said {
            state.clear();
            let _ = io::stderr().write_all(format!("{said}\n").as_bytes());
        }
    }

    fn end(&self, exit: Exit) {
        let mut state = self.state();
        if !state.is_over {
            state.is_over = true;
            state.clear();
            if self.form == Form::Json {
                self.show_in(&mut state, Event::End(exit));
            }
        }
        self.changed.notify_all();
    }

    fn show(&self, event: Event) {
        self.show_in(&mut self.state(), event);
    }

    fn show_in(&self, state: &mut State, event: Event) {
        let State { history, line, .. } = state;
        let snapshot = Snapshot::take(&self.about, &self.budget, self.began, history);
        let text = match self.form {
            Form::Drawn if is_quiet() => return,
            Form::Drawn => return draw(line.get_or_insert_with(new_line), snapshot.text()),
            Form::Lines => snapshot.text(),
            Form::Json => snapshot.json(event).to_string(),
        };
        // Whoever has closed stderr does not want to see it.
        let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
    }
}

impl State {
    fn clear(&mut self) {
        if let Some(line) = self.line.take() {
            line.finish_and_clear();
        }
    }
}

fn new_line() -> ProgressBar {
    let line = ProgressBar::new_spinner();
    line.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a valid template"));
    line
}

fn draw(line: &ProgressBar, text: String) {
    line.set_message(text);
    line.tick();
}
