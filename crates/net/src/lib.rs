//! Thread nets: places, transitions, guards, and their firing.
