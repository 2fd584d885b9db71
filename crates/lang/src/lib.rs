//! The language of .kin models: syntax, types, diagnostics, formatter.
