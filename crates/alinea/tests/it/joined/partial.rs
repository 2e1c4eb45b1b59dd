//! Texts of which only some pairs have vectors, and soft links, by which the others learn from these.

use std::sync::Mutex;

use alinea::align::{EncodedPairs, Found, PairEncoder, Request, SavedAligner, Trained, TrainingData, Wants};
use alinea::alignment::{Alignment, GoldAlignment, Link, WeightedLink};
use alinea::bitext::{Bitext, Text};
use alinea::decision::Cells;
use alinea::embedding::Joint;
use alinea::error::Result;
use alinea::model::{LinkRule, Model, ModelName, SoftLinks, Supervision, TextForm};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::{Observer, Step};
use alinea::word_vectors::WordVectors;

use super::{
    POSTERIORS, Parts, Run, Toy, WIDTH, Warnings, aligner, all_posteriors, assert_close, confidences, decided,
    directions, mean_of, of_model, posteriors_of, run, saved, sigmoid, words,
};

/// The vectors of some pairs; the others have none.
fn of_some(vectors: &[WordVectors; 2], is_encoded: impl Fn(usize) -> bool) -> [WordVectors; 2] {
    vectors.each_ref().map(|all| {
        let mut some = WordVectors::new(all.origin(), WIDTH);
        for n in 0..all.len() {
            some.push_halves(if is_encoded(n) { all.halves(n) } else { &[] });
        }
        some
    })
}

fn is_even(n: usize) -> bool {
    n.is_multiple_of(2)
}

/// The text with vectors of every other pair.
fn half_encoded(toy: &Toy, know: bool) -> TrainingData {
    toy.builder().with_vectors(of_some(&toy.vectors(know), is_even)).build().expect("vectors of the words")
}

/// Every other element, from the second.
fn odd<T: Clone>(all: &[T]) -> Vec<T> {
    all.iter().skip(1).step_by(2).cloned().collect()
}

#[test]
fn other_pairs_learn_from_encoded_ones() {
    let toy = Toy::new(80, 19);
    let others = Toy { sentences: odd(&toy.sentences), gold: odd(&toy.gold) };
    for model in [ModelName::AgreementLoo, ModelName::Quality] {
        let request = Request::default().with(|c| c.model = model);
        let (without, with) = (run(&request, &toy.data(None), 2), run(&request, &half_encoded(&toy, true), 2));
        assert!(toy.f(&with.links) > toy.f(&without.links), "{model}");
        let [f_without, f_with] = [&without, &with].map(|run| others.f(&odd(&run.links)));
        assert!(f_with > f_without, "{model}: {f_without} {f_with}");
        assert_eq!(with.warnings, Vec::<String>::new());
        let signature = with.trained.given_signature();
        assert!(signature.ends_with("|soft-links:40|encoder:toy.1|encoded:40"), "{signature}");
    }
    // Added text learns, too.
    let builder = toy.builder().with_added(&Toy::new(10, 20).bitext(), 0.5);
    let data = builder.with_vectors(toy.vectors(true)).build().unwrap();
    let signature = run(&Request::default(), &data, 1).trained.given_signature();
    assert!(signature.ends_with("|soft-links:80|encoder:toy.1"), "{signature}");
    assert!(!run(&Request::default(), &toy.data(Some(true)), 1).trained.given_signature().contains("soft-links"));
}

#[test]
fn what_vectors_say_of_words_holds_for_other_links() {
    let toy = Toy::new(40, 23);
    let hard = |n: usize| (n, GoldAlignment::from_parts(toy.gold[n].clone(), &Alignment::new()));
    let of = |data: &TrainingData| confidences(&run(&Request::default(), data, 2).trained, data);
    // The vectors were looked at by the first training.
    let data = toy.data(Some(true));
    let before = of(&data);
    let again = of(&data.with_links(vec![hard(0), hard(7)]).unwrap());
    assert_eq!(again, of(&toy.data(Some(true)).with_links(vec![hard(0), hard(7)]).unwrap()));
    assert_ne!(again, before);
    // Others have to be looked at.
    let unknown = data.with_vectors(toy.vectors(false)).unwrap();
    assert_eq!(of(&unknown), of(&toy.data(Some(false))));
}

#[test]
fn a_part_that_knows_nothing_changes_nothing() {
    let toy = Toy::new(40, 21);
    let (data, plain) = (half_encoded(&toy, false), toy.data(None));
    let (without, with) = (run(&Request::default(), &plain, 1), run(&Request::default(), &data, 1));
    assert_eq!((&with.links, with.decoding), (&without.links, without.decoding));
    assert_eq!(confidences(&with.trained, &data), confidences(&without.trained, &plain));
    assert_eq!(with.trained.signature(), without.trained.signature() + "|encoder:toy.1|encoded:20");
    assert_eq!(with.warnings.len(), 1, "{:?}", with.warnings);
}

#[test]
fn pairs_without_vectors_have_the_links_of_the_model() {
    let toy = Toy::new(60, 22);
    let data = half_encoded(&toy, true);
    let Run { trained, decoding, links, .. } = run(&Request::default(), &data, 2);
    let LinkRule::Threshold(least) = decoding.rule else { panic!("{:?}", decoding.rule) };
    assert!((0.2..0.5).contains(&least), "{least}");
    let shift = (f64::from(least) / (1.0 - f64::from(least))).ln() - of_model().least_log_odds();
    let cells = confidences(&trained, &data);
    let words = words(data.text().bitext(), |n| data.text().pair(n));
    for n in (0..60).filter(|&n| !is_even(n)) {
        let posteriors = posteriors_of(aligner(&trained), &data, n, false);
        let (words, means) = (words[n].each_ref().map(Vec::as_slice), mean_of(&posteriors));
        let of_pair = Cells { words, posteriors: posteriors.each_ref().map(Vec::as_slice), confidences: &means };
        let decided = decided(of_model(), of_pair);
        let expected = decided.iter().zip(&means);
        let expected = expected.map(|(decided, &mean)| decided.map_or(mean, |odds| sigmoid(odds + shift)));
        assert_close(&cells[n..=n], &[expected.collect::<Vec<f32>>()]);
        let found = decided.iter().filter(|&&decided| decided >= Some(of_model().least_log_odds())).count();
        assert_eq!(links[n].len(), found, "pair {n}");
    }
}

#[test]
fn encoded_pairs_are_joined_with_what_the_other_pairs_say() {
    let toy = Toy::new(60, 23);
    let (data, plain) = (half_encoded(&toy, true), toy.data(None));
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let first = run(&Request::default(), &plain, 1).trained;
    let trained = run(&Request::default(), &data, 1).trained;
    let even = |cells: &[Vec<f32>]| -> Vec<Vec<f32>> { cells.iter().step_by(2).cloned().collect() };
    // The vectors of encoded pairs alone.
    let encoded = toy.vectors(true).map(|all| {
        let mut vectors = WordVectors::new("toy.1", WIDTH);
        (0..all.len()).step_by(2).for_each(|n| vectors.push_halves(all.halves(n)));
        vectors
    });
    let means: Vec<Vec<f32>> = all_posteriors(&first, &plain).iter().map(mean_of).collect();
    let parts = Parts::new(&encoded, &even(&means), work);
    assert_eq!(trained.evidence().unwrap().divergence().to_bits(), parts.evidence.divergence().to_bits());
    let posteriors = |forgetting| -> Vec<[Vec<f32>; 2]> {
        (0..60).step_by(2).map(|n| posteriors_of(aligner(&trained), &data, n, forgetting)).collect()
    };
    let words: Vec<_> = words(data.text().bitext(), |n| data.text().pair(n)).into_iter().step_by(2).collect();
    let found = even(&confidences(&trained, &data));
    assert_eq!(found, parts.joined(Joint::new(&parts.evidence), ModelName::default(), &words, &posteriors(true)));
    assert_ne!(posteriors(true), posteriors(false), "what was given is part of what was counted");
}

#[test]
fn threads_change_nothing_where_some_pairs_are_encoded() {
    let data = half_encoded(&Toy::new(60, 24), true);
    let [one, three] = [1, 3].map(|threads| run(&Request::default(), &data, threads));
    assert_eq!(one.links, three.links);
    assert_eq!(confidences(&one.trained, &data), confidences(&three.trained, &data));
}

#[test]
fn vectors_may_come_after_training() {
    let toy = Toy::new(50, 25);
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let recipe = Request::default().recipe().unwrap();
    let plain = toy.data(None);
    let trained = Trained::train(recipe, &plain, None, work).unwrap();

    // By definition: the greatest sums of p (1 - p), until they have half of the words.
    let sums: Vec<f64> = all_posteriors(&trained, &plain)
        .iter()
        .map(|posteriors| mean_of(posteriors).iter().map(|&p| f64::from(p) * (1.0 - f64::from(p))).sum())
        .collect();
    let mut order: Vec<usize> = (0..50).collect();
    order.sort_by(|&a, &b| sums[b].total_cmp(&sums[a]));
    let words = |n: usize| toy.sentences[n][0].len() + toy.sentences[n][1].len();
    let all: usize = (0..50).map(words).sum();
    let mut expected: Vec<usize> = Vec::new();
    while 2 * expected.iter().map(|&n| words(n)).sum::<usize>() < all {
        expected.push(order[expected.len()]);
    }
    expected.sort_unstable();
    let numbers = trained.least_certain(&plain, 0.5, work).unwrap();
    assert_eq!(numbers, expected);

    let vectors = of_some(&toy.vectors(true), |n| numbers.contains(&n));
    let data = plain.with_vectors(vectors).unwrap();
    let joined = trained.join(None, &data, work).unwrap();
    let at_once = run(&Request::default(), &data, 1).trained;
    assert_eq!(joined.signature(), at_once.signature());
    assert_eq!(confidences(&joined, &data), confidences(&at_once, &data));
}

/// What gives the vectors of a text to pairs of it, as an encoder does.
fn encode(toy: &Toy) -> impl Fn(&[usize], Work<'_>) -> Result<[WordVectors; 2]> {
    let vectors = toy.vectors(true);
    move |numbers: &[usize], _: Work<'_>| {
        assert!(numbers.is_sorted());
        Ok(vectors.each_ref().map(|all| {
            let mut some = WordVectors::new(all.origin(), WIDTH);
            for &n in numbers {
                some.push_halves(all.halves(n));
            }
            some
        }))
    }
}

#[test]
fn pairs_are_encoded_before_training_or_after_it() {
    let (toy, other) = (Toy::new(50, 32), Toy::new(50, 33));
    let model = saved(&other, ModelName::AgreementLoo);
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let (recipe, plain) = (Request::default().recipe().unwrap(), toy.data(None));
    let trained = Trained::train(recipe.clone(), &plain, None, work).unwrap();
    let adapted = Trained::adapt(&model, 2, &plain, work).unwrap();
    let (all, spaced): (Vec<usize>, Vec<usize>) = ((0..50).collect(), (0..20).map(|n| n * 50 / 20).collect());
    for (pairs, of_trained, of_adapted) in [
        (None, all.clone(), all),
        (Some(EncodedPairs::Spaced(20)), spaced.clone(), spaced),
        (
            Some(EncodedPairs::LeastCertain(0.5)),
            trained.least_certain(&plain, 0.5, work).unwrap(),
            adapted.least_certain(&plain, 0.5, work).unwrap(),
        ),
    ] {
        let encoder = PairEncoder::new(pairs, encode(&toy));
        let with = |numbers: &[usize]| {
            let vectors = of_some(&toy.vectors(true), |n| numbers.contains(&n));
            toy.builder().with_vectors(vectors).build().unwrap()
        };
        let check = |(found, data): (Trained, TrainingData), expected: &Trained, of: &TrainingData| {
            assert_eq!(data.vectors(), of.vectors(), "{pairs:?}");
            assert_eq!(found.signature(), expected.signature());
            assert_eq!(confidences(&found, &data), confidences(expected, of));
        };
        let data = with(&of_trained);
        let expected = Trained::train(recipe.clone(), &data, None, work).unwrap();
        check(encoder.train(&recipe, toy.data(None), work).unwrap(), &expected, &data);
        let data = with(&of_adapted);
        let expected = Trained::adapt(&model, 2, &data, work).unwrap();
        check(encoder.adapt(&model, 2, toy.data(None), work).unwrap(), &expected, &data);

        let bitext = toy.bitext();
        let text = model.read(&bitext);
        let aligner = SavedAligner::new(&model, POSTERIORS).unwrap();
        let evidence = encoder.join(&aligner, &text, work).unwrap().expect("words on both sides");
        let numbers = match pairs {
            Some(EncodedPairs::LeastCertain(share)) => aligner.least_certain(&text, share, work).unwrap(),
            _ => of_trained,
        };
        let vectors = of_some(&toy.vectors(true), |n| numbers.contains(&n));
        let expected = aligner.join(&text, vectors, work).unwrap();
        assert_eq!(evidence.signature(), expected.signature());
        assert_eq!(evidence.divergence().to_bits(), expected.divergence().to_bits());
    }
    let refused = |_: &[usize], _: Work<'_>| -> Result<[WordVectors; 2]> { unreachable!("nothing is encoded in vain") };
    for model in [ModelName::Hmm, ModelName::Ibm1] {
        let recipe = Request::default().with(|c| c.model = model).recipe().unwrap();
        let error = PairEncoder::new(None, refused).train(&recipe, toy.data(None), work).unwrap_err().to_string();
        assert!(error.starts_with("encoder is for the models"), "{error}");
    }
}

/// The tasks that were planned before the first of them began, and all that began.
#[derive(Default)]
struct Tasks(Mutex<[Vec<String>; 2]>);

impl Observer for Tasks {
    fn planned(&self, steps: &[Step]) {
        let mut tasks = self.0.lock().unwrap();
        let [planned, started] = &mut *tasks;
        if !started.iter().any(|task| planned.contains(task)) {
            planned.extend(steps.iter().map(|step| step.task.clone()));
        }
    }

    fn started(&self, task: &str, _: u64) {
        self.0.lock().unwrap()[1].push(task.to_owned());
    }
}

#[test]
fn both_trainings_are_planned_at_first() {
    let (toy, other) = (Toy::new(80, 19), Toy::new(80, 33));
    let model = saved(&other, ModelName::AgreementLoo);
    let recipe = Request::default().recipe().unwrap();
    for pairs in [EncodedPairs::Spaced(40), EncodedPairs::LeastCertain(0.5)] {
        let encoder = PairEncoder::new(Some(pairs), encode(&toy));
        for is_adapted in [false, true] {
            let tasks = Tasks::default();
            let work = Work { parallelism: &Parallelism::serial(), observer: &tasks };
            let data = toy.data(None);
            let learned =
                if is_adapted { encoder.adapt(&model, 2, data, work) } else { encoder.train(&recipe, data, work) };
            assert!(learned.unwrap().0.evidence().unwrap().is_trusted());
            let [mut planned, started] = tasks.0.into_inner().unwrap();
            planned.sort();
            planned.dedup();
            for task in &planned {
                assert_eq!(started.iter().filter(|other| *other == task).count(), 1, "{task} of {started:?}");
            }
            let again = planned.iter().filter(|task| task.starts_with("with word vectors, ")).count();
            assert!(if is_adapted { again == 2 } else { again > 2 }, "{planned:?}");
            let others = if pairs == EncodedPairs::Spaced(40) { 1 } else { 2 };
            assert_eq!(planned.len(), 2 * again + others, "{planned:?}");
        }
    }
}

#[test]
fn pairs_with_an_empty_side_are_not_encoded() {
    let side = |lines: [&str; 2]| {
        let mut text = Text::default();
        for line in lines {
            text.push_sentence(line.split_whitespace().map(str::as_bytes));
        }
        text
    };
    let model = saved(&Toy::new(10, 34), ModelName::AgreementLoo);
    let bitext = Bitext::new(side(["a", ""]), side(["", "b"])).unwrap();
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    for pairs in [EncodedPairs::All, EncodedPairs::Spaced(1), EncodedPairs::LeastCertain(0.5)] {
        let encode =
            |_: &[usize], _: Work<'_>| -> Result<[WordVectors; 2]> { unreachable!("there is nothing to encode") };
        let encoder = PairEncoder::new(Some(pairs), encode);
        let aligner = SavedAligner::new(&model, POSTERIORS).unwrap();
        assert!(encoder.join(&aligner, &model.read(&bitext), work).unwrap().is_none());
    }
}

#[test]
fn models_in_files_keep_what_they_have_learned() {
    let (toy, new) = (Toy::new(60, 26), Toy::new(60, 27));
    let data = half_encoded(&toy, true);
    let trained = run(&Request::default(), &data, 1).trained;
    let mut bytes = Vec::new();
    trained.save(&data, TextForm::default(), &mut bytes).unwrap();
    let model = Model::from_bytes(bytes).unwrap();
    assert_eq!(model.signature(), trained.signature());
    assert!(model.signature().contains("|soft-links:30|encoder:toy.1|encoded:30"));

    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let bitext = toy.bitext();
    let text = model.read(&bitext);
    let mut worker = model.worker();
    for (n, own) in all_posteriors(&trained, &data).into_iter().enumerate() {
        assert_eq!(directions(Found { posteriors: worker.posteriors(&text, n), ..Found::default() }), own);
    }

    // Text that is new is aligned better, without an encoder.
    let f = |model: &Model| {
        let bitext = new.bitext();
        let decoding = Request::default().decoding_of(model).unwrap();
        let aligner = SavedAligner::new(model, Wants::of(decoding.rule)).unwrap();
        new.f(&aligner.links(&model.read(&bitext), decoding, work).unwrap())
    };
    let [f_without, f_with] = [&saved(&toy, ModelName::AgreementLoo), &model].map(f);
    assert!(f_with > f_without, "{f_without} {f_with}");
}

#[test]
fn saved_models_are_joined_with_some_pairs() {
    let (old, new) = (Toy::new(40, 28), Toy::new(40, 29));
    let model = saved(&old, ModelName::Quality);
    let bitext = new.bitext();
    let text = model.read(&bitext);
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let align = |vectors: Option<[WordVectors; 2]>| {
        let mut decoding = Request::default().decoding_of(&model).unwrap();
        let mut aligner = SavedAligner::new(&model, Wants::of(decoding.rule)).unwrap();
        if let Some(vectors) = vectors {
            let evidence = aligner.join(&text, vectors, work).unwrap();
            aligner = aligner.with_evidence(evidence);
        }
        aligner.settle(&mut decoding, &text, work).unwrap();
        let links = aligner.links(&text, decoding, work).unwrap();
        links.iter().map(|links| links.iter().map(|found| found.link).collect()).collect::<Vec<Alignment>>()
    };
    let (without, with) = (align(None), align(Some(of_some(&new.vectors(true), is_even))));
    assert_eq!(odd(&with), odd(&without), "nothing is learned from the others");
    assert_ne!(with, without);
}

#[test]
fn soft_links_without_doubt_are_known_links() {
    let toy = Toy::new(50, 30);
    let supervised = |supervision: Supervision| toy.builder().with_supervision(supervision).build().unwrap();
    let hard = |n: usize| GoldAlignment::from_parts(toy.gold[n].clone(), &Alignment::new());
    let soft = |n: usize| {
        let certain = toy.gold[n].iter().map(|link| WeightedLink { link, weight: 1.0 });
        let no_links = [WeightedLink { link: Link::new(0, 0), weight: 0.0 }];
        let others = no_links.into_iter().filter(|other| !toy.gold[n].contains(other.link));
        SoftLinks::new(certain.chain(others)).unwrap()
    };
    let hard = supervised(Supervision::default().with(|c| c.links = (0..20).map(|n| (n, hard(n))).collect()));
    let soft = supervised(Supervision::default().with(|c| c.soft_links = (0..20).map(|n| (n, soft(n))).collect()));
    for model in [ModelName::AgreementLoo, ModelName::Agreement, ModelName::Hmm] {
        let request = Request::default().with(|c| c.model = model);
        let plain = confidences(&run(&request, &toy.data(None), 1).trained, &hard);
        let [hard, soft] = [&hard, &soft].map(|data| {
            let trained = run(&request, data, 1).trained;
            let signature = trained.given_signature();
            assert!(["|links:20", "|soft-links:20"].contains(&signature.as_str()), "{signature}");
            confidences(&trained, data)
        });
        let farthest = |a: &[Vec<f32>], b: &[Vec<f32>]| {
            let cells = a[20..].iter().flatten().zip(b[20..].iter().flatten());
            cells.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        assert!(farthest(&hard, &soft) < 1e-3, "{model}: {}", farthest(&hard, &soft));
        assert!(farthest(&hard, &plain) > 0.1, "{model}: they make a difference");
    }
}

#[test]
fn soft_links_are_checked() {
    let toy = Toy::new(5, 31);
    let with = |pair: usize, link: Link| {
        let links = SoftLinks::new([WeightedLink { link, weight: 0.5 }]).unwrap();
        toy.builder().with_supervision(Supervision::default().with(|c| c.soft_links = vec![(pair, links)])).build()
    };
    assert!(with(4, Link::new(1, 1)).is_ok());
    assert!(with(5, Link::new(1, 1)).is_err(), "no such pair");
    assert!(with(4, Link::new(1, 99)).is_err(), "no such word");
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let recipe = Request::default().with(|c| c.model = ModelName::Ibm1).recipe().unwrap();
    let error = Trained::train(recipe, &with(4, Link::new(1, 1)).unwrap(), None, work).unwrap_err();
    assert!(error.to_string().starts_with("links is for the models"), "{error}");
}
