//! Process identifiers, their relations, and states over them.
