//! Initial tokens: single ones, and those for all members of a class.

use net::{EnumId, InitialToken, InitialValue, Kind, Literal, PlaceId};

use super::Resolver;
use super::places::ColumnInfo;
use super::scope::{Scope, Usage};
use crate::syntax::{DeclarationKind, ExprKind, Initial, InitialTokens, PlaceDecl};
use diagnostics::Diagnostic;

/// No model starts with more tokens than this.
const TOKENS: u64 = 1_000_000;
/// No more conditions are asked, of all choices of members together.
const QUESTIONS: usize = 1 << 24;

/// What to do about `with` where one token is written.
const WITHOUT_ALL: &str = "leave it out, or write `all` in the token";

/// What was spent on initial tokens so far.
#[derive(Default)]
struct Spent {
    tokens: u64,
    questions: usize,
}

impl<'a> Resolver<'a, '_> {
    pub(super) fn initial_tokens(&mut self) {
        let model = self.model;
        let mut spent = Spent::default();
        for declaration in &model.declarations {
            let DeclarationKind::Place { places, initial: Some(initial), .. } = &declaration.kind
            else {
                continue;
            };
            if let [place] = &places[..] {
                self.tokens_of(place, initial, &mut spent);
            } else {
                Diagnostic::error("E0506", "initial tokens are written for one place at a time")
                    .at(initial.span, format!("for {} places here", places.len()))
                    .help("declare the places one by one")
                    .report(self.diagnostics);
            }
        }
    }

    fn tokens_of(&mut self, place: &PlaceDecl<'a>, initial: &Initial<'a>, spent: &mut Spent) {
        let Some(&id) = self.place_names.get(place.name.text) else { return };
        if !self.places[id.index()].is_known {
            return;
        }
        let columns = self.places[id.index()].columns.clone();
        for tokens in &initial.tokens {
            let before = spent.tokens;
            let token = if columns.is_empty() && place.columns.is_empty() {
                self.dots(id, place, initial)
            } else {
                self.token(id, tokens, place, &columns)
            };
            if let Some(token) = token
                && let Some(choices) = self.choices(&token, tokens, spent)
            {
                spent.tokens = spent.tokens.saturating_add(choices * u64::from(token.count));
                if token.count > 0 && choices > 0 && spent.tokens <= TOKENS {
                    self.net.tokens.push(token);
                    self.token_spans.push(tokens.token.span);
                }
            }
            if before <= TOKENS && spent.tokens > TOKENS {
                Diagnostic::error("E0408", "too many tokens are there initially")
                    .at(tokens.token.span, format!("at most {TOKENS} in all"))
                    .report(self.diagnostics);
            }
            if columns.is_empty() {
                return;
            }
        }
    }

    /// A place without columns: its tokens are all alike, and only counted.
    fn dots(
        &mut self,
        id: PlaceId,
        place: &PlaceDecl<'a>,
        initial: &Initial<'a>,
    ) -> Option<InitialToken> {
        if let [InitialTokens { count: None, token, condition }] = &initial.tokens[..]
            && !matches!(token.kind, ExprKind::Tuple(_))
        {
            self.report_with(condition.as_ref(), WITHOUT_ALL);
            let count = self.count(Some(token), 0)?;
            return Some(InitialToken::new(id, Vec::new(), count));
        }
        let name = place.name.text;
        Diagnostic::error("E0303", format!("the tokens of `{name}` have no columns"))
            .at(initial.span, "expected how many they are")
            .help(format!("write `place {name} = 1`, say"))
            .report(self.diagnostics);
        None
    }

    fn token(
        &mut self,
        id: PlaceId,
        tokens: &InitialTokens<'a>,
        place: &PlaceDecl<'a>,
        columns: &[ColumnInfo<'a>],
    ) -> Option<InitialToken> {
        let count = self.count(tokens.count.as_ref(), 0);
        let token = &tokens.token;
        let components = match &token.kind {
            ExprKind::Tuple(list) => &list[..],
            _ => std::slice::from_ref(token),
        };
        if components.len() != columns.len() {
            let (name, wanted, given) = (place.name.text, columns.len(), components.len());
            let message = format!("a token of `{name}` has {wanted} components, not {given}");
            Diagnostic::error("E0303", message)
                .at(token.span, "")
                .also(place.name.span, "declared here")
                .help(match wanted {
                    1 => "write `3`, or `2 of 3` for two of them",
                    _ => "write them in parentheses: `(0, 1)`, or `2 of (0, 1)`",
                })
                .report(self.diagnostics);
            return None;
        }
        let condition = tokens.condition.as_ref();
        let goes_through_all = components.iter().any(|component| component.as_all().is_some());
        let condition = condition.filter(|condition| {
            goes_through_all || !self.report_with(Some(*condition), WITHOUT_ALL)
        });
        let mut scope = Scope::new(Usage::Constant("an initial value"));
        let (variables, each) = self.each(components, columns, &mut scope);
        let mut values = Vec::with_capacity(columns.len());
        for ((component, column), variable) in components.iter().zip(columns).zip(&variables) {
            values.push(match variable {
                Some(var) => Some(InitialValue::Each(var.index())),
                None if component.as_all().is_some() => None,
                None => self.initial_value(component, *column, &mut scope),
            });
        }
        let values = values.into_iter().collect::<Option<Vec<InitialValue>>>();
        scope.usage = Usage::Marking;
        let condition = self.all_conditions(components, &variables, condition, &mut scope);
        let each = self.limited(each?, token.span)?;
        let each: Vec<EnumId> = each.into_iter().map(|(_, id)| id).collect();
        Some(InitialToken { place: id, values: values?, count: count?, each, condition })
    }

    /// How many choices of members there are for a token; `None` after a mistake.
    fn choices(
        &mut self,
        token: &InitialToken,
        written: &InitialTokens<'a>,
        spent: &mut Spent,
    ) -> Option<u64> {
        let span = written.token.span;
        let size = |id: &EnumId| self.net.enumerations[id.index()].members.len();
        let all: usize = token.each.iter().map(size).product();
        let names_members =
            token.values.iter().any(|v| matches!(v, InitialValue::Data(Literal::Enum(..))));
        if token.condition.is_none() && !names_members {
            return Some(all as u64);
        }
        let mut questions = 1;
        if let Some(condition) = &token.condition {
            condition.walk(&mut |_| questions += 1);
        }
        spent.questions = spent.questions.saturating_add(all.saturating_mul(questions));
        if spent.questions > QUESTIONS {
            Diagnostic::error("E0712", "the initial tokens take too long to be counted")
                .at(span, format!("this goes through {all} choices of members"))
                .help("use smaller classes, or a simpler condition")
                .report(self.diagnostics);
            return None;
        }
        let mut found = 0;
        if let Err(fault) = token.for_each_choice(&self.net, &mut |_| found += 1) {
            let span = written.condition.as_ref().map_or(span, |condition| condition.span);
            self.fault(fault, span, Kind::Bool);
            return None;
        }
        Some(found)
    }
}
