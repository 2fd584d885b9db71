//! The extension for Zed: says how the language server is started. The languages folder and the grammar do the rest.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Kinfold;

impl zed::Extension for Kinfold {
    fn new() -> Kinfold {
        Kinfold
    }

    /// The command of the settings (`lsp.kinfold.binary`), or the one on the path.
    fn language_server_command(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let binary = LspSettings::for_worktree(server.as_ref(), worktree)?.binary;
        let (path, args, env) = match binary {
            Some(binary) => (binary.path, binary.arguments, binary.env),
            None => (None, None, None),
        };
        let Some(command) = path.or_else(|| worktree.which("kinfold")) else {
            return Err("there is no kinfold on the path: set `lsp.kinfold.binary.path`".to_owned());
        };
        let args = args.unwrap_or_else(|| vec!["lsp".to_owned()]);
        let env = env.map_or_else(|| worktree.shell_env(), |env| env.into_iter().collect());
        Ok(Command { command, args, env })
    }

    /// The options of docs/editor.md, as `lsp.kinfold.initialization_options` has them.
    fn language_server_initialization_options(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<zed::serde_json::Value>> {
        Ok(LspSettings::for_worktree(server.as_ref(), worktree)?.initialization_options)
    }
}

zed::register_extension!(Kinfold);
