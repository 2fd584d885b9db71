//! Reachability over canonical byte strings: store, search, quotient graph.
