//! Properties, checked beside under a budget until the text changes.
//!
//! A check is a [`Job`](explorer::Job) of the explorer, on a thread of its own with a model of its own, so that nothing
//! is left of it when it ends. What it finds is told as it comes. There is one check of a document at a time: another
//! one, or an edit, ends it.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use budget::{Budget, Limits};
use crossbeam_channel::Sender;
use explorer::{EndState, Explorer, Host, News, Text};
use lsp_server::RequestId;
use serde_json::{Value as Json, json};

use crate::STACK_BYTES;
use crate::server::Event;
use crate::settings::Settings;

/// What was found of a property.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// `holds`, `fails`, `unknown` or `refused`.
    pub(crate) word: String,
    /// Why, if there is more to say.
    pub(crate) why: Option<String>,
    /// What the run shows in the end.
    pub(crate) outcome: Option<String>,
    /// How many classes of states were looked at.
    pub(crate) classes: Option<u64>,
    /// The run that shows it.
    pub(crate) steps: Vec<Step>,
}

/// A step of a run.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) text: String,
    /// Line and column from 1, columns in characters; none for what is in the prelude.
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) changes: Vec<String>,
}

/// What is told of a check.
#[derive(Debug)]
pub(crate) enum Told {
    /// A verdict, the last about this property until another comes.
    Verdict(String, Verdict),
    /// How many classes of states were found so far.
    Progress(u64),
    /// It has ended: done, stopped, or failed with a reason.
    End(EndState, Option<String>),
}

/// A check under way.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) number: u64,
    pub(crate) edits: u64,
    budget: Budget,
    /// The request that waits for its end.
    pub(crate) request: Option<RequestId>,
    /// Whether the client shows how far it has come.
    pub(crate) is_shown: bool,
    /// The properties that are checked; all of them if none are named.
    pub(crate) properties: Vec<String>,
}

/// All checks under way, by document.
#[derive(Debug)]
pub(crate) struct Checks {
    running: HashMap<String, Running>,
    last: u64,
    events: Sender<Event>,
}

impl Checks {
    pub(crate) fn new(events: Sender<Event>) -> Checks {
        Checks { running: HashMap::new(), last: 0, events }
    }

    /// The check of a document.
    pub(crate) fn of(&self, uri: &str) -> Option<&Running> {
        self.running.get(uri)
    }

    /// The check with a number, and its document.
    pub(crate) fn numbered(&mut self, number: u64) -> Option<(&String, &mut Running)> {
        self.running.iter_mut().find(|(_, running)| running.number == number)
    }

    /// The document whose check a request waits for.
    pub(crate) fn waited_for(&self, id: &RequestId) -> Option<String> {
        let mut all = self.running.iter();
        let found = all.find(|(_, running)| running.request.as_ref() == Some(id));
        found.map(|(uri, _)| uri.clone())
    }

    /// Ends the check of a document, if there is one; nothing more is heard of it.
    pub(crate) fn stop(&mut self, uri: &str) -> Option<Running> {
        let running = self.running.remove(uri)?;
        running.budget.interrupt();
        Some(running)
    }

    /// A check has ended.
    pub(crate) fn ended(&mut self, uri: &str) -> Option<Running> {
        self.running.remove(uri)
    }

    /// Begins a check of a document that has none. Its number comes with all that it tells.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn start(
        &mut self,
        uri: &str,
        edits: u64,
        text: &str,
        properties: Vec<String>,
        request: Option<RequestId>,
        settings: &Settings,
    ) -> std::io::Result<u64> {
        self.last += 1;
        let number = self.last;
        let limits =
            Limits { time: Some(settings.time), memory: Some(settings.memory), steps: None };
        let budget = Budget::new(limits);
        let own = budget.clone();
        let (events, text, asked) = (self.events.clone(), text.to_owned(), properties.clone());
        let work = move || {
            let mut tell = |told| _ = events.send(Event::Check { number, told });
            let run = AssertUnwindSafe(|| check(text, &asked, &own, &mut tell));
            let (state, why) = catch_unwind(run).unwrap_or_else(|_| {
                (EndState::Failed, Some("the check has failed, which is a fault of Kinfold".into()))
            });
            tell(Told::End(state, why));
        };
        thread::Builder::new().name("check".into()).stack_size(STACK_BYTES).spawn(work)?;
        let running = Running { number, edits, budget, request, is_shown: false, properties };
        self.running.insert(uri.to_owned(), running);
        Ok(number)
    }
}

impl Drop for Checks {
    fn drop(&mut self) {
        self.running.values().for_each(|running| running.budget.interrupt());
    }
}

const MODEL: &str = "model";

fn check(
    text: String,
    properties: &[String],
    budget: &Budget,
    tell: &mut dyn FnMut(Told),
) -> (EndState, Option<String>) {
    let explorer = Explorer::new(Host::Server);
    let file = "model.kin".to_owned();
    explorer.read(MODEL, Text { file, bytes: text.into_bytes(), ..Text::default() }, budget);
    let mut request = json!({ "model": MODEL });
    if !properties.is_empty() {
        request["properties"] = properties.into();
    }
    let job = match explorer.begin("check", request.to_string().as_bytes(), budget) {
        Ok(job) => job,
        Err(_) if budget.exhausted() == Some(budget::Exhausted::Interrupted) => {
            return (EndState::Stopped, None);
        }
        Err(refusal) => return (EndState::Failed, Some(refusal.message().to_owned())),
    };
    let end = job.run(budget, &mut |news| match news {
        News::Progress(progress) => {
            tell(Told::Progress(progress["classes"].as_u64().unwrap_or_default()));
        }
        News::Verdict(verdict) => {
            if let Some(name) = verdict["property"].as_str() {
                let told = told(&explorer, &verdict, budget);
                tell(Told::Verdict(name.to_owned(), told));
            }
        }
        News::Result(_) => {}
    });
    (end.state, end.why)
}

/// A verdict as the explorer tells it, with the steps of its run.
fn told(explorer: &Explorer, verdict: &Json, budget: &Budget) -> Verdict {
    let text = |name: &str| verdict[name].as_str().map(str::to_owned);
    let mut steps = Vec::new();
    if !verdict["run"].is_null() {
        let mut request =
            json!({ "model": MODEL, "run": verdict["run"], "property": verdict["property"] });
        for name in ["loop", "with"] {
            if !verdict[name].is_null() {
                request[name] = verdict[name].clone();
            }
        }
        // The budget may have been used up by the search.
        let showing = budget.grace(std::time::Duration::from_secs(5));
        if let Ok(run) = explorer.ask("run", request.to_string().as_bytes(), &showing) {
            let all = run["steps"].as_array().into_iter().flatten();
            steps = all.map(|one| step(one, &run["lifelines"])).collect();
        }
    }
    Verdict {
        word: text("verdict").unwrap_or_default(),
        why: text("why").or_else(|| text("text").filter(|_| is_fault(verdict))),
        outcome: text("outcome"),
        classes: verdict["classes"].as_u64(),
        steps,
    }
}

/// Whether it is about the model itself, and its text says what goes wrong.
fn is_fault(verdict: &Json) -> bool {
    matches!(verdict["property"].as_str(), Some("assertion" | "fault"))
}

fn step(step: &Json, lifelines: &Json) -> Step {
    let number = |name: &str| step[name].as_u64().map(|number| number as usize);
    let changes = step["changes"].as_array().into_iter().flatten();
    let mut text = step["text"].as_str().unwrap_or_default().to_owned();
    let actors = actors(step, lifelines);
    if !actors.is_empty() {
        text = format!("{}, {text}", actors.join(" and "));
    }
    Step {
        text,
        place: number("line").zip(number("column")).filter(|(line, _)| *line > 0),
        changes: changes.filter_map(|one| one.as_str().map(str::to_owned)).collect(),
    }
}

/// The processes that take part in a step. What a transition binds is in the text of the step.
fn actors<'j>(step: &'j Json, lifelines: &'j Json) -> Vec<&'j str> {
    let numbers = step["actors"].as_array().into_iter().flatten().filter_map(Json::as_u64);
    let own = numbers.map(|number| &lifelines[number as usize]);
    let processes = own.filter(|one| one["kind"] == "thread" && one["noun"] == "");
    processes.filter_map(|one| one["name"].as_str()).collect()
}
