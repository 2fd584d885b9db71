//! Bytes on their way from one worker to another.

use std::io::Write;
use std::ops::Deref;

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// What is sent at once, all to the same worker: a container of timely, counted as one record.
#[derive(Clone, Default)]
pub(crate) struct Parcel {
    /// Whom it is for; of no use on arrival.
    pub(crate) to: usize,
    pub(crate) from: usize,
    pub(crate) bytes: Content,
}

/// The bytes of a parcel: those that were put in, or the part of a buffer in which they have arrived.
#[derive(Clone)]
pub(crate) enum Content {
    Own(Vec<u8>),
    Arrived(Bytes, usize),
}

impl Default for Content {
    fn default() -> Self {
        Content::Own(Vec::new())
    }
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Content::Own(bytes) => bytes,
            Content::Arrived(bytes, end) => &bytes[HEAD..*end],
        }
    }
}

/// Sender and length, in four bytes each.
const HEAD: usize = 8;

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        i64::from(!self.bytes.is_empty())
    }
}

/// Sender, length and bytes, filled up to a multiple of eight.
impl ContainerBytes for Parcel {
    fn from_bytes(bytes: Bytes) -> Self {
        let number = |at: usize| {
            let bytes = bytes[at..at + 4].try_into().expect("four bytes");
            u32::from_le_bytes(bytes) as usize
        };
        let (from, length) = (number(0), number(4));
        Parcel { to: 0, from, bytes: Content::Arrived(bytes, HEAD + length) }
    }

    fn length_in_bytes(&self) -> usize {
        (HEAD + self.bytes.len()).next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let length = self.bytes.len();
        let fill = self.length_in_bytes() - HEAD - length;
        let pieces: [&[u8]; 4] = [
            &(self.from as u32).to_le_bytes(),
            &(length as u32).to_le_bytes(),
            &self.bytes,
            &[0; 8][..fill],
        ];
        for piece in pieces {
            // It is memory that is written to, of which there is as much as was asked for.
            writer.write_all(piece).expect("there is room for what was announced");
        }
    }
}

/// Hands parcels on as they are addressed.
pub(crate) struct Sorter;

impl Distributor<Parcel> for Sorter {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        time: &T,
        pushers: &mut [P],
    ) {
        let to = parcel.to;
        Message::push_at(parcel, time.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &T, _: &mut [P]) {}
}
