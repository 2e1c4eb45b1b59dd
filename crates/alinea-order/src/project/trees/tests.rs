use alinea_text::alignment::{Link, WeightedLink};
use alinea_text::format::conllu;
use alinea_text::tree::{DependencyTree, ParsedSentence, Roots};
use proptest::prelude::*;

use super::*;

fn threads(number: usize) -> Parallelism {
    Parallelism::new(number).unwrap()
}

fn links(cells: &[(u32, u32, f32)]) -> Vec<WeightedLink> {
    cells.iter().map(|&(source, target, weight)| WeightedLink { link: Link { source, target }, weight }).collect()
}

/// A sentence of words with their tags, heads from 1 and relations.
fn parsed(rows: &[(&str, &str, u32, &str)]) -> ParsedSentence {
    let row = |(number, (form, upos, head, relation)): (usize, &(&str, &str, u32, &str))| {
        format!("{}\t{form}\t_\t{upos}\t_\t_\t{head}\t{relation}\t_\t_\n", number + 1)
    };
    let text: Vec<String> = rows.iter().enumerate().map(row).collect();
    conllu::parse(&(text.concat() + "\n"), "rows", Roots::Many).unwrap().remove(0)
}

fn pair<'a>(source: &'a ParsedSentence, target: &'a str, links: &'a [WeightedLink]) -> TreePair<'a> {
    TreePair { source, target: target.split(' ').map(TargetWord::new).collect(), links }
}

fn by(method: Method) -> TreeConfig {
    TreeConfig::default().with(|config| config.method = method)
}

fn projected(pairs: &[TreePair<'_>], method: Method) -> Vec<ProjectedTree> {
    project(pairs, &by(method), &threads(1)).unwrap()
}

/// Heads as in files, and relations.
fn shown(tree: &ProjectedTree) -> String {
    let word = |word: &ProjectedWord| format!("{}:{}", word.head.map_or(0, |head| head + 1), word.relation);
    tree.words.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn sentence() -> ParsedSentence {
    parsed(&[
        ("we", "PRON", 2, "nsubj"),
        ("read", "VERB", 0, "root"),
        ("old", "ADJ", 4, "amod"),
        ("books", "NOUN", 2, "obj"),
    ])
}

#[test]
fn the_rules_of_direct_correspondence() {
    let source = sentence();
    let of = |target: &str, cells: &[(u32, u32, f32)], method| {
        let links = links(cells);
        shown(&projected(&[pair(&source, target, &links)], method)[0])
    };
    // One-to-one, in another order.
    let cells = [(0, 0, 1.0), (1, 3, 1.0), (2, 2, 1.0), (3, 1, 1.0)];
    assert_eq!(of("a b c d", &cells, Method::Direct), "4:nsubj 4:obj 2:amod 0:root");
    // Many-to-one: `leemos` is `we read`, whose head stays; what depends on either depends on it.
    let cells = [(0, 0, 1.0), (1, 0, 1.0), (2, 2, 1.0), (3, 1, 1.0)];
    assert_eq!(of("a b c", &cells, Method::Direct), "0:root 1:obj 2:amod");
    // One-to-many: `books` became two words. As published they depend on an empty node, and so does `old`.
    let cells = [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0), (3, 3, 0.8), (3, 4, 0.9)];
    assert_eq!(of("a b c d e", &cells, Method::Direct), "2:nsubj 0:root 2:dep 2:dep 2:dep");
    assert_eq!(of("a b c d e", &cells, Method::Mended), "2:nsubj 0:root 5:amod 5:obj 2:obj");
    // A source word without link: what depends on it depends on nothing as published, on what is above it with mends.
    let cells = [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)];
    assert_eq!(of("a b c", &cells, Method::Direct), "2:nsubj 0:root 2:dep");
    assert_eq!(of("a b c", &cells, Method::Mended), "2:nsubj 0:root 2:amod");
    // Target words without links.
    let cells = [(0, 0, 1.0), (1, 1, 1.0), (3, 3, 1.0)];
    assert_eq!(of("a b , d ;", &cells, Method::Direct), "2:nsubj 0:root 2:punct 2:obj 2:punct");
}

#[test]
fn unlinked_words_have_the_head_of_their_left_neighbor() {
    let source = sentence();
    let cells = links(&[(1, 0, 1.0), (3, 1, 1.0), (2, 3, 1.0)]);
    let tree = &projected(&[pair(&source, "a b c d", &cells)], Method::Mended)[0];
    let heads: Vec<_> = tree.words.iter().map(|word| word.head).collect();
    assert_eq!(heads, [None, Some(0), Some(0), Some(1)]);
    assert_eq!(tree.words[2].origin, Origin::Guessed);
    assert!(tree.words[2].confidence <= 0.0);
}

/// What a word is attached to in other sentences decides where links say nothing.
#[test]
fn the_rest_of_the_text_decides_where_links_do_not() {
    let source = parsed(&[
        ("the", "DET", 3, "det"),
        ("old", "ADJ", 3, "amod"),
        ("book", "NOUN", 4, "nsubj"),
        ("lies", "VERB", 0, "root"),
    ]);
    let known = links(&[(0, 0, 0.95), (2, 1, 0.95), (1, 2, 0.95), (3, 3, 0.95)]);
    let unknown = links(&[(2, 1, 0.95), (1, 2, 0.95), (3, 3, 0.95)]);
    let mut pairs = vec![pair(&source, "le livre vieux dort", &known); 8];
    pairs.push(pair(&source, "le livre vieux dort", &unknown));
    let trees = projected(&pairs, Method::Consistent);
    assert_eq!(shown(&trees[8]), "2:det 4:nsubj 2:amod 0:root");
    assert_eq!((trees[8].words[0].origin, trees[8].words[0].upos.as_str()), (Origin::Guessed, "DET"));
    assert_eq!(trees[0].count(Origin::Carried), 4);
}

/// In a tiny text in which objects stand on the other side a carried relation stays, even where another is usual.
#[test]
fn strong_relations_stay_in_tiny_texts() {
    let one = sentence();
    let two = parsed(&[("days", "NOUN", 2, "nmod"), ("sing", "VERB", 0, "root")]);
    let cells =
        [links(&[(0, 0, 0.95), (1, 3, 0.95), (2, 1, 0.95), (3, 2, 0.95)]), links(&[(0, 0, 0.95), (1, 1, 0.95)])];
    let pairs = [pair(&one, "wir alte buecher lesen", &cells[0]), pair(&two, "tage singen", &cells[1])];
    let trees = projected(&pairs, Method::Consistent);
    assert_eq!(shown(&trees[0]), "4:nsubj 3:amod 4:obj 0:root");
    assert_eq!(shown(&trees[1]), "2:nmod 0:root");
}

#[test]
fn given_parts_of_speech_stay() {
    let source = sentence();
    let cells = links(&[(0, 0, 0.9), (1, 1, 0.9)]);
    let word = |form, upos| TargetWord { form, upos };
    let target = vec![word("a", Some("DET")), word("b", None), word("%", None), word("c", Some("ODD"))];
    let pairs = [TreePair { source: &source, target, links: &cells }];
    for method in Method::ALL {
        let tree = &projected(&pairs, method)[0];
        let tags: Vec<&str> = tree.words.iter().map(|word| word.upos.as_str()).collect();
        assert_eq!((tags[0], tags[1], tags[3]), ("DET", "VERB", "ODD"));
        assert!(["PUNCT", "SYM"].contains(&tags[2]));
    }
}

#[test]
fn bad_input_is_refused() {
    let source = sentence();
    let untreed = conllu::parse("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n", "f", Roots::One).unwrap().remove(0);
    let far = links(&[(4, 0, 0.5)]);
    let refused = |pair: TreePair<'_>| project(&[pair], &by(Method::Direct), &threads(1)).unwrap_err().to_string();
    assert_eq!(refused(pair(&untreed, "a", &[])), "pair 1: the source has no tree");
    assert_eq!(refused(pair(&source, "a", &far)), "pair 1: link 4-0 in sentences of 4 and 1");
    let long = "a ".repeat(3001);
    assert!(refused(pair(&source, long.trim_end(), &[])).starts_with("pair 1: words of a sentence"));
    let wrong = TreeConfig::default().with(|config| config.threshold = f32::NAN);
    assert!(project(&[], &wrong, &threads(1)).is_err());
    assert_eq!(
        "other".parse::<Method>().unwrap_err().to_string(),
        "method = other: must be consistent, mended or direct"
    );
}

const FORMS: [&str; 7] = ["a", "b", "c", ".", "1", "巴赫", "Über"];
const TAGS: [&str; 5] = ["NOUN", "VERB", "DET", "PUNCT", "_"];
const RELATIONS: [&str; 5] = ["nsubj", "obj", "nmod:poss", "root", "_"];

/// A tree of so many words with one root: each word is put below one before it, in an order of words.
fn tree(words: usize) -> impl Strategy<Value = Vec<Option<u32>>> {
    let order = Just((0..words as u32).collect::<Vec<u32>>()).prop_shuffle();
    (order, prop::collection::vec(any::<prop::sample::Index>(), words)).prop_map(move |(order, above)| {
        let mut heads = vec![None; words];
        for (at, index) in above.iter().enumerate().skip(1) {
            heads[order[at] as usize] = Some(order[index.index(at)]);
        }
        heads
    })
}

/// A parsed sentence of so many words at most.
fn any_sentence(most: usize) -> impl Strategy<Value = ParsedSentence> {
    (1..=most).prop_flat_map(|words| {
        (tree(words), prop::collection::vec((0..7_usize, 0..5_usize, 0..3_usize), words)).prop_map(|(heads, words)| {
            let rows: Vec<_> = (heads.iter().zip(words))
                .map(|(head, (form, tag, relation))| {
                    let relation = if head.is_none() { "root" } else { RELATIONS[relation] };
                    (FORMS[form], TAGS[tag], head.map_or(0, |head| head + 1), relation)
                })
                .collect();
            parsed(&rows)
        })
    })
}

/// A source, words of the target with a tag for some, and links.
type Drawn = (ParsedSentence, Vec<(usize, Option<usize>)>, Vec<WeightedLink>);

fn any_pair(most: usize) -> impl Strategy<Value = Drawn> {
    let target = prop::collection::vec((0..7_usize, prop::option::of(0..4_usize)), 0..=most);
    (any_sentence(most), target).prop_flat_map(move |(source, target)| {
        let (i, j) = (source.len() as u32, target.len() as u32);
        let weight = prop_oneof![0.0..=1.0_f32, Just(f32::NAN), Just(-1.0), Just(7.0)];
        let cells = prop::collection::vec((0..i, 0..j.max(1), weight), 0..3 * most);
        let cells = cells.prop_map(move |cells| if j == 0 { Vec::new() } else { links(&cells) });
        (Just(source), Just(target), cells)
    })
}

fn pairs_of(text: &[Drawn]) -> Vec<TreePair<'_>> {
    let word = |&(form, tag): &(usize, Option<usize>)| TargetWord { form: FORMS[form], upos: tag.map(|tag| TAGS[tag]) };
    text.iter()
        .map(|(source, target, links)| TreePair { source, target: target.iter().map(word).collect(), links })
        .collect()
}

fn check_tree(tree: &ProjectedTree, words: usize) -> Result<(), TestCaseError> {
    prop_assert_eq!(tree.words.len(), words);
    if words > 0 {
        let heads = tree.words.iter().map(|word| word.head).collect();
        prop_assert!(DependencyTree::new(heads, Roots::One).is_ok());
    }
    for word in &tree.words {
        prop_assert_eq!(word.relation.split(':').next() == Some("root"), word.head.is_none());
        prop_assert!((0.0..=1.0).contains(&word.confidence));
        prop_assert!(!word.relation.is_empty() && word.relation != "_" && !word.upos.is_empty());
        prop_assert!(word.origin != Origin::Guessed || word.source.is_none());
    }
    Ok(())
}

proptest! {
    /// Whatever the links: a tree over all words, with the root's relation at the root alone, and threads do not matter.
    #[test]
    fn trees_are_trees(text in prop::collection::vec(any_pair(9), 0..40), method in prop::sample::select(&Method::ALL[..])) {
        let pairs = pairs_of(&text);
        let trees = projected(&pairs, method);
        prop_assert_eq!(&project(&pairs, &by(method), &threads(3)).unwrap(), &trees);
        prop_assert_eq!(trees.len(), pairs.len());
        for (pair, tree) in pairs.iter().zip(&trees) {
            check_tree(tree, pair.target.len())?;
            for (word, given) in tree.words.iter().zip(&pair.target) {
                prop_assert!(given.upos.is_none_or(|upos| upos == word.upos));
            }
        }
    }

    /// A text that is its own translation gets its own trees.
    #[test]
    fn the_same_text_gets_its_own_trees(text in prop::collection::vec(any_sentence(9), 1..6)) {
        let identity: Vec<Vec<WeightedLink>> =
            text.iter().map(|sentence| links(&(0..sentence.len() as u32).map(|n| (n, n, 1.0)).collect::<Vec<_>>())).collect();
        let pairs: Vec<TreePair<'_>> = (text.iter().zip(&identity))
            .map(|(source, links)| {
                let word = |form, upos| TargetWord { form, upos: Some(upos) };
                let target = source.words().map(|of| word(of.form(), of.upos())).collect();
                TreePair { source, target, links }
            })
            .collect();
        for method in Method::ALL {
            for (tree, source) in projected(&pairs, method).iter().zip(&text) {
                let heads: Vec<_> = tree.words.iter().map(|word| word.head).collect();
                prop_assert_eq!(heads, source.tree().unwrap().heads());
                let relations: Vec<_> = tree.words.iter().map(|word| word.relation.as_str()).collect();
                prop_assert_eq!(relations, source.words().map(|word| word.deprel()).collect::<Vec<_>>());
                prop_assert_eq!(tree.count(Origin::Carried), source.len());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]
    #[test]
    fn long_sentences_get_trees(pair in any_pair(200)) {
        for method in Method::ALL {
            check_tree(&projected(&pairs_of(std::slice::from_ref(&pair)), method)[0], pair.1.len())?;
        }
    }
}
