//! Saved models: what was trained comes back, to the bit, and what was not trained on makes sense.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use alinea::alignment::Link;
use alinea::bitext::{Bitext, RankedBitext, Text};
use alinea::error::Result;
use alinea::format::alignment::{AlignmentFormat, LinkReadOptions, read_records};
use alinea::format::source;
use alinea::lexicon::Probabilities;
use alinea::model::{Aligner, AlignerConfig, MODEL_VERSION, Model, Posteriors, Supervision, TextForm};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use alinea_text::storage::{Container, ContainerWriter};

use crate::texts::{Lines, below, bitext, models, sample, tiny, train, words};

/// A model that was saved and opened again.
struct Saved {
    _directory: tempfile::TempDir,
    model: Model,
}

fn bytes(aligner: &Aligner, text: &RankedBitext) -> Vec<u8> {
    let mut bytes = Vec::new();
    aligner.save(text, TextForm::default(), &mut bytes).expect("memory can be written");
    bytes
}

fn opened(bytes: &[u8]) -> Result<Saved> {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let path: PathBuf = directory.path().join("model");
    std::fs::write(&path, bytes).expect("a file for the test");
    Ok(Saved { model: Model::open(&path)?, _directory: directory })
}

/// The lines as text that was just read: other numbers than those of the text trained on.
fn unranked(lines: &[(String, String)]) -> Bitext {
    let (mut source, mut target) = (Text::default(), Text::default());
    for (s, t) in lines {
        source.push_sentence(words(s).map(str::as_bytes));
        target.push_sentence(words(t).map(str::as_bytes));
    }
    Bitext::new(source, target).expect("as many lines")
}

/// The sample, and tiny texts, some of whose lines are there twice.
fn texts() -> Vec<Lines> {
    let tiny = (0..40).map(|seed| {
        let lines = tiny(&mut Generator::new(seed, 31));
        [lines.clone(), lines[..lines.len() / 2].to_vec()].concat()
    });
    std::iter::once(sample()).chain(tiny).collect()
}

#[test]
fn the_text_trained_on_is_aligned_as_in_training() {
    for lines in texts() {
        for config in models().into_iter().chain([AlignerConfig::quality()]) {
            let text = bitext(&lines);
            let aligner = train(&text, &config);
            let saved = opened(&bytes(&aligner, &text)).unwrap();
            assert_eq!(saved.model.signature(), aligner.signature());
            // The last line first, and all lines twice.
            let again: Lines = lines.iter().rev().chain(&lines).cloned().collect();
            let (again, mut trained, mut worker) =
                (unranked(&again), aligner.worker(&text).judging(), saved.model.worker().judging());
            let new = saved.model.read(&again);
            for n in 0..again.len() {
                let original = if n < lines.len() { lines.len() - 1 - n } else { n - lines.len() };
                let pair = text.pair(original);
                let expected = trained.posteriors_and_viterbi(original);
                let ours = worker.posteriors_and_viterbi(&new, n);
                let (Some((expected, paths)), Some((ours, our_paths))) = (expected, ours) else {
                    assert!(pair.has_empty_side());
                    continue;
                };
                assert_eq!(our_paths, paths, "{}: {lines:?}", config.name);
                for (s, t) in (0..pair.source.len()).flat_map(|s| (0..pair.target.len()).map(move |t| (s, t))) {
                    let link = Link::new(s as u32, t as u32);
                    assert_eq!(ours.forward(link).to_bits(), expected.forward(link).to_bits(), "{}", config.name);
                    assert_eq!(ours.reverse(link).to_bits(), expected.reverse(link).to_bits(), "{}", config.name);
                }
                let logarithms = |posteriors: Posteriors<'_>| {
                    let likelihoods = posteriors.log_likelihoods().expect("the worker was asked");
                    [posteriors.log_weights(), likelihoods].map(|both| both.map(f64::to_bits))
                };
                assert_eq!(logarithms(ours), logarithms(expected), "{}", config.name);
            }
        }
    }
}

#[test]
fn the_same_model_is_the_same_bytes() {
    let text = bitext(&sample());
    let saved = || bytes(&train(&text, &AlignerConfig::default()), &text);
    assert_eq!(saved(), saved());
}

#[test]
fn words_that_are_new_are_found_by_stem_and_spelling() {
    let mut lines = Lines::new();
    let pairs =
        [("house", "maison"), ("flower", "fleurir"), ("garden", "jardin"), ("window", "fenetre"), ("street", "chemin")];
    for (a, b) in pairs {
        for (c, d) in pairs {
            lines.push((format!("the {a} the {c}"), format!("la {b} la {d}")));
        }
    }
    let text = bitext(&lines);
    let saved = opened(&bytes(&train(&text, &AlignerConfig::default()), &text)).unwrap();
    // "houses" and "maisons" are new, their stems are not; "obama" is new, and is spelled alike.
    let new = unranked(&[("the houses obama the gardens".to_owned(), "la maisons obamas la jardins".to_owned())]);
    let links = saved.model.worker().posteriors(&saved.model.read(&new), 0).unwrap().links(0.45);
    assert_eq!(links.to_string(), "0-0 1-1 2-2 3-3 4-4");
}

/// Pairs that end in words which are new, the same in all of them.
fn with_new_words() -> Lines {
    let known = [("house", "maison"), ("garden", "jardin"), ("window", "fenêtre"), ("street", "rue")];
    known.map(|(a, b)| (format!("the {a} zyx"), format!("la {b} qwo"))).to_vec()
}

#[test]
fn adapting_teaches_what_the_model_does_not_know() {
    let text = bitext(&sample());
    for config in [AlignerConfig::agreement_loo(), AlignerConfig::agreement()] {
        let saved = opened(&bytes(&train(&text, &config), &text)).unwrap();
        let (new, unranked) = (bitext(&with_new_words()), unranked(&with_new_words()));
        let adapt = |threads| {
            Aligner::adapt(&saved.model, &new, 3, &Supervision::default(), &Parallelism::new(threads).unwrap(), &Silent)
                .unwrap()
        };
        let means =
            |aligner: &Aligner, n: usize| aligner.worker(&new).posteriors(n).unwrap().means().collect::<Vec<_>>();
        let (one, three, mut frozen) = (adapt(1), adapt(3), saved.model.worker());
        let read = saved.model.read(&unranked);
        for n in 0..new.len() {
            let (ours, others) = (means(&one, n), means(&three, n));
            assert!(ours.iter().map(|p| p.to_bits()).eq(others.iter().map(|p| p.to_bits())));
            let before: Vec<f32> = frozen.posteriors(&read, n).unwrap().means().collect();
            // The last source word with the last target word.
            assert!(ours[8] > 0.9 && ours[8] > before[8], "{}: {} for {}", config.name, ours[8], before[8]);
        }
    }
}

/// A word has no more to give than one, and little is left for pairs that the text does not have if it is the text that
/// the model was trained on.
#[test]
fn adapted_probabilities_add_up() {
    let lines = sample();
    let text = bitext(&lines);
    for config in [AlignerConfig::agreement_loo(), AlignerConfig::agreement()] {
        let saved = opened(&bytes(&train(&text, &config), &text)).unwrap();
        for (new, least) in [(bitext(&lines), 0.8), (bitext(&lines[..7]), 0.0), (bitext(&with_new_words()), 0.0)] {
            let adapted =
                Aligner::adapt(&saved.model, &new, 2, &Supervision::default(), &Parallelism::serial(), &Silent)
                    .unwrap();
            let mut sums = vec![0.0; new.source_frequencies().len()];
            let index = adapted.index();
            index.for_each_pair(index.rows(), |id, source, _| {
                sums[source] += f64::from(adapted.parameters().translation.probability(id as u32)[0]);
            });
            for (sum, &frequency) in sums.iter().zip(new.source_frequencies()) {
                assert!(*sum <= 1.0 + 1e-4 && *sum > 0.0, "{}: {sum}", config.name);
                assert!(frequency < 5 || *sum >= least, "{}: {sum}", config.name);
            }
        }
    }
}

#[test]
fn what_cannot_be_adapted_is_said() {
    let text = bitext(&sample()[..20]);
    let adapt = |config: &AlignerConfig, new: &RankedBitext, passes: u32| {
        let saved = opened(&bytes(&train(&text, config), &text)).unwrap();
        Aligner::adapt(&saved.model, new, passes, &Supervision::default(), &Parallelism::serial(), &Silent)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let default = AlignerConfig::default();
    let allowed = "adapt is for the models agreement-loo, quality and agreement, not for hmm";
    assert_eq!(adapt(&AlignerConfig::hmm(), &text, 2), allowed);
    assert_eq!(adapt(&default, &text, 0), "adapt = 0: must be 1 to 1000 passes");
    let empty = bitext(&[("a", ""), ("", "b")]);
    assert_eq!(adapt(&default, &empty, 2), "nothing to align: each of the 2 sentence pairs has an empty side");
    assert_eq!(
        adapt(&default, &bitext(&Lines::new()), 2),
        "nothing to align: each of the 0 sentence pairs has an empty side"
    );
}

#[test]
fn every_truncation_and_every_damaged_byte_is_refused_or_harmless() {
    let text = bitext(&sample()[..40]);
    let bytes = bytes(&train(&text, &AlignerConfig::default()), &text);
    for len in (0..bytes.len()).step_by(997) {
        assert!(opened(&bytes[..len]).is_err(), "{len}");
    }
    let mut generator = Generator::new(5, 1);
    let lines = unranked(&sample()[..50]);
    let header = 8 + usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    let mut opened_all_the_same = 0;
    for round in 0..2000 {
        let mut damaged = bytes.clone();
        // Half of them in the header, where lengths are.
        let range = if round % 2 == 0 { header } else { bytes.len() };
        for _ in 0..=round % 8 {
            let place = below(&mut generator, range);
            damaged[place] = below(&mut generator, 256) as u8;
        }
        if let Ok(saved) = opened(&damaged) {
            opened_all_the_same += 1;
            let (new, mut worker) = (saved.model.read(&lines), saved.model.worker());
            for n in 0..lines.len() {
                if let Some(posteriors) = worker.posteriors(&new, n) {
                    let _ = posteriors.links(0.45);
                }
            }
        }
    }
    assert!(opened_all_the_same > 0);
}

#[test]
fn other_versions_are_named() {
    let text = bitext(&sample()[..10]);
    let bytes = bytes(&train(&text, &AlignerConfig::ibm1()), &text);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    std::fs::write(&path, &bytes).unwrap();
    let header =
        Container::open(&path).unwrap().text().replace(&format!("\"version\":{MODEL_VERSION}"), "\"version\":7");
    let mut other = Vec::new();
    ContainerWriter::new(header).write(&mut other).unwrap();
    let error = opened(&other).map(|_| ()).unwrap_err().to_string();
    let expected = format!(
        "expected a model of version {MODEL_VERSION} (this is alinea {version}), found version 7, written by alinea {version}",
        version = env!("CARGO_PKG_VERSION")
    );
    assert!(error.ends_with(&expected), "{error}");
}

/// A model that was written once must open for ever, or be refused with both versions named.
#[test]
fn a_model_of_the_first_version_opens() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut bytes = Vec::new();
    source::open(vectors.join("model-1.alinea.zst")).unwrap().read_to_end(&mut bytes).unwrap();
    let saved = match opened(&bytes) {
        Ok(saved) => saved,
        Err(error) => {
            let message = error.to_string();
            assert_ne!(MODEL_VERSION, 1, "{message}");
            assert!(message.contains("expected checksums, found none"), "{message}");
            assert!(message.contains("version 1, written by alinea 0.1.0"), "{message}");
            return;
        }
    };
    let path = vectors.join("model-1.posteriors");
    let expected = read_records(path, AlignmentFormat::Pharaoh, &LinkReadOptions::default()).unwrap();
    let lines = unranked(&sample()[..12]);
    let (new, mut worker) = (saved.model.read(&lines), saved.model.worker());
    for (n, expected) in expected.iter().enumerate() {
        let found = worker.posteriors(&new, n).expect("no side is empty");
        assert!(found.weighted_links(0.011).len() <= expected.links.len(), "pair {n}");
        for record in &expected.links {
            let weight = record.weight.expect("posteriors have weights");
            assert!((found.mean(record.link) - weight).abs() < 1e-3, "pair {n}, {}", record.link);
        }
    }
}
