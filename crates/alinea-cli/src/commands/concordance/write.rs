//! What was found, as text, as a table, as JSON or as a page.
//!
//! Text goes to terminals as it was drawn, with marks that isolate words from right to left, as pictures do.

use std::fmt::Write as _;
use std::path::Path;

use alinea::bitext::Side;
use alinea::concordance::{Concordance, ConcordanceConfig, Example, Headword, Translation};
use alinea::format::sink::{self, Output};
use alinea::format::source::is_dash;
use alinea::progress;
use alinea::view::{ConcordancePage, Style, headword_text};
use serde_json::{Value, json};
use terminal_size::{Width, terminal_size_of};

use super::Form;
use crate::context::Context;

/// The width where the terminal does not tell one.
const WIDTH: usize = 100;

/// The columns to which longer words of examples are cut.
const WORD: usize = 40;

/// Headwords between two questions whether to stop.
const OFTEN: usize = 1 << 10;

/// What a table has in its first line.
const HEAD: &str = "word\ttranslation\tcount\tshare\tconfidence\tg2\tdice\n";

/// How it is written.
pub(super) struct Written<'a> {
    pub(super) config: &'a ConcordanceConfig,
    pub(super) title: String,
    pub(super) width: Option<usize>,
    pub(super) form: Form,
}

/// Opens the output.
pub(super) fn create(path: &Path, form: Form) -> anyhow::Result<Output> {
    let mut output = sink::create(path)?;
    if form == Form::Text {
        output.draw();
    }
    Ok(output)
}

impl Written<'_> {
    /// Writes all headwords.
    pub(super) fn write(
        &self,
        found: &Concordance,
        path: &Path,
        output: &mut Output,
        context: &Context,
    ) -> anyhow::Result<()> {
        let style = self.style(path, context);
        let mut page = ConcordancePage::new(&self.title, self.config.side);
        match self.form {
            Form::Tsv => output.write_bytes(HEAD.as_bytes())?,
            Form::Html => output.write_bytes(page.start(found).as_bytes())?,
            Form::Text | Form::Json => {}
        }
        let mut text = String::new();
        for (n, headword) in found.headwords().enumerate() {
            if n % OFTEN == 0 {
                progress::check(context.observer())?;
            }
            text.clear();
            match self.form {
                Form::Text => {
                    if n > 0 {
                        text.push('\n');
                    }
                    text += &headword_text(&headword, self.config.side, &style);
                }
                Form::Tsv => push_rows(&headword, &mut text),
                Form::Json => {
                    text += &json_of(&headword, self.config.side).to_string();
                    text.push('\n');
                }
                Form::Html => text += &page.headword(&headword),
            }
            output.write_bytes(text.as_bytes())?;
        }
        if self.form == Form::Html {
            output.write_bytes(page.end().as_bytes())?;
        }
        Ok(())
    }

    fn style(&self, path: &Path, context: &Context) -> Style {
        let terminal = || terminal_size_of(std::io::stdout()).map(|(Width(width), _)| usize::from(width));
        let to_stdout = is_dash(path);
        Style::default().with(|style| {
            style.width = self.width.or_else(|| if to_stdout { terminal() } else { None }).unwrap_or(WIDTH);
            style.word_length = WORD;
            style.color = to_stdout && context.color_stdout();
        })
    }
}

/// A line for each translation, and one for what is untranslated, with nothing in the place of the translation.
fn push_rows(headword: &Headword, text: &mut String) {
    let word = &headword.word;
    for found in &headword.translations {
        let Translation { words, count, share, confidence, log_likelihood, dice, .. } = found;
        let confidence = confidence.map_or_else(String::new, |confidence| format!("{confidence:.4}"));
        // A String takes whatever is written.
        let _ = writeln!(text, "{word}\t{words}\t{count}\t{share:.4}\t{confidence}\t{log_likelihood:.2}\t{dice:.4}");
    }
    if headword.untranslated > 0 {
        let share = headword.untranslated as f64 / headword.count as f64;
        let _ = writeln!(text, "{word}\t\t{}\t{share:.4}\t\t\t", headword.untranslated);
    }
}

/// Numbers with so many digits behind the point.
fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (value * unit).round() / unit
}

fn json_of(headword: &Headword, side: Side) -> Value {
    let translation = |found: &Translation| {
        json!({
            "translation": found.words,
            "count": found.count,
            "share": rounded(found.share, 4),
            "confidence": found.confidence.map(|confidence| rounded(confidence, 4)),
            "g2": rounded(found.log_likelihood, 2),
            "dice": rounded(found.dice, 4),
            "examples": found.examples.iter().map(example).collect::<Value>(),
        })
    };
    json!({
        "word": headword.word,
        "side": match side { Side::Source => "source", Side::Target => "target" },
        "count": headword.count,
        "translations": headword.translations.iter().map(translation).collect::<Value>(),
        "others": {"translations": headword.others[0], "count": headword.others[1]},
        "untranslated": {
            "count": headword.untranslated,
            "examples": headword.untranslated_examples.iter().map(example).collect::<Value>(),
        },
    })
}

fn example(example: &Example) -> Value {
    let sentence = &example.sentence;
    json!({
        "pair": sentence.number,
        "id": sentence.name,
        "source": sentence.words[0].words().collect::<Value>(),
        "target": sentence.words[1].words().collect::<Value>(),
        "source_places": example.places[0],
        "target_places": example.places[1],
        "confidence": example.confidence.map(|confidence| rounded(f64::from(confidence), 4)),
    })
}
