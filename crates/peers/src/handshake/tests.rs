//! Both sides of the handshake, in memory: with each other, with what was overheard, and with nonsense.

use std::io::{self, Cursor, PipeReader, PipeWriter};
use std::thread;

use random::Random;

use super::*;

/// One end of a connection.
struct End(PipeReader, PipeWriter);

impl Read for End {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for End {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.1.flush()
    }
}

fn connection() -> [End; 2] {
    let ((from_a, to_b), (from_b, to_a)) = (io::pipe().unwrap(), io::pipe().unwrap());
    [End(from_a, to_a), End(from_b, to_b)]
}

/// One who says what was written down before, whatever it is told.
struct Script {
    says: Cursor<Vec<u8>>,
    is_told: Vec<u8>,
}

impl Script {
    fn new(says: Vec<u8>) -> Script {
        Script { says: Cursor::new(says), is_told: Vec::new() }
    }
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.says.read(buffer)
    }
}

impl Write for Script {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_told.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One end of a connection that writes down what it says.
struct Recorded(End, Vec<u8>);

impl Read for Recorded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Recorded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.0.write(bytes)?;
        self.1.extend(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn identity(index: usize, key: u8, model: &str) -> Identity {
    Identity {
        index,
        incarnation: [index as u8; 16],
        key: Key([key; 32]),
        facts: [("the model".to_owned(), model.to_owned())].into(),
    }
}

/// What comes of a call, for the one who calls and the one who answers, and all that the caller says.
fn meeting(
    caller: Identity,
    to: usize,
    answerer: Identity,
) -> (Result<Met, Unmet>, Result<Met, Unmet>, Vec<u8>) {
    let [here, mut there] = connection();
    let answered = thread::spawn(move || answer(&mut there, &answerer));
    let mut here = Recorded(here, Vec::new());
    let called = call(&mut here, &caller, to, Purpose::Data);
    let said = std::mem::take(&mut here.1);
    drop(here);
    (called, answered.join().unwrap(), said)
}

#[test]
fn two_who_hold_the_key_meet() {
    let (called, answered, _) = meeting(identity(2, 7, "a"), 1, identity(1, 7, "a"));
    let (called, answered) = (called.ok().unwrap(), answered.ok().unwrap());
    assert_eq!((called.hello.from, answered.hello.from), (1, 2));
    assert_eq!(answered.hello.purpose, Purpose::Data);
    assert_eq!((called.differences, answered.differences), (vec![], vec![]));
}

#[test]
fn what_differs_is_known_on_both_sides() {
    let (called, answered, _) = meeting(identity(2, 7, "a"), 1, identity(0, 7, "b"));
    let texts = |met: Result<Met, Unmet>| {
        met.ok().unwrap().differences.iter().map(Difference::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        texts(called),
        [
            "the model is a here, and b there",
            "the number of the process that was called is 1 here, and 0 there"
        ]
    );
    assert_eq!(
        texts(answered),
        [
            "the model is b here, and a there",
            "the number of the process that was called is 0 here, and 1 there"
        ]
    );
}

#[test]
fn who_holds_another_key_is_told_nothing() {
    let (called, answered, said) = meeting(identity(2, 8, "a"), 1, identity(1, 7, "a"));
    assert!(matches!(called, Err(Unmet::Unproved)));
    assert!(matches!(answered, Err(Unmet::NoKey(2))));
    assert_eq!(said.len(), HELLO_BYTES + 32, "no facts");
    // The same for one who answers and proves nothing.
    let hello = Hello::of(&identity(1, 8, "a"), 2, Purpose::Data).unwrap().encode();
    let mut impostor = Script::new([&hello[..], &[0; 32]].concat());
    let called = call(&mut impostor, &identity(2, 7, "a"), 1, Purpose::Data);
    assert!(matches!(called, Err(Unmet::NoKey(1))));
    assert_eq!(impostor.is_told.len(), HELLO_BYTES + 32, "no facts");
}

#[test]
fn what_was_overheard_is_of_no_use() {
    let (called, answered, said) = meeting(identity(2, 7, "a"), 1, identity(1, 7, "a"));
    assert!(called.is_ok() && answered.is_ok());
    let mut again = Script::new(said);
    assert!(matches!(answer(&mut again, &identity(1, 7, "a")), Err(Unmet::NoKey(2))));
    assert_eq!(again.is_told.len(), HELLO_BYTES);
}

#[test]
fn who_sends_back_what_it_is_told_proves_nothing() {
    let [mut here, mut there] = connection();
    let echo = thread::spawn(move || {
        let mut said = [0; HELLO_BYTES + 32];
        there.read_exact(&mut said[..HELLO_BYTES]).unwrap();
        there.write_all(&said[..HELLO_BYTES]).unwrap();
        there.read_exact(&mut said[HELLO_BYTES..]).unwrap();
        there.write_all(&said[HELLO_BYTES..]).unwrap();
    });
    let called = call(&mut here, &identity(2, 7, "a"), 1, Purpose::Control);
    assert!(matches!(called, Err(Unmet::NoKey(2))));
    echo.join().unwrap();
}

#[test]
fn nonsense_is_turned_away_and_told_nothing() {
    let me = identity(1, 7, "a");
    let hello = Hello::of(&identity(2, 8, "a"), 1, Purpose::Control).unwrap().encode();
    for seed in 0..4_000 {
        let mut random = Random::new(seed);
        let noise = |random: &mut Random, most: u32| -> Vec<u8> {
            (0..random.below(most)).map(|_| random.below(256u32) as u8).collect()
        };
        // Noise; a hello that is short, that is changed, that is followed by noise.
        let says = match random.below(4u32) {
            0 => noise(&mut random, 300),
            1 => hello[..random.below(HELLO_BYTES)].to_vec(),
            2 => {
                let mut changed = hello.to_vec();
                changed[random.below(HELLO_BYTES)] ^= 1 << random.below(8u32);
                [changed, noise(&mut random, 300)].concat()
            }
            _ => [hello.to_vec(), noise(&mut random, 300)].concat(),
        };
        let mut stranger = Script::new(says.clone());
        assert!(answer(&mut stranger, &me).is_err(), "seed {seed}");
        assert!(stranger.is_told.len() <= HELLO_BYTES, "seed {seed}");
        let mut stranger = Script::new(says);
        assert!(call(&mut stranger, &me, 2, Purpose::Control).is_err(), "seed {seed}");
        assert!(stranger.is_told.len() <= HELLO_BYTES + 32, "seed {seed}");
    }
}

/// One who holds the key, and says other things than it should after it has proved it.
#[test]
fn nonsense_under_the_key_is_turned_away() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let noise: Vec<u8> =
            (0..random.below(200u32)).map(|_| random.below(256u32) as u8).collect();
        let [mut here, mut there] = connection();
        let caller = thread::spawn(move || {
            let me = identity(2, 7, "a");
            let mine = Hello::of(&me, 1, Purpose::Data).unwrap();
            there.write_all(&mine.encode()).unwrap();
            let hello = Hello::read(&mut there).unwrap();
            let session = Session::new(&me.key, &mine, &hello);
            let _ = there.write_all(&session.proof_of_caller());
            let _ = match seed % 2 {
                0 => there.write_all(&noise),
                _ => session.frames_of_caller().write(&noise, &mut there),
            };
        });
        assert!(answer(&mut here, &identity(1, 7, "a")).is_err(), "seed {seed}");
        drop(here);
        caller.join().unwrap();
    }
}
