//! Reordering rules: their grammar, their application, and learning.
//!
//! Expected orders are those of Collins, Koehn and Kučerová (2005, section 3) for German clauses, and orders of
//! Japanese worked out by hand. The first learned rule is compared with the best of all possible rules, by enumeration.

use proptest::prelude::*;

use super::*;
use crate::progress::Silent;
use crate::reorder::engine::Layer;
use crate::tree::{DependencyTree, Roots};

fn parse(text: &str) -> RuleSet {
    RuleSet::parse(text, "rules").unwrap()
}

fn layer(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// A sentence of `word/tag/relation/head`, heads from 1, lemmas as the words.
fn sentence(text: &str) -> Sentence {
    let rows: Vec<Vec<&str>> = text.split(' ').map(|row| row.split('/').collect()).collect();
    let column = |number: usize| rows.iter().map(|row| row[number].to_owned()).collect::<Vec<String>>();
    let heads = rows.iter().map(|row| row[3].parse::<u32>().unwrap().checked_sub(1)).collect();
    Sentence::new(column(0))
        .with_layer(Layer::Lemmas, column(0))
        .unwrap()
        .with_layer(Layer::Tags, column(1))
        .unwrap()
        .with_layer(Layer::Relations, column(2))
        .unwrap()
        .with_tree(DependencyTree::new(heads, Roots::One).unwrap())
        .unwrap()
}

/// The words of a sentence in the order that rules make.
fn reordered(rules: &RuleSet, sentence: &Sentence) -> String {
    let words = sentence.layer(Layer::Words).unwrap();
    let order = rules.engine().order(sentence).unwrap().inverse();
    order.places().iter().map(|&word| words[word as usize].as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_no_rule_is_refused_with_its_place() {
    let cases = [
        ("VERB", "rules:1:5: expected `>` or `:`, found nothing"),
        ("# a comment\n\nVERB > X => 1", "rules:3:10: expected `:`, found `=>`"),
        ("V : => 1", "rules:1:5: expected `head`, `..` or a pattern"),
        ("V : head */obj", "rules:1:15: expected `=>`, found nothing"),
        ("V : head */obj => 2", "rules:1:20: expected the number of a part, from 1 to 2, found nothing"),
        ("V : head */obj => 2 2", "rules:1:21: expected each number once, found `2`"),
        ("V : head */obj => 2 0", "rules:1:21: expected the number of a part, from 1 to 2, found `0`"),
        ("V : head */obj => 2 1 3", "rules:1:23: expected `helped` or the end of the line, found `3`"),
        ("V : head a/b/c/d => 2 1", "rules:1:10: expected `head`, `..` or a pattern `tag/relation/lemma`"),
        ("V : head a||b => 2 1", "rules:1:10: expected `head`, `..` or a pattern"),
        ("V : head a!b => 2 1", "rules:1:10: expected `head`, `..` or a pattern"),
        ("V : head + => 2 1", "rules:1:10: expected `head`, `..` or a pattern"),
        ("V : a => 1 helped x", "rules:1:19: expected a number of sentences, found `x`"),
        ("V : a => 1 helped 3", "rules:1:20: expected `harmed`, found nothing"),
        ("V : a b c d e f g h i j => 1", "rules:1:23: expected `=>`, as a rule has at most 9 parts, found `j`"),
        ("let a|b = c", "rules:1:5: expected a name of letters and digits, found `a|b`"),
        ("let a = *", "rules:1:9: expected names separated by `|`, found `*`"),
        ("let a = b c", "rules:1:11: expected the end of the line, found `c`"),
        ("let a = !b|c\nV : a|d head => 2 1", "rules:2:5: expected `head`, `..` or a pattern"),
    ];
    for (text, expected) in cases {
        let error = RuleSet::parse(text, "rules").unwrap_err().to_string();
        assert!(
            error.starts_with(expected)
                || error.replace("`head`, `..` or ", "").starts_with(&expected.replace("`head`, `..` or ", "")),
            "{text}: {error}"
        );
    }
}

#[test]
fn names_stand_for_alternatives() {
    let named = parse("let V = VERB|AUX\nlet other = !obj|obl\nV > !V : head V|X/other => 2 1");
    let plain = parse("VERB|AUX > !VERB|AUX : head VERB|AUX|X/!obj|obl => 2 1");
    assert_eq!(named, plain);
    let escaped = parse(r"\!|\# : \*\/\\ head => 2 1 # a comment");
    assert_eq!(escaped.rules[0].node.tag.as_ref().unwrap().names, ["!", "#"]);
    assert_eq!(escaped.text(), "\\!|\\# : \\*\\/\\\\ head => 2 1\n");
}

#[test]
fn patterns_ask_what_they_say() {
    let sentence = sentence(
        "we/PRON/nsubj/2 saw/VERB/root/0 old/ADJ/amod/4 houses/NOUN/obj:x/2 today/ADV/advmod/2 ./PUNCT/punct/2",
    );
    let moved = |rule: &str| reordered(&parse(rule), &sentence);
    let same = "we saw old houses today .";
    for (rule, expected) in [
        ("* : head */obj => 2 1", "we old houses saw today ."),
        ("VERB/root/saw : head */obj:x => 2 1", "we old houses saw today ."),
        ("VERB/root/see : head */obj => 2 1", same),
        ("* : head */obj:y => 2 1", same),
        // The greatest stretch that is no punctuation.
        ("* : head !PUNCT+ => 2 1", "we old houses today saw ."),
        // The last item leaves something for those behind it.
        ("* : head *+ * => 3 2 1", "we . old houses today saw"),
        ("* : .. head .. => 3 2 1", "houses old today . saw we"),
        ("* : head .. NOUN => 2 1 3", same),
        ("* : head .. NOUN => 3 2 1", "we old houses saw today ."),
        ("* : ^ head * => 2 1", same),
        ("VERB : ^ * head => 2 1", "saw we old houses today ."),
        ("* : * $ => 1", same),
        ("* : ADV PUNCT $ => 2 1", "we saw old houses . today"),
        ("* : NOUN ADV $ => 2 1", same),
        ("VERB > NOUN : ADJ head => 2 1", "we saw houses old today ."),
        ("NOUN > NOUN : ADJ head => 2 1", same),
        // Pairs of neighbors, one behind the other.
        ("* : * * => 2 1", "we saw today old houses ."),
        // Each rule begins with what those above made.
        ("* : head NOUN => 2 1\n* : PRON NOUN => 2 1", "old houses we saw today ."),
        ("* : * * * * * * * => 7 6 5 4 3 2 1", same),
    ] {
        assert_eq!(moved(rule), expected, "{rule}");
    }
}

/// Collins, Koehn and Kučerová (2005), section 3: the head of a verb phrase moves to its beginning; the verb of a subordinate clause follows
/// its complementizer; the subject precedes a verb.
#[test]
fn clauses_are_restructured() {
    let rules =
        parse("VP : .. VVINF|VVPP $ => 2 1\nS : KOUS|PRELS .. VVFIN|VAFIN => 1 3 2\nS : VVFIN|VAFIN */SB => 2 1");
    let parsed = |line: &str| {
        let words = crate::reorder::brackets::words(line).unwrap().into_iter().map(str::to_owned).collect();
        Sentence::new(words).with_constituents(Constituents::of_brackets(line).unwrap()).unwrap()
    };
    let line = "(S (PPER-SB Ich) (VAFIN-HD werde) (VP-OC (PPER-DA Ihnen) (NP-OA (ART den) (NN Report)) (VVINF-HD aushaendigen)))";
    assert_eq!(reordered(&rules, &parsed(line)), "Ich werde aushaendigen Ihnen den Report");
    let line = "(S-MO (KOUS-CP damit) (PPER-SB Sie) (NP-OA (PDS das)) (VVFIN-HD uebernehmen))";
    assert_eq!(
        reordered(&rules, &parsed(line)),
        "damit uebernehmen Sie das".replace("uebernehmen Sie", "Sie uebernehmen")
    );
}

/// Word orders of Japanese, word by word, worked out by hand.
#[test]
fn verbs_come_last_by_the_rules_of_the_example() {
    let rules = RuleSet::parse(RuleSet::verb_final_text(), "verb_final.rules").unwrap();
    let cases = [
        ("I/PRON/nsubj/2 read/VERB/root/0 the/DET/det/4 book/NOUN/obj/2 ./PUNCT/punct/2", "I the book read ."),
        (
            "he/PRON/nsubj/3 will/AUX/aux/3 go/VERB/root/0 to/ADP/case/6 the/DET/det/6 school/NOUN/obl/3 ./PUNCT/punct/3",
            "he the school to go will .",
        ),
        (
            "the/DET/det/2 house/NOUN/nsubj/7 of/ADP/case/5 my/PRON/nmod:poss/5 friend/NOUN/nmod/2 is/AUX/cop/7 old/ADJ/root/0",
            "my friend of the house old is",
        ),
        (
            "he/PRON/nsubj/2 slept/VERB/root/0 because/SCONJ/mark/6 he/PRON/nsubj/6 was/AUX/cop/6 tired/ADJ/advcl/2",
            "he he tired was because slept",
        ),
        (
            "they/PRON/nsubj/4 will/AUX/aux/4 have/AUX/aux/4 gone/VERB/root/0 and/CCONJ/cc/6 slept/VERB/conj/4",
            "they gone have will and slept",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(reordered(&rules, &sentence(text)), expected);
    }
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let choice = || {
        let names = prop::collection::vec("[A-Za-z:/|!*+#\\\\.$-]{1,3}|head|let|=>|\\.\\.", 1..3);
        prop::option::of((any::<bool>(), names).prop_map(|(negated, names)| Choice { negated, names }))
    };
    (choice(), choice(), choice()).prop_map(|(tag, relation, lemma)| Pattern { tag, relation, lemma })
}

fn rule() -> impl Strategy<Value = Rule> {
    let item =
        prop_oneof![Just(Item::Head), Just(Item::Any), pattern().prop_map(Item::One), pattern().prop_map(Item::Many),];
    let order = |items: Vec<Item>| {
        let order = Just((0..items.len()).collect::<Vec<_>>()).prop_shuffle();
        (Just(items), order)
    };
    let tally = prop::option::of((any::<u64>(), any::<u64>()).prop_map(|(helped, harmed)| Tally { helped, harmed }));
    let items = prop::collection::vec(item, 1..5).prop_flat_map(order);
    (prop::option::of(pattern()), pattern(), any::<[bool; 2]>(), items, tally).prop_map(
        |(above, node, [from_start, to_end], (items, order), tally)| Rule {
            above,
            node,
            from_start,
            items,
            to_end,
            order,
            tally,
        },
    )
}

/// Sentences of three words under one of them.
fn flat(words: &[([u8; 3], usize, [u32; 3])]) -> Vec<Example> {
    let example = |&(kinds, head, places): &([u8; 3], usize, [u32; 3])| {
        let tags = kinds.map(|kind| ["X", "Y"][usize::from(kind & 1)]).join(" ");
        let relations = kinds.map(|kind| ["r", "s"][usize::from(kind >> 1 & 1)]).join(" ");
        let heads = (0..3).map(|word| (word != head).then_some(head as u32)).collect();
        let sentence = Sentence::new(layer("a b c")).with_layer(Layer::Tags, layer(&tags)).unwrap();
        let sentence = sentence.with_layer(Layer::Relations, layer(&relations)).unwrap();
        let sentence = sentence.with_tree(DependencyTree::new(heads, Roots::One).unwrap()).unwrap();
        Example::of_places(sentence, places.map(Some).to_vec()).unwrap()
    };
    words.iter().map(example).collect()
}

/// The pairs in the wrong order that rules take away; and what they do to sentences.
fn effect(rules: &RuleSet, examples: &[Example]) -> (f64, Tally) {
    let (mut total, mut tally) = (0.0, Tally { helped: 0, harmed: 0 });
    for example in examples {
        let gold = example.precedence(0.0);
        let order = rules.engine().order(example.sentence()).unwrap();
        let gain = gold.lost(&Permutation::identity(3)) - gold.lost(&order);
        total += gain;
        tally.helped += u64::from(gain > 0.5);
        tally.harmed += u64::from(gain < -0.5);
    }
    (total, tally)
}

/// All rules over two neighboring parts that ask the same of both.
fn all_rules() -> Vec<RuleSet> {
    let parts = ["*/r", "*/s", "X", "Y", "X/r", "X/s", "Y/r", "Y/s"];
    let kind = |part: &str| (part.starts_with('*'), part.contains('/'));
    let mut lines = Vec::new();
    for node in ["*", "X", "Y", "X/r", "X/s", "Y/r", "Y/s"] {
        for one in parts {
            lines.push(format!("{node} : {one} head => 2 1"));
            lines.push(format!("{node} : head {one} => 2 1"));
            let others = parts.iter().filter(|other| kind(other) == kind(one));
            lines.extend(others.map(|other| format!("{node} : {one} {other} => 2 1")));
        }
    }
    lines.iter().map(|line| parse(line)).collect()
}

proptest! {
    #[test]
    fn rules_are_read_as_written(rules in prop::collection::vec(rule(), 0..4)) {
        let set = RuleSet { rules };
        prop_assert_eq!(RuleSet::parse(&set.text(), "rules").unwrap(), set);
    }

    #[test]
    fn the_first_rule_is_the_best_of_all(
        words in prop::collection::vec((any::<[u8; 3]>(), 0usize..3, Just([0u32, 1, 2]).prop_shuffle()), 1..6),
    ) {
        let examples = flat(&words);
        let config = RulesConfig { rules: 1, window: 2, least_helped: 1, ..RulesConfig::default() };
        let learned = RuleSet::train(&examples, &config, &Parallelism::serial(), &Silent).unwrap();
        let good = |(_, tally): &(f64, Tally)| tally.helped >= 1 && tally.helped >= 2 * tally.harmed;
        let best = all_rules().iter().map(|rules| effect(rules, &examples)).filter(good).map(|(gain, _)| gain).fold(0.0, f64::max);
        let (gain, tally) = effect(&learned, &examples);
        prop_assert!((gain - best).abs() < 1e-6, "{gain} {best}\n{}", learned.text());
        prop_assert!(learned.rules.iter().all(|rule| rule.tally == Some(tally)));
    }
}

#[test]
fn the_same_rules_are_learned_by_many_threads() {
    let words: Vec<([u8; 3], usize, [u32; 3])> = (0..60u8)
        .map(|n| ([n, n / 2, n / 3], usize::from(n % 3), [[0, 2, 1], [2, 1, 0]][usize::from(n % 2)]))
        .collect();
    let examples = flat(&words);
    let config = RulesConfig { sample: 40, least_helped: 2, ..RulesConfig::default() };
    let learn = |threads| RuleSet::train(&examples, &config, &Parallelism::new(threads).unwrap(), &Silent).unwrap();
    let learned = learn(1);
    assert!(!learned.rules.is_empty());
    assert_eq!(learned, learn(3));
    let wide = RulesConfig { window: 5, ..config };
    let error = RuleSet::train(&examples, &wide, &Parallelism::serial(), &Silent).unwrap_err();
    assert_eq!(error.to_string(), "window = 5: must be 2 to 4");
}
