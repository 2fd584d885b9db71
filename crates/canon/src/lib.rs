//! Canonical labelling of small coloured relational structures.
