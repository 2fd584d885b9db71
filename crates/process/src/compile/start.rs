//! The initial state: what is there before the first step.

use std::collections::HashMap;

use net::{Expr as NetExpr, InitialToken, InitialValue, Net, Origin, StartThread, UnaryOp, Var};

use super::Compiler;
use crate::evaluate::{Fault, Halt, Parts, then};
use crate::layout::Scalar;
use crate::path::{Begin, Call, Env, Object, Path, Row, Shared, Thread};
use program::graph::RoutineId;
use program::{Expr, GlobalId, InitialObject, LocalId, Named};

impl Compiler<'_> {
    /// The initial state: objects, global variables, and the first process at its first stop.
    pub(super) fn start(&self, net: &mut Net) {
        let Some((path, globals)) = self.initial() else { return };
        let mut known = HashMap::new();
        for object in &self.program.initial {
            known.insert(Var(known.len() as u32), InitialValue::Object(net.objects.len()));
            net.objects.push(self.runner.layout.class_of(object.of));
        }
        for object in &path.objects {
            let row = [object.id.clone()].into_iter().chain(object.fields.row.clone());
            let values = row.map(|value| initial_value(&value, &known)).collect();
            let place = self.places.objects[object.of.index()];
            net.tokens.push(InitialToken::new(place, values, 1));
        }
        for (row, place) in globals.iter().zip(&self.places.globals) {
            let values = row.iter().map(|value| initial_value(value, &known)).collect();
            net.tokens.push(InitialToken::new(*place, values, 1));
        }
        let Some(main) = self.program.main else { return };
        let origin = self.program.processes[main.index()].origin;
        let run = || self.run_first(RoutineId::Process(main), path);
        if let Some((path, var)) = self.runner.limited(origin, run) {
            known.insert(var, InitialValue::Thread(net.start.len()));
            self.put_first(path, known, net);
        }
    }

    /// The first process comes to its first stop. Nothing if there was too much to do on the way.
    fn run_first(&self, routine: RoutineId, mut path: Path) -> Option<(Path, Var)> {
        let var = path.variable(Scalar { sort: net::Sort::Pid, optional: false });
        let calls = vec![Call { routine, env: Env::new(), at: None }];
        path.threads.push(Thread::new(var, Begin::Born(var), calls, None));
        self.runner.is_start.set(true);
        let entry = self.runner.routines.graph(routine).entry;
        let parts = self.runner.run(entry, path);
        self.runner.is_start.set(false);
        let (mut path, end) = self.only(parts)?;
        path.threads[0].end = Some(end);
        Some((path, var))
    }

    /// The objects that are there from the start, and the rows of global variables, in a path whose variables they
    /// are. Nothing if there was too much to do.
    fn initial(&self) -> Option<(Path, Vec<Row>)> {
        let layout = &self.runner.layout;
        let mut path = self.runner.path();
        for object in &self.program.initial {
            let class = layout.class_of(object.of);
            let var = path.variable(Scalar { sort: net::Sort::Object(class), optional: false });
            // So they are all different.
            path.news.push((var, class));
        }
        for (number, object) in (0..).zip(&self.program.initial) {
            let row = self.initial_row(object, &path)?;
            let fields = Shared { row, read: Vec::new(), is_written: false };
            let id = NetExpr::Var(Var(number));
            path.objects.push(Object { of: object.of, id, fields, is_new: false });
        }
        let mut globals = Vec::new();
        for (id, global) in (0..).map(GlobalId).zip(&self.program.globals) {
            let row = self.first_value(&global.initial, &global.variable, path.clone())?;
            let shared = Shared { row: row.clone(), read: Vec::new(), is_written: false };
            path.globals.insert(id, shared);
            globals.push(row);
        }
        Some((path, globals))
    }

    /// The fields of an object that is there from the start.
    fn initial_row(&self, object: &InitialObject, path: &Path) -> Option<Row> {
        let layout = &self.runner.layout;
        let arguments = || self.only(layout.each(&object.arguments, path.clone()));
        let (_, rows) = self.runner.limited(Origin::default(), arguments)?;
        let env: Env = (0..).map(LocalId).zip(rows).collect();
        let mut all = Row::new();
        for field in &self.program.objects[object.of.index()].fields {
            let path = Path { steps: vec![env.clone()], ..path.clone() };
            all.extend(self.first_value(&field.initial, &field.variable, path)?);
        }
        Some(all)
    }

    /// The first value of a global variable or a field.
    fn first_value(&self, value: &Expr, variable: &Named, path: Path) -> Option<Row> {
        let layout = &self.runner.layout;
        self.runner.limited(variable.origin, || {
            let parts = then(layout.eval(value, path), |path, row| {
                layout.fit(row, &value.of, &variable.of, path)
            });
            Some(self.only(parts)?.1)
        })
    }

    /// What is found on the only part of a path, where all is known. Nothing if there was too much to do, or it faults:
    /// then it is refused.
    fn only<T>(&self, mut parts: Parts<T>) -> Option<(Path, T)> {
        if self.runner.cases.excess().is_some() {
            return None;
        }
        let (path, found) = parts.pop().expect("there is one way");
        assert!(parts.is_empty(), "where all is known there is one way");
        match found {
            Ok(found) => Some((path, found)),
            Err(Halt::Fault(Fault { message, .. })) => {
                let help = "first values are worked out before the first step";
                self.runner.refuse(format!("this goes wrong at the start: {message}"), help);
                None
            }
            Err(Halt::Blocked) => unreachable!("nothing is waited for"),
        }
    }

    /// The first thread, and what it has made before the first step.
    fn put_first(&self, mut path: Path, mut known: HashMap<Var, InitialValue>, net: &mut Net) {
        // What was there before is not made again.
        path.globals.clear();
        path.objects.retain(|object| object.is_new);
        path.news.drain(..self.program.initial.len());
        let t = self.emitter.transition(String::new(), Origin::default(), path);
        for (var, class) in &t.news {
            known.insert(*var, InitialValue::Object(net.objects.len()));
            net.objects.push(*class);
        }
        let value = |expr: &NetExpr| initial_value(expr, &known);
        for put in &t.puts {
            let values = put.pattern.iter().flatten().map(value).collect();
            net.tokens.push(InitialToken::new(put.place, values, 1));
        }
        let spawn = &t.spawns[0];
        let values = spawn.values.iter().map(value).collect();
        let place = spawn.to.expect("the first process comes to a stop");
        net.start.push(StartThread { place, values });
    }
}

/// A component of an initial token, where variables stand for threads and objects.
fn initial_value(expr: &NetExpr, known: &HashMap<Var, InitialValue>) -> InitialValue {
    match expr {
        NetExpr::Literal(literal) => InitialValue::Data(*literal),
        NetExpr::Var(var) => known[var],
        // An element of a collection, of which it is known that it is there.
        NetExpr::Unary(UnaryOp::Value, inner) => initial_value(inner, known),
        _ => unreachable!("a constant has no other operators"),
    }
}
