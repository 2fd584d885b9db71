//! What is embedded is what lies in `web/`.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn all_files_are_embedded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let on_disk: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "index.html")
        .map(|name| format!("/web/{name}"))
        .collect();
    let embedded = page::files().iter().map(|file| file.path.to_owned());
    let embedded: BTreeSet<String> = embedded.filter(|path| path != "/").collect();
    assert_eq!(embedded, on_disk);
}
