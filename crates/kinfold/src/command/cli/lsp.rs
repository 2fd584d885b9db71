//! What `kinfold lsp` takes.

use std::time::Duration;

use clap::Args;

use super::values::{bytes_of, time_of};

#[derive(Args)]
pub struct LspArgs {
    /// Speak on standard input and output, which is the only way; some editors say so
    #[arg(long)]
    #[allow(dead_code, reason = "whether it is said makes no difference")]
    stdio: bool,
    /// How long a check of properties may take [default: 20]
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    pub time: Option<Duration>,
    /// How much memory the process may use while it checks, such as 512MiB or 4G [default: 2G]
    #[arg(long, value_name = "BYTES", value_parser = bytes_of)]
    pub memory: Option<u64>,
    /// Check properties only when asked, not whenever a model is opened or saved
    #[arg(long)]
    pub no_check: bool,
}
