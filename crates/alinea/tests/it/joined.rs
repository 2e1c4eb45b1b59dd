//! Models joined with word vectors, on sentences of made-up words that are translated word by word, in another order.
//!
//! Vectors know the translations, or nothing. What is found by way of `Trained` is compared with what the parts of `embedding`
//! and the models make of the same vectors and posteriors when they are called one by one.
//! `partial` has texts of which only some pairs have vectors, `gold` gold links, which teach with vectors and without.

mod gold;
mod partial;

use std::sync::Mutex;

use alinea::align::{
    Checkpoint, Decoding, ExpectedLinks, Found, FoundLink, JoinedEvidence, Objective, Request, SavedAligner, Threshold,
    Trained, TrainedModel, TrainingData, TrainingDataBuilder, Wants,
};
use alinea::alignment::{Alignment, GoldAlignment, Link};
use alinea::bitext::{Bitext, Dictionary, SentencePair, Text, Vocabulary};
use alinea::decision::{Cells, Decision, LinkKind, PairFeatures, Word};
use alinea::embedding::{
    CellCounts, Centering, Evidence, Joint, LEAST_ENTRY, Similarity, TypeVectors, entries, log_odds, range_of,
};
use alinea::error::{ErrorKind, Result};
use alinea::model::{Aligner, LinkRule, Model, ModelName, Supervision, TextForm};
use alinea::numeric::Generator;
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Observer;
use alinea::word_vectors::WordVectors;

use crate::texts::below;

/// Words of each language; number 0 is the full stop.
const WORDS: usize = 600;

/// How many numbers a vector has.
const WIDTH: usize = 32;

/// The least confidence of links where vectors are trusted wholly.
fn trusted() -> f32 {
    Decision::with_encoder(ModelName::AgreementLoo).threshold()
}

const POSTERIORS: Wants = Wants { posteriors: true, paths: false, scores: false };

/// Sentences as numbers of words, translations of each other, and which words are.
struct Toy {
    sentences: Vec<[Vec<usize>; 2]>,
    gold: Vec<Alignment>,
}

impl Toy {
    /// So many pairs of 9 to 14 words, with a full stop at the end.
    fn new(pairs: usize, seed: u64) -> Self {
        let mut generator = Generator::new(seed, 0);
        let (mut sentences, mut gold) = (Vec::new(), Vec::new());
        for _ in 0..pairs {
            let length = 8 + below(&mut generator, 6);
            let mut source = Vec::new();
            while source.len() < length {
                let word = 1 + below(&mut generator, WORDS - 1);
                if !source.contains(&word) {
                    source.push(word);
                }
            }
            let mut order: Vec<usize> = (0..length).collect();
            for n in (1..length).rev() {
                order.swap(n, below(&mut generator, n + 1));
            }
            source.push(0);
            order.push(length);
            let target = order.iter().map(|&n| source[n]).collect();
            gold.push(order.iter().zip(0..).map(|(&s, t)| Link::new(s as u32, t)).collect());
            sentences.push([source, target]);
        }
        Self { sentences, gold }
    }

    /// One pair of many, and others behind it.
    fn with_first_joined(&self, joined: usize) -> Self {
        let mut first = [Vec::new(), Vec::new()];
        let mut links = Vec::new();
        for (sentences, gold) in self.sentences.iter().zip(&self.gold).take(joined) {
            let start = [first[0].len() as u32, first[1].len() as u32];
            links.extend(gold.iter().map(|link| Link::new(start[0] + link.source, start[1] + link.target)));
            first.iter_mut().zip(sentences).for_each(|(first, sentence)| first.extend(sentence));
        }
        let sentences = std::iter::once(first).chain(self.sentences[joined..].iter().cloned()).collect();
        let gold = std::iter::once(Alignment::from_links(links)).chain(self.gold[joined..].iter().cloned()).collect();
        Self { sentences, gold }
    }

    /// The text; sentences begin with a capital letter.
    fn bitext(&self) -> Bitext {
        let text = |side: usize| {
            let mut text = Text::default();
            for sentences in &self.sentences {
                let sentence = sentences[side].iter().enumerate();
                let words: Vec<String> = sentence.map(|(n, &word)| written(side, word, n == 0)).collect();
                text.push_sentence(words.iter().map(String::as_bytes));
            }
            text
        };
        Bitext::new(text(0), text(1)).expect("as many")
    }

    /// Vectors that say which words are translations of each other, more or less, or say nothing.
    fn vectors(&self, know: bool) -> [WordVectors; 2] {
        let number = |generator: &mut Generator| (2.0 * generator.unit() - 1.0) as f32;
        let mut shared = Generator::new(7, 0);
        let meanings: Vec<f32> = (0..WORDS * WIDTH).map(|_| number(&mut shared)).collect();
        [0, 1].map(|side| {
            let mut vectors = WordVectors::new("toy.1", WIDTH);
            let mut own = Generator::new(8, 1 + side as u64);
            for sentences in &self.sentences {
                let mut sentence = Vec::new();
                for &word in &sentences[side] {
                    for meaning in &meanings[word * WIDTH..][..WIDTH] {
                        let noise = number(&mut own);
                        let known = if know { meaning + 0.5 * noise } else { noise };
                        sentence.push(known + 3.0 * (1.0 + side as f32));
                    }
                }
                vectors.push(&sentence);
            }
            vectors
        })
    }

    fn builder(&self) -> TrainingDataBuilder {
        TrainingData::of(self.bitext()).expect("words")
    }

    fn data(&self, know: Option<bool>) -> TrainingData {
        let builder = self.builder();
        let builder = match know {
            Some(know) => builder.with_vectors(self.vectors(know)),
            None => builder,
        };
        builder.build().expect("vectors of the words")
    }

    /// F of links.
    fn f(&self, found: &[Vec<FoundLink>]) -> f64 {
        assert_eq!(found.len(), self.gold.len());
        let right = |(links, gold): (&Vec<FoundLink>, &Alignment)| {
            links.iter().filter(|found| gold.contains(found.link)).count()
        };
        let right: usize = found.iter().zip(&self.gold).map(right).sum();
        let all = found.iter().map(Vec::len).sum::<usize>() + self.gold.iter().map(Alignment::len).sum::<usize>();
        2.0 * right as f64 / all as f64
    }
}

/// A word of a language. Those of two languages have no letter in common.
fn written(side: usize, word: usize, capital: bool) -> String {
    if word == 0 {
        return ".".to_owned();
    }
    let syllables = [["ba", "de", "gi", "do", "bu", "ge"], ["ky", "ls", "pr", "sy", "ts", "kr"]][side];
    let mut rest = word;
    let mut written = String::new();
    for _ in 0..4 {
        written += syllables[rest % 6];
        rest /= 6;
    }
    if capital { written[..1].to_uppercase() + &written[1..] } else { written }
}

/// Remembers warnings.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Observer for Warnings {
    fn warn(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }
}

/// What came of a text.
struct Run {
    trained: Trained,
    decoding: Decoding,
    links: Vec<Vec<FoundLink>>,
    warnings: Vec<String>,
}

fn run(request: &Request, data: &TrainingData, threads: usize) -> Run {
    let (parallelism, warnings) = (Parallelism::new(threads).unwrap(), Warnings::default());
    let work = Work { parallelism: &parallelism, observer: &warnings };
    let plan = request.plan().unwrap();
    let trained = Trained::train(plan.recipe, data, None, work).unwrap();
    let mut decoding = plan.decoding;
    trained.settle(&mut decoding, data, work).unwrap();
    let links = trained.links(data, decoding, work).unwrap();
    Run { trained, decoding, links, warnings: warnings.0.into_inner().unwrap() }
}

#[expect(clippy::needless_pass_by_value, reason = "as it is handed over")]
fn means(found: Found<'_>) -> Vec<f32> {
    found.posteriors.map_or_else(Vec::new, |posteriors| posteriors.means().collect())
}

/// The posteriors of both directions of all cells.
#[expect(clippy::needless_pass_by_value, reason = "as it is handed over")]
fn directions(found: Found<'_>) -> [Vec<f32>; 2] {
    let posteriors = found.posteriors.expect("no side is empty");
    let links: Vec<Link> = posteriors.weighted_links(0.0).into_iter().map(|found| found.link).collect();
    [
        links.iter().map(|&link| posteriors.forward(link)).collect(),
        links.iter().map(|&link| posteriors.reverse(link)).collect(),
    ]
}

/// The posteriors of both directions of the cells of a pair under the model alone.
fn posteriors_of(aligner: &Aligner, data: &TrainingData, n: usize, forgetting: bool) -> [Vec<f32>; 2] {
    let worker = aligner.worker(data.text());
    let mut worker = if forgetting { worker.forgetting() } else { worker };
    directions(Found { posteriors: worker.posteriors(n), ..Found::default() })
}

/// The same of each pair.
fn all_posteriors(trained: &Trained, data: &TrainingData) -> Vec<[Vec<f32>; 2]> {
    (0..data.pairs()).map(|n| posteriors_of(aligner(trained), data, n, false)).collect()
}

fn mean_of([forward, reverse]: &[Vec<f32>; 2]) -> Vec<f32> {
    forward.iter().zip(reverse).map(|(f, r)| 0.5 * (f + r)).collect()
}

/// What decides about pairs without vectors under the default model.
fn of_model() -> Decision {
    Decision::of(ModelName::default()).expect("it was measured")
}

/// The log-odds of the cells of a pair by a decision, given their confidences; none for those that are no candidates.
fn decided(decision: Decision, cells: Cells<'_>) -> Vec<Option<f64>> {
    let (features, columns) = (PairFeatures::new(cells), cells.words[1].len());
    let of = |(row, column)| features.is_candidate(row, column).then(|| decision.log_odds(&features, row, column));
    (0..cells.confidences.len()).map(|place| of((place / columns, place % columns))).collect()
}

/// σ, as it is defined.
fn sigmoid(log_odds: f64) -> f32 {
    (1.0 / (1.0 + (-log_odds).exp())) as f32
}

/// Refuses confidences of pairs that are not the same but for rounding.
fn assert_close(found: &[Vec<f32>], expected: &[Vec<f32>]) {
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), expected.iter().map(Vec::len).collect::<Vec<_>>());
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
}

/// The confidences of all cells of each pair.
fn confidences(trained: &Trained, data: &TrainingData) -> Vec<Vec<f32>> {
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    trained.each(data, POSTERIORS, means, work).unwrap()
}

fn aligner(trained: &Trained) -> &Aligner {
    match trained.model() {
        TrainedModel::Joint(aligner) => aligner,
        TrainedModel::Chain(_) => panic!("a joint model"),
    }
}

#[test]
fn vectors_that_know_translations_help() {
    let toy = Toy::new(40, 1);
    for model in [ModelName::AgreementLoo, ModelName::Agreement] {
        let request = Request::default().with(|c| c.model = model);
        let without = run(&request, &toy.data(None), 2);
        let with = run(&request, &toy.data(Some(true)), 2);
        let [f_without, f_with] = [&without, &with].map(|run| toy.f(&run.links));
        assert!(f_with > f_without && f_with > 0.97, "{model}: {f_without} {f_with}");
        assert_eq!(with.warnings, Vec::<String>::new());
        let evidence = with.trained.evidence().unwrap();
        assert!(evidence.divergence() > 2.0, "{}", evidence.divergence());
        assert!(without.trained.evidence().is_none());
        let own = with.trained.given_signature();
        assert!(own.starts_with("|dictionary:") && own.ends_with("|encoder:toy.1"), "{own}");
        assert!(with.trained.signature().ends_with(&own));
        assert_eq!(with.trained.given_word_pairs(), 0, "nobody gave any");
        assert!(aligner(&with.trained).given_word_pairs() > 0, "vectors did");
        if evidence.trust() >= 1.0 {
            assert_eq!(with.decoding.rule, LinkRule::Threshold(trusted()));
        }
        let threshold = Decision::of(model).map_or(0.45, |decision| decision.threshold());
        assert_eq!(without.decoding.rule, LinkRule::Threshold(threshold));
    }
}

#[test]
fn vectors_that_know_nothing_change_nothing() {
    let toy = Toy::new(40, 2);
    for model in [ModelName::AgreementLoo, ModelName::Agreement, ModelName::Quality] {
        let request = Request::default().with(|c| c.model = model);
        let (without, with) = (run(&request, &toy.data(None), 1), run(&request, &toy.data(Some(false)), 1));
        assert_eq!(with.links, without.links, "{model}");
        assert_eq!(with.decoding, without.decoding);
        assert!(with.trained.evidence().unwrap().trust() <= 0.0);
        assert_eq!(with.trained.signature(), without.trained.signature() + "|encoder:toy.1");
        assert!(without.warnings.is_empty());
        assert_eq!(with.warnings.len(), 1, "{:?}", with.warnings);
        assert!(with.warnings[0].starts_with("the encoder knows too little of this text"), "{:?}", with.warnings);
    }
}

#[test]
fn threads_change_nothing() {
    let data = Toy::new(60, 3).data(Some(true));
    let [one, three] = [1, 3].map(|threads| run(&Request::default(), &data, threads));
    assert_eq!(one.links, three.links);
    assert_eq!(confidences(&one.trained, &data), confidences(&three.trained, &data));
}

/// What `embedding` makes of vectors and of the posteriors of all cells: the centered vectors of each sentence, the scores of each
/// pair, and what they say.
struct Parts {
    centered: [Vec<Vec<f32>>; 2],
    scores: Vec<Vec<f32>>,
    evidence: Evidence,
}

impl Parts {
    fn new(vectors: &[WordVectors; 2], posteriors: &[Vec<f32>], work: Work<'_>) -> Self {
        let centered = vectors.each_ref().map(|vectors| {
            let mut sentences = vec![Vec::new(); vectors.len()];
            sentences.iter_mut().enumerate().for_each(|(n, sentence)| vectors.sentence(n, sentence));
            let centering = Centering::of(&sentences.concat(), WIDTH, work).unwrap();
            for sentence in &mut sentences {
                centering.apply(sentence);
            }
            sentences
        });
        let (mut counts, mut all) = (CellCounts::default(), Vec::new());
        for (n, posteriors) in posteriors.iter().enumerate() {
            let mut scores = Vec::new();
            Similarity::OF_WORDS.scores(&centered[0][n], &centered[1][n], WIDTH, &mut scores);
            posteriors.iter().zip(&scores).for_each(|(&posterior, &score)| counts.add(posterior, range_of(score)));
            all.push(scores);
        }
        Self { centered, scores: all, evidence: counts.evidence() }
    }

    /// The confidences of all cells of each pair: given the model, by whose decisions they are made, the words of each pair,
    /// as decisions see them, and the posteriors of both directions.
    fn joined(
        &self,
        joint: Joint,
        model: ModelName,
        words: &[[Vec<Word>; 2]],
        posteriors: &[[Vec<f32>; 2]],
    ) -> Vec<Vec<f32>> {
        let of_pair = |(n, posteriors): (usize, &[Vec<f32>; 2])| -> Vec<f32> {
            let means = mean_of(posteriors);
            let alone =
                means.iter().zip(&self.scores[n]).map(|(&mean, &score)| joint.confidence(mean, range_of(score)));
            let alone: Vec<f32> = alone.collect();
            let words = words[n].each_ref().map(Vec::as_slice);
            let posteriors = posteriors.each_ref().map(Vec::as_slice);
            let with = decided(Decision::with_encoder(model), Cells { words, posteriors, confidences: &alone });
            let without = decided(Decision::of(model).unwrap(), Cells { words, posteriors, confidences: &means });
            let confidence = |place: usize| match with[place] {
                Some(with) => sigmoid(joint.decided(with, without[place].unwrap_or(log_odds(means[place])))),
                None => alone[place],
            };
            (0..means.len()).map(confidence).collect()
        };
        posteriors.iter().enumerate().map(of_pair).collect()
    }
}

/// The words of a text as decisions see them, given the numbers that their order by frequency gives them.
fn words<'t>(text: &Bitext, ranked: impl Fn(usize) -> SentencePair<'t>) -> Vec<[Vec<Word>; 2]> {
    let of_pair = |n: usize| {
        let ranks = ranked(n);
        [(&text.source, ranks.source), (&text.target, ranks.target)].map(|(text, ranks)| {
            let ids = text.sentence(n).iter().zip(ranks);
            ids.map(|(&id, rank)| Word::new(text.vocabulary().word(id), rank.index())).collect()
        })
    };
    (0..text.len()).map(of_pair).collect()
}

/// The words of a text by what they are in lower case.
struct Forms(Vec<(String, Vec<String>)>);

impl Forms {
    fn of(vocabulary: &Vocabulary) -> Self {
        let mut forms = Self(Vec::new());
        for word in vocabulary.words() {
            let word = String::from_utf8(word.to_vec()).unwrap();
            let lower = word.to_lowercase();
            match forms.0.iter_mut().find(|(other, _)| *other == lower) {
                Some((_, of_type)) => of_type.push(word),
                None => forms.0.push((lower, vec![word])),
            }
        }
        forms
    }

    fn number(&self, lower: &str) -> usize {
        self.0.iter().position(|(other, _)| other == lower).expect("a word of the text")
    }

    fn of_type(&self, number: usize) -> &[String] {
        &self.0[number].1
    }
}

#[test]
fn confidences_are_those_of_the_parts() {
    let toy = Toy::new(30, 4);
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    // One of the first translations, which then has this weight, and one that no vectors know.
    let known = [toy.sentences[0][0][1], toy.sentences[1][0][1]];
    let mut given = Dictionary::default();
    given.push(written(0, known[0], false).as_bytes(), written(1, known[0], false).as_bytes(), 0.25).unwrap();
    given.push(written(0, known[0], false).as_bytes(), written(1, known[1], false).as_bytes(), 0.01).unwrap();
    let supervised = |dictionary: &Dictionary| Supervision::default().with(|c| c.dictionary = dictionary.clone());

    let data = toy.builder().with_supervision(supervised(&given)).with_vectors(toy.vectors(true)).build().unwrap();
    let joined = run(&Request::default(), &data, 1).trained;

    let train = |dictionary: &Dictionary| {
        let data = toy.builder().with_supervision(supervised(dictionary)).build().unwrap();
        let trained = run(&Request::default(), &data, 1).trained;
        let posteriors = all_posteriors(&trained, &data);
        (trained, posteriors)
    };
    let (first, posteriors) = train(&given);
    let parts = Parts::new(&toy.vectors(true), &posteriors.iter().map(mean_of).collect::<Vec<_>>(), work);
    assert_eq!(joined.evidence().unwrap().divergence().to_bits(), parts.evidence.divergence().to_bits());
    assert_eq!(joined.given_word_pairs(), first.given_word_pairs());

    // Types are numbered by their first word in the vocabulary.
    let text = data.text().bitext();
    let forms = [&text.source, &text.target].map(|text| Forms::of(text.vocabulary()));
    let mut types = [TypeVectors::new(WIDTH), TypeVectors::new(WIDTH)];
    for (n, sentences) in toy.sentences.iter().enumerate() {
        for (side, sentence) in sentences.iter().enumerate() {
            for (word, vector) in sentence.iter().zip(parts.centered[side][n].chunks_exact(WIDTH)) {
                types[side].add(forms[side].number(&written(side, *word, false)), vector);
            }
        }
    }
    let translations = known.map(|word| written(1, word, false));
    let is_given =
        |source: &str, target: &String| source == written(0, known[0], false) && translations.contains(target);
    let mut dictionary = given.clone();
    let mut has_several_forms = false;
    for ([s, t], score) in entries(&types[0], &types[1], LEAST_ENTRY, work).unwrap() {
        let [sources, targets] = [forms[0].of_type(s), forms[1].of_type(t)];
        has_several_forms |= sources.len() * targets.len() > 1;
        for source in sources {
            for target in targets.iter().filter(|target| !is_given(source, target)) {
                dictionary.push(source.as_bytes(), target.as_bytes(), score).unwrap();
            }
        }
    }
    assert!(has_several_forms && dictionary.len() > 100);
    let (_, posteriors) = train(&dictionary);
    let words = words(text, |n| data.text().pair(n));
    assert_eq!(
        confidences(&joined, &data),
        parts.joined(Joint::new(&parts.evidence), ModelName::default(), &words, &posteriors)
    );
}

#[test]
fn stretches_of_long_pairs_are_joined_as_pairs() {
    let long = Toy::new(60, 5).with_first_joined(30);
    let data = long.data(Some(true));
    assert_eq!(data.text().cut_pairs(long.sentences.len()), 1);
    // Where the stretches of each pair start, and how long they are.
    let stretches = |n: usize| data.text().pair(n).stretches().map(|(start, part)| (start, part.lengths()));
    let starts: Vec<Vec<([u32; 2], [usize; 2])>> = (0..data.pairs()).map(|n| stretches(n).collect()).collect();
    let vectors = [0, 1].map(|side| {
        let whole = &data.vectors().unwrap()[side];
        let mut vectors = WordVectors::new("toy.1", WIDTH);
        let mut of_pair = Vec::new();
        for (n, starts) in starts.iter().enumerate() {
            whole.sentence(n, &mut of_pair);
            for (start, lengths) in starts {
                vectors.push(&of_pair[start[side] as usize * WIDTH..][..lengths[side] * WIDTH]);
            }
        }
        vectors
    });
    // Words are written as in the long pair, with capitals only where it has them.
    let (mut source, mut target) = (Text::default(), Text::default());
    for (n, starts) in starts.iter().enumerate() {
        let pair = data.text().pair(n);
        for (start, lengths) in starts {
            let words = |side: usize| start[side] as usize..start[side] as usize + lengths[side];
            source.push_sentence(pair.source[words(0)].iter().map(|word| data.text().source_word(word.index())));
            target.push_sentence(pair.target[words(1)].iter().map(|word| data.text().target_word(word.index())));
        }
    }
    let as_pairs = TrainingData::of(Bitext::new(source, target).unwrap()).unwrap();
    let as_pairs = as_pairs.with_vectors(vectors).build().unwrap();
    assert!(as_pairs.pairs() > data.pairs());

    let (whole, in_parts) = (run(&Request::default(), &data, 2), run(&Request::default(), &as_pairs, 2));
    assert!(whole.trained.evidence().unwrap().is_trusted());
    let (of_whole, of_parts) = (confidences(&whole.trained, &data), confidences(&in_parts.trained, &as_pairs));
    let mut of_parts = of_parts.into_iter();
    for (n, starts) in starts.iter().enumerate() {
        let columns = long.sentences[n][1].len();
        let mut expected = vec![0.0; of_whole[n].len()];
        for (start, lengths) in starts {
            let part = of_parts.next().expect("a pair for each stretch");
            for (s, row) in part.chunks_exact(lengths[1]).enumerate() {
                let first = (start[0] as usize + s) * columns + start[1] as usize;
                expected[first..][..lengths[1]].copy_from_slice(row);
            }
        }
        assert_eq!(of_whole[n], expected, "pair {n}");
    }
    let without = run(&Request::default(), &long.data(None), 2);
    assert!(long.f(&whole.links) > long.f(&without.links));
}

#[test]
fn thresholds_that_are_given_are_kept() {
    let toy = Toy::new(40, 6);
    let data = toy.data(Some(true));
    let given = run(&Request::default().with(|c| c.threshold = Some(Threshold::Fixed(0.6))), &data, 1);
    assert_eq!(given.decoding.rule, LinkRule::Threshold(0.6));
    let confidences = confidences(&given.trained, &data);
    for (links, cells) in given.links.iter().zip(&confidences) {
        assert_eq!(links.len(), cells.iter().filter(|&&cell| cell >= 0.6).count());
        assert!(links.iter().all(|found| found.confidence >= Some(0.6)));
    }

    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let mut auto = Request::default().with(|c| c.objective = Some(Objective::F(0.5))).plan().unwrap().decoding;
    let choice = given.trained.settle(&mut auto, &data, work).unwrap().expect("it was to be chosen");
    let mut expected = ExpectedLinks::new(auto.possible);
    confidences.iter().flatten().for_each(|&cell| expected.add(cell));
    assert_eq!(choice, expected.choose(choice.objective));
    assert_eq!(auto.rule, LinkRule::Threshold(choice.scores.threshold));
}

#[test]
fn confidences_are_calibrated_as_what_decides_says() {
    let toy = Toy::new(40, 7);
    let request = |kind| Request::default().with(|c| c.calibrated = Some(kind));
    let possible = request(LinkKind::Possible);
    let trusted = run(&possible, &toy.data(Some(true)), 1);
    assert_eq!(trusted.decoding.calibration(), Some(Decision::with_encoder(ModelName::AgreementLoo).possible()));
    let sure = run(&request(LinkKind::Sure), &toy.data(Some(true)), 1).links;
    assert_eq!(sure, run(&Request::default(), &toy.data(Some(true)), 1).links);
    let calibration = trusted.decoding.calibration().unwrap();
    for (sure, possible) in sure.iter().flatten().zip(trusted.links.iter().flatten()) {
        assert_eq!(sure.link, possible.link);
        assert_eq!(sure.confidence.map(|sure| calibration.probability(sure)), possible.confidence);
    }
    let not_trusted = run(&possible, &toy.data(Some(false)), 1);
    assert_eq!(not_trusted.decoding.calibration(), Some(of_model().possible()));
    assert_eq!(not_trusted.links, run(&possible, &toy.data(None), 1).links);
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let toy = Toy::new(10, 8);
    let data = toy.data(Some(true));
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let error = |request: Request, checkpoint: Option<&Checkpoint>| {
        Trained::train(request.recipe().unwrap(), &data, checkpoint, work).unwrap_err().to_string()
    };
    for model in ["hmm", "ibm1", "ibm4"] {
        let message = error(Request::default().with(|c| c.model = model.parse().unwrap()), None);
        let expected = format!("encoder is for the models agreement-loo, quality and agreement, not for {model}");
        assert_eq!(message, expected);
    }
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = Checkpoint::new(folder.path().join("counts")).unwrap();
    let message = error(Request::default(), Some(&checkpoint));
    assert!(message.starts_with("checkpoint = ") && message.contains("unset with word vectors"), "{message}");

    let other = Toy::new(10, 9);
    let refused = toy.builder().with_vectors(other.vectors(true)).build().unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::Inconsistent(_)), "{refused}");
    let mut vectors = toy.vectors(true);
    let last = WIDTH * vectors[1].words_of(9);
    let mut damaged = WordVectors::new("toy.1", WIDTH);
    (0..9).for_each(|n| damaged.push_halves(vectors[1].halves(n)));
    damaged.push(&vec![f32::NAN; last]);
    vectors[1] = damaged;
    let data = toy.builder().with_vectors(vectors).build().unwrap();
    let message = Trained::train(Request::default().recipe().unwrap(), &data, None, work).unwrap_err().to_string();
    assert_eq!(message, "vectors = NaN: must be finite numbers");
}

/// A model in a file, trained on other sentences.
fn saved(toy: &Toy, model: ModelName) -> Model {
    let data = toy.data(None);
    let trained = run(&Request::default().with(|c| c.model = model), &data, 1).trained;
    let mut bytes = Vec::new();
    aligner(&trained).save(data.text(), TextForm::default(), &mut bytes).unwrap();
    Model::from_bytes(bytes).unwrap()
}

#[test]
fn saved_models_are_joined_as_they_are() {
    let (old, new) = (Toy::new(40, 10), Toy::new(40, 11));
    let model = saved(&old, ModelName::Quality);
    let bitext = new.bitext();
    let text = model.read(&bitext);
    let align = |know: Option<bool>, threads: usize| -> Result<_> {
        let (parallelism, warnings) = (Parallelism::new(threads)?, Warnings::default());
        let work = Work { parallelism: &parallelism, observer: &warnings };
        let mut decoding = Request::default().decoding_of(&model)?;
        let mut aligner = SavedAligner::new(&model, Wants::of(decoding.rule)).unwrap();
        if let Some(know) = know {
            let evidence = aligner.join(&text, new.vectors(know), work)?;
            assert_eq!(evidence.signature(), "|encoder:toy.1");
            aligner = aligner.with_evidence(evidence);
        }
        aligner.settle(&mut decoding, &text, work)?;
        let links = aligner.links(&text, decoding, work)?;
        let cells = aligner.each(&text, means, work)?;
        Ok((links, cells, decoding.rule, warnings.0.into_inner().unwrap().len()))
    };
    let (without, with) = (align(None, 1).unwrap(), align(Some(true), 1).unwrap());
    assert_eq!(align(Some(false), 1).unwrap(), (without.0.clone(), without.1.clone(), without.2, 1));
    assert!(new.f(&with.0) > new.f(&without.0) && new.f(&with.0) > 0.98, "{} {}", new.f(&without.0), new.f(&with.0));
    let threshold = Decision::with_encoder(ModelName::Quality).threshold();
    assert_eq!((with.2, with.3), (LinkRule::Threshold(threshold), 0));
    assert_eq!(align(Some(true), 3).unwrap(), with);
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let mut worker = model.worker();
    let posteriors: Vec<_> = (0..text.len())
        .map(|n| directions(Found { posteriors: worker.posteriors(&text, n), ..Found::default() }))
        .collect();
    let parts = Parts::new(&new.vectors(true), &posteriors.iter().map(mean_of).collect::<Vec<_>>(), work);
    let words = words(&bitext, |n| text.pair(n));
    let joint = Joint::without_dictionary(&parts.evidence);
    assert_eq!(with.1, parts.joined(joint, ModelName::Quality, &words, &posteriors));
    let of_pair = |(words, posteriors): (&[Vec<Word>; 2], &[Vec<f32>; 2])| {
        let (words, means) = (words.each_ref().map(Vec::as_slice), mean_of(posteriors));
        let cells = Cells { words, posteriors: posteriors.each_ref().map(Vec::as_slice), confidences: &means };
        let decided = decided(Decision::of(ModelName::Quality).unwrap(), cells).into_iter().zip(&means);
        decided.map(|(decided, &mean)| decided.map_or(mean, sigmoid)).collect::<Vec<f32>>()
    };
    assert_close(&without.1, &words.iter().zip(&posteriors).map(of_pair).collect::<Vec<_>>());
}

#[test]
fn saved_models_refuse_other_vectors() {
    let (old, new) = (Toy::new(10, 12), Toy::new(10, 13));
    let bitext = new.bitext();
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let message = |model: ModelName, toy: &Toy| {
        let model = saved(&old, model);
        let text = model.read(&bitext);
        let aligner = SavedAligner::new(&model, POSTERIORS).unwrap();
        aligner.join(&text, toy.vectors(true), work).unwrap_err().to_string()
    };
    assert!(message(ModelName::AgreementLoo, &old).contains("there are vectors of"));
    assert!(message(ModelName::Hmm, &new).starts_with("encoder is for the models agreement-loo"));
}

#[test]
fn adapted_models_are_joined() {
    let (old, new) = (Toy::new(40, 14), Toy::new(40, 15));
    let model = saved(&old, ModelName::AgreementLoo);
    let adapt = |know: Option<bool>| {
        let data = new.data(know);
        let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
        let trained = Trained::adapt(&model, 2, &data, work).unwrap();
        let mut decoding = Request::default().decoding_of(&model).unwrap();
        trained.settle(&mut decoding, &data, work).unwrap();
        (trained.links(&data, decoding, work).unwrap(), trained.given_signature())
    };
    let (without, signature) = adapt(None);
    assert_eq!(signature, "|adapt:2");
    let (with, signature) = adapt(Some(true));
    assert!(new.f(&with) > new.f(&without), "{} {}", new.f(&without), new.f(&with));
    assert!(signature.starts_with("|adapt:2|dictionary:") && signature.ends_with("|encoder:toy.1"), "{signature}");
    let (nothing, signature) = adapt(Some(false));
    assert_eq!((nothing, signature.as_str()), (without, "|adapt:2|encoder:toy.1"));
}

#[test]
fn added_text_has_no_vectors() {
    let (own, added) = (Toy::new(20, 16), Toy::new(40, 17));
    let with = |builder: TrainingDataBuilder| builder.with_added(&added.bitext(), 0.5).build().unwrap();
    let with_vectors = with(own.builder().with_vectors(own.vectors(true)));
    let (without, joined) =
        (run(&Request::default(), &with(own.builder()), 1), run(&Request::default(), &with_vectors, 1));
    assert_eq!(joined.links.len(), 20);
    assert!(own.f(&joined.links) > own.f(&without.links));
}

#[test]
fn empty_sides_have_no_links() {
    // A pair without words on one side keeps the vectors of the other, which nobody asks for.
    let mut toy = Toy::new(30, 18);
    toy.sentences[3][1].clear();
    toy.sentences[7][0].clear();
    toy.sentences[9] = [Vec::new(), Vec::new()];
    for n in [3, 7, 9] {
        toy.gold[n] = Alignment::new();
    }
    let joined = run(&Request::default(), &toy.data(Some(true)), 2);
    assert!([3, 7, 9].iter().all(|&n| joined.links[n].is_empty()));
    assert!(toy.f(&joined.links) > toy.f(&run(&Request::default(), &toy.data(None), 2).links));
}

/// Vectors have no say where links are known, right or wrong.
#[test]
fn known_links_stay_as_they_are() {
    let toy = Toy::new(40, 19);
    let known: Vec<(usize, Alignment)> = [2, 30]
        .into_iter()
        .map(|n| {
            let [source, target] = toy.sentences[n].each_ref().map(|words| words.len() as u32);
            // From the last word back.
            let links = (0..source.min(target)).map(|word| Link::new(source - 1 - word, word));
            (n, Alignment::from_links(links.collect()))
        })
        .collect();
    let links =
        known.iter().map(|(n, links)| (*n, GoldAlignment::from_parts(links.clone(), &Alignment::new()))).collect();
    let given = Supervision::default().with(|c| c.links = links);
    let data = toy.builder().with_supervision(given).with_vectors(toy.vectors(true)).build().unwrap();
    for threshold in [None, Some(Threshold::Fixed(0.9))] {
        let found = run(&Request::default().with(|c| c.threshold = threshold), &data, 2);
        assert!(found.trained.evidence().is_some_and(JoinedEvidence::is_trusted));
        for (n, links) in &known {
            let found: Vec<Link> = found.links[*n].iter().map(|found| found.link).collect();
            assert_eq!(Alignment::from_links(found), *links, "pair {n}");
        }
    }
}
