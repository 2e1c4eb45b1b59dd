//! Long sentence pairs are aligned in stretches: by every model exactly as if each stretch had been a pair of the text.

use alinea::align::Trained;
use alinea::alignment::{Alignment, GoldAlignment, Link};
use alinea::bitext::{Bitext, RankedBitext, SentencePair, Text, WordId};
use alinea::model::ibm::{IbmAligner, IbmConfig};
use alinea::model::{Aligner, AlignerConfig, Model, Supervision, TextForm};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;

use crate::texts::{Lines, bitext, models, sample, train};

/// The sample with its first 90 lines joined into three.
fn joined() -> RankedBitext {
    joined_lines(90, 150)
}

/// The first lines of the sample, up to `end`, of which those up to `long` are joined by thirty.
fn joined_lines(long: usize, end: usize) -> RankedBitext {
    let lines = sample();
    let join = |lines: &[(String, String)]| -> (String, String) {
        let side = |of: fn(&(String, String)) -> &str| lines.iter().map(of).collect::<Vec<_>>().join(" ");
        (side(|pair| &pair.0), side(|pair| &pair.1))
    };
    let all: Lines = lines[..long].chunks(30).map(join).chain(lines[long..end].iter().cloned()).collect();
    bitext(&all)
}

/// Where the stretches of a pair start and end.
fn stretches(pair: SentencePair<'_>) -> Vec<[[u32; 2]; 2]> {
    let end = [pair.source.len() as u32, pair.target.len() as u32];
    let ends = pair.cuts.iter().copied().chain([end]);
    std::iter::once([0, 0]).chain(pair.cuts.iter().copied()).zip(ends).map(|(start, end)| [start, end]).collect()
}

/// The text with each stretch as a pair, and for each pair how many there are and where they start.
fn apart(text: &RankedBitext) -> (RankedBitext, Vec<Vec<[u32; 2]>>) {
    let (mut source, mut target) = (Text::default(), Text::default());
    let mut starts = Vec::new();
    for n in 0..text.len() {
        let (pair, stretches) = (text.pair(n), stretches(text.pair(n)));
        for [start, end] in &stretches {
            let part = |words: &'_ [WordId], side: usize| words[start[side] as usize..end[side] as usize].to_vec();
            source.push_sentence(part(pair.source, 0).iter().map(|word| text.source_word(word.index())));
            target.push_sentence(part(pair.target, 1).iter().map(|word| text.target_word(word.index())));
        }
        starts.push(stretches.iter().map(|[start, _]| *start).collect());
    }
    (RankedBitext::new(Bitext::new(source, target).expect("as many")), starts)
}

/// Links of stretches as links of their pairs.
fn together(starts: &[Vec<[u32; 2]>], mut links: impl FnMut(usize) -> Alignment) -> Vec<Alignment> {
    let mut number = 0..;
    let mut of_stretch = |[s, t]: [u32; 2]| {
        let links = links(number.next().expect("numbers do not end"));
        links.iter().map(|link| Link::new(s + link.source, t + link.target)).collect::<Vec<_>>()
    };
    starts.iter().map(|starts| starts.iter().flat_map(|&start| of_stretch(start)).collect()).collect()
}

/// The links of each pair: by posteriors, and the best paths.
fn links(aligner: &Aligner, text: &RankedBitext) -> Vec<[Alignment; 3]> {
    let mut worker = aligner.worker(text);
    let mut of_pair = |n| {
        let (posteriors, [forward, reverse]) = worker.posteriors_and_viterbi(n).expect("words");
        [posteriors.links(0.3), forward, reverse]
    };
    (0..text.len()).map(&mut of_pair).collect()
}

#[test]
fn every_model_aligns_stretches_as_pairs() {
    let text = joined();
    assert_eq!((text.cut_pairs(text.len()), text.cut_pairs(2)), (3, 2));
    for config in models() {
        check_stretches(&text, &config);
    }
}

#[test]
fn stretches_are_aligned_as_pairs_with_subwords() {
    check_stretches(&joined_lines(30, 60), &AlignerConfig::quality());
}

fn check_stretches(text: &RankedBitext, config: &AlignerConfig) {
    let (parts, starts) = apart(text);
    assert!(parts.len() > text.len() && parts.cut_pairs(parts.len()) == 0);
    let (whole, in_parts) = (train(text, config), train(&parts, config));
    let saved = tempfile::NamedTempFile::new().expect("a file for the test");
    whole.save(text, TextForm::default(), &mut saved.as_file()).expect("it can be written");
    let model = Model::open(saved.path()).expect("it was just written");
    let new = model.read(text.bitext());
    let mut worker = model.worker();
    let (found, of_parts) = (links(&whole, text), links(&in_parts, &parts));
    let expected = [0, 1, 2].map(|kind| together(&starts, |n| of_parts[n][kind].clone()));
    for (n, found) in found.iter().enumerate() {
        let expected = expected.each_ref().map(|of_kind| of_kind[n].clone());
        assert_eq!(found, &expected, "{} {n}", config.name);
        let (posteriors, [forward, reverse]) = worker.posteriors_and_viterbi(&new, n).expect("words");
        assert!(!posteriors.is_new() || config.prior.is_none() || !config.leave_one_out);
        assert_eq!([posteriors.links(0.3), forward, reverse], expected, "{} {n}, saved", config.name);
    }
}

#[test]
fn posteriors_of_a_long_pair_are_those_of_its_stretches() {
    let text = joined();
    let (parts, starts) = apart(&text);
    let config = AlignerConfig::default();
    let (whole, in_parts) = (train(&text, &config), train(&parts, &config));
    let (mut of_whole, mut of_parts) = (whole.worker(&text).judging(), in_parts.worker(&parts).judging());
    let pair = text.pair(0);
    let posteriors = of_whole.posteriors(0).expect("words");
    let (mut sum, mut inside) = (0.0, 0.0);
    for link in (0..pair.source.len() as u32).flat_map(|s| (0..pair.target.len() as u32).map(move |t| Link::new(s, t)))
    {
        sum += f64::from(posteriors.mean(link));
    }
    let mut expected = [[0.0; 2]; 2];
    for (number, &[s, t]) in starts[0].iter().enumerate() {
        let stretch = parts.pair(number);
        let found = of_parts.posteriors(number).expect("words");
        let logs = [found.log_weights(), found.log_likelihoods().expect("a judging worker")];
        for (sums, logs) in expected.iter_mut().zip(logs) {
            sums.iter_mut().zip(logs).for_each(|(sum, log)| *sum += log);
        }
        for source in 0..stretch.source.len() as u32 {
            for target in 0..stretch.target.len() as u32 {
                let link = Link::new(source, target);
                let same = posteriors.mean(Link::new(s + source, t + target)).to_bits();
                assert_eq!(found.mean(link).to_bits(), same);
                inside += f64::from(found.mean(link));
            }
        }
    }
    assert!((sum - inside).abs() < 1e-6, "there is something outside");
    assert_eq!([posteriors.log_weights(), posteriors.log_likelihoods().expect("a judging worker")], expected);
    assert_eq!(whole.evidence(&text).of(0), Some(expected[1]));
}

#[test]
fn chains_align_stretches_as_pairs() {
    let text = joined();
    let (parts, starts) = apart(&text);
    for schedule in ["ibm1:3,ibm2:2", "ibm1:2,hmm:2,ibm3:1,ibm4:1,ibm5:1", "diagonal:3", "ibm1:1,hmm:2"] {
        let config = IbmConfig::new(schedule.parse().expect("a schedule"));
        let train = |text| IbmAligner::train(text, &config, &Parallelism::serial(), &Silent).expect("there are words");
        let (whole, in_parts) = (train(&text), train(&parts));
        for direction in 0..2 {
            let expected = together(&starts, |n| in_parts.paths(n)[direction].clone());
            for (n, expected) in expected.iter().enumerate() {
                assert_eq!(&whole.paths(n)[direction], expected, "{schedule} {n}");
            }
        }
        if whole.check_posteriors().is_ok() {
            let (mut worker, mut of_parts) = (whole.worker(&text), in_parts.worker(&parts));
            let expected = together(&starts, |n| of_parts.posteriors(n).expect("words").links(0.3));
            for (n, expected) in expected.iter().enumerate() {
                assert_eq!(&worker.posteriors(n).expect("words").links(0.3), expected, "{schedule} {n}");
            }
        }
    }
}

#[test]
fn what_is_expected_of_long_pairs_is_what_is_expected_of_their_stretches() {
    let text = joined();
    let (parts, _) = apart(&text);
    let expected = |text: RankedBitext| {
        let trained = Trained::from(train(&text, &AlignerConfig::default()));
        let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
        trained.expected_links(&text.into(), None, work).expect("nobody cancels").scores(0.5)
    };
    assert_eq!(expected(text), expected(parts));
}

#[test]
fn links_given_for_a_long_pair_are_kept_to_within_stretches() {
    let text = joined();
    // Each fifth word of a stretch with the word at the same distance from its start.
    let given: Vec<Link> = stretches(text.pair(1))
        .into_iter()
        .flat_map(|[start, end]| {
            let length = (end[0] - start[0]).min(end[1] - start[1]);
            (0..length).step_by(5).map(move |k| Link::new(start[0] + k, start[1] + k))
        })
        .collect();
    let links = GoldAlignment::from_parts(given.iter().copied().collect(), &Alignment::new());
    let supervision = Supervision::default().with(|c| c.links = vec![(1, links)]);
    let config = AlignerConfig::default();
    let aligner = Aligner::train_with(&text, config, &supervision, &Parallelism::serial(), &Silent).expect("words");
    let found = &self::links(&aligner, &text)[1][0];
    assert!(given.iter().all(|&link| found.contains(link)));
    assert_eq!(supervision.across_stretches(&text), []);
    // From the first stretch to the last, in a pair that is cut and in one that is not.
    let far = |n: usize| Link::new(0, text.pair(n).target.len() as u32 - 1);
    let links =
        |n: usize| GoldAlignment::from_parts([far(n), Link::new(0, 0)].into_iter().collect(), &Alignment::new());
    let apart = Supervision::default().with(|c| c.links = vec![(1, links(1)), (5, links(5))]);
    assert_eq!(apart.across_stretches(&text), [(1, far(1))]);
    let outside = GoldAlignment::from_parts([Link::new(9999, 0)].into_iter().collect(), &Alignment::new());
    let supervision = Supervision::default().with(|c| c.links = vec![(1, outside)]);
    let refused = Aligner::train_with(&text, AlignerConfig::default(), &supervision, &Parallelism::serial(), &Silent)
        .unwrap_err();
    assert!(refused.to_string().contains("pair 2: link 9999-0 is out of range"), "{refused}");
}
