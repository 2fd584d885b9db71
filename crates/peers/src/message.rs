//! What is said in [frames](crate::frame).

use std::io;

use crate::frame::garbled;
use crate::{Facts, How};

/// What is said in a frame: a byte that says which it is, and what belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Message {
    /// What the run is about, for whoever says it.
    Facts(Facts),
    /// The one who called takes part.
    Accepted,
    /// The one who called does not take part, and why.
    Refused(String),
    /// All others have come.
    Ready,
    /// Nothing but a sign of life.
    Alive,
    /// The run ends, because of this process.
    Abort { process: u32, how: How, reason: String },
    /// All work is done.
    Goodbye,
}

impl Message {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let with = |kind: u8, rest: &[u8]| [&[kind], rest].concat();
        match self {
            Message::Facts(facts) => {
                with(1, &serde_json::to_vec(facts).expect("a map of strings can be written"))
            }
            Message::Accepted => vec![2],
            Message::Refused(reason) => with(3, reason.as_bytes()),
            Message::Ready => vec![4],
            Message::Alive => vec![5],
            Message::Abort { process, how, reason } => {
                let (how, status) = match how {
                    How::Died => (0, 0),
                    How::Silent => (1, 0),
                    How::Missing => (2, 0),
                    How::Differs => (3, 0),
                    How::Ended(status) => (4, *status),
                };
                let process = process.to_le_bytes();
                with(6, &[&process[..], &[how, status], reason.as_bytes()].concat())
            }
            Message::Goodbye => vec![7],
        }
    }

    pub(crate) fn decode(bytes: &[u8]) -> io::Result<Message> {
        let (&kind, rest) = bytes.split_first().ok_or_else(garbled)?;
        let message = match (kind, rest) {
            (1, json) => {
                let facts: Facts = serde_json::from_slice(json).map_err(|_| garbled())?;
                let clean = facts.iter().map(|(name, value)| (printable(name), printable(value)));
                Message::Facts(clean.collect())
            }
            (2, []) => Message::Accepted,
            (3, reason) => Message::Refused(text(reason)),
            (4, []) => Message::Ready,
            (5, []) => Message::Alive,
            (6, &[a, b, c, d, how, status, ref reason @ ..]) => Message::Abort {
                process: u32::from_le_bytes([a, b, c, d]),
                how: match how {
                    0 => How::Died,
                    1 => How::Silent,
                    2 => How::Missing,
                    3 => How::Differs,
                    4 => How::Ended(status),
                    _ => return Err(garbled()),
                },
                reason: text(reason),
            },
            (7, []) => Message::Goodbye,
            _ => return Err(garbled()),
        };
        Ok(message)
    }
}

/// What someone else has said, so that it can be printed.
fn text(bytes: &[u8]) -> String {
    printable(&String::from_utf8_lossy(bytes))
}

/// The text without what would move the cursor of a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::*;

    #[test]
    fn messages_come_as_they_were_sent() {
        let text = || "because".to_owned();
        let all = [
            Message::Facts([("a".to_owned(), "b".to_owned())].into()),
            Message::Accepted,
            Message::Refused(text()),
            Message::Ready,
            Message::Alive,
            Message::Abort { process: 3, how: How::Ended(70), reason: text() },
            Message::Abort { process: 1 << 20, how: How::Silent, reason: String::new() },
            Message::Goodbye,
        ];
        for message in all {
            assert_eq!(Message::decode(&message.encode()).unwrap(), message);
        }
    }

    #[test]
    fn nonsense_is_refused_and_nothing_moves_the_cursor() {
        for seed in 0..20_000 {
            let mut random = Random::new(seed);
            let bytes: Vec<u8> = (0..random.below(40u32))
                .map(|at| random.below(if at == 0 { 9 } else { 256u32 }) as u8)
                .collect();
            if let Ok(Message::Refused(text) | Message::Abort { reason: text, .. }) =
                Message::decode(&bytes)
            {
                assert!(!text.contains('\u{1b}'), "seed {seed}");
            }
        }
        assert!(Message::decode(&[]).is_err());
        assert!(Message::decode(&[1, b'{']).is_err());
        assert!(Message::decode(&[6, 0, 0, 0, 0, 9, 0]).is_err());
        assert!(Message::decode(&[4, 0]).is_err());
    }
}
