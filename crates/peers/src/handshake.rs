//! How two processes come to know that the other one holds the key of the run, and that they agree on it.
//!
//! One calls, the other one answers:
//!
//! | | says | in |
//! | --- | --- | --- |
//! | caller | hello: what the connection is for, who it is, whom it means, which start of it, a nonce | 73 bytes |
//! | answerer | the same of itself | 73 bytes |
//! | caller | its proof | 32 bytes |
//! | answerer | its proof, if that of the caller was right | 32 bytes |
//! | answerer | its facts | a frame |
//! | caller | its facts | a frame |
//! | answerer | that the caller takes part, or why not | a frame |
//!
//! The *session* is the BLAKE3 hash of both hellos under a key that is derived from that of the run. Both proofs and the
//! keys of the frames of both directions are derived from the session, each in a context of its own. So a proof is good for
//! one connection between these two for this purpose in this direction, and for no other: what was overheard cannot be
//! repeated, since the nonces of the other side differ, and cannot be sent back, since the direction differs. The order
//! is such that who holds no key learns that there is a process of this number, and nothing more.
//!
//! Facts are said in full, under a seal, and not as a hash, so that what differs can be named on both sides.

use std::io::{self, Read, Write};

use subtle::ConstantTimeEq;

use crate::facts::{Facts, differences};
use crate::frame::Seals;
use crate::key::random_bytes;
use crate::message::Message;
use crate::{Difference, Key, PeerError};

/// How every hello begins, with the version of the protocol.
const OPENING: [u8; 16] = *b"kinfold peers 1\n";

const HELLO_BYTES: usize = OPENING.len() + 1 + 4 + 4 + 16 + 32;

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Control,
    Data,
}

/// Which start of a process it is: two processes with the same number are told apart by it.
pub(crate) type Incarnation = [u8; 16];

/// A process, as it presents itself.
pub(crate) struct Identity {
    pub(crate) index: usize,
    pub(crate) incarnation: Incarnation,
    pub(crate) key: Key,
    pub(crate) facts: Facts,
}

/// What is said first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hello {
    pub(crate) purpose: Purpose,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) incarnation: Incarnation,
    nonce: [u8; 32],
}

/// The other side, after it has proved that it holds the key.
pub(crate) struct Met {
    pub(crate) hello: Hello,
    /// The frames that are sent and received from now on.
    pub(crate) out: Seals,
    pub(crate) into: Seals,
    /// In what the other side differs.
    pub(crate) differences: Vec<Difference>,
}

/// Why the other side could not be met.
#[derive(Debug)]
pub(crate) enum Unmet {
    /// The connection failed or ended, or the time was over.
    Io(io::Error),
    /// It does not speak as we do.
    Stranger,
    /// It ended the connection instead of proving that it holds the key.
    Unproved,
    /// It does not hold the key. It says to be the process with this number.
    NoKey(u32),
    /// It does not take us.
    Refused(String),
    /// The system has no random bytes.
    Randomness(PeerError),
}

impl From<io::Error> for Unmet {
    fn from(error: io::Error) -> Self {
        Unmet::Io(error)
    }
}

impl Hello {
    fn of(who: &Identity, to: u32, purpose: Purpose) -> Result<Hello, Unmet> {
        let nonce = random_bytes().map_err(Unmet::Randomness)?;
        let (from, incarnation) = (who.index as u32, who.incarnation);
        Ok(Hello { purpose, from, to, incarnation, nonce })
    }

    fn encode(&self) -> [u8; HELLO_BYTES] {
        let (from, to) = (self.from.to_le_bytes(), self.to.to_le_bytes());
        let purpose = [self.purpose as u8];
        let parts = [&OPENING[..], &purpose, &from, &to, &self.incarnation, &self.nonce];
        parts.concat().try_into().expect("the parts have this length")
    }

    /// Reads a hello. Who begins differently is not listened to any further.
    fn read(from: &mut impl Read) -> Result<Hello, Unmet> {
        let mut opening = [0; OPENING.len()];
        from.read_exact(&mut opening)?;
        if opening != OPENING {
            return Err(Unmet::Stranger);
        }
        let mut rest = [0; HELLO_BYTES - OPENING.len()];
        from.read_exact(&mut rest)?;
        let array = |range: std::ops::Range<usize>| {
            <[u8; 4]>::try_from(&rest[range]).expect("the range has this length")
        };
        Ok(Hello {
            purpose: match rest[0] {
                0 => Purpose::Control,
                1 => Purpose::Data,
                _ => return Err(Unmet::Stranger),
            },
            from: u32::from_le_bytes(array(1..5)),
            to: u32::from_le_bytes(array(5..9)),
            incarnation: rest[9..25].try_into().expect("the range has this length"),
            nonce: rest[25..].try_into().expect("the range has this length"),
        })
    }
}

/// What both hellos and the key determine.
struct Session([u8; 32]);

impl Session {
    fn new(key: &Key, caller: &Hello, answerer: &Hello) -> Session {
        let key = blake3::derive_key("kinfold peers 1: sessions", &key.0);
        let hellos = [caller.encode(), answerer.encode()].concat();
        Session(*blake3::keyed_hash(&key, &hellos).as_bytes())
    }

    fn proof_of_caller(&self) -> [u8; 32] {
        blake3::derive_key("kinfold peers 1: the proof of the caller", &self.0)
    }

    fn proof_of_answerer(&self) -> [u8; 32] {
        blake3::derive_key("kinfold peers 1: the proof of the answerer", &self.0)
    }

    fn frames_of_caller(&self) -> Seals {
        Seals::new(blake3::derive_key("kinfold peers 1: the frames of the caller", &self.0))
    }

    fn frames_of_answerer(&self) -> Seals {
        Seals::new(blake3::derive_key("kinfold peers 1: the frames of the answerer", &self.0))
    }
}

/// Meets the process that was called, up to whether it takes us.
pub(crate) fn call(
    stream: &mut (impl Read + Write),
    me: &Identity,
    to: usize,
    purpose: Purpose,
) -> Result<Met, Unmet> {
    let mine = Hello::of(me, to as u32, purpose)?;
    stream.write_all(&mine.encode())?;
    let hello = Hello::read(stream)?;
    let session = Session::new(&me.key, &mine, &hello);
    stream.write_all(&session.proof_of_caller())?;
    let proof = read_proof(stream).map_err(|_| Unmet::Unproved)?;
    if !bool::from(proof.ct_eq(&session.proof_of_answerer())) {
        return Err(Unmet::NoKey(hello.from));
    }
    let (mut out, mut into) = (session.frames_of_caller(), session.frames_of_answerer());
    let theirs = read_facts(&mut into, stream)?;
    out.write(&Message::Facts(me.facts.clone()).encode(), stream)?;
    let mut differences = differences(&me.facts, &theirs);
    differences.extend(other_process(to as u32, hello.from));
    Ok(Met { hello, out, into, differences })
}

/// Whether the process that was called takes us.
pub(crate) fn accepted(met: &mut Met, stream: &mut impl Read) -> Result<(), Unmet> {
    match Message::decode(&met.into.read(stream)?)? {
        Message::Accepted => Ok(()),
        Message::Refused(reason) => Err(Unmet::Refused(reason)),
        _ => Err(Unmet::Stranger),
    }
}

/// Meets the one who calls, up to whether it is taken.
pub(crate) fn answer(stream: &mut (impl Read + Write), me: &Identity) -> Result<Met, Unmet> {
    let hello = Hello::read(stream)?;
    let mine = Hello::of(me, hello.from, hello.purpose)?;
    stream.write_all(&mine.encode())?;
    let session = Session::new(&me.key, &hello, &mine);
    let proof = read_proof(stream)?;
    if !bool::from(proof.ct_eq(&session.proof_of_caller())) {
        return Err(Unmet::NoKey(hello.from));
    }
    stream.write_all(&session.proof_of_answerer())?;
    let (mut into, mut out) = (session.frames_of_caller(), session.frames_of_answerer());
    out.write(&Message::Facts(me.facts.clone()).encode(), stream)?;
    let theirs = read_facts(&mut into, stream)?;
    let mut differences = differences(&me.facts, &theirs);
    differences.extend(other_process(mine.from, hello.to));
    Ok(Met { hello, out, into, differences })
}

fn read_proof(stream: &mut impl Read) -> io::Result<[u8; 32]> {
    let mut proof = [0; 32];
    stream.read_exact(&mut proof)?;
    Ok(proof)
}

fn read_facts(into: &mut Seals, stream: &mut impl Read) -> Result<Facts, Unmet> {
    match Message::decode(&into.read(stream)?)? {
        Message::Facts(facts) => Ok(facts),
        _ => Err(Unmet::Stranger),
    }
}

/// A process that was reached in the place of another.
fn other_process(here: u32, there: u32) -> Option<Difference> {
    (here != there).then(|| Difference {
        what: "the number of the process that was called".to_owned(),
        here: Some(here.to_string()),
        there: Some(there.to_string()),
    })
}

#[cfg(test)]
mod tests;
