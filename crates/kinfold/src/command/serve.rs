//! `kinfold serve`: models to walk through in a browser.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use serve::{ModelFile, Port, ServeError, Server, Settings};

use super::cli::{ModelFormat, ServeArgs};
use super::output::{self, Output};
use super::{Exit, Failure, load, progress};

/// Serves until Ctrl-C.
pub fn run(args: &ServeArgs) -> Result<Exit, Failure> {
    load::set_once(args.set.iter().map(|one| one.name.as_str()))?;
    let models = args.models.iter().map(|path| model(path, args));
    let settings = Settings {
        address: args.host,
        port: args.port.map_or(Port::Preferred(Port::USUAL), Port::Exactly),
        models: models.collect::<Result<_, _>>()?,
        ..Settings::default()
    };
    let budget = progress::endless();
    let server = progress::preparing(&budget, || Server::bind(settings, &budget));
    let server = server.map_err(failure)?;
    announce(&server);
    Output::Stdout.write(format!("{}\n", server.link()))?;
    if args.open {
        open(server.link());
    }
    server.run().map_err(failure)?;
    Ok(Exit::Done)
}

fn model(path: &Path, args: &ServeArgs) -> Result<ModelFile, Failure> {
    let name = load::name(path);
    if path.as_os_str() == "-" {
        let message = "standard input cannot be watched; save the model, and give the file";
        return Err(Failure::usage(message));
    }
    if path.is_dir() {
        let message =
            format!("{name} is a folder; give the file of a model, or of a Go program of one file");
        return Err(Failure::usage(message));
    }
    if load::format_of(path) == Some(ModelFormat::Pnml) && !args.set.is_empty() {
        return Err(Failure::usage(format!("{name} is PNML, which has no constants to --set")));
    }
    let go = load::go_options(path, &args.go);
    Ok(ModelFile { path: path.to_owned(), set: args.set.clone(), go })
}

/// Says what there is to see, and who can see it.
fn announce(server: &Server) {
    for model in server.shown() {
        let state = if model.is_right { "" } else { ", which has errors; the page lists them" };
        output::tell(format_args!("kinfold: showing `{}` from {}{state}", model.name, model.file));
    }
    let address = server.address();
    if !address.ip().is_loopback() {
        output::tell(format_args!(
            "kinfold: warning: other machines can reach this server on {address}. Whoever has the link, or can \
             listen on the network, can see the models; leave --host out to serve this machine only"
        ));
    }
    output::tell(format_args!("kinfold: open this link in a browser; Ctrl-C ends the server"));
}

/// Opens the link in a browser. That it cannot be opened is said, and no more: the link is there.
fn open(link: String) {
    let command: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        // Unlike `start`, it is no command of a shell, to which some characters mean something.
        &["rundll32", "url.dll,FileProtocolHandler"]
    } else {
        &["xdg-open"]
    };
    let mut opener = Command::new(command[0]);
    opener.args(&command[1..]).arg(link);
    opener.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let failed =
        |why: String| output::tell(format_args!("kinfold: no browser could be opened: {why}"));
    match opener.spawn() {
        Err(error) => failed(format!("{}: {error}", command[0])),
        Ok(mut opener) => {
            let name = command[0].to_owned();
            thread::spawn(move || match opener.wait() {
                Ok(status) if status.success() => {}
                Ok(status) => failed(format!("{name} ended with {status}")),
                Err(error) => failed(format!("{name}: {error}")),
            });
        }
    }
}

fn failure(error: ServeError) -> Failure {
    let way_out = match &error {
        ServeError::PortInUse(_) => "; choose another --port, or leave it out to have one chosen",
        ServeError::PortForbidden(_) => "; choose a --port from 1024 on",
        ServeError::NotOwnAddress(_) => "; leave --host out to serve this machine only",
        _ => "",
    };
    let message = format!("{error}{way_out}");
    match error {
        ServeError::PortInUse(_) | ServeError::PortForbidden(_) | ServeError::NotOwnAddress(_) => {
            Failure::usage(message)
        }
        _ => Failure::system(message),
    }
}
