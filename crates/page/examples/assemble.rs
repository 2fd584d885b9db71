//! Writes the files of the playground into a folder: those of the page, the workers, and the engine.
//! `playground/build` calls it with the engine that it has built.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The files that the page does not have where it is served.
const WORKERS: [(&str, &str); 2] = [
    ("worker.js", include_str!("../../../playground/worker.js")),
    ("engine.js", include_str!("../../../playground/engine.js")),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [engine, folder] = &arguments[..] else {
        return Err("usage: assemble ENGINE FOLDER".into());
    };
    let folder = Path::new(folder);
    let document = page::playground_index("worker.js");
    let of_page = page::files().iter().map(|file| match file.path.trim_start_matches('/') {
        "" => ("index.html", &*document),
        path => (path, file.content),
    });
    for (path, content) in of_page.chain(WORKERS) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().ok_or("a file has no folder")?)?;
        fs::write(path, content)?;
    }
    fs::copy(engine, folder.join("kinfold.wasm"))?;
    Ok(())
}
