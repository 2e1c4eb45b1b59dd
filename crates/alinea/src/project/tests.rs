use super::*;
use crate::format::conllu;
use crate::tree::{ParsedSentence, Roots};

/// A sentence from rows `form tag head relation`.
fn tree(rows: &[[&str; 4]]) -> ParsedSentence {
    let lines: Vec<String> = rows
        .iter()
        .zip(1..)
        .map(|([form, tag, head, relation], id)| format!("{id}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n"))
        .collect();
    conllu::parse(&lines.concat(), "rows", Roots::One).unwrap().remove(0)
}

fn english() -> ParsedSentence {
    tree(&[
        ["we", "PRON", "2", "nsubj"],
        ["read", "VERB", "0", "root"],
        ["old", "ADJ", "4", "amod"],
        ["books", "NOUN", "2", "obj"],
    ])
}

fn spanish() -> ParsedSentence {
    tree(&[
        ["leemos", "VERB", "0", "root"],
        ["libros", "NOUN", "1", "obj"],
        ["muy", "ADV", "4", "advmod"],
        ["viejos", "ADJ", "2", "amod"],
    ])
}

fn links(rules: &str, config: ProjectionConfig, anchors: &[(u32, u32)]) -> Projection {
    let rules = RuleSet::parse(rules, "r").unwrap();
    let (english, spanish) = (english(), spanish());
    let pair = ParsedPair::new(&english, &spanish).unwrap();
    let anchors = Alignment::from_links(anchors.iter().map(|&(source, target)| Link { source, target }).collect());
    Projector::new(&rules, config).unwrap().project(&pair, &anchors, &[]).unwrap()
}

#[test]
fn directions_and_precision_hold_rules_back() {
    let rule = "VERB -obj-> NOUN / VERB -obj-> NOUN";
    let default = ProjectionConfig::default;
    assert_eq!(links(rule, default(), &[(1, 0)]).links.to_string(), "1-0 3-1");
    assert_eq!(links(rule, default(), &[(3, 1)]).links.to_string(), "1-0 3-1");
    assert_eq!(links(&format!("{rule} up"), default(), &[(1, 0)]).links.to_string(), "1-0");
    assert_eq!(links(&format!("{rule} up"), default(), &[(3, 1)]).links.to_string(), "1-0 3-1");
    let strict = || ProjectionConfig { least_precision: 0.8, ..default() };
    assert_eq!(links(&format!("{rule} precision 3/4"), strict(), &[(1, 0)]).links.to_string(), "1-0");
    assert_eq!(links(&format!("{rule} precision 4/5"), strict(), &[(1, 0)]).links.to_string(), "1-0 3-1");
    assert_eq!(links(rule, strict(), &[(1, 0)]).links.to_string(), "1-0 3-1");
}

#[test]
fn weights_add_up_to_a_probability() {
    let rules = "bias -1\n\
                 VERB -obj-> NOUN / VERB -obj-> NOUN  down  weight 2\n\
                 NOUN / NOUN  weight 0.5\n\
                 clue links-0-0  weight 0.25\n\
                 ADJ / NOUN -amod-> ADJ weight 9\n";
    let found = links(rules, ProjectionConfig { threshold: Some(0.5), ..ProjectionConfig::default() }, &[(1, 0)]);
    assert_eq!(found.links.to_string(), "1-0 3-1");
    let expected = 1.0 / (1.0 + f64::exp(1.0 - 2.0 - 0.5 - 0.25));
    assert!((found.added[0].probability.unwrap() - expected).abs() < 1e-12);
    let origin = found.added[0].origin.unwrap();
    assert_eq!((origin.rule, origin.direction, origin.from), (0, Direction::Down, Link::new(1, 0)));
    let none = links(rules, ProjectionConfig { threshold: Some(0.9), ..ProjectionConfig::default() }, &[(1, 0)]);
    assert_eq!(none.links.to_string(), "1-0");
}

#[test]
fn links_stay_and_spread_where_rules_say_so() {
    // `books` is linked to `libros`, and spreads to its adjective; the next round goes on from there.
    let rules = "bias -1\nNOUN / NOUN -amod-> ADJ  down  weight 2\n* / ADJ -advmod-> ADV down weight 2\n";
    let found = links(rules, ProjectionConfig::default(), &[(3, 1)]);
    assert_eq!(found.links.to_string(), "3-1 3-2 3-3");
    assert_eq!(found.added.iter().map(|carried| carried.round).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn content_words_leave_the_words_of_grammar_alone() {
    let source = tree(&[["the", "DET", "2", "det"], ["house", "NOUN", "0", "root"]]);
    let target = tree(&[["das", "DET", "2", "det"], ["Haus", "NOUN", "0", "root"]]);
    let pair = ParsedPair::new(&source, &target).unwrap();
    let rules = RuleSet::universal();
    let project = |restriction| {
        let config = ProjectionConfig { restriction, ..ProjectionConfig::default() };
        Projector::new(&rules, config).unwrap().project(&pair, &[(1, 1)].into(), &[]).unwrap().links.to_string()
    };
    assert_eq!(project(Restriction::None), "0-0 1-1");
    assert_eq!(project(Restriction::ContentWords), "1-1");
}

#[test]
fn what_does_not_fit_is_refused() {
    let (english, spanish) = (english(), spanish());
    let pair = ParsedPair::new(&english, &spanish).unwrap();
    let rules = RuleSet::universal();
    let error = Projector::new(&rules, ProjectionConfig::default()).unwrap().project(&pair, &[(4, 0)].into(), &[]);
    assert_eq!(
        error.unwrap_err().to_string(),
        "link 4-0 is out of range, the trees at lines 1 and 1 have 4 and 4 words"
    );
    let bare = conllu::parse("1\tx\t_\tX\t_\t_\t_\t_\t_\t_\n", "bare", Roots::One).unwrap();
    assert_eq!(
        ParsedPair::new(&bare[0], &spanish).unwrap_err().to_string(),
        "the source sentence at line 1 has no tree"
    );
    let odd = ProjectionConfig { threshold: Some(1.5), ..ProjectionConfig::default() };
    assert_eq!(Projector::new(&rules, odd).unwrap_err().to_string(), "threshold = 1.5: allowed is 0 to 1");
}

#[test]
fn learned_rules_tell_right_from_wrong() {
    let (english, spanish) = (english(), spanish());
    let pair = ParsedPair::new(&english, &spanish).unwrap();
    let gold: Alignment = [(1, 0), (2, 3), (3, 1)].into();
    let config = LearningConfig { least_proposed: 1, penalty: 0.1, ..LearningConfig::default() };
    let anchors: [Alignment; 3] = [[(1, 0)].into(), [(3, 1)].into(), [(2, 3)].into()];
    let examples: Vec<Example<'_>> =
        anchors.iter().map(|anchors| Example { pair, anchors, confidences: &[], gold: &gold }).collect();
    let rules = learn(&examples, &config).unwrap();
    let mut projector =
        Projector::new(&rules, ProjectionConfig { threshold: Some(0.5), ..ProjectionConfig::default() }).unwrap();
    for anchors in &anchors {
        assert_eq!(projector.project(&pair, anchors, &[]).unwrap().links, gold);
    }
    // A file of them is the same rules.
    assert_eq!(RuleSet::parse(&rules.text(), "r").unwrap(), rules);
}

#[test]
fn growing_covers_words_beside_links() {
    let toward: Alignment = [(0, 0), (1, 1), (3, 3)].into();
    assert_eq!(grow(&[(0, 0)].into(), &toward).to_string(), "0-0 1-1");
}
