//! `kinfold lsp`: the language server, on standard input and output.

use std::io;
use std::path::PathBuf;
use std::{env, fs};

use lsp::Settings;

use super::cli::LspArgs;
use super::{Exit, Failure};

/// Serves until the client says goodbye.
pub fn run(args: &LspArgs) -> Result<Exit, Failure> {
    let usual = Settings::default();
    let settings = Settings {
        time: args.time.unwrap_or(usual.time),
        memory: args.memory.unwrap_or(usual.memory),
        check_on_save: !args.no_check,
        prelude: prelude(),
        ..usual
    };
    let failure =
        |why: io::Error| Failure::system(format!("the language server has failed: {why}"));
    let (connection, threads) = lsp::connect(io::stdin(), io::stdout()).map_err(failure)?;
    let said_goodbye = lsp::serve(&connection, settings).map_err(failure)?;
    drop(connection);
    // A client that has gone away reads nothing more.
    let written = threads.join();
    match said_goodbye {
        true => written.map(|()| Exit::Done).map_err(failure),
        false => Ok(Exit::No),
    }
}

/// The prelude as a file, so that editors can show it. Without one they show the rest.
fn prelude() -> Option<PathBuf> {
    let folder = cache()?.join("kinfold");
    let path = folder.join(format!("prelude-{}.kin", env!("CARGO_PKG_VERSION")));
    if fs::read(&path).is_ok_and(|bytes| bytes == lang::PRELUDE.as_bytes()) {
        return Some(path);
    }
    fs::create_dir_all(&folder).ok()?;
    fs::write(&path, lang::PRELUDE).ok()?;
    Some(path)
}

/// Where this user keeps what can be made again. Not a folder for all: there others could put a link in its place.
fn cache() -> Option<PathBuf> {
    let folder =
        |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || folder("HOME").map(|home| home.join(".cache"));
    folder("XDG_CACHE_HOME").or_else(|| folder("LOCALAPPDATA")).or_else(home)
}
