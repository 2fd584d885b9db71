//! Coming together: every pair of processes gets two connections, and then all of them begin.
//!
//! Process *i* calls every process with a smaller number, and is called by those with a larger one. It calls process 0
//! first: so if two processes have the same number, process 0 decides which of them takes part, and the other one is
//! refused before it has met anybody else.
//!
//! Whoever calls is dealt with in a thread of its own, up to a deadline, so a stranger holds nobody up. If there are very
//! many, those go first who have been waiting the longest without proving anything.
//!
//! Connections to all others are not enough to begin: they must have theirs, too. Each process says that it is
//! ready when it has all of its connections, and begins when all others have said so.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};

use crate::control::{Control, listen, live};
use crate::error::ListenError;
use crate::handshake::{Identity, Met, Purpose, Unmet, accepted, answer, call};
use crate::key::random_bytes;
use crate::message::Message;
use crate::run::{Phase, Run, Speaking};
use crate::timed::Until;
use crate::{Deadlines, Facts, Hosts, How, Key, Missing, PeerError};

/// How many callers may be waiting at a time before they have proved anything.
const MOST_STRANGERS: usize = 64;

/// The time between two looks at whether somebody calls.
const TIME_PER_LOOK: Duration = Duration::from_millis(5);

/// The time between two calls of one who does not answer: at first, and at last.
const TIME_PER_CALL: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(1)];

/// A process of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Where all processes are.
    pub hosts: Hosts,
    /// Which of them this is.
    pub index: usize,
    /// How many threads each of them has to compute with. All must have the same number.
    pub threads: usize,
}

/// A run that can begin.
pub struct Connected {
    /// For each process a connection for data, which blocks and has no deadlines; none for this process itself. It is
    /// what `timely_communication::allocator::zero_copy::initialize::initialize_networking_from_sockets` takes.
    pub data: Vec<Option<TcpStream>>,
    /// All processes, as long as the run goes on.
    pub control: Control,
}

impl Member {
    /// Takes the address of this process.
    ///
    /// # Errors
    ///
    /// If there is no such process, or the address is not one of this machine, or in use.
    pub fn listen(&self) -> Result<TcpListener, PeerError> {
        let (index, count) = (self.index, self.hosts.count());
        if index >= count {
            return Err(PeerError::NoProcess { index, count });
        }
        let host = self.hosts.of(index).to_owned();
        TcpListener::bind(&host).map_err(|error| PeerError::Listen {
            process: index,
            host,
            error: ListenError(error),
        })
    }
}

/// Connects a process with all others, which must hold the same key and agree on the facts; that hosts and threads are
/// the same is added to them.
///
/// # Errors
///
/// If not all come in time, one differs, one is lost, or this one is refused.
pub fn connect(
    member: &Member,
    key: &Key,
    facts: &Facts,
    deadlines: &Deadlines,
) -> Result<Connected, PeerError> {
    connect_on(member.listen()?, member, key, facts, deadlines)
}

/// As [`connect`], where the others reach this process through a listener that is there already.
///
/// # Errors
///
/// As [`connect`].
pub fn connect_on(
    listener: TcpListener,
    member: &Member,
    key: &Key,
    facts: &Facts,
    deadlines: &Deadlines,
) -> Result<Connected, PeerError> {
    let (index, count) = (member.index, member.hosts.count());
    if index >= count {
        return Err(PeerError::NoProcess { index, count });
    }
    let mut facts = facts.clone();
    facts.insert("the list of hosts".into(), member.hosts.to_string());
    facts.insert("the number of processes".into(), count.to_string());
    facts.insert("the number of threads (--threads)".into(), member.threads.to_string());
    let me = Identity { index, incarnation: random_bytes()?, key: key.clone(), facts };
    let run = Arc::new(Run::new(me, member.hosts.clone(), *deadlines));
    let gathered = gather(&run, listener);
    if let Err(error) = &gathered {
        // Threads that still call or answer find that it is over.
        run.change(|state| state.phase = Phase::Over);
        tell_why(&run, error);
    }
    Ok(Connected { data: gathered?, control: Control { run } })
}

/// Waits until all have come and are ready.
fn gather(run: &Arc<Run>, listener: TcpListener) -> Result<Vec<Option<TcpStream>>, PeerError> {
    let deadline = Instant::now() + run.deadlines.gather;
    live(run)?;
    let doors = open_doors(run, listener)?;
    let caller = run.clone();
    thread::Builder::new().name("peers:call".into()).spawn(move || call_all(&caller, deadline))?;
    let others: Vec<usize> = run.others().collect();
    let is_complete = run.wait_until(deadline, |state| {
        state.has_failed() || others.iter().all(|&other| state.peers[other].is_connected())
    });
    if is_complete && !run.lock().has_failed() {
        run.tell_all(&Message::Ready);
        run.wait_until(deadline, |state| {
            state.has_failed() || others.iter().all(|&other| state.peers[other].is_ready)
        });
    }
    let mut state = run.lock();
    if let Some(error) = state.failure.take() {
        return Err(error);
    }
    if let Some(loss) = &state.loss {
        return Err(loss.clone().into());
    }
    let missing: Vec<Missing> = (others.iter())
        .filter(|&&other| !state.peers[other].is_ready)
        .map(|&other| Missing {
            process: other,
            host: run.host(other),
            seen: match state.peers[other].is_connected() {
                true => Some("it waits for others".into()),
                false => state.peers[other].seen.clone(),
            },
        })
        .collect();
    if !missing.is_empty() {
        return Err(PeerError::Missing {
            missing: culprits(missing),
            waited: run.deadlines.gather,
            turned_away: state.turned_away,
        });
    }
    state.phase = Phase::Running;
    let data = state.peers.iter_mut().map(|peer| peer.data.take()).collect();
    drop(state);
    // From here on nobody is listened to who was not there at the beginning.
    let _ = doors.join();
    Ok(data)
}

/// Those who are not there; if all are there, those who wait for others.
fn culprits(missing: Vec<Missing>) -> Vec<Missing> {
    let waits = |one: &Missing| one.seen.as_deref() == Some("it waits for others");
    match missing.iter().all(waits) {
        true => missing,
        false => missing.into_iter().filter(|one| !waits(one)).collect(),
    }
}

/// Tells those who have come why the run does not begin.
fn tell_why(run: &Run, error: &PeerError) {
    let loss = match error {
        // They were told when it was noticed.
        PeerError::Lost(_) => return,
        PeerError::Missing { missing, waited, .. } => {
            let reason = format!("has not come after {} s", waited.as_secs_f64());
            run.lost(missing[0].process, How::Missing, reason)
        }
        PeerError::Differs { process, .. } => {
            let other = format!("has been started differently from process {}", run.me.index);
            run.lost(*process, How::Differs, other)
        }
        error => run.lost(run.me.index, How::Ended(0), format!("does not take part: {error}")),
    };
    run.tell_loss(&loss);
}

/// Calls all whom this process is to call.
fn call_all(run: &Arc<Run>, deadline: Instant) {
    for process in 0..run.me.index {
        let run = run.clone();
        let work = move || {
            for purpose in [Purpose::Control, Purpose::Data] {
                call_until_met(&run, process, purpose, deadline);
            }
        };
        let started = thread::Builder::new().name(format!("peers:call-{process}")).spawn(work);
        // Process 0 first; see the head of this module.
        if let (0, Ok(first)) = (process, started) {
            let _ = first.join();
        }
    }
}

/// Calls a process again and again, until it answers, or it is no longer of use.
fn call_until_met(run: &Arc<Run>, process: usize, purpose: Purpose, deadline: Instant) {
    let mut pause = TIME_PER_CALL[0];
    while run.gathers_after(Duration::ZERO) && Instant::now() < deadline {
        match called(run, process, purpose, deadline) {
            Ok(()) => return,
            Err(seen) => run.change(|state| state.peers[process].seen = Some(seen)),
        }
        run.gathers_after(pause);
        pause = (pause * 2).min(TIME_PER_CALL[1]);
    }
}

/// Calls a process once. What went wrong is said if another call may help.
fn called(
    run: &Arc<Run>,
    process: usize,
    purpose: Purpose,
    deadline: Instant,
) -> Result<(), String> {
    let host = run.host(process);
    let addresses =
        host.to_socket_addrs().map_err(|error| format!("its name is not known: {error}"))?;
    let mut why = "its name has no address".to_owned();
    for address in addresses {
        let patience = (deadline.saturating_duration_since(Instant::now()))
            .clamp(Duration::from_millis(1), run.deadlines.hello);
        let stream = match TcpStream::connect_timeout(&address, patience) {
            Ok(stream) => stream,
            Err(error) => {
                why = format!("a call of {address} failed: {error}");
                continue;
            }
        };
        match met(run, process, purpose, &stream) {
            Ok(met) => return linked(run, met, stream).map_err(|error| error.to_string()),
            Err(unmet) => why = seen_by_caller(run, process, unmet)?,
        }
    }
    Err(why)
}

/// Meets the process that was called.
fn met(run: &Run, process: usize, purpose: Purpose, stream: &TcpStream) -> Result<Met, Unmet> {
    stream.set_nodelay(true)?;
    let patience = run.deadlines.hello.saturating_mul(2);
    let mut timed = Until { stream, deadline: Instant::now() + patience };
    let mut met = call(&mut timed, &run.me, process, purpose)?;
    if met.differences.is_empty() {
        accepted(&mut met, &mut timed)?;
    }
    Ok(met)
}

/// What a caller has seen of one whom it could not meet; an error if it need not try again.
fn seen_by_caller(run: &Run, process: usize, unmet: Unmet) -> Result<String, String> {
    match unmet {
        Unmet::Io(error) => Ok(format!("it was called, and then: {error}")),
        Unmet::Stranger => Ok("who answers there is not Kinfold of this version".into()),
        Unmet::NoKey(_) => Ok("who answers there does not hold the key of this run".into()),
        Unmet::Unproved => {
            Ok("who answers there did not take our key: is it the same on both sides?".into())
        }
        Unmet::Refused(reason) => {
            let host = run.host(process);
            Err(fail(run, PeerError::Refused { process, host, reason }))
        }
        Unmet::Randomness(error) => Err(fail(run, error)),
    }
}

/// The run does not begin.
fn fail(run: &Run, error: PeerError) -> String {
    let text = error.to_string();
    run.change(|state| {
        state.failure.get_or_insert(error);
    });
    text
}

/// Answers those who call, until the run no longer gathers.
fn open_doors(run: &Arc<Run>, listener: TcpListener) -> io::Result<thread::JoinHandle<()>> {
    listener.set_nonblocking(true)?;
    let run = run.clone();
    let waiting = Arc::new(Mutex::new(VecDeque::<(u64, TcpStream)>::new()));
    let work = move || {
        let mut number = 0;
        while run.gathers_after(Duration::ZERO) {
            let Ok((stream, address)) = listener.accept() else {
                // Nobody calls, or one has given up already, or there are too many files, which may change.
                run.gathers_after(TIME_PER_LOOK);
                continue;
            };
            number += 1;
            if let Ok(other) = stream.try_clone() {
                let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                waiting.push_back((number, other));
                if waiting.len() > MOST_STRANGERS {
                    let first = waiting.pop_front();
                    first.map(|(_, stream)| stream.shutdown(Shutdown::Both));
                }
            }
            let (run, waiting) = (run.clone(), waiting.clone());
            let answer = move || {
                let met = match is_known(&run, address.ip()) {
                    true => answered(&run, &stream),
                    false => {
                        run.change(|state| state.turned_away = Some(address.ip()));
                        None
                    }
                };
                let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                waiting.retain(|(other, _)| *other != number);
                drop(waiting);
                if let Some(met) = met {
                    admit(&run, met, stream, address);
                }
            };
            // If no thread can be started, the one who calls will call again.
            let _ = thread::Builder::new().name("peers:answer".into()).spawn(answer);
        }
    };
    thread::Builder::new().name("peers:doors".into()).spawn(work)
}

/// Whether this is the address of a host in the file.
fn is_known(run: &Run, address: IpAddr) -> bool {
    let address = address.to_canonical();
    let has_it = |host: &str| {
        let all = host.to_socket_addrs().into_iter().flatten();
        all.into_iter().any(|one| one.ip().to_canonical() == address)
    };
    run.hosts.iter().any(has_it)
}

/// Meets the one who calls, if it holds the key.
fn answered(run: &Run, stream: &TcpStream) -> Option<Met> {
    // Systems differ in whether a connection blocks if its listener does not.
    stream.set_nonblocking(false).and_then(|()| stream.set_nodelay(true)).ok()?;
    let mut timed = Until { stream, deadline: Instant::now() + run.deadlines.hello };
    match answer(&mut timed, &run.me) {
        Ok(met) => Some(met),
        Err(Unmet::NoKey(process)) => {
            let who = stream.peer_addr().map_or_else(|_| "someone".into(), |at| at.to_string());
            run.change(|state| {
                if let Some(peer) = state.peers.get_mut(process as usize) {
                    peer.seen =
                        Some(format!("but {who} said to be it, without the key of this run"));
                }
            });
            None
        }
        Err(_) => None,
    }
}

/// Lets one who holds the key take part, or says why not.
fn admit(run: &Arc<Run>, mut met: Met, stream: TcpStream, address: SocketAddr) {
    let process = met.hello.from as usize;
    if !met.differences.is_empty() {
        let _ = linked(run, met, stream);
        return;
    }
    let incarnation = met.hello.incarnation;
    let taken = run.change(|state| {
        let already =
            || Some(format!("there is a process {process} already; each has its own --process"));
        // Those with smaller numbers are called, and do not call.
        let Some(peer) = state.peers.get_mut(process).filter(|_| process > run.me.index) else {
            return already();
        };
        let first = *peer.incarnation.get_or_insert(incarnation);
        let is_there = match met.hello.purpose {
            Purpose::Control => peer.control.is_some(),
            Purpose::Data => peer.data.is_some(),
        };
        if first != incarnation || is_there { already() } else { None }
    });
    let mut timed = Until { stream: &stream, deadline: Instant::now() + run.deadlines.hello };
    let verdict = taken.clone().map_or(Message::Accepted, Message::Refused);
    let said = met.out.write(&verdict.encode(), &mut timed);
    if taken.is_none() && said.is_ok() {
        if let Err(error) = linked(run, met, stream) {
            fail(run, PeerError::System(error));
        }
    } else if taken.is_none() {
        let reason = format!("has called from {address}, and then could not be answered");
        run.lose(&run.lost(process, How::Died, reason));
    }
}

/// Keeps a connection to one who takes part; if it differs, the run does not begin.
fn linked(run: &Arc<Run>, met: Met, stream: TcpStream) -> io::Result<()> {
    let process = met.hello.from as usize;
    if !met.differences.is_empty() {
        let (host, differences) = (run.host(process), met.differences);
        fail(run, PeerError::Differs { process, host, differences });
        return Ok(());
    }
    let keepalive = TcpKeepalive::new().with_time(Duration::from_secs(60));
    SockRef::from(&stream).set_tcp_keepalive(&keepalive)?;
    stream.set_read_timeout(None)?;
    match met.hello.purpose {
        Purpose::Data => {
            stream.set_write_timeout(None)?;
            run.change(|state| state.peers[process].data = Some(stream));
        }
        Purpose::Control => {
            // What is said is short, and fits into what the system keeps for one who does not listen.
            stream
                .set_write_timeout(Some(run.deadlines.heartbeat.max(Duration::from_millis(1))))?;
            let mut speaking = Speaking { stream: stream.try_clone()?, out: met.out };
            run.change(|state| {
                let peer = &mut state.peers[process];
                peer.incarnation = Some(met.hello.incarnation);
                if let Some(message) = &state.last_words {
                    speaking.say_last(message);
                }
                peer.control = Some(Arc::new(Mutex::new(speaking)));
            });
            listen(run, process, stream, met.into)?;
        }
    }
    Ok(())
}
