//! Equivalence of states up to who is who: working states, canonical bytes.
