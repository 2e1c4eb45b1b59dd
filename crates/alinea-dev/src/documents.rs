//! Documents whose sentence alignment is known, made from parallel lines.
//!
//! Pairs of lines become groups of sentences. Going through them, the following happens at random, by a seed, each with its
//! rate and on either side:
//!
//! * *join*: two groups in a row become one, in which the sentences of one side are written as one; three at a tenth of these
//!   places, four at a hundredth;
//! * *split*: the sentence of one side is cut in two, at the punctuation that is nearest to its middle, if there is any;
//! * *drop*: the sentence of one side is left out;
//! * *move*: two groups exchange their places in the target text, and stay where they are in the source text. Such groups
//!   cross, and an aligner that keeps the order can find one of the two at most.
//!
//! Three files are written: `PREFIX.source`, `PREFIX.target`, a sentence a line, and `PREFIX.gold`, groups as
//! `alinea sentence-align` writes them. Pairs with an empty side are left out before anything else.

use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use alinea::format::lines::{LineReader, Utf8};
use alinea::format::sink;
use alinea::numeric::Generator;
use anyhow::{Result, bail};

/// How documents are made.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Source lines.
    source: PathBuf,
    /// Target lines.
    target: PathBuf,
    /// Beginning of the names of the files that are written.
    prefix: String,
    /// What decides everything that happens at random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs in a row, from a random place; 0 for all.
    #[arg(long, default_value_t = 0)]
    lines: usize,
    /// Share of places where groups are joined on a given side.
    #[arg(long, default_value_t = 0.05)]
    join: f64,
    /// Share of pairs that are cut on a given side.
    #[arg(long, default_value_t = 0.05)]
    split: f64,
    /// Share of pairs that lose a given side.
    #[arg(long, default_value_t = 0.02)]
    drop: f64,
    /// Share of groups that exchange their places with the next.
    #[arg(long = "move", default_value_t = 0.0)]
    moved: f64,
}

/// The sentences of a group, source and target.
type Group = [Vec<String>; 2];

/// Writes documents.
pub(crate) fn run(args: &Args) -> Result<()> {
    for (name, rate) in [("join", args.join), ("split", args.split), ("drop", args.drop), ("move", args.moved)] {
        if !(0.0..=0.5).contains(&rate) {
            bail!("--{name}: a share from 0 to 0.5");
        }
    }
    let mut generator = Generator::new(args.seed, 0);
    let pairs = read(&args.source, &args.target)?;
    let pairs = stretch(pairs, args.lines, &mut generator);
    let (groups, order) = made(pairs, args, &mut generator);
    let mut texts = [String::new(), String::new()];
    let mut gold = String::new();
    // Where the sentences of each group are in both texts.
    let mut places = vec![[String::new(), String::new()]; groups.len()];
    let orders: [Vec<usize>; 2] = [(0..groups.len()).collect(), order];
    for (side, order) in orders.iter().enumerate() {
        let mut number = 0;
        for &group in order {
            for sentence in &groups[group][side] {
                writeln!(texts[side], "{sentence}")?;
                let separator = if places[group][side].is_empty() { "" } else { "," };
                write!(places[group][side], "{separator}{number}")?;
                number += 1;
            }
        }
    }
    for [source, target] in &places {
        writeln!(gold, "{source}\t{target}")?;
    }
    let [source, target] = &texts;
    let mut outputs = Vec::new();
    for (name, text) in [("source", source), ("target", target), ("gold", &gold)] {
        let mut output = sink::create(format!("{}.{name}", args.prefix))?;
        output.write_bytes(text.as_bytes())?;
        outputs.push(output);
    }
    sink::finish_all(outputs)?;
    Ok(())
}

/// The pairs of lines that have both sides.
fn read(source: &Path, target: &Path) -> Result<Vec<[String; 2]>> {
    let [mut source, mut target] = [LineReader::open(source, Utf8::Strict)?, LineReader::open(target, Utf8::Strict)?];
    let mut pairs = Vec::new();
    let [mut own, mut other] = [String::new(), String::new()];
    loop {
        match (source.read_into(&mut own)?, target.read_into(&mut other)?) {
            (true, true) => {
                let pair = [own.trim().to_owned(), other.trim().to_owned()];
                if pair.iter().all(|side| !side.is_empty()) {
                    pairs.push(pair);
                }
            }
            (false, false) => return Ok(pairs),
            _ => bail!("{} and {} differ in their numbers of lines", source.name(), target.name()),
        }
    }
}

/// So many pairs in a row.
fn stretch(mut pairs: Vec<[String; 2]>, lines: usize, generator: &mut Generator) -> Vec<[String; 2]> {
    if lines == 0 || lines >= pairs.len() {
        return pairs;
    }
    let places = NonZeroU64::new((pairs.len() - lines + 1) as u64).unwrap_or(NonZeroU64::MIN);
    let first = generator.below(places) as usize;
    pairs.drain(..first);
    pairs.truncate(lines);
    pairs
}

/// Groups in the order of the source, and their order in the target.
fn made(pairs: Vec<[String; 2]>, args: &Args, generator: &mut Generator) -> (Vec<Group>, Vec<usize>) {
    let mut groups: Vec<Group> = Vec::new();
    let mut pairs = pairs.into_iter();
    while let Some(pair) = pairs.next() {
        // One thing at most happens to a pair.
        let mut happens = generator.unit();
        let mut at = |rate: f64| {
            happens -= rate;
            happens < 0.0
        };
        let sides = [0, 1];
        let joined = sides.into_iter().find(|_| at(args.join));
        let split = joined.is_none().then(|| sides.into_iter().find(|_| at(args.split))).flatten();
        let dropped =
            (joined.is_none() && split.is_none()).then(|| sides.into_iter().find(|_| at(args.drop))).flatten();
        let [source, target] = pair;
        let mut group = [vec![source], vec![target]];
        if let Some(side) = joined {
            let more = generator.unit();
            let count = if more < 0.01 {
                4
            } else if more < 0.11 {
                3
            } else {
                2
            };
            for [source, target] in pairs.by_ref().take(count - 1) {
                group[0].push(source);
                group[1].push(target);
            }
            group[side] = vec![group[side].join(" ")];
        }
        if let Some(side) = split
            && let Some(parts) = cut(&group[side][0])
        {
            group[side] = parts.into();
        }
        if let Some(side) = dropped {
            group[side].clear();
        }
        groups.push(group);
    }
    let mut order: Vec<usize> = (0..groups.len()).collect();
    let mut n = 0;
    while n + 1 < order.len() {
        if generator.unit() < args.moved {
            order.swap(n, n + 1);
            n += 1;
        }
        n += 1;
    }
    (groups, order)
}

/// The parts of a sentence before and behind the punctuation that is nearest to its middle, with the punctuation before.
fn cut(sentence: &str) -> Option<[String; 2]> {
    let ends = |(at, c): (usize, char)| ",;:.!?،؛、。，；：！？".contains(c).then_some(at + c.len_utf8());
    let parts = |at: usize| [sentence[..at].trim().to_owned(), sentence[at..].trim().to_owned()];
    let has_words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count() > 2;
    let places = sentence.char_indices().filter_map(ends);
    let possible = places.filter(|&at| parts(at).iter().all(|part| has_words(part)));
    possible.min_by_key(|&at| (2 * at).abs_diff(sentence.len())).map(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_but_what_is_dropped() {
        let side = |n: usize, name: &str| format!("{name}{n} is here, and this is more of {name}{n}.");
        let pairs: Vec<[String; 2]> = (0..500).map(|n| [side(n, "s"), side(n, "t")]).collect();
        let args = |drop: f64| Args {
            source: PathBuf::new(),
            target: PathBuf::new(),
            prefix: String::new(),
            seed: 1,
            lines: 0,
            join: 0.1,
            split: 0.1,
            drop,
            moved: 0.1,
        };
        let words = |texts: &[Vec<String>]| texts.concat().join(" ");
        for drop in [0.0, 0.05] {
            let (groups, order) = made(pairs.clone(), &args(drop), &mut Generator::new(3, 0));
            let sorted = {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                sorted
            };
            assert!(sorted.iter().copied().eq(0..groups.len()) && order != sorted);
            let empty = groups.iter().filter(|group| group.iter().any(Vec::is_empty)).count();
            assert_eq!(empty > 0, drop > 0.0);
            assert!(groups.iter().any(|group| group[0].len() == 3 && group[1].len() == 1));
            for which in [0, 1] {
                let made: Vec<Vec<String>> = groups.iter().map(|group| group[which].clone()).collect();
                let all: Vec<Vec<String>> = pairs.iter().map(|pair| vec![pair[which].clone()]).collect();
                assert_eq!(words(&made) == words(&all), drop == 0.0);
            }
        }
        let middle = cut("one, two three four, five six seven eight").expect("there is punctuation");
        assert_eq!(middle, ["one, two three four,", "five six seven eight"]);
        assert_eq!(cut("no punctuation inside."), None);
    }
}
