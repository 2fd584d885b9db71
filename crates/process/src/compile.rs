//! From a program to a net.

use net::{Expr as NetExpr, InitialToken, InitialValue, Net, PlaceId, StartThread};

use crate::emit::{Emitter, Start, start, thread_variable};
use crate::evaluate::{Fault, Parts, then};
use crate::execute::{Executor, Flow};
use crate::graph::{Node, NodeId, Observed, RoutineId, Stop, StopArm};
use crate::layout::Layout;
use crate::path::{Call, Env, Path, Row, Thread};
use crate::places::{Places, classes};
use crate::program::{LocalId, Program};
use crate::routines::Routines;
use crate::run::{End, Runner};

/// Adds the processes of a program to a net. What is observed of them stays to be seen.
///
/// # Panics
/// If the program is not one that a front end has checked.
#[must_use]
pub fn compile(program: &Program, base: &Net, observed: &Observed) -> Net {
    let mut net = base.clone();
    let (first_class, frame_class) = classes(program, &mut net);
    let layout = Layout { program, net: base, first_class };
    let routines = Routines::of(program, observed);
    let executor = Executor { layout, is_endless: false.into() };
    let frames = net::Sort::Object(frame_class);
    let runner = Runner { executor, routines: &routines, frames };
    let places = Places::new(program, &runner, &mut net);
    let compiler = Compiler { program, runner: &runner, places: &places };
    compiler.globals(&mut net);
    compiler.main(&mut net);
    for id in routines.ids() {
        for (number, node) in (0..).zip(&routines.graph(id).nodes) {
            if let Node::Stop(stop) = node {
                compiler.stop(id, NodeId(number), stop, &mut net);
            }
        }
    }
    net
}

struct Compiler<'p> {
    program: &'p Program,
    runner: &'p Runner<'p>,
    places: &'p Places,
}

impl Compiler<'_> {
    /// The objects that are there from the start, and the first values of global variables.
    fn globals(&self, net: &mut Net) {
        let layout = &self.runner.executor.layout;
        for (number, object) in self.program.initial.iter().enumerate() {
            net.objects.push(layout.class_of(object.of));
            let rows = layout.each(&object.arguments, Path::default());
            let mut rows = rows.into_iter().filter_map(|(_, rows)| rows.ok());
            let rows = rows.next().expect("arguments are constants");
            let env: Env = (0..).map(LocalId).zip(rows).collect();
            let mut token = vec![InitialValue::Object(number)];
            for field in &self.program.objects[object.of.index()].fields {
                let path = Path { steps: vec![env.clone()], ..Path::default() };
                token.extend(constant(layout.eval(&field.initial, path)));
            }
            net.tokens.push(InitialToken::new(self.places.objects[object.of.index()], token, 1));
        }
        for (global, place) in self.program.globals.iter().zip(&self.places.globals) {
            let values = constant(layout.eval(&global.initial, Path::default()));
            net.tokens.push(InitialToken::new(*place, values, 1));
        }
    }

    /// The process that starts by itself: it is at its first stop.
    fn main(&self, net: &mut Net) {
        let Some(main) = self.program.main else { return };
        let id = RoutineId::Process(main);
        let entry = self.runner.routines.graph(id).entry;
        let place = self.places.stops[&(id, entry)];
        net.start.push(StartThread { place, values: Vec::new() });
    }

    fn stop(&self, id: RoutineId, at: NodeId, stop: &Stop, net: &mut Net) {
        let place = self.places.stops[&(id, at)];
        for (number, arm) in stop.arms.iter().enumerate() {
            let (path, start) = self.begin(id, at, place);
            let parts = self.arm(arm, path);
            for (part, (path, end)) in parts.into_iter().enumerate() {
                let name = format!("{}.{}.{number}.{part}", id.of(self.program).name, at.0);
                match end {
                    Ok(end) => self.finish(name, arm, path, start.clone(), end, net),
                    Err(fault) => self.fail(name, arm, path, &start, fault, net),
                }
            }
        }
    }

    /// A path that begins with a thread at a stop.
    fn begin(&self, id: RoutineId, at: NodeId, place: PlaceId) -> (Path, Start) {
        let layout = &self.runner.executor.layout;
        let mut path = Path::default();
        let var = thread_variable(&mut path);
        let start = start(&mut path, place, &self.runner.stop_scalars(id, at));
        let mut vars = start.vars.iter().map(|var| NetExpr::Var(*var));
        let frame = matches!(id, RoutineId::Function(_)).then(|| vars.next()).flatten();
        let graph = self.runner.routines.graph(id);
        let mut env = Env::new();
        for local in self.runner.routines.live(id).at(at) {
            let width = layout.width(&graph.locals[local.index()].of);
            env.insert(*local, vars.by_ref().take(width).collect());
        }
        path.threads.push(Thread { var, calls: vec![Call { routine: id, env, at: None }], frame });
        (path, start)
    }

    /// Takes an arm, and goes on to the next stops.
    fn arm(&self, arm: &StopArm, path: Path) -> Parts<End> {
        let executor = &self.runner.executor;
        let allowed: Parts<()> = match &arm.when {
            None => vec![(path, Ok(()))],
            Some(when) => then(executor.layout.condition(when, path), |mut path, holds| match path
                .require(holds)
            {
                true => vec![(path, Ok(()))],
                false => Vec::new(),
            }),
        };
        then(allowed, |path, ()| {
            then(executor.block(&arm.actions, path), |mut path, flow| match flow {
                Flow::Next => self.runner.run(arm.next, path),
                Flow::Exit(exit, row) => {
                    if let (Some(local), Some(row)) = (arm.result, row) {
                        path.env().insert(local, row);
                    }
                    let to = arm.exits.iter().find(|(other, _)| *other == exit);
                    self.runner.run(to.expect("the ways out are known").1, path)
                }
            })
        })
    }

    /// A path on which there is a fault is a transition that must not fire.
    fn fail(
        &self,
        name: String,
        arm: &StopArm,
        path: Path,
        start: &Start,
        fault: Fault,
        net: &mut Net,
    ) {
        let emitter = Emitter { runner: self.runner, places: self.places };
        let origin = fault.origin.unwrap_or(arm.origin);
        net.transitions.push(emitter.failure(name, origin, path, start, fault.message));
    }

    /// Lets the children come to their first stops, and makes the transition.
    fn finish(
        &self,
        name: String,
        arm: &StopArm,
        path: Path,
        start: Start,
        end: End,
        net: &mut Net,
    ) {
        let mut parts = vec![(path, vec![end])];
        let children = parts[0].0.children.clone();
        for child in children {
            let routine = RoutineId::Process(child.process);
            let entry = self.runner.routines.graph(routine).entry;
            let mut next = Vec::new();
            for (mut path, ends) in parts {
                let calls = vec![Call { routine, env: child.env.clone(), at: None }];
                path.threads.push(Thread { var: child.var, calls, frame: None });
                path.acting = path.threads.len() - 1;
                for (path, end) in self.runner.run(entry, path) {
                    let Ok(end) = end else { unreachable!("local statements cannot fault") };
                    next.push((path, ends.iter().cloned().chain([end]).collect()));
                }
            }
            parts = next;
        }
        let emitter = Emitter { runner: self.runner, places: self.places };
        for (number, (path, ends)) in parts.into_iter().enumerate() {
            let name = if number == 0 { name.clone() } else { format!("{name}.{number}") };
            let starts = std::slice::from_ref(&start);
            net.transitions.push(emitter.transition(name, arm.origin, path, starts, &ends));
        }
    }
}

/// The row of a first value. Its variables are the objects that are there from the start.
fn constant(parts: Parts<Row>) -> Vec<InitialValue> {
    let mut rows = parts.into_iter().filter_map(|(_, row)| row.ok());
    let row = rows.next().expect("the program was checked: this is a constant");
    let value = |expr: NetExpr| match expr {
        NetExpr::Literal(literal) => InitialValue::Data(literal),
        NetExpr::Var(object) => InitialValue::Object(object.index()),
        _ => unreachable!("a constant has no operators"),
    };
    row.into_iter().map(value).collect()
}
