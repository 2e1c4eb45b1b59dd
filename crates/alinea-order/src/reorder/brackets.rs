//! Trees as brackets: what stands in files `.parse`.
//!
//! `(S (NP (PRP I)) (VP am going))`: a bracket opens, the label of a node follows, then its children, which are words or
//! nodes again. Brackets among words are written `-LRB-` and `-RRB-`, as in the Penn Treebank, and blanks in
//! words `_`.
//!
//! A dependency tree becomes brackets in which every word is a node, labeled by its relation, around its dependents and a
//! node of its tag with the word itself. Where arcs cross, a word with all below it moves up to the head of its head until
//! nothing crosses (Nivre and Nilsson 2005, *Pseudo-Projective Dependency Parsing*), so that the words keep their order.
//!
//! ```
//! use alinea::format::conllu;
//! use alinea::reorder::brackets;
//! use alinea::tree::Roots;
//!
//! let file = "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\thouse\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n";
//! let sentence = &conllu::parse(file, "f", Roots::One)?[0];
//! let line = brackets::of_dependencies(sentence).expect("it has a tree");
//! assert_eq!(line, "(root (det (DET the)) (NOUN house))");
//! assert_eq!(brackets::words(&line), Ok(vec!["the", "house"]));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use crate::error::{Error, Position, Result};
use crate::tree::{DependencyTree, ParsedSentence, Roots};

/// The tree of a sentence as brackets; none if it has no tree. Several roots are put under one node `ROOT`. At most
/// O(words²).
pub fn of_dependencies(sentence: &ParsedSentence) -> Option<String> {
    let row = |word| sentence.word(word);
    of_tree(sentence.tree()?, |word| [row(word).deprel(), row(word).upos(), row(word).form()])
}

/// Brackets over words of which relation, tag and form are known.
pub(super) fn of_tree<'s>(tree: &DependencyTree, cells: impl Fn(u32) -> [&'s str; 3]) -> Option<String> {
    let lifted = without_crossings(tree)?;
    let roots: Vec<u32> = lifted.roots().collect();
    let mut line = String::new();
    let several = roots.len() > 1;
    if several {
        line.push_str("(ROOT ");
    }
    for (place, &root) in roots.iter().enumerate() {
        if place > 0 {
            line.push(' ');
        }
        add_nodes(&cells, &lifted, root, &mut line);
    }
    if several {
        line.push(')');
    }
    Some(line)
}

/// Refuses a line of brackets that is none, or is not around these words ([`stands_for`]); `position` is the place of a byte, from
/// 1, of the line, and of 0 the line itself.
///
/// # Errors
/// `Parse`.
pub fn check(line: &str, words: &[String], position: impl FnOnce(usize) -> Position) -> Result<()> {
    let fault =
        |column: usize, expected: String, found: &str| Err(Error::parse(position(column), expected, found.as_bytes()));
    let leaves = match self::words(line) {
        Ok(leaves) => leaves,
        Err((at, expected)) => return fault(at + 1, expected.to_owned(), &line[at..]),
    };
    if leaves.len() != words.len() {
        return fault(0, format!("brackets around {} words (here are {})", words.len(), leaves.len()), line);
    }
    match leaves.iter().zip(words).find(|(leaf, word)| !stands_for(leaf, word)) {
        Some((leaf, word)) => {
            let column = leaf.as_ptr().addr() - line.as_ptr().addr() + 1;
            fault(column, format!("the word `{word}` of the sentence"), leaf)
        }
        None => Ok(()),
    }
}

/// Whether a word in brackets is that of a sentence: the same but for case, and for how the Penn Treebank writes brackets, quotes,
/// slashes, and blanks.
pub fn stands_for(leaf: &str, word: &str) -> bool {
    leaf == word || plain(leaf) == plain(word)
}

/// A word without what treebanks do to it.
fn plain(word: &str) -> String {
    const WRITTEN: [(&str, &str); 14] = [
        ("-LRB-", "("),
        ("-RRB-", ")"),
        ("-LSB-", "["),
        ("-RSB-", "]"),
        ("-LCB-", "{"),
        ("-RCB-", "}"),
        ("\\/", "/"),
        ("\\*", "*"),
        ("``", "\""),
        ("''", "\""),
        ("\u{201c}", "\""),
        ("\u{201d}", "\""),
        (" ", "_"),
        ("\t", "_"),
    ];
    let written = WRITTEN.iter().filter(|(written, _)| word.contains(written));
    let plain = written.fold(word.to_owned(), |word, (written, meant)| word.replace(written, meant));
    plain.to_lowercase()
}

/// What is still to be written: a node with all below it, the word of a node, or the end of a node.
enum Step {
    Node(u32),
    Word(u32),
    Text(&'static str),
}

fn add_nodes<'s>(cells: &impl Fn(u32) -> [&'s str; 3], tree: &DependencyTree, root: u32, line: &mut String) {
    let mut steps = vec![Step::Node(root)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Text(text) => line.push_str(text),
            Step::Word(word) => {
                let [_, tag, form] = cells(word);
                line.extend(["(", &escaped(tag), " ", &escaped(form), ")"]);
            }
            Step::Node(word) => {
                line.extend(["(", &escaped(cells(word)[0])]);
                let dependents = tree.dependents(word);
                let left = dependents.partition_point(|&dependent| dependent < word);
                steps.push(Step::Text(")"));
                let children = dependents[..left].iter().map(|&dependent| Step::Node(dependent));
                let children = children.chain([Step::Word(word)]);
                let children = children.chain(dependents[left..].iter().map(|&dependent| Step::Node(dependent)));
                let children: Vec<Step> = children.collect();
                for child in children.into_iter().rev() {
                    steps.push(child);
                    steps.push(Step::Text(" "));
                }
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('(', "-LRB-").replace(')', "-RRB-").replace([' ', '\t'], "_")
}

/// The tree with as few words as possible moved up so that no arcs cross, the shortest arcs first.
pub(super) fn without_crossings(tree: &DependencyTree) -> Option<DependencyTree> {
    let mut heads = tree.heads().to_vec();
    while let Some(word) = shortest_crossing(&heads) {
        let above = heads[word as usize].and_then(|head| heads[head as usize]);
        heads[word as usize] = above;
    }
    DependencyTree::new(heads, Roots::Many).ok()
}

/// The word whose arc is the shortest of those over some word that is not below their head, the first if several are; arcs
/// from above the roots count as over none.
fn shortest_crossing(heads: &[Option<u32>]) -> Option<u32> {
    let below = |mut word: u32, head: u32| loop {
        if word == head {
            return true;
        }
        match heads[word as usize] {
            Some(above) => word = above,
            None => return false,
        }
    };
    let crosses = |&(word, head): &(u32, u32)| {
        let (from, to) = (word.min(head), word.max(head));
        (from + 1..to).any(|between| !below(between, head))
    };
    let arcs = (0..).zip(heads).filter_map(|(word, head)| Some((word, (*head)?)));
    let mut crossing: Vec<(u32, u32)> = arcs.filter(crosses).collect();
    crossing.sort_by_key(|&(word, head)| (word.abs_diff(head), word));
    crossing.first().map(|&(word, _)| word)
}

/// The words of a line of brackets, in their order.
///
/// # Errors
/// What is wrong and the byte, from 0, where it shows: a bracket that is not closed or not opened, or words outside of
/// brackets.
pub fn words(line: &str) -> std::result::Result<Vec<&str>, (usize, &'static str)> {
    let mut words = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    let mut label = false;
    while let Some(character) = line[at..].chars().next() {
        let start = at;
        match character {
            ' ' | '\t' => at += 1,
            '(' => {
                open.push(at);
                label = true;
                at += 1;
            }
            ')' => {
                if open.pop().is_none() {
                    return Err((at, "a bracket that was opened"));
                }
                label = false;
                at += 1;
            }
            _ => {
                at += line[at..].find([' ', '\t', '(', ')']).unwrap_or(line.len() - at);
                if open.is_empty() {
                    return Err((start, "a bracket"));
                }
                if !std::mem::take(&mut label) {
                    words.push(&line[start..at]);
                }
            }
        }
    }
    match open.first() {
        Some(&start) => Err((start, "a bracket that is closed")),
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::conllu;
    use proptest::prelude::*;

    fn file(heads: &[u32]) -> String {
        let row = |(word, head): (usize, &u32)| format!("{0}\tw{0}\t_\tX\t_\t_\t{head}\tr{0}\t_\t_\n", word + 1);
        heads.iter().enumerate().map(row).collect::<Vec<_>>().concat() + "\n"
    }

    fn line(heads: &[u32]) -> String {
        of_dependencies(&conllu::parse(&file(heads), "f", Roots::Many).unwrap()[0]).unwrap()
    }

    #[test]
    fn crossing_arcs_are_moved_up() {
        // Word 1 hangs on word 3 across the root, word 2: it goes to word 2.
        assert_eq!(line(&[3, 0, 2]), "(r2 (r1 (X w1)) (X w2) (r3 (X w3)))");
        assert_eq!(line(&[0, 0]), "(ROOT (r1 (X w1)) (r2 (X w2)))");
        let bracket = "1\t(\t_\tPUNCT\t_\t_\t0\troot\t_\t_\n\n";
        let sentence = &conllu::parse(bracket, "f", Roots::One).unwrap()[0];
        assert_eq!(of_dependencies(sentence).unwrap(), "(root (PUNCT -LRB-))");
    }

    #[test]
    fn brackets_are_checked() {
        assert_eq!(words("( (S (NP I) (VP am going)))"), Ok(vec!["I", "am", "going"]));
        assert_eq!(words(""), Ok(vec![]));
        assert_eq!(words("(S (X a)"), Err((0, "a bracket that is closed")));
        assert_eq!(words("(S a))"), Err((5, "a bracket that was opened")));
        assert_eq!(words("(S a) b"), Err((6, "a bracket")));
    }

    #[test]
    fn brackets_are_around_their_words() {
        let fault = |line: &str, words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            check(line, &words, |column| Position::new("f", 1, column as u64)).err().map(|error| error.to_string())
        };
        assert_eq!(fault("(S (X -LRB-) (X ``) (X I) (X and\\/or))", &["(", "\"", "i", "and/or"]), None);
        assert_eq!(
            fault("(S (NP I) (VP go))", &["I", "went"]).unwrap(),
            "f:1:15: expected the word `went` of the sentence, found `go`"
        );
        assert_eq!(
            fault("(S I)", &["I", "go"]).unwrap(),
            "f:1: expected brackets around 2 words (here are 1), found `(S I)`"
        );
        assert_eq!(fault("(S I", &["I"]).unwrap(), "f:1:1: expected a bracket that is closed, found `(S I`");
    }

    proptest! {
        #[test]
        fn words_keep_their_order(heads in prop::collection::vec(0u32..9, 1..9)) {
            // Heads to the left make a tree; shuffling the numbers makes arcs cross.
            let n = heads.len() as u32;
            let renamed = |word: u32| (word * 5 + 2) % 9;
            let mut names: Vec<u32> = (0..n).map(renamed).collect();
            let order = crate::permutation::Permutation::ranks(&names);
            names.clear();
            let mut tree = vec![0; heads.len()];
            for (word, head) in heads.iter().enumerate() {
                let head = if word == 0 { 0 } else { order.places()[*head as usize % word] + 1 };
                tree[order.places()[word] as usize] = head;
            }
            let expected: Vec<String> = (1..=n).map(|word| format!("w{word}")).collect();
            let line = line(&tree);
            prop_assert_eq!(words(&line).unwrap(), expected);
        }
    }
}
