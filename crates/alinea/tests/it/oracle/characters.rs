//! How similar words are by the characters that stand for each other, learned from counts of pairs of words.

use std::collections::BTreeMap;

use super::training::View;

/// The spellings of one language.
struct Spellings {
    /// The symbols of each word, if they can be used.
    words: Vec<Option<Vec<usize>>>,
    /// How many symbols there are.
    symbols: usize,
}

impl Spellings {
    fn new(words: &[String]) -> Self {
        let mut alphabet = BTreeMap::new();
        let words = words.iter().map(|word| {
            let whole = word.chars().all(is_letter);
            let symbols = word.chars().take_while(|&letter| is_letter(letter)).flat_map(symbols);
            let mut number = |symbol| {
                let next = alphabet.len();
                *alphabet.entry(symbol).or_insert(next)
            };
            let symbols: Vec<usize> = symbols.map(&mut number).collect();
            (whole && (3..=24).contains(&symbols.len())).then_some(symbols)
        });
        Self { words: words.collect(), symbols: alphabet.len() }
    }
}

/// Neither an ideograph nor an ASCII character that is no letter.
fn is_letter(character: char) -> bool {
    let ideograph = ('\u{3400}'..='\u{9FFF}').contains(&character);
    !ideograph && (!character.is_ascii() || character.is_ascii_alphabetic())
}

/// The character; of a Hangul syllable its two or three parts, numbered behind all characters.
fn symbols(character: char) -> Vec<u32> {
    if !('\u{AC00}'..='\u{D7A3}').contains(&character) {
        return vec![u32::from(character)];
    }
    let x = u32::from(character) - 0xAC00;
    let (initial, medial, last) = (x / 588, x % 588 / 28, x % 28);
    let parts = [Some(0x20_0000 + initial), Some(0x21_0000 + medial), (last > 0).then_some(0x22_0000 + last)];
    parts.into_iter().flatten().collect()
}

/// A pair to learn from: a, b and its weight.
type Example<'s> = (&'s [usize], &'s [usize], f64);

/// The probabilities of the symbols of b, given those of a.
struct Model {
    /// u(y), without knowing a.
    unigram: Vec<f64>,
    /// t(y|x) by x, then y.
    translation: Vec<Vec<f64>>,
}

impl Model {
    fn train(examples: &[Example<'_>], symbols_a: usize, symbols_b: usize) -> Self {
        let mut unigram = vec![0.5; symbols_b];
        for (_, b, weight) in examples {
            b.iter().for_each(|&y| unigram[y] += weight);
        }
        let total: f64 = unigram.iter().sum();
        for u in &mut unigram {
            *u /= total;
        }
        let mut model = Self { translation: vec![unigram.clone(); symbols_a], unigram };
        for _ in 0..8 {
            model.translation = model.pass(examples);
        }
        model
    }

    fn pass(&self, examples: &[Example<'_>]) -> Vec<Vec<f64>> {
        let mut counts = vec![vec![0.0; self.unigram.len()]; self.translation.len()];
        for &(a, b, weight) in examples {
            for (j, &y) in b.iter().enumerate() {
                let links = self.links(a, b, j);
                let total = links.iter().sum::<f64>() + 0.2 * self.unigram[y];
                for (&x, link) in a.iter().zip(links) {
                    counts[x][y] += weight * link / total;
                }
            }
        }
        let row = |row: Vec<f64>| {
            let total = row.iter().sum::<f64>() + 2.0;
            row.iter().zip(&self.unigram).map(|(count, u)| (count + 2.0 * u) / total).collect()
        };
        counts.into_iter().map(row).collect()
    }

    /// How likely it is that `b[j]` comes from each symbol of `a`: near the same relative position above all.
    fn links(&self, a: &[usize], b: &[usize], j: usize) -> Vec<f64> {
        let place = |k: usize, length: usize| (k as f64 + 0.5) / length as f64;
        let near = |i: usize| (-5.0 * (place(i, a.len()) - place(j, b.len())).abs()).exp();
        let sum: f64 = (0..a.len()).map(near).sum();
        (0..a.len()).map(|i| 0.8 * near(i) * self.translation[a[i]][b[j]] / sum).collect()
    }

    /// By how much b is likelier given a.
    fn score(&self, a: &[usize], b: &[usize]) -> f64 {
        let symbol = |j: usize| (self.links(a, b, j).iter().sum::<f64>() / self.unigram[b[j]] + 0.2).ln();
        (0..b.len()).map(symbol).sum()
    }
}

/// The similarity of all words that occur together, by e, then f: learned from `counts`, but never below what it was.
pub(super) fn similarity(view: &View, counts: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (left, right) = (Spellings::new(&view.conditions), Spellings::new(&view.generated));
    if left.symbols * right.symbols > 4_000_000 {
        return view.similarity.clone();
    }
    let spelled = |e: usize, f: usize| Some((left.words[e].as_deref()?, right.words[f].as_deref()?));
    let mut examples = Vec::new();
    for &(e, f) in &view.together {
        if let Some((a, b)) = spelled(e, f)
            && counts[e][f] > 0.3
        {
            examples.push((a, b, counts[e][f].min(1.0)));
        }
    }
    let forward = Model::train(&examples, left.symbols, right.symbols);
    let mirrored: Vec<Example<'_>> = examples.iter().map(|&(a, b, weight)| (b, a, weight)).collect();
    let reverse = Model::train(&mirrored, right.symbols, left.symbols);
    view.table(|e, f| {
        let Some((a, b)) = spelled(e, f) else { return view.similarity[e][f] };
        let score = f64::midpoint(forward.score(a, b), reverse.score(b, a));
        let learned = 1.0 / (1.0 + (7.5 - 1.3 * score).exp());
        if learned >= 0.02 { view.similarity[e][f].max(learned) } else { view.similarity[e][f] }
    })
}
