//! Any text, as a trace in JSON: what is read can be written and read again; what is replayed is a run, and
//! all forms of it can be written.

use std::sync::LazyLock;

use net::Net;
use net::interpret;
use random::Random;
use trace::{Trace, TraceFormat};

static MODELS: LazyLock<Vec<Net>> = LazyLock::new(super::models);

pub(crate) fn run(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    let record = match trace::read(&text) {
        Ok(record) => record,
        Err(error) => return super::kind(&error.to_string()),
    };
    let written = record.to_json().to_string();
    let again = trace::read(&written).expect("what is written can be read");
    assert_eq!(again.to_json().to_string(), written);
    let net = MODELS.iter().find(|net| net.name == record.model).unwrap_or(&MODELS[0]);
    let trace = match record.replay(net) {
        Ok(trace) => trace,
        Err(mismatch) => return super::kind(&mismatch.to_string()),
    };
    check(net, &trace);
    for format in TraceFormat::ALL {
        assert!(!trace.write(format, net, None).is_empty());
    }
    format!("ok {} {} {}", net.name, trace.run.steps.len(), trace.back.is_some())
}

/// Every step of it is one.
fn check(net: &Net, trace: &Trace) {
    let mut state = interpret::initial(net);
    for step in &trace.run.steps {
        let modes = interpret::modes(net, &state, step.mode.transition).expect("no fault");
        assert!(modes.contains(&step.mode), "{:?}", step.mode);
        state = interpret::fire(net, &state, &step.mode).expect("no fault").state;
        assert_eq!(state, step.state);
    }
}

/// Runs of the models of the project.
pub(crate) fn examples() -> Vec<Vec<u8>> {
    let random = &mut Random::new(1);
    let texts = MODELS.iter().flat_map(|net| {
        [0, 2, 9].map(|steps| {
            let trace = Trace::from(super::run(net, steps, random));
            trace.write(TraceFormat::Json, net, None).into_bytes()
        })
    });
    let example = std::fs::read(crate::corpus::project().join("docs/traces/pool.json"));
    texts.chain([example.expect("the example can be read")]).collect()
}
