//! What is done at once: blocks of steps and `atomic` blocks, and what the objects of the prelude do.

use super::*;

/// How a block can go, each way to its end or to where it faults.
pub(super) type Paths = Vec<Result<Path, Path>>;

impl Trial<'_, '_, '_> {
    /// A step of an object of the prelude.
    pub(super) fn simple(
        &mut self,
        state: &State,
        act: &dyn Fn(&mut Self, Path) -> Paths,
        after: &dyn Fn(&mut State),
    ) {
        let path = Path::from(state);
        let paths = act(self, path);
        self.finish(paths, after);
    }

    pub(super) fn at_once(&mut self, state: &State, block: &Block) {
        let paths = self.block(block, Path::from(state));
        self.finish(paths, &|_| {});
    }

    /// Makes attempts of paths: those that came to the end, and those that came to a fault.
    pub(super) fn finish(&mut self, paths: Paths, change: &dyn Fn(&mut State)) {
        for path in paths {
            let is_fault = path.is_err();
            let (Ok(path) | Err(path)) = path;
            let Path { mut state, sent, took, accesses, .. } = path;
            let after = if is_fault {
                Err(Fault)
            } else {
                let frame = state.frame(self.pid);
                frame.place += 1;
                frame.labels.clear();
                change(&mut state);
                Ok(state)
            };
            let attempt = Attempt::of(after, self.pid);
            self.attempts.push(Attempt { sent, took, accesses, ..attempt });
        }
    }

    pub(super) fn send(&mut self, mut path: Path, channel: Index, value: i8) -> Paths {
        let capacity = self.machine.code.program.channels[channel];
        let is = &mut path.state.channels[channel];
        if is.closed {
            return vec![Err(path)];
        }
        if is.items.len() < capacity {
            is.items.push(value);
            return vec![Ok(path)];
        }
        if capacity == 0 && path.sent.is_none() && !path.took {
            path.sent = Some((channel, value));
            return vec![Ok(path)];
        }
        Vec::new()
    }

    pub(super) fn receive(
        &mut self,
        mut path: Path,
        channel: Index,
        local: Option<Index>,
    ) -> Paths {
        let pid = self.pid;
        let capacity = self.machine.code.program.channels[channel];
        let set = |path: &mut Path, value: i8| {
            if let Some(local) = local {
                path.state.frame(pid).locals[local] = Value::Number(value);
            }
        };
        let is = &mut path.state.channels[channel];
        if !is.items.is_empty() {
            let value = is.items.remove(0);
            set(&mut path, value);
            return vec![Ok(path)];
        }
        if is.closed {
            set(&mut path, NONE);
            return vec![Ok(path)];
        }
        if let Some((to, value)) = self.incoming
            && capacity == 0
            && to == channel
            && path.sent.is_none()
            && !path.took
        {
            path.took = true;
            set(&mut path, value);
            return vec![Ok(path)];
        }
        Vec::new()
    }

    pub(super) fn close(&mut self, mut path: Path, channel: Index) -> Paths {
        if std::mem::replace(&mut path.state.channels[channel].closed, true) {
            return vec![Err(path)];
        }
        vec![Ok(path)]
    }

    pub(super) fn lock(&mut self, mut path: Path, mutex: Index) -> Paths {
        let holder = &mut path.state.mutexes[mutex];
        if holder.is_some() {
            return Vec::new();
        }
        *holder = Some(self.pid.clone());
        vec![Ok(path)]
    }

    pub(super) fn unlock(&mut self, mut path: Path, mutex: Index) -> Paths {
        if path.state.mutexes[mutex].take().is_none() {
            return vec![Err(path)];
        }
        vec![Ok(path)]
    }

    /// The paths through a block that is done at once.
    pub(super) fn block(&mut self, block: &Block, path: Path) -> Paths {
        let mut paths = vec![Ok(path)];
        for statement in &block.statements {
            let mut after = Vec::new();
            for path in paths {
                match path {
                    Ok(path) if path.flow == Flow::On => {
                        after.extend(self.within(&statement.kind, path));
                    }
                    other => after.push(other),
                }
            }
            paths = after;
        }
        paths
    }

    /// What is read to see whether something can be done. What stands behind a meeting is come to only if there is one.
    pub(super) fn wait_by(&mut self, path: &mut Path, accesses: Vec<Access>) {
        match path.sent {
            Some(sent) => self.behind_sent.push((path.state.clone(), sent, accesses)),
            None if path.took => self.behind.extend(accesses),
            None => self.guards.extend(accesses),
        }
    }

    pub(super) fn within(&mut self, kind: &Kind, mut path: Path) -> Paths {
        let pid = self.pid;
        let code = self.machine.code;
        let locals = &code.layout(path.state.top(pid).which).locals;
        let read = |path: &mut Path, value: &Expr| {
            path.accesses.extend(path.state.reads(pid, value, false));
        };
        match kind {
            Kind::SetShared(variable, value) => {
                read(&mut path, value);
                if path.state.wide(pid, value).is_ok() {
                    path.accesses.push(Access { variable: *variable, write: true, plain: false });
                }
                let of = code.program.shared[*variable].of;
                match path.state.value(pid, value, Some(of)) {
                    Ok(value) => path.state.shared[*variable] = value.number(),
                    Err(Fault) => return vec![Err(path)],
                }
                vec![Ok(path)]
            }
            Kind::SetLocal(local, value) => {
                read(&mut path, value);
                match path.state.value(pid, value, Some(locals[*local])) {
                    Ok(value) => path.state.frame(pid).locals[*local] = value,
                    Err(Fault) => return vec![Err(path)],
                }
                vec![Ok(path)]
            }
            Kind::If(condition, block, otherwise) => {
                read(&mut path, condition);
                match path.state.is_true(pid, condition) {
                    Ok(true) => self.block(block, path),
                    Ok(false) => self.block(otherwise, path),
                    Err(Fault) => vec![Err(path)],
                }
            }
            Kind::Await(condition) => {
                let accesses = path.state.reads(pid, condition, false);
                self.wait_by(&mut path, accesses);
                match path.state.is_true(pid, condition) {
                    Ok(true) => vec![Ok(path)],
                    Ok(false) => Vec::new(),
                    Err(Fault) => vec![Err(path)],
                }
            }
            Kind::Assert(condition) => {
                read(&mut path, condition);
                match path.state.is_true(pid, condition) {
                    Ok(true) => vec![Ok(path)],
                    _ => vec![Err(path)],
                }
            }
            Kind::Either(one, other) => {
                let mut paths = self.block(one, path.clone());
                paths.extend(self.block(other, path));
                paths
            }
            Kind::Choose(local, largest, condition) => {
                let mut paths = Vec::new();
                for number in 0..=*largest {
                    let mut path = path.clone();
                    path.state.frame(pid).locals[*local] = Value::Number(number);
                    let Some(condition) = condition else {
                        paths.push(Ok(path));
                        continue;
                    };
                    self.guards.extend(path.state.reads(pid, condition, false));
                    match path.state.is_true(pid, condition) {
                        Ok(true) => paths.push(Ok(path)),
                        Ok(false) => {}
                        Err(Fault) => paths.push(Err(path)),
                    }
                }
                paths
            }
            Kind::Repeat(rounds, block) => {
                let mut paths = vec![Ok(path)];
                for _ in 0..*rounds {
                    let mut after = Vec::new();
                    for path in paths {
                        match path {
                            Ok(path) if path.flow == Flow::On => {
                                let mut round = self.block(block, path);
                                for path in round.iter_mut().flatten() {
                                    if path.flow == Flow::Continue {
                                        path.flow = Flow::On;
                                    }
                                }
                                after.append(&mut round);
                            }
                            other => after.push(other),
                        }
                    }
                    paths = after;
                }
                for path in paths.iter_mut().flatten() {
                    if path.flow == Flow::Break {
                        path.flow = Flow::On;
                    }
                }
                paths
            }
            Kind::Break => vec![Ok(Path { flow: Flow::Break, ..path })],
            Kind::Continue => vec![Ok(Path { flow: Flow::Continue, ..path })],
            Kind::Return(None) => vec![Ok(Path { flow: Flow::Return, ..path })],
            Kind::Step(step) => {
                let mut paths = self.block(&code.program.steps[*step], path);
                for path in paths.iter_mut().flatten() {
                    path.flow = Flow::On;
                }
                paths
            }
            Kind::Send(channel, value) => {
                let accesses = path.state.reads(pid, value, false);
                self.wait_by(&mut path, accesses);
                let value = path.state.value(pid, value, None).expect("it is a number").number();
                self.send(path, *channel, value)
            }
            Kind::Receive(channel, local) => self.receive(path, *channel, *local),
            Kind::Close(channel) => self.close(path, *channel),
            Kind::Lock(mutex) => self.lock(path, *mutex),
            Kind::Unlock(mutex) => self.unlock(path, *mutex),
            other => unreachable!("{other:?} is not done at once"),
        }
    }
}

impl Path {
    pub(super) fn from(state: &State) -> Path {
        let state = state.clone();
        Path { state, sent: None, took: false, flow: Flow::On, accesses: Vec::new() }
    }
}
