//! `models`: which there are.

use serde_json::{Value as Json, json};

use super::export::FileFormat;
use crate::explorer::Explorer;

/// The version of the interface.
const VERSION: u64 = 1;

pub(super) fn models(explorer: &Explorer) -> Json {
    let models = explorer.models();
    let models =
        models.iter().map(|model| json!({ "name": model.name(), "file": model.newest().file }));
    let formats = FileFormat::all().into_iter().map(|format| {
        json!({ "name": format.name(), "about": format.about(), "extension": format.extension() })
    });
    json!({
        "version": VERSION,
        "kinfold": env!("CARGO_PKG_VERSION"),
        "host": explorer.host().name(),
        "models": models.collect::<Vec<_>>(),
        "formats": formats.collect::<Vec<_>>(),
    })
}
