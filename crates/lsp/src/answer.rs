//! What is answered at once, one module for each subject.

mod actions;
mod completion;
mod folding;
mod format;
mod hints;
mod hover;
mod lenses;
mod navigation;
mod rename;
mod signature;
mod symbols;
pub(crate) mod tokens;

pub(crate) use actions::actions;
pub(crate) use completion::completion;
pub(crate) use folding::folds;
pub(crate) use format::format;
pub(crate) use hints::hints;
pub(crate) use hover::hover;
pub(crate) use lenses::lenses;
pub(crate) use navigation::{definition, highlights, references};
pub(crate) use rename::{prepare_rename, rename};
pub(crate) use signature::signature;
pub(crate) use symbols::symbols;
