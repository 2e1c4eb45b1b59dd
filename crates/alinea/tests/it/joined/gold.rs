//! Gold links of an annotator with a rule of their own: the full stop belongs to the word before it, too.

use alinea::align::{GoldLinks, GoldScores, Guidelines, Recipe, Request, SavedAligner, Trained, TrainingData, Wants};
use alinea::alignment::{Alignment, GoldAlignment, Link};
use alinea::decision::LinkKind;
use alinea::model::{LinkRule, Model, ModelName, TextForm};
use alinea::parallel::{Parallelism, Work};

use super::{Run, Toy, Warnings, run};

/// How many pairs have gold links.
const GOLD: usize = 40;

/// The same sentences, linked by the rule.
fn by_rule(toy: Toy) -> Toy {
    let gold = toy.sentences.iter().zip(&toy.gold).map(|([source, target], links)| {
        let (before, stop) = (source.len() as u32 - 2, target.len() as u32 - 1);
        links.iter().chain([Link::new(before, stop)]).collect()
    });
    Toy { gold: gold.collect(), sentences: toy.sentences }
}

fn toy(seed: u64) -> Toy {
    by_rule(Toy::new(80, seed))
}

/// Gold links of the first pairs.
fn gold_links(toy: &Toy) -> GoldLinks {
    let gold = |links: &Alignment| GoldAlignment::from_parts(links.clone(), &Alignment::new());
    GoldLinks { pairs: toy.gold.iter().take(GOLD).map(gold).enumerate().collect(), annotated_only: false }
}

fn data(toy: &Toy, vectors: bool, gold: GoldLinks) -> TrainingData {
    let builder = if vectors { toy.builder().with_vectors(toy.vectors(true)) } else { toy.builder() };
    builder.with_gold(gold).build().unwrap()
}

/// The pairs without gold links, and what was found of them.
fn f_of_others(toy: &Toy, run: &Run) -> f64 {
    let others = Toy { sentences: toy.sentences[GOLD..].to_vec(), gold: toy.gold[GOLD..].to_vec() };
    others.f(&run.links[GOLD..])
}

/// How many links of the rule there are in pairs without gold links.
fn by_the_rule(toy: &Toy, run: &Run) -> usize {
    let follows = |n: &usize| {
        let [source, target] = &toy.sentences[*n];
        let link = Link::new(source.len() as u32 - 2, target.len() as u32 - 1);
        run.links[*n].iter().any(|found| found.link == link)
    };
    (GOLD..toy.sentences.len()).filter(follows).count()
}

/// The model in a file.
fn saved(trained: &Trained, data: &TrainingData) -> Model {
    let mut bytes = Vec::new();
    trained.save(data, TextForm::default(), &mut bytes).unwrap();
    Model::from_bytes(bytes).unwrap()
}

#[test]
fn the_rule_is_followed_in_other_pairs() {
    let toy = toy(23);
    for (model, vectors) in
        [(ModelName::AgreementLoo, false), (ModelName::AgreementLoo, true), (ModelName::Quality, false)]
    {
        let request = Request::default().with(|c| c.model = model);
        let without = run(&request, &data(&toy, vectors, GoldLinks::default()), 1);
        let with_gold = data(&toy, vectors, gold_links(&toy));
        let with = run(&request, &with_gold, 1);
        assert!(f_of_others(&toy, &with) > f_of_others(&toy, &without) + 0.02, "{model} {vectors}");
        assert!(by_the_rule(&toy, &without) < 5 && by_the_rule(&toy, &with) > 30, "{model} {vectors}");
        // Gold links stay as they are.
        let [given, found] = [&toy.gold[0], &with.links[0].iter().map(|found| found.link).collect::<Alignment>()];
        assert_eq!(found, given);
        let GoldScores { pairs, gold, validation } = with.trained.gold_scores().unwrap();
        assert_eq!((pairs.len(), gold.len(), validation.with.len()), (GOLD, GOLD, GOLD));
        let right = |links: &[Alignment]| -> usize {
            links
                .iter()
                .zip(gold)
                .map(|(links, gold)| links.iter().filter(|&link| gold.sure().contains(link)).count())
                .sum()
        };
        assert!(right(&validation.with) > right(&validation.without) + 20);
        assert!(with.trained.signature().ends_with("|gold:40"), "{}", with.trained.signature());
        let guidelines = with.trained.guidelines();
        assert_eq!((guidelines.without_vectors().is_some(), guidelines.with_vectors().is_some()), (true, vectors));
        let leading = if vectors { guidelines.with_vectors() } else { guidelines.without_vectors() };
        assert_eq!(with.decoding.rule, LinkRule::Threshold(leading.unwrap().threshold()));
        let again = run(&request, &with_gold, 3);
        assert_eq!(again.links, with.links, "by three threads");
    }
}

#[test]
fn a_model_keeps_what_it_has_learned_and_learns_more() {
    let (toy, other) = (toy(24), toy(25));
    let with_gold = data(&toy, false, gold_links(&toy));
    let taught = saved(&run(&Request::default(), &with_gold, 1).trained, &with_gold);
    let plain_data = data(&toy, false, GoldLinks::default());
    let plain = saved(&run(&Request::default(), &plain_data, 1).trained, &plain_data);
    assert_eq!(Guidelines::of(&plain).unwrap(), Guidelines::default());
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let new = other.bitext();
    let linked = |model: &Model, gold: Option<GoldLinks>| {
        let mut decoding = Request::default().decoding_of(model).unwrap();
        let mut aligner = SavedAligner::new(model, Wants::of(decoding.rule)).unwrap();
        let text = model.read(&new);
        if let Some(gold) = gold {
            let scores = aligner.learn(&text, &gold, work).unwrap();
            assert_eq!(scores.pairs.len(), GOLD);
        }
        aligner.settle(&mut decoding, &text, work).unwrap();
        other.f(&aligner.links(&text, decoding, work).unwrap())
    };
    let [without, kept, learned] =
        [linked(&plain, None), linked(&taught, None), linked(&plain, Some(gold_links(&other)))];
    assert!(kept > without + 0.02 && learned > without + 0.02, "{without} {kept} {learned}");
    // A model that is adapted keeps it, too.
    let adapted = Trained::adapt(&taught, 1, &data(&other, false, GoldLinks::default()), work).unwrap();
    assert_eq!(adapted.guidelines(), &Guidelines::of(&taught).unwrap());
    let again = Trained::adapt(&plain, 1, &data(&other, false, gold_links(&other)), work).unwrap();
    assert!(again.guidelines().without_vectors().is_some());
}

#[test]
fn possible_links_are_asked_for_as_these_people_make_them() {
    let toy = toy(26);
    let request = Request::default().with(|c| c.calibrated = Some(LinkKind::Possible));
    let with = run(&request, &data(&toy, false, gold_links(&toy)), 1);
    let guideline = with.trained.guidelines().without_vectors().unwrap();
    assert_eq!(with.decoding.calibration(), Some(guideline.possible()));
}

#[test]
fn what_teaches_nothing_changes_nothing() {
    let toy = Toy::new(80, 27);
    let plain = run(&Request::default(), &data(&toy, false, GoldLinks::default()), 1);
    // The links of the model itself, as if people had made them.
    let own = |links: &Vec<_>| -> GoldAlignment {
        let links = links.iter().map(|found: &alinea::align::FoundLink| found.link).collect();
        GoldAlignment::from_parts(links, &Alignment::new())
    };
    let pairs = plain.links.iter().take(GOLD).map(own).enumerate().collect();
    let gold = GoldLinks { pairs, annotated_only: true };
    let with = run(&Request::default(), &data(&toy, false, gold), 1);
    assert_eq!(with.trained.guidelines(), &Guidelines::default());
    assert_eq!((&with.links, with.decoding.rule), (&plain.links, plain.decoding.rule));
    assert!(
        with.warnings[0].starts_with("cross-validation on the gold links of 40 sentence pairs"),
        "{:?}",
        with.warnings
    );
    assert_eq!(with.trained.signature(), plain.trained.signature(), "nor is the model trained with them");
}

#[test]
fn models_without_a_decision_do_not_learn() {
    let toy = toy(28);
    let given = data(&toy, false, gold_links(&toy));
    let work = Work { parallelism: &Parallelism::serial(), observer: &Warnings::default() };
    let Recipe::Joint(config) = Request::default().with(|c| c.model = ModelName::Hmm).recipe().unwrap() else {
        panic!("the HMM is no chain")
    };
    let error = Trained::train(Recipe::Joint(config), &given, None, work).unwrap_err().to_string();
    assert_eq!(error, "gold is for the models agreement-loo and quality, not for hmm");
}
