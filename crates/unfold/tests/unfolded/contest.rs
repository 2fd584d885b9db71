//! The contest's StateSpace examination, where its models lie beside the project: in `../shared`,
//! seen from its root. Without them this test has nothing to do.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use budget::Budget;
use symbolic::Translation;
use unfold::{Diagram, DiagramLimits, PlaceOrder, UnfoldLimits, UnfoldedNet};

/// Evaluation steps, for each instance; the others take a second and more.
const STEPS: u64 = 1 << 18;

#[test]
fn answers_are_those_of_the_contest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/mcc");
    let Ok(table) = fs::read_to_string(folder.join("statespace.tsv")) else { return };
    let mut answered = 0;
    for line in table.lines().skip(1).filter(|line| !line.contains("+inf")) {
        let cells: Vec<&str> = line.split('\t').collect();
        let model = folder.join(cells[0]).join(cells[1]).join("model.pnml");
        let text = fs::read_to_string(model).unwrap();
        let document = pnml::read(&text, &pnml::Limits::default()).unwrap();
        let net = Arc::new(pnml::to_net(&document, &text).unwrap());
        let translation = Translation::of(&net, &Budget::unlimited()).unwrap();
        let limits = UnfoldLimits { places: 1000, ..UnfoldLimits::default() };
        let Ok(unfolded) = UnfoldedNet::of(translation.symmetric_net(), &limits) else { continue };
        let order = PlaceOrder::candidates(&unfolded, &Budget::unlimited()).swap_remove(0);
        let limits = DiagramLimits { steps: Some(STEPS), ..DiagramLimits::default() };
        let Ok(mut diagram) = Diagram::of(unfolded, vec![order], &limits) else { continue };
        let census = diagram.census().unwrap();
        let answers = [
            census.states.to_string(),
            census.edges.to_string(),
            census.most_tokens.to_string(),
            census.most_in_place.to_string(),
        ];
        assert_eq!(answers.as_slice(), &cells[2..], "{}", cells[1]);
        answered += 1;
    }
    assert!(answered >= 28, "only {answered}");
}
