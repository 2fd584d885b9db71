//! What `kinfold serve` takes.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use lang::Override;

use super::model::GoArgs;
use super::values::{address_of, override_of};

#[derive(Args)]
pub struct ServeArgs {
    /// The models: .kin, .pnml or .go files, each of which is a model of its own
    #[arg(value_name = "MODEL", required = true)]
    pub models: Vec<PathBuf>,
    /// Give a constant of the models another value (PNML has no constants)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = override_of)]
    pub set: Vec<Override>,
    #[command(flatten)]
    pub go: GoArgs,
    /// The port to listen on; 0 for any that is free [default: 7411, or any that is free]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The address to listen on. On any that is not of loopback, other machines can reach the server, over
    /// connections that are not encrypted
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address_of)]
    pub host: IpAddr,
    /// Open the link in a browser. While the browser starts, other users of this machine may see the link in the
    /// list of processes
    #[arg(long)]
    pub open: bool,
}
