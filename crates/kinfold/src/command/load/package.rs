//! The files of a package of Go, as one model.

use std::fs;
use std::path::{Path, PathBuf};

use super::{ModelFile, format_of, name, text, unreadable};
use crate::command::cli::ModelFormat;
use crate::command::{Failure, output};

/// The folder and the name of a package.
type Package = (PathBuf, String);

/// The files of each program among those that are given: Go files of one folder and package are one.
pub fn programs(paths: &[PathBuf]) -> Vec<Vec<PathBuf>> {
    let mut programs: Vec<(Option<Package>, Vec<PathBuf>)> = Vec::new();
    let is_go = |path: &Path| format_of(path) == Some(ModelFormat::Go);
    let several = paths.iter().filter(|path| is_go(path)).count() > 1;
    for path in paths {
        let package = || {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let text = fs::read_to_string(path).ok()?;
            Some((folder, go::package_of(&text)?.to_owned()))
        };
        let key = if several && is_go(path) { package() } else { None };
        let known = programs.iter_mut().find(|(other, _)| key.is_some() && *other == key);
        match known {
            Some((_, files)) => files.push(path.clone()),
            None => programs.push((key, vec![path.clone()])),
        }
    }
    programs.into_iter().map(|(_, files)| files).collect()
}

/// These files.
pub fn of_files(paths: &[PathBuf]) -> Result<ModelFile, Failure> {
    let folder = paths[0].parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut files = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push((name, text(path)?));
    }
    let path = folder.unwrap_or(Path::new(".")).to_owned();
    Ok(ModelFile { path, bytes: go::bundle(&files).into_bytes(), format: ModelFormat::Go })
}

/// What is said of a folder without Go, in which there is this model, and perhaps others.
fn no_package(folder: &Path, model: &Path) -> String {
    let extension = model.extension().unwrap_or_default().to_string_lossy();
    let all = folder.join(format!("*.{extension}"));
    format!(
        "{} is a folder, and only a folder of Go files is one model: name the model, such as {}, or check all of \
         them, {}",
        name(folder),
        name(model),
        name(&all),
    )
}

/// Those of a folder that Go would take.
pub fn of_folder(folder: &Path) -> Result<ModelFile, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let (paths, others): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.into_iter().partition(|path| format_of(path) == Some(ModelFormat::Go));
    let (mut files, mut remarks) = (Vec::new(), Vec::new());
    for path in &paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = text(path)?;
        match go::left_out(&name, &text) {
            Some(why) => remarks.push(format!("{name} is left out: {why}")),
            None => files.push((name, text)),
        }
    }
    // Tests of a package from outside import it, and no import is followed.
    let package = |text: &str| go::package_of(text).unwrap_or_default().to_owned();
    let packages: Vec<String> = files.iter().map(|(_, text)| package(text)).collect();
    let is_outside = |of: &str| {
        of.strip_suffix("_test").is_some_and(|inner| packages.iter().any(|other| other == inner))
    };
    files.retain(|(name, text)| {
        let of = package(text);
        let outside = is_outside(&of);
        if outside {
            remarks.push(format!("{name} is left out: it is of another package, `{of}`"));
        }
        !outside
    });
    if files.is_empty() {
        let why = remarks.first().map(|why| format!(": {why}")).unwrap_or_default();
        let model = others.iter().find(|path| format_of(path).is_some());
        return Err(Failure::usage(match (model, remarks.is_empty()) {
            (Some(model), true) => no_package(folder, model),
            _ => format!("there is no Go program in {}{why}", name(folder)),
        }));
    }
    if !output::is_quiet() {
        remarks.iter().for_each(|remark| output::tell(format_args!("kinfold: {remark}")));
    }
    let bytes = go::bundle(&files).into_bytes();
    let path = match &files[..] {
        [(name, _)] => folder.join(name),
        _ => folder.to_owned(),
    };
    Ok(ModelFile { path, bytes, format: ModelFormat::Go })
}
