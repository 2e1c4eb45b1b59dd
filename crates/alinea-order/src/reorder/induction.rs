//! Trees for sentences without parse, learned from alignments alone (DeNero and Uszkoreit 2011, *Inducing Sentence Structure
//! from Parallel Corpora for Reordering*).
//!
//! Three steps, as in the paper: find for each training sentence a binary tree that its alignment admits; learn a parser
//! that finds such trees without alignment; learn to reorder the trees that the parser finds.
//!
//! The first two are one here, where the paper samples trees by the phrases of both languages and then trains a parser on
//! them: [`Btg`] maximizes the likelihood of all trees that the alignment admits together, in a chart, so that those
//! which are learned are those that sentences have in common; the best derivation of a sentence is its tree, without the
//! labels that say how it is ordered. The third is whatever orders trees, [`Siblings`](super::siblings::Siblings) or
//! [`Children`](super::children::Children), where the paper has classifiers; the labels of nodes are the tags, or else the classes,
//! of the first and the last word. The trees that it learns from come from parsers that have not seen the sentence: the training
//! examples are divided into parts, and the trees of each come from a parser of the others.
//!
//! ```
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//! use alinea::reorder::children::{Children, ChildrenConfig};
//! use alinea::reorder::engine::Layer;
//! use alinea::reorder::example::Example;
//! use alinea::reorder::induction::{self, InductionConfig, Parser};
//! use alinea::reorder::{Engine, Sentence};
//!
//! let sentence = |tags: &str| {
//!     let tags: Vec<String> = tags.split(' ').map(str::to_owned).collect();
//!     Sentence::new(tags.clone()).with_layer(Layer::Tags, tags)
//! };
//! // The adjective goes behind its noun.
//! let example = Example::of_links(sentence("V D A N")?, [(0, 0), (1, 1), (2, 3), (3, 2)].into())?;
//! let config = InductionConfig::new(&[Layer::Tags]);
//! let (parser, parsed) = induction::train(&vec![example; 12], &config, &Parallelism::serial(), &Silent)?;
//! let model = Children::train(&parsed, &ChildrenConfig::default(), &Parallelism::serial(), &Silent)?;
//! let parsed = Parser::new(&parser).parsed(&sentence("D A N")?)?;
//! assert_eq!(model.engine().order(&parsed)?.places(), [0, 2, 1]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::ops::Range;

use super::btg::{Btg, BtgConfig, BtgEngine, Learning, LikelihoodConfig, Search};
use super::constituents::{Constituent, Constituents, leaf};
use super::engine::{Layer, Sentence, stretches};
use super::example::Example;
use super::features::Column;
use crate::error::{Error, Result};
use crate::parallel::Parallelism;
use crate::progress::{Observer, check};

/// How trees are learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct InductionConfig {
    /// How the parser is learned.
    pub parser: BtgConfig,
    /// Into how many parts the examples are divided, at least 2.
    pub parts: usize,
}

alinea_text::configurable!(InductionConfig);

impl InductionConfig {
    /// With a parser that looks at these layers.
    pub fn new(layers: &[Layer]) -> Self {
        let learning = Learning::Likelihood(LikelihoodConfig::default());
        let columns: Vec<Column> = layers.iter().map(|&layer| Column::Layer(layer)).collect();
        let parser = BtgConfig { learning, ..BtgConfig::published(&columns) };
        Self { parser, parts: 4 }
    }
}

/// Finds trees.
#[derive(Debug)]
pub struct Parser<'m> {
    engine: BtgEngine<'m>,
}

impl<'m> Parser<'m> {
    /// That which finds the trees of a model's best derivations.
    pub fn new(model: &'m Btg) -> Self {
        Self { engine: model.engine(Search::Best) }
    }

    /// The tree of a sentence, with labels. O(words³); the stretches of long sentences ([`stretches`]) have trees of their own.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer that the parser was trained with.
    pub fn constituents(&mut self, sentence: &Sentence) -> Result<Constituents> {
        let words = sentence.layer(Layer::Words).unwrap_or_default();
        let mut grown = Grown { made: Constituents::default(), words, names: names(sentence) };
        let mut tops = Vec::new();
        for range in stretches(sentence.len()) {
            let start = range.start as u32;
            let whole = range.len() == sentence.len();
            let brackets =
                if whole { self.engine.tree(sentence)? } else { self.engine.tree(&sentence.stretch(range.clone()))? };
            tops.extend(grown.grow(&brackets, start..range.end as u32));
        }
        let top = grown.made.close_top(tops);
        Ok(grown.made.finish(sentence.len(), top))
    }

    /// A sentence with its induced tree, instead of one that it has.
    ///
    /// # Errors
    /// As [`constituents`](Self::constituents).
    pub fn parsed(&mut self, sentence: &Sentence) -> Result<Sentence> {
        let constituents = self.constituents(sentence)?;
        sentence.clone().with_constituents(constituents)
    }
}

/// What stands for words in labels, from the coarser layer to the finer.
fn names(sentence: &Sentence) -> Vec<&[String]> {
    let first = |layers: [Layer; 2]| layers.into_iter().find_map(|layer| sentence.layer(layer));
    let coarse = first([Layer::Tags, Layer::CoarseClasses]);
    let fine = first([Layer::FineTags, Layer::Classes]);
    coarse.into_iter().chain(fine).collect()
}

/// `tag of the first word + tag of the last word`, and behind `=` the same of a finer layer.
fn label(names: &[&[String]], first: u32, last: u32) -> Option<String> {
    let pair = |layer: &&[String]| format!("{}+{}", layer[first as usize], layer[last as usize]);
    let label = names.iter().map(pair).collect::<Vec<_>>().join("=");
    (!label.is_empty()).then_some(label)
}

/// Trees that are made from the brackets of derivations.
struct Grown<'s> {
    made: Constituents,
    words: &'s [String],
    names: Vec<&'s [String]>,
}

impl Grown<'_> {
    /// The tree that the brackets of a derivation of some words stand for; none of no words. Words are told by their length, as
    /// they may contain anything.
    fn grow(&mut self, brackets: &str, words: Range<u32>) -> Option<Constituent> {
        let mut open: Vec<Vec<Constituent>> = Vec::new();
        let (mut rest, mut word) = (brackets, words.start);
        let mut top = None;
        while word < words.end {
            if let Some(inside) = rest.strip_prefix(['[', '<']) {
                open.push(Vec::new());
                rest = inside;
                continue;
            }
            let text = &self.words[word as usize];
            let escapes = text.matches(['[', ']', '<', '>', '\\']).count();
            rest = rest.get(text.len() + escapes..).unwrap_or_default();
            let mut part = Some(leaf(word, label(&self.names, word, word), false));
            word += 1;
            // A second part closes its node, which may be a second part itself.
            while let Some(closed) = part.take() {
                // The blank between two parts, or the bracket behind them.
                rest = rest.get(1..).unwrap_or_default();
                match open.last_mut() {
                    None => top = Some(closed),
                    Some(parts) => {
                        parts.push(closed);
                        if parts.len() == 2 {
                            let parts = open.pop().unwrap_or_default();
                            let label = label(&self.names, parts[0].words.0, parts[1].words.1 - 1);
                            part = self.made.close(label, None, parts);
                        }
                    }
                }
            }
        }
        top
    }
}

/// Learns a parser, and finds the trees of the examples, each by a parser that has not seen it. The same examples give the same
/// parser and trees, whatever the number of threads.
///
/// # Errors
/// `Config` for less than two parts, and those of [`Btg::train`].
pub fn train(
    examples: &[Example],
    config: &InductionConfig,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<(Btg, Vec<Example>)> {
    if config.parts < 2 {
        return Err(Error::config("parts", config.parts, "2 or more"));
    }
    let parser = Btg::train(examples, &config.parser, None, parallelism, observer)?;
    let mut parsed: Vec<Option<Example>> = vec![None; examples.len()];
    for part in 0..config.parts.min(examples.len()) {
        let inside = |number: &usize| number % config.parts == part;
        let (own, others): (Vec<usize>, Vec<usize>) = (0..examples.len()).partition(inside);
        let others: Vec<Example> = others.into_iter().map(|number| examples[number].clone()).collect();
        // Others of which nothing is known teach no parser.
        let says = others.iter().any(Example::says);
        let trained = if says { Some(Btg::train(&others, &config.parser, None, parallelism, observer)?) } else { None };
        let model = trained.as_ref().unwrap_or(&parser);
        let parse = |parser: &mut Parser<'_>, place: usize| {
            let example = &examples[own[place]];
            Ok((own[place], example.clone().with_sentence(parser.parsed(example.sentence())?)))
        };
        parallelism.map_ordered(
            own.len(),
            || Parser::new(model),
            parse,
            |(number, example)| {
                parsed[number] = Some(example);
                check(observer)
            },
        )?;
    }
    Ok((parser, parsed.into_iter().flatten().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::reorder::engine::MOST_WORDS;

    fn sentence(words: &[&str]) -> Sentence {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        Sentence::new(words.clone()).with_layer(Layer::Tags, words).unwrap()
    }

    fn constituents_of(brackets: &str, sentence: &Sentence) -> Constituents {
        let words = sentence.layer(Layer::Words).unwrap();
        let mut grown = Grown { made: Constituents::default(), words, names: names(sentence) };
        let top = grown.grow(brackets, 0..words.len() as u32);
        grown.made.finish(words.len(), top)
    }

    #[test]
    fn long_sentences_have_a_tree_of_their_stretches() {
        let example = Example::of_links(sentence(&["a", "b"]), [(0, 1), (1, 0)].into()).unwrap();
        let config = InductionConfig::new(&[Layer::Tags]);
        let (parser, parsed) = train(&vec![example; 8], &config, &Parallelism::serial(), &Silent).unwrap();
        assert_eq!(parsed.len(), 8);
        let long = sentence(&["a", "b"].repeat(MOST_WORDS));
        let tree = Parser::new(&parser).constituents(&long).unwrap();
        assert_eq!(tree.words(), 2 * MOST_WORDS);
        assert_eq!(tree.order(|_| None), (0..2 * MOST_WORDS as u32).collect::<Vec<_>>());
        let top = tree.nodes().last().unwrap();
        let whole: Vec<_> = stretches(2 * MOST_WORDS).collect();
        assert!(whole.len() > 1);
        assert_eq!(top.parts().iter().map(Constituent::range).collect::<Vec<_>>(), whole);
    }

    #[test]
    fn trees_are_those_of_the_brackets() {
        let constituents = constituents_of(r"[[I <had \<a b>>] .]", &sentence(&["I", "had", "<a b", "."]));
        let nodes: Vec<(std::ops::Range<usize>, Option<&str>)> =
            constituents.nodes().iter().map(|node| (node.this.range(), node.label())).collect();
        let expected = [(1..3, Some("had+<a b")), (0..3, Some("I+<a b")), (0..4, Some("I+."))];
        assert_eq!(nodes, expected);
        assert_eq!(constituents.order(|_| Some(vec![1, 0])), [3, 2, 1, 0]);
        assert_eq!(constituents_of("I", &sentence(&["I"])).order(|_| None), [0]);
        assert_eq!(constituents_of("", &sentence(&[])).words(), 0);
    }

    #[test]
    fn labels_are_of_the_first_and_the_last_word() {
        let classes = ["7", "8"].map(str::to_owned).to_vec();
        let sentence = sentence(&["D", "N"]).with_layer(Layer::Classes, classes).unwrap();
        assert_eq!(label(&names(&sentence), 0, 1).as_deref(), Some("D+N=7+8"));
        assert_eq!(label(&[], 0, 1), None);
    }
}
