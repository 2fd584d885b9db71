//! What the command says about itself: manual pages, completions, and what codes mean.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;
use diagnostics::Explanation;

use super::cli::Cli;
use super::output::Output;
use super::{Exit, Failure};

pub fn explain(code: Option<&str>) -> Result<Exit, Failure> {
    let text = match code {
        None => explanations().map(|one| format!("{}  {}\n", one.code, one.title)).collect(),
        Some(code) => match explanation(code) {
            Some(one) => format!("{}: {}\n\n{}\n", one.code, one.title, one.text),
            None => {
                return Err(Failure::usage(format!(
                    "there is no code `{code}`; `kinfold explain` lists them"
                )));
            }
        },
    };
    Output::Stdout.write(text)?;
    Ok(Exit::Done)
}

/// What a code means, for models in any format.
pub fn explanation(code: &str) -> Option<Explanation> {
    explanations().find(|one| one.code.eq_ignore_ascii_case(code))
}

fn explanations() -> impl Iterator<Item = Explanation> {
    let all = [lang::EXPLANATIONS, pnml::EXPLANATIONS, go::EXPLANATIONS];
    all.into_iter().flat_map(diagnostics::Explanations::iter)
}

pub fn completions(shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "kinfold", &mut script);
    Output::Stdout.write(&script)?;
    Ok(Exit::Done)
}

/// Prints the page of a subcommand, or writes all pages to a directory.
pub fn man(subcommand: &[String], out: Option<&Path>) -> Result<Exit, Failure> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    if let Some(folder) = out {
        let failed = |error| Failure::system(format!("cannot write {}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(failed)?;
        write_pages(&command, folder)?;
        return Ok(Exit::Done);
    }
    // `man bench-threads`, as the page is named, does as well as `man bench threads`.
    let mut names = subcommand.iter().flat_map(|name| name.split('-'));
    let wanted = names.try_fold(&command, |command, name| {
        command.find_subcommand(name).ok_or_else(|| {
            let known = command.get_subcommands().map(clap::Command::get_name);
            let known = known.collect::<Vec<_>>().join(", ");
            Failure::usage(format!("there is no subcommand named `{name}`; there are: {known}"))
        })
    })?;
    Output::Stdout.write(text(&page(wanted))?)?;
    Ok(Exit::Done)
}

/// Writes the pages of a command and of its subcommands, each to a file of its own.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<(), Failure> {
    let page = page(command);
    Output::to(Some(&folder.join(page.get_filename()))).write(text(&page)?)?;
    command.get_subcommands().try_for_each(|subcommand| write_pages(subcommand, folder))
}

fn page(command: &clap::Command) -> Man {
    Man::new(command.clone()).source(concat!("kinfold ", env!("CARGO_PKG_VERSION")))
}

fn text(page: &Man) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Failure::system(error.to_string()))?;
    Ok(text)
}
