//! Tasks that are planned, against those that begin.

use std::sync::Mutex;

use alinea::bitext::RankedBitext;
use alinea::model::ibm::{IbmAligner, IbmConfig, IbmModel, IbmSchedule};
use alinea::model::{Aligner, AlignerConfig, Schedule};
use alinea::parallel::Parallelism;
use alinea::progress::{Observer, Step};

use crate::texts::{bitext, sample};

/// Remembers what was planned and, in order, what began.
#[derive(Default)]
struct Recorder(Mutex<(Vec<Step>, Vec<String>)>);

impl Observer for Recorder {
    fn planned(&self, steps: &[Step]) {
        let mut recorded = self.0.lock().unwrap();
        let (planned, started) = &mut *recorded;
        for step in steps.iter().filter(|step| !started.contains(&step.task)) {
            if !planned.iter().any(|other| other.task == step.task) {
                planned.push(step.clone());
            }
        }
    }

    fn started(&self, task: &str, _: u64) {
        self.0.lock().unwrap().1.push(task.to_owned());
    }
}

fn text() -> RankedBitext {
    bitext(&sample()[..40])
}

/// How many tasks were planned, all of which began, each once; and what they take.
fn planned(recorder: Recorder) -> (usize, u64) {
    let (planned, started) = recorder.0.into_inner().unwrap();
    for Step { task, .. } in &planned {
        assert_eq!(started.iter().filter(|other| *other == task).count(), 1, "{task} of {started:?}");
    }
    (planned.len(), planned.iter().map(|step| step.cost).sum())
}

#[test]
fn passes_that_are_planned_begin() {
    let schedule = Some(Schedule { ibm1: 2, hmm: 3 });
    let plan = |config: AlignerConfig| {
        let recorder = Recorder::default();
        Aligner::train(&text(), config.with(|c| c.schedule = schedule), &Parallelism::serial(), &recorder).unwrap();
        planned(recorder)
    };
    assert_eq!(plan(AlignerConfig::agreement_loo()), (5, 2 + 3 * 4));
    // Three models of subwords, each with the same passes and one task more.
    assert_eq!(plan(AlignerConfig::quality()).0, 5 + 3 * 6);
}

#[test]
fn passes_of_chains_that_are_planned_begin() {
    let plan = |stages: Vec<(IbmModel, u32)>| {
        let recorder = Recorder::default();
        let config = IbmConfig::new(IbmSchedule::new(stages).unwrap());
        IbmAligner::train(&text(), &config, &Parallelism::serial(), &recorder).unwrap();
        planned(recorder).0
    };
    assert_eq!(plan(vec![(IbmModel::Diagonal, 3)]), 6);
    // Model 1 and the HMM are trained in both directions at once.
    assert_eq!(plan(vec![(IbmModel::Ibm1, 2), (IbmModel::Hmm, 1), (IbmModel::Ibm3, 2)]), 3 + 2 * 2);
    assert_eq!(plan(vec![(IbmModel::Ibm1, 2), (IbmModel::Ibm2, 1)]), 6);
}
