//! `alinea model show`: size and settings of a saved model, and the best translations of given words.
//!
//! Words are folded as the model's text was, then looked up in the table of the model: t(target word | source word) for
//! `--source`, the other direction for `--target`, most probable first. A word that the model does not have is reported
//! as such and is no error. What the model has learned from gold links is shown, too: where links begin, and what was changed
//! most. Text for people, or one JSON object with `--format json`; probabilities are in single
//! precision and rounded to six decimals there.

use std::fmt::Write as _;
use std::path::PathBuf;

use alinea::align::Guidelines;
use alinea::bitext::Vocabulary;
use alinea::decision::{Change, Guideline};
use alinea::format::sink;
use alinea::format::tokens::fold_case;
use alinea::model::{Model, Side};
use serde_json::{Value, json};

use crate::input::kind::{FormatArgs, TextKind};

const LONG_ABOUT: &str = "\
Show properties of a model and the best translations of words.

Examples:
  alinea model show en-fr.alinea                    sizes, and how it was trained
  alinea model show en-fr.alinea --source house     French words for an English one
  alinea model show en-fr.alinea --target maison --top 3 --format json";

/// Show properties of a model and the best translations of words
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    /// Model file
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Show p(target word | WORD) of this source word; may be given several times
    #[arg(long, value_name = "WORD")]
    source: Vec<String>,
    /// Show p(source word | WORD) of this target word; may be given several times
    #[arg(long, value_name = "WORD")]
    target: Vec<String>,
    /// Number of translations per word, and of changes by gold links
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    format: FormatArgs<TextKind>,
}

/// Shows.
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let model = Model::open(&args.model)?;
    let bytes = model.bytes();
    let of = |side: Side, words: &[String]| words.iter().map(|word| Found::of(&model, side, word, args.top)).collect();
    let found: [Vec<Found>; 2] = [of(Side::Source, &args.source), of(Side::Target, &args.target)];
    let guidelines = Guidelines::of(&model)?;
    let learned = [("gold", guidelines.without_vectors()), ("gold, encoder", guidelines.with_vectors())];
    let learned: Vec<Learned<'_>> = learned
        .into_iter()
        .filter_map(|(name, guideline)| Some(Learned::of(name, guideline?, &model, args.top)))
        .collect();
    let shown = match args.format.get() {
        TextKind::Text => text(&model, bytes, &learned, &found),
        TextKind::Json => format!("{:#}\n", numbers(&model, bytes, &learned, &found)),
    };
    let mut output = sink::create("-")?;
    output.write_bytes(shown.as_bytes())?;
    output.finish()?;
    Ok(())
}

/// The best translations of a word; nothing if the model does not know it.
struct Found {
    word: String,
    translations: Option<Vec<(f32, String)>>,
}

impl Found {
    fn of(model: &Model, side: Side, word: &str, top: usize) -> Self {
        let mut folded = Vec::new();
        if model.form().lowercase {
            fold_case(word.as_bytes(), &mut folded);
        } else {
            folded.extend_from_slice(word.as_bytes());
        }
        let shown = |(p, word): (f32, &[u8])| (p, String::from_utf8_lossy(word).into_owned());
        let translations = model.translations(side, &folded);
        let translations = translations.map(|found| found.into_iter().take(top).map(shown).collect());
        Self { word: word.to_owned(), translations }
    }
}

/// What gold links have changed.
struct Learned<'g> {
    name: &'static str,
    guideline: &'g Guideline,
    changes: Vec<Change>,
}

impl<'g> Learned<'g> {
    fn of(name: &'static str, guideline: &'g Guideline, model: &Model, top: usize) -> Self {
        let changes = guideline.changes(model.words()).into_iter().take(top).collect();
        Self { name, guideline, changes }
    }

    fn numbers(&self) -> Value {
        let [source, target, pairs] = self.guideline.words();
        let rounded = |weight: f64| (weight * 1e4).round() / 1e4;
        let changes = self.changes.iter().map(|Change { of, weight }| json!({"of": of, "weight": rounded(*weight)}));
        json!({
            "pairs": self.guideline.pairs(), "threshold": rounded(f64::from(self.guideline.threshold())),
            "source_words": source, "target_words": target, "word_pairs": pairs, "changes": changes.collect::<Value>(),
        })
    }
}

fn text(model: &Model, bytes: u64, learned: &[Learned<'_>], found: &[Vec<Found>; 2]) -> String {
    let [source, target] = model.words().map(Vocabulary::len);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<10} {value}");
    };
    line("model", model.signature().to_owned());
    line("text", format!("lowercase {}, tokenize {}", model.form().lowercase, model.form().tokenize.name()));
    line("pairs", format!("{}, {} distinct pairs are recognized", model.pairs(), model.known_pairs()));
    line("words", format!("{source} source, {target} target"));
    line("lexicon", format!("{} word pairs", model.index().len()));
    line("file", format!("{:.1} MB", bytes as f64 / 1e6));
    for Learned { name, guideline, changes } in learned {
        let [source, target, pairs] = guideline.words();
        let (gold, threshold) = (guideline.pairs(), guideline.threshold());
        let _ = writeln!(text, "\n{name}: learned from {gold} sentence pairs; links from {threshold} on");
        let _ = writeln!(text, "weights of {source} source words, {target} target words, {pairs} pairs of words");
        for Change { of, weight } in changes {
            let _ = writeln!(text, "{weight:+.4}  {of}");
        }
    }
    for (found, [given, other]) in found.iter().zip([["source", "target"], ["target", "source"]]) {
        for Found { word, translations } in found {
            let Some(translations) = translations else {
                let _ = writeln!(text, "\n{word}: not among the {given} words");
                continue;
            };
            let _ = writeln!(text, "\np({other} word | {word})");
            for (p, translation) in translations {
                let _ = writeln!(text, "{p:.4}  {translation}");
            }
        }
    }
    text
}

fn numbers(model: &Model, bytes: u64, learned: &[Learned<'_>], found: &[Vec<Found>; 2]) -> Value {
    let [source, target] = model.words().map(Vocabulary::len);
    // Of single precision: six decimals say all.
    let rounded = |p: f32| (f64::from(p) * 1e6).round() / 1e6;
    let list = |found: &[Found]| -> Value {
        let one = |Found { word, translations }: &Found| {
            let pairs = translations.as_ref().map(|translations| {
                translations
                    .iter()
                    .map(|(p, word)| json!({"word": word, "probability": rounded(*p)}))
                    .collect::<Value>()
            });
            json!({"word": word, "translations": pairs})
        };
        found.iter().map(one).collect()
    };
    let of_gold = |name: &str| learned.iter().find(|learned| learned.name == name).map(Learned::numbers);
    json!({
        "gold": of_gold("gold"), "gold_encoder": of_gold("gold, encoder"),
        "signature": model.signature(), "lowercase": model.form().lowercase, "tokenize": model.form().tokenize.name(),
        "pairs": model.pairs(), "known_pairs": model.known_pairs(), "source_words": source, "target_words": target,
        "word_pairs": model.index().len(), "bytes": bytes, "source": list(&found[0]), "target": list(&found[1]),
    })
}
