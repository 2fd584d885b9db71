//! The contest's models and properties, and the nets with known counts, where they lie beside the
//! project: in `../shared`, seen from its root. Without them these tests have nothing to do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pnml::properties::Reading;
use pnml::{Document, Index, Kind, Limits, Node, properties, read, to_net, write};

fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(folder);
    path.is_dir().then_some(path)
}

/// All files in a folder and the folders in it that end so, in order.
fn files(folder: Option<PathBuf>, extension: &str) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut left: Vec<PathBuf> = folder.into_iter().collect();
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("so can its entries").path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.insert(path);
            }
        }
    }
    found.into_iter().collect()
}

fn text(path: &Path) -> String {
    let bytes = fs::read(path).expect("it can be read");
    pnml::decode(&bytes).expect("it is text").into_owned()
}

fn document(path: &Path) -> Document {
    let text = text(path);
    read(&text, &Limits::default())
        .unwrap_or_else(|errors| panic!("{}", errors.render(&path.to_string_lossy(), &text, false)))
}

#[test]
fn models_survive_writing_and_reading() {
    let folders = [("mcc", "pnml"), ("expected", "pnml")];
    for path in folders.into_iter().flat_map(|(folder, e)| files(shared(folder), e)) {
        let document = document(&path);
        let written = write(&document);
        let again = read(&written, &Limits::default())
            .unwrap_or_else(|errors| panic!("{}", errors.render("written", &written, false)));
        assert!(again == document, "{}", path.display());
        assert_eq!(write(&again), written, "{}", path.display());
    }
}

#[test]
fn nothing_of_a_model_is_lost() {
    for path in files(shared("mcc"), "pnml") {
        let text = text(&path);
        let document = document(&path);
        let net = &document.nets[0];
        let coloured = path.to_string_lossy().contains("-COL-");
        assert_eq!(net.kind == Kind::Symmetric, coloured, "{}", path.display());
        let pages: Vec<_> = net.all_pages().collect();
        let count = |tag: &str| text.matches(tag).count();
        let places: usize = pages.iter().map(|page| page.places.len()).sum();
        let transitions: usize = pages.iter().map(|page| page.transitions.len()).sum();
        let arcs: usize = pages.iter().map(|page| page.arcs.len()).sum();
        assert_eq!(places, count("<place "), "{}", path.display());
        assert_eq!(transitions, count("<transition "), "{}", path.display());
        assert_eq!(arcs, count("<arc "), "{}", path.display());
        let written = write(&document);
        for tag in ["<numberof>", "<all>", "<tuple>", "<variable ", "<feconstant ", "<usersort "] {
            assert_eq!(written.matches(tag).count(), count(tag), "{tag} {}", path.display());
        }
        let index = Index::new(net);
        for arc in pages.iter().flat_map(|page| &page.arcs) {
            let ends = [&arc.source, &arc.target].map(|end| index.node(&end.text));
            let [Some(source), Some(target)] = ends else { panic!("{arc:?}") };
            assert_ne!(
                matches!(source, Node::Place(_)),
                matches!(target, Node::Place(_)),
                "{arc:?}"
            );
        }
    }
}

/// The identifiers of the properties that have a verdict, by model and examination.
fn verdicts(folder: &Path) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut map = BTreeMap::new();
    for line in text(&folder.join("formulas.tsv")).lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let key = (cells[0].to_owned(), cells[1].to_owned());
        map.entry(key).or_insert_with(BTreeSet::new).insert(cells[2].to_owned());
    }
    map
}

#[test]
fn properties_are_read_and_speak_of_their_model() {
    let Some(folder) = shared("mcc") else { return };
    let verdicts = verdicts(&folder);
    let models: BTreeMap<PathBuf, net::Net> = files(Some(folder.clone()), "pnml")
        .into_iter()
        .map(|path| {
            let net = to_net(&document(&path), &text(&path)).expect("it is a net");
            (path.parent().expect("a folder").to_owned(), net)
        })
        .collect();
    for path in files(Some(folder), "xml") {
        let shown = path.to_string_lossy();
        let text = text(&path);
        let list = properties::read(&text, &Limits::default())
            .unwrap_or_else(|errors| panic!("{}", errors.render(&shown, &text, false)));
        assert_eq!(list.len(), 16, "{shown}");
        let instance = path.parent().expect("a folder");
        for claim in properties::claims(&list, &models[instance], Reading::Branching, &text) {
            let unknown = claim.err().filter(|errors| errors.iter().any(|e| e.code == "P0401"));
            assert_eq!(unknown, None, "{shown}");
        }
        let name = |path: &Path| path.file_stem().map(|n| n.to_string_lossy().into_owned());
        let instance = instance.file_name().expect("a name").to_string_lossy().into_owned();
        let key = (instance, name(&path).expect("a name"));
        let ids: BTreeSet<String> = list.iter().map(|property| property.id.text.clone()).collect();
        let known = &verdicts[&key];
        assert!(known.is_subset(&ids), "{shown}: {known:?}");
        let written = properties::write(&list);
        assert_eq!(properties::read(&written, &Limits::default()).as_ref(), Ok(&list), "{shown}");
    }
}
