//! Commands: to check properties, to stop that, and to see the run that shows a verdict.

use explorer::EndState;
use lsp_server::{ErrorCode, RequestId};
use lsp_types::{ExecuteCommandParams, MessageType, ShowMessageParams};
use serde_json::{Value as Json, json};

use super::abilities::{CHECK, SHOW_RUN, STOP};
use super::{Refused, Server};
use crate::checks::{Running, Told, Verdict};
use crate::document::Document;
use crate::outgoing::{location, sentence};

impl Server {
    pub(super) fn execute(&mut self, id: RequestId, params: ExecuteCommandParams) {
        let text = |at: usize| params.arguments.get(at).and_then(Json::as_str);
        let result = match (params.command.as_str(), text(0), text(1)) {
            (CHECK, Some(uri), property) => {
                let properties = property.map(str::to_owned).into_iter().collect();
                match self.start_check(uri, properties, Some(id.clone())) {
                    Ok(()) => return,
                    Err(refused) => Err(refused),
                }
            }
            (SHOW_RUN, Some(uri), Some(property)) => self.show_run(uri, property),
            (STOP, Some(uri), _) => {
                self.stop_check(uri, "the check was stopped");
                Ok(Json::Null)
            }
            (CHECK | SHOW_RUN | STOP, ..) => Err(Refused::wrong(
                "the arguments are the URI of a document and, perhaps, the name of a property",
            )),
            (other, ..) => Err(Refused::wrong(format!("there is no command `{other}`"))),
        };
        self.respond(id, result);
    }

    /// Begins a check, which is answered when it ends. Another one of the same document ends.
    fn start_check(
        &mut self,
        uri: &str,
        properties: Vec<String>,
        request: Option<RequestId>,
    ) -> Result<(), Refused> {
        let Some(document) = self.documents.get(uri) else {
            return Err(Refused::wrong(format!("{uri} is not open")));
        };
        let (edits, text) = (document.edits, document.text().to_owned());
        self.stop_check(uri, "another check was asked for");
        let settings = self.settings.clone();
        let number = self
            .checks
            .start(uri, edits, &text, properties, request, &settings)
            .map_err(|why| Refused::new(format!("no check can be started: {why}")))?;
        if self.abilities.shows_progress {
            let token = token(number);
            self.ask("window/workDoneProgress/create", json!({ "token": token }));
            let begin = json!({ "kind": "begin", "title": "Kinfold checks", "cancellable": true });
            self.notify("$/progress", json!({ "token": token, "value": begin }));
            if let Some((_, running)) = self.checks.numbered(number) {
                running.is_shown = true;
            }
        }
        self.refresh_lenses();
        Ok(())
    }

    /// Checks a document without being asked, if that is wanted.
    pub(super) fn check_beside(&mut self, uri: &str) {
        let is_model = self.documents.get(uri).is_some_and(|document| !document.is_prelude());
        if self.settings.check_on_save && is_model {
            // Nobody waits for an answer.
            let _ = self.start_check(uri, Vec::new(), None);
        }
    }

    /// Ends the check of a document, if there is one.
    pub(super) fn stop_check(&mut self, uri: &str, why: &str) {
        if let Some(running) = self.checks.stop(uri) {
            self.end_progress(&running);
            if let Some(id) = running.request {
                let refused = Refused { code: ErrorCode::ContentModified, message: why.to_owned() };
                self.respond(id, Err(refused));
            }
            self.refresh_lenses();
        }
    }

    /// A request was cancelled that has begun: only checks take long enough for that.
    pub(super) fn cancel(&mut self, id: &RequestId) {
        if let Some(uri) = self.checks.waited_for(id)
            && let Some(running) = self.checks.stop(&uri)
        {
            self.end_progress(&running);
            let message = "the check was cancelled".to_owned();
            self.respond(id.clone(), Err(Refused { code: ErrorCode::RequestCanceled, message }));
            self.refresh_lenses();
        }
    }

    pub(super) fn cancel_progress(&mut self, params: &Json) {
        let number = params["token"].as_str().and_then(|token| token.strip_prefix(TOKEN));
        let number = number.and_then(|number| number.parse().ok());
        let uri = number.and_then(|number| self.checks.numbered(number));
        if let Some(uri) = uri.map(|(uri, _)| uri.clone()) {
            self.stop_check(&uri, "the check was stopped");
        }
    }

    fn end_progress(&self, running: &Running) {
        if running.is_shown {
            let value = json!({ "kind": "end" });
            self.notify("$/progress", json!({ "token": token(running.number), "value": value }));
        }
    }

    pub(super) fn hear_of_check(&mut self, number: u64, told: Told) {
        // One that was stopped is not listened to any more.
        let Some((uri, running)) = self.checks.numbered(number) else { return };
        let (uri, edits, is_shown) = (uri.clone(), running.edits, running.is_shown);
        let Some(document) = self.documents.get_mut(&uri) else { return };
        if document.edits != edits {
            return;
        }
        match told {
            Told::Progress(classes) => {
                if is_shown {
                    let message = format!("{classes} states");
                    let value = json!({ "kind": "report", "message": message });
                    self.notify("$/progress", json!({ "token": token(number), "value": value }));
                }
            }
            Told::Verdict(property, verdict) => {
                document.verdicts.insert(property, verdict);
                self.publish(&uri);
                self.refresh_lenses();
            }
            Told::End(state, why) => {
                let Some(running) = self.checks.ended(&uri) else { return };
                self.end_progress(&running);
                if let (Some(id), Some(document)) = (running.request, self.documents.get(&uri)) {
                    let result = match state {
                        EndState::Failed => {
                            Err(Refused::new(why.unwrap_or_else(|| "the check has failed".into())))
                        }
                        EndState::Done | EndState::Stopped => {
                            Ok(result(document, &running.properties, why))
                        }
                    };
                    self.respond(id, result);
                }
                self.refresh_lenses();
            }
        }
    }

    /// The run that shows a verdict, step by step.
    fn show_run(&mut self, uri: &str, property: &str) -> Result<Json, Refused> {
        let Some(document) = self.documents.get(uri) else {
            return Err(Refused::wrong(format!("{uri} is not open")));
        };
        let Some(verdict) = document.verdicts.get(property) else {
            return Err(Refused::new(format!("`{property}` has not been checked; check it first")));
        };
        let told = verdict_json(document, property, verdict);
        let message = sentence(property, verdict);
        if !self.settings.shows_runs {
            let typ = MessageType::INFO;
            self.notify("window/showMessage", ShowMessageParams { typ, message });
        }
        Ok(told)
    }
}

const TOKEN: &str = "kinfold check ";

fn token(number: u64) -> String {
    format!("{TOKEN}{number}")
}

/// What was found of the properties that were asked for.
fn result(document: &Document, properties: &[String], why: Option<String>) -> Json {
    let is_meant = |name: &&String| {
        let is_about_model = matches!(name.as_str(), "assertion" | "fault");
        properties.is_empty() || properties.contains(name) || is_about_model
    };
    let verdicts = document.verdicts.iter().filter(|(name, _)| is_meant(name));
    let verdicts = verdicts.map(|(name, verdict)| verdict_json(document, name, verdict));
    json!({ "verdicts": verdicts.collect::<Vec<Json>>(), "why": why })
}

fn verdict_json(document: &Document, name: &str, verdict: &Verdict) -> Json {
    let steps = verdict.steps.iter().map(|step| {
        json!({ "text": step.text, "location": location(document, step), "changes": step.changes })
    });
    json!({
        "property": name,
        "verdict": verdict.word,
        "why": verdict.why,
        "outcome": verdict.outcome,
        "classes": verdict.classes,
        "steps": steps.collect::<Vec<Json>>(),
    })
}
