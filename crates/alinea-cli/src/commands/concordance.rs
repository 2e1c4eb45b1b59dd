//! `alinea concordance`: how words are translated, by links: counts, scores and examples, or a dictionary of all words.
//!
//! What is counted is in `alinea::concordance`, which reads the text up to three times; `input` opens it each time, with the `sides`. `write` writes what
//! was found as text, a table, JSON or a page. All links that are made here, and those of files that are no regular ones, are in
//! memory; others are read pair by pair.

mod input;
mod sides;
mod write;

use std::path::PathBuf;

use alinea::bitext::Side;
use alinea::concordance::{Concordance, ConcordanceConfig, DEFAULT_THRESHOLD, Query, Rank};
use alinea::parallel::Work;
use anyhow::bail;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use self::input::{Corpus, TextArgs};
use crate::context::Context;
use crate::failure::NothingFound;
use crate::input::kind::{FormatArgs, JsonKind};
use crate::input::paths::{Role, check_distinct};
use crate::input::word_links::LinkSourceArgs;
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Look up how words are translated: all translations with counts, confidences and examples; or a dictionary of all words.

Examples:
  alinea concordance text.en text.fr --links links --word house
                                                    translations of house, with examples
  alinea concordance text.en text.fr --links links --word 'in front of' --word 'hous.*' --regex
  alinea concordance text.en text.fr --word maison --side target
                                                    align the words, and look up a target word
  alinea concordance en.conllu fr.conllu -m en-fr.alinea --word be --by lemma
                                                    by lemma, with the links of a model
  alinea concordance bible.en bible.fr --links links --ids verses --word love
                                                    name examples by verse
  alinea concordance text.en text.fr --links links --min-count 5 --examples 2 -o dictionary.html
                                                    a dictionary as a page for a browser
  alinea concordance text.en text.fr --links links --format tsv --rank g2 > dictionary.tsv";

const AFTER_LONG_HELP: &str = "\
A translation of an occurrence are all words that are linked to it, in their order, with `...` where they are not adjacent: `ne ... \
pas`. Links of a file with a confidence below --threshold do not count.

The score g2 is Dunning's log-likelihood ratio G2 = 2 sum O ln(O/E), over the four counts of whether a word is the headword and \
whether it is translated so, with a minus sign if both occur together less often than by chance; dice is 2a / (R + C), where a occurrences of the \
headword, R in all, have the translation, which C words have in all.

Examples are the occurrences with the highest confidence, one from each of N equal stretches of the occurrences in the text.

Without --format the extension of the output decides: .html, .tsv, .json or .jsonl. JSON has a line for each headword. With --word, the \
exit code is 1 if none of the words occurs, as that of grep.";

/// Look up how words are translated, or make a dictionary
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    links: LinkSourceArgs,
    /// Word to look up, or phrase (words separated by blanks); may be given several times [default: all words]
    #[arg(long, value_name = "WORD", help_heading = "Words")]
    word: Vec<String>,
    /// Side of the words
    #[arg(long, value_name = "SIDE", value_enum, default_value_t = SideName::Source, help_heading = "Words")]
    side: SideName,
    /// Treat each word of --word as a regular expression, which must match a whole word
    #[arg(long, requires = "word", help_heading = "Words")]
    regex: bool,
    /// Distinguish case
    #[arg(long, help_heading = "Words")]
    case: bool,
    /// Minimum confidence of a link, from 0 to 1; links without confidence always count
    #[arg(long, value_name = "P", default_value_t = DEFAULT_THRESHOLD, help_heading = "Translations")]
    threshold: f32,
    /// Leave out headwords, and translations, that occur fewer times
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Translations")]
    min_count: u64,
    /// Maximum number of translations of a headword (0: all)
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Translations")]
    top: usize,
    /// What to rank translations by
    #[arg(long, value_name = "SCORE", value_parser = ranks(), default_value = "count", help_heading = "Translations")]
    rank: Rank,
    /// Maximum number of examples of each translation [default: 3 with --word, otherwise 0; 0 in tables]
    #[arg(long, value_name = "N", help_heading = "Translations")]
    examples: Option<usize>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    format: FormatArgs<Form>,
    /// Title of a page [default: the names of the texts]
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    title: Option<String>,
    /// Width of text in columns [default: that of the terminal, otherwise 100]
    #[arg(long, value_name = "N", help_heading = "Output")]
    width: Option<usize>,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// The examples of a translation, where words are looked up.
const EXAMPLES: usize = 3;

fn ranks() -> impl TypedValueParser<Value = Rank> {
    PossibleValuesParser::new(Rank::ALL.map(Rank::name)).try_map(|name| name.parse::<Rank>())
}

/// A side of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SideName {
    /// The source text
    Source,
    /// The target text
    Target,
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Self {
        match name {
            SideName::Source => Self::Source,
            SideName::Target => Self::Target,
        }
    }
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Text for reading, with examples one below the other
    Text,
    /// A table with a line for each translation
    Tsv,
    /// An object for each headword
    Json,
    /// A page for a browser, with search
    Html,
}

impl JsonKind for Form {
    const JSON: Self = Self::Json;
    const DEFAULT: &'static str = "text";
}

/// Looks words up.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    args.links.check()?;
    let form = args.form();
    let config = args.config(form)?;
    config.validate()?;
    let query = if args.word.is_empty() { Query::all() } else { Query::words(&args.word, args.regex)? };
    let (observer, parallelism) = (context.observer(), args.threads.parallelism()?);
    let corpus = Corpus::open(&args.text, &args.links, Work { parallelism: &parallelism, observer })?;
    let mut output = write::create(&args.output, form)?;
    let found = Concordance::build(&config, &query, |visit| corpus.read(visit, context))?;
    for word in found.missing() {
        context.warn(format_args!("{word:?} does not occur"));
    }
    let written = write::Written { config: &config, title: args.title(), width: args.width, form };
    written.write(&found, &args.output, &mut output, context)?;
    output.finish()?;
    let headwords = found.headwords().len();
    let text = format!("pairs      {}\nwords      {}\nheadwords  {headwords}", found.pairs(), found.words());
    context.summary(&text, &json!({"pairs": found.pairs(), "words": found.words(), "headwords": headwords}));
    if !args.word.is_empty() && found.missing().len() == args.word.len() {
        return Err(NothingFound.into());
    }
    Ok(())
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        let links = self.links.paths().map(|(name, path)| Role::new(name, path));
        let inputs: Vec<Role<'_>> = self.text.roles().chain(links).collect();
        check_distinct(&inputs, &[Role::new("--output", &self.output)])
    }

    /// What is written, as given or as the name of the output says.
    fn form(&self) -> Form {
        let name = self.output.to_string_lossy();
        let name = alinea::format::source::plain_name(&name);
        let extension = std::path::Path::new(name).extension().and_then(|extension| extension.to_str());
        match (self.format.get(), extension) {
            (Form::Text, Some("html" | "htm")) => Form::Html,
            (Form::Text, Some("tsv")) => Form::Tsv,
            (Form::Text, Some("json" | "jsonl" | "ndjson")) => Form::Json,
            (form, _) => form,
        }
    }

    fn config(&self, form: Form) -> anyhow::Result<ConcordanceConfig> {
        if form == Form::Tsv && self.examples.is_some_and(|examples| examples > 0) {
            bail!("--examples: a table has no examples; text, JSON and pages have");
        }
        let usual = if self.word.is_empty() || form == Form::Tsv { 0 } else { EXAMPLES };
        Ok(ConcordanceConfig::default().with(|config| {
            config.side = self.side.into();
            config.case = self.case;
            config.threshold = self.threshold;
            config.min_count = self.min_count;
            config.top = (self.top > 0).then_some(self.top);
            config.rank = self.rank;
            config.examples = self.examples.unwrap_or(usual);
        }))
    }

    fn title(&self) -> String {
        self.title.clone().unwrap_or_else(|| self.text.title())
    }
}
