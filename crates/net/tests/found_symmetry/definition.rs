//! The definition of a symmetry of a net, read literally.
//!
//! All permutations of the members of a class are tried. Each is applied to all literals of the net, and the
//! result is compared with the net by a normal form that is a text: what commutes is sorted, what adds up
//! is added up, comparisons of one thing with literals are the set of the members for which they hold.

use std::collections::{BTreeMap, BTreeSet};

use net::{
    Arc, BinaryOp, EnumId, Expr, Fate, InitialValue, Literal, Net, Transition, UnaryOp, Var,
};

/// What a class turns out to be.
#[derive(Debug, PartialEq)]
pub struct Expected {
    pub uses_order: bool,
    pub uses_successors: bool,
    /// The permutations that are symmetries.
    pub group: Vec<Vec<u32>>,
}

impl Expected {
    pub fn has(&self, images: &[u32]) -> bool {
        self.group.iter().any(|other| other == images)
    }

    pub fn swaps(&self, a: u32, b: u32, size: u32) -> bool {
        let mut images: Vec<u32> = (0..size).collect();
        images.swap(a as usize, b as usize);
        self.has(&images)
    }
}

pub fn expected(net: &Net, class: EnumId) -> Expected {
    let size = net.enumerations[class.index()].members.len() as u32;
    let identity: Vec<u32> = (0..size).collect();
    let text = Text::of(net, class, &identity);
    let uses = |mark: String| text.keys().any(|line| line.contains(&mark));
    let (uses_order, uses_successors) = (uses(order_mark(class)), uses(successor_mark(class)));
    let mut group = Vec::new();
    let turns = |images: &[u32]| {
        (0..size).all(|m| images[((m + 1) % size) as usize] == (images[m as usize] + 1) % size)
    };
    for images in permutations(&identity) {
        let keeps_uses = images == identity || !uses_order && (!uses_successors || turns(&images));
        if keeps_uses && Text::of(net, class, &images) == text {
            group.push(images);
        }
    }
    Expected { uses_order, uses_successors, group }
}

fn permutations(members: &[u32]) -> Vec<Vec<u32>> {
    let Some((last, rest)) = members.split_last() else { return vec![Vec::new()] };
    let shorter = permutations(rest);
    let insert = |images: &Vec<u32>| {
        let images = images.clone();
        (0..=images.len()).map(move |at| [&images[..at], &[*last], &images[at..]].concat())
    };
    shorter.iter().flat_map(insert).collect()
}

/// The net as lines, each with how often it is there.
type Lines = BTreeMap<String, u32>;

struct Text<'a> {
    net: &'a Net,
    class: EnumId,
    images: &'a [u32],
    /// What variables are called.
    names: BTreeMap<Var, String>,
    /// What the present initial token goes through.
    each: &'a [EnumId],
    lines: Lines,
}

fn order_mark(class: EnumId) -> String {
    format!("by order {}", class.0)
}

fn successor_mark(class: EnumId) -> String {
    format!("and steps {}", class.0)
}

/// A truth value that can be had in a normal form.
enum Said {
    Always(bool),
    /// Something is one of the members of a set.
    Among(String, BTreeSet<u32>, u32),
    /// All of several, or one of them.
    Joined(bool, Vec<Said>),
    Other(String),
}

impl<'a> Text<'a> {
    fn of(net: &'a Net, class: EnumId, images: &'a [u32]) -> Lines {
        let (names, lines) = (BTreeMap::new(), Lines::new());
        let mut text = Text { net, class, images, names, each: &[], lines };
        net.transitions.iter().for_each(|transition| text.transition(transition));
        for (i, thread) in net.start.iter().enumerate() {
            let values: Vec<String> = thread.values.iter().map(|v| text.initial(v)).collect();
            text.line(format!("thread {i} {values:?}"), 1);
        }
        for token in &net.tokens {
            text.each = &token.each;
            text.names = (0..token.each.len()).map(|i| (Var(i as u32), format!("#{i}"))).collect();
            let values: Vec<String> = token.values.iter().map(|v| text.initial(v)).collect();
            let condition = text.condition(None, token.condition.as_ref());
            let each = &token.each;
            text.line(
                format!("in {:?} {values:?} {each:?} {condition:?}", token.place),
                token.count,
            );
        }
        text.lines
    }

    fn line(&mut self, line: String, count: u32) {
        *self.lines.entry(line).or_default() += count;
    }

    fn image(&self, id: EnumId, member: u32) -> u32 {
        if id == self.class { self.images[member as usize] } else { member }
    }

    fn literal(&self, literal: Literal) -> String {
        match literal {
            Literal::Enum(id, member) => format!("{}.{}", id.0, self.image(id, member)),
            literal => format!("{literal:?}"),
        }
    }

    fn initial(&self, value: &InitialValue) -> String {
        match value {
            InitialValue::Data(literal) => self.literal(*literal),
            value => format!("{value:?}"),
        }
    }

    /// In these nets only successors beyond the ends fault.
    fn can_fault(&self, transition: Option<&Transition>, expr: &Expr) -> bool {
        let mut can = false;
        expr.walk(&mut |expr| match expr {
            Expr::Shift(a, id, steps) => {
                let literal = matches!(**a, Expr::Literal(_));
                assert!(!literal, "no successors of literals are made");
                can |= *steps != 0 && !self.net.enumerations[id.index()].goes_round();
            }
            Expr::Var(var) => {
                let mut definitions = transition.iter().flat_map(|t| &t.definitions);
                if let Some((_, expr)) = definitions.find(|(defined, _)| defined == var) {
                    can |= self.can_fault(transition, expr);
                }
            }
            _ => {}
        });
        can
    }

    fn transition(&mut self, t: &Transition) {
        let name = |var: usize| (Var(var as u32), format!("v{var}"));
        let names: BTreeMap<Var, String> = (0..t.variables.len()).map(name).collect();
        self.names = names.clone();
        for (i, participant) in t.participants.iter().enumerate() {
            let pattern = self.pattern(&participant.pattern);
            self.line(format!("{} {i} comes {pattern:?}", t.name), 1);
            if let Fate::Move { values, .. } = &participant.fate {
                let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
                self.line(format!("{} {i} goes {values:?}", t.name), 1);
            }
        }
        for (kind, arcs) in [("take", &t.takes), ("read", &t.reads), ("put", &t.puts)] {
            for (i, arc) in arcs.iter().enumerate() {
                self.arc(t, kind, i, arc);
                self.names = names.clone();
            }
        }
        for (i, inhibitor) in t.inhibitors.iter().enumerate() {
            let inhibitor = inhibitor.alone().expect("random nets have no others");
            let bound = bound(t);
            let mut own = 0;
            for expr in inhibitor.pattern.iter().flatten() {
                if let Expr::Var(var) = expr
                    && !bound.contains(var)
                    && !self.names[var].starts_with('#')
                {
                    self.names.insert(*var, format!("#{own}"));
                    own += 1;
                }
            }
            let exprs = inhibitor.pattern.iter().flatten().chain(&inhibitor.condition);
            let can_fault = { exprs }.any(|expr| self.can_fault(Some(t), expr));
            let pattern = self.pattern(&inhibitor.pattern);
            let condition = self.condition(Some(t), inhibitor.condition.as_ref());
            let at = if can_fault { i.to_string() } else { String::new() };
            let (name, place, count) = (&t.name, inhibitor.place, inhibitor.count);
            self.line(format!("{name} unless{at} {place:?} {count} {pattern:?} {condition:?}"), 1);
            self.names = names.clone();
        }
        for (i, (_, expr)) in t.definitions.iter().enumerate() {
            let value = self.value_in(Some(t), expr);
            self.line(format!("{} defines {i} {value}", t.name), 1);
        }
        let mut sure: Option<Expr> = None;
        for (i, conjunct) in t.guard.iter().enumerate() {
            if self.can_fault(Some(t), conjunct) {
                let said = self.truth_in(t, conjunct);
                self.line(format!("{} when {i} {said}", t.name), 1);
            } else {
                sure = Some(match sure {
                    None => conjunct.clone(),
                    Some(before) => Expr::binary(BinaryOp::And, before, conjunct.clone()),
                });
            }
        }
        if let Some(sure) = sure {
            let said = self.truth_in(t, &sure);
            self.line(format!("{} when {said}", t.name), 1);
        }
    }

    fn arc(&mut self, t: &Transition, kind: &str, i: usize, arc: &Arc) {
        for (i, var) in arc.each.iter().enumerate() {
            self.names.insert(*var, format!("#{i}"));
        }
        let can_fault = arc.expressions().any(|expr| self.can_fault(Some(t), expr));
        let at = if can_fault && kind != "put" { i.to_string() } else { String::new() };
        let pattern = self.pattern(&arc.pattern);
        let condition = self.condition(Some(t), arc.condition.as_ref());
        let each: Vec<_> = arc.each.iter().map(|var| t.variables[var.index()].kind).collect();
        let line =
            format!("{} {kind}{at} {:?} {pattern:?} {each:?} {condition:?}", t.name, arc.place);
        match pattern.iter().any(Option::is_none) || !at.is_empty() {
            true => self.line(format!("{line} {}", arc.count), 1),
            false => self.line(line, arc.count),
        }
    }

    fn pattern(&mut self, pattern: &[Option<Expr>]) -> Vec<Option<String>> {
        pattern.iter().map(|expr| expr.as_ref().map(|expr| self.value(expr))).collect()
    }

    fn value(&mut self, expr: &Expr) -> String {
        self.value_in(None, expr)
    }

    fn value_in(&mut self, t: Option<&Transition>, expr: &Expr) -> String {
        match expr {
            Expr::Literal(literal) => self.literal(*literal),
            Expr::Var(var) => self.names[var].clone(),
            Expr::Shift(a, id, steps) => {
                let enumeration = &self.net.enumerations[id.index()];
                let size = enumeration.members.len() as i32;
                let steps = if enumeration.goes_round() { steps.rem_euclid(size) } else { *steps };
                let inner = self.value_in(t, a);
                if steps == 0 {
                    return inner;
                }
                format!("({inner} {} {steps})", successor_mark(*id))
            }
            Expr::If(condition, a, b) => {
                let condition = self.shown(t, condition, true);
                let (a, b) = (self.value_in(t, a), self.value_in(t, b));
                format!("if {condition} {a} {b}")
            }
            expr => self.shown(t, expr, true),
        }
    }

    /// No condition is one that always holds.
    fn condition(&mut self, t: Option<&Transition>, expr: Option<&Expr>) -> String {
        expr.map_or_else(|| true.to_string(), |expr| self.shown(t, expr, true))
    }

    fn truth_in(&mut self, t: &Transition, expr: &Expr) -> String {
        self.shown(Some(t), expr, true)
    }

    fn shown(&mut self, t: Option<&Transition>, expr: &Expr, positive: bool) -> String {
        let said = self.said(t, expr, positive);
        show(&said)
    }

    fn said(&mut self, t: Option<&Transition>, expr: &Expr, positive: bool) -> Said {
        use BinaryOp::{And, Equal, Greater, GreaterEqual, Implies, Less, LessEqual, NotEqual, Or};
        match expr {
            Expr::Literal(Literal::Bool(truth)) => Said::Always(*truth == positive),
            Expr::Unary(UnaryOp::Not, a) => self.said(t, a, !positive),
            Expr::Binary(And | Or | Implies, ..) => self.junction(t, expr, positive),
            Expr::Within(a, id, part) => {
                let part = self.net.enumerations[id.index()].part(*part as usize);
                self.among(t, a, *id, &|member| part.contains(&member) == positive)
            }
            Expr::Binary(op, a, b) => {
                let holds = |op: BinaryOp, a: u32, b: u32| match op {
                    Equal => a == b,
                    NotEqual => a != b,
                    Less => a < b,
                    LessEqual => a <= b,
                    Greater => a > b,
                    GreaterEqual => a >= b,
                    _ => panic!("{op:?} is not in these nets"),
                };
                match (&**a, &**b) {
                    (other, Expr::Literal(Literal::Enum(id, m))) => {
                        self.among(t, other, *id, &|x| holds(*op, x, *m) == positive)
                    }
                    (Expr::Literal(Literal::Enum(id, m)), other) => {
                        self.among(t, other, *id, &|x| holds(*op, *m, x) == positive)
                    }
                    (a, b) if matches!(op, Equal | NotEqual) => {
                        self.equal(t, a, b, (*op == Equal) == positive)
                    }
                    (a, b) => {
                        let op = match (op, positive) {
                            (op, true) => *op,
                            (Less, _) => GreaterEqual,
                            (_, _) => Less,
                        };
                        let mark = order_mark(self.class_of(t, a));
                        let (a, b) = (self.value_in(t, a), self.value_in(t, b));
                        Said::Other(format!("({a} {op:?} {mark} {b})"))
                    }
                }
            }
            expr => {
                let sign = if positive { "" } else { "not " };
                Said::Other(format!("{sign}{}", self.value_in(t, expr)))
            }
        }
    }

    fn class_of(&self, t: Option<&Transition>, expr: &Expr) -> EnumId {
        let Expr::Var(var) = expr else { panic!("variables are compared") };
        match t.map(|t| t.variables[var.index()].kind) {
            Some(net::Kind::Enum(id)) => id,
            Some(_) => panic!("members are compared"),
            None => self.each[var.index()],
        }
    }

    fn equal(&mut self, t: Option<&Transition>, a: &Expr, b: &Expr, positive: bool) -> Said {
        let can_fault = self.can_fault(t, a) || self.can_fault(t, b);
        let is_truth =
            |expr: &Expr| matches!(expr, Expr::Binary(..) | Expr::Within(..) | Expr::Unary(..));
        if is_truth(a) || is_truth(b) {
            match (self.said(t, a, true), self.said(t, b, true)) {
                (Said::Always(x), _) => return self.said(t, b, x == positive),
                (_, Said::Always(x)) => return self.said(t, a, x == positive),
                _ => {}
            }
        }
        let mut both = [self.value_in(t, a), self.value_in(t, b)];
        both.sort();
        if both[0] == both[1] && !can_fault {
            return Said::Always(positive);
        }
        let op = if positive { "==" } else { "!=" };
        Said::Other(format!("({} {op} {})", both[0], both[1]))
    }

    fn among(
        &mut self,
        t: Option<&Transition>,
        of: &Expr,
        id: EnumId,
        holds: &dyn Fn(u32) -> bool,
    ) -> Said {
        let size = self.net.enumerations[id.index()].members.len() as u32;
        let set: BTreeSet<u32> =
            (0..size).filter(|m| holds(*m)).map(|m| self.image(id, m)).collect();
        let can_fault = self.can_fault(t, of);
        match (set.len() as u32, can_fault) {
            (0, false) => Said::Always(false),
            (n, false) if n == size => Said::Always(true),
            _ => Said::Among(self.value_in(t, of), set, size),
        }
    }

    fn junction(&mut self, t: Option<&Transition>, expr: &Expr, positive: bool) -> Said {
        let either = parts(expr, positive).expect("a junction").0;
        let mut operands = Vec::new();
        collect(expr, positive, either, &mut operands);
        let can_fault = operands.iter().any(|(expr, _)| self.can_fault(t, expr));
        let said: Vec<Said> =
            operands.iter().map(|(expr, positive)| self.said(t, expr, *positive)).collect();
        if can_fault {
            let said: Vec<String> = said.iter().map(show).collect();
            let op = if either { "one of" } else { "all of" };
            return Said::Other(format!("{op} in this order {said:?}"));
        }
        let mut sets: BTreeMap<String, (BTreeSet<u32>, u32)> = BTreeMap::new();
        let mut others = BTreeMap::new();
        let mut left = said;
        while let Some(said) = left.pop() {
            match said {
                Said::Always(truth) if truth == either => return Said::Always(either),
                Said::Always(_) => {}
                Said::Among(of, set, size) => {
                    let so_far = sets.entry(of).or_insert_with(|| (set.clone(), size));
                    so_far.0 = match either {
                        true => so_far.0.union(&set).copied().collect(),
                        false => so_far.0.intersection(&set).copied().collect(),
                    };
                }
                Said::Joined(same, more) if same == either => left.extend(more),
                other => {
                    others.insert(show(&other), other);
                }
            }
        }
        let mut joined: Vec<Said> = others.into_values().collect();
        for (of, (set, size)) in sets {
            match set.len() as u32 {
                0 if either => {}
                0 => return Said::Always(false),
                n if n == size && either => return Said::Always(true),
                n if n == size => {}
                _ => joined.push(Said::Among(of, set, size)),
            }
        }
        match joined.len() {
            0 => Said::Always(!either),
            1 => joined.remove(0),
            _ => Said::Joined(either, joined),
        }
    }
}

fn bound(t: &Transition) -> BTreeSet<Var> {
    let mut bound: BTreeSet<Var> = t.parameters.iter().map(|(var, _)| *var).collect();
    bound.extend(t.definitions.iter().map(|(var, _)| *var));
    let arcs = t.takes.iter().chain(&t.reads).filter(|arc| arc.each.is_empty());
    let patterns = arcs.map(|arc| &arc.pattern).chain(t.participants.iter().map(|p| &p.pattern));
    bound.extend(patterns.flatten().flatten().filter_map(|expr| match expr {
        Expr::Var(var) => Some(*var),
        _ => None,
    }));
    bound
}

fn show(said: &Said) -> String {
    match said {
        Said::Always(truth) => truth.to_string(),
        Said::Among(of, set, _) => format!("{of} in {set:?}"),
        Said::Joined(either, said) => {
            let said: BTreeSet<String> = said.iter().map(show).collect();
            format!("{} {said:?}", if *either { "one of" } else { "all of" })
        }
        Said::Other(other) => other.clone(),
    }
}

fn parts(expr: &Expr, positive: bool) -> Option<(bool, [(&Expr, bool); 2])> {
    let Expr::Binary(op, a, b) = expr else { return None };
    match op {
        BinaryOp::And => Some((!positive, [(a, positive), (b, positive)])),
        BinaryOp::Or => Some((positive, [(a, positive), (b, positive)])),
        BinaryOp::Implies => Some((positive, [(a, !positive), (b, positive)])),
        _ => None,
    }
}

fn collect<'e>(expr: &'e Expr, positive: bool, either: bool, found: &mut Vec<(&'e Expr, bool)>) {
    match (expr, parts(expr, positive)) {
        (Expr::Unary(UnaryOp::Not, a), _) => collect(a, !positive, either, found),
        (_, Some((same, operands))) if same == either => {
            operands.into_iter().for_each(|(expr, sign)| collect(expr, sign, either, found));
        }
        _ => found.push((expr, positive)),
    }
}
