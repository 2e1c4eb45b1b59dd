//! The options that choose metrics.

mod bleu;

use alinea::metric::Metric;
use alinea::metric::chrf::{Chrf, ChrfConfig};
use alinea::metric::ter::Ter;
use alinea::metric::tokenize::Tercom;
use anyhow::bail;
use clap::ValueEnum;

use self::bleu::BleuArgs;

/// A metric by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// n-grams of words (Papineni et al. 2002)
    Bleu,
    /// n-grams of characters (Popović 2015)
    Chrf,
    /// The same with words and pairs of words (Popović 2017)
    #[value(name = "chrf++")]
    ChrfPlusPlus,
    /// Edits and shifts of words; less is better (Snover et al. 2006)
    Ter,
}

/// Which metrics, and how they count.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Metrics")]
pub(super) struct ChoiceArgs {
    /// The metrics
    #[arg(short = 'm', long = "metric", value_name = "NAME", value_enum, num_args = 1.., default_value = "bleu")]
    names: Vec<Name>,
    #[command(flatten)]
    bleu: BleuArgs,
    #[command(flatten)]
    chrf: ChrfArgs,
    #[command(flatten)]
    ter: TerArgs,
}

/// How chrF counts.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "chrF")]
struct ChrfArgs {
    /// Longest n-grams of characters
    #[arg(long, value_name = "N", default_value_t = ChrfConfig::default().character_order)]
    chrf_char_order: usize,
    /// Longest n-grams of words [default: 0, with chrf++ 2]
    #[arg(long, value_name = "N")]
    chrf_word_order: Option<usize>,
    /// How many times as important as precision recall is
    #[arg(long, value_name = "NUMBER", default_value_t = ChrfConfig::default().beta)]
    chrf_beta: f64,
    /// Blanks are characters
    #[arg(long)]
    chrf_whitespace: bool,
    /// Upper and lower case are the same
    #[arg(long)]
    chrf_lowercase: bool,
    /// Orders without n-grams have the score 1e-16, in place of being left out
    #[arg(long)]
    chrf_eps_smoothing: bool,
}

/// How TER counts; without options as Tercom.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "TER")]
struct TerArgs {
    /// Set punctuation apart
    #[arg(long)]
    ter_normalized: bool,
    /// Delete punctuation
    #[arg(long)]
    ter_no_punct: bool,
    /// Treat Chinese and Japanese characters by themselves, with one of the two above
    #[arg(long)]
    ter_asian_support: bool,
    /// Upper and lower case are different
    #[arg(long)]
    ter_case_sensitive: bool,
}

impl ChoiceArgs {
    /// The metrics, in the order of their names.
    pub(super) fn metrics(&self, segments: bool) -> anyhow::Result<Vec<Box<dyn Metric>>> {
        let mut metrics: Vec<Box<dyn Metric>> = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            if self.names[..number].contains(name) {
                let name = name.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
                bail!("metric = {name}: given twice");
            }
            metrics.push(match name {
                Name::Bleu => Box::new(self.bleu.metric(segments)?),
                Name::Chrf => Box::new(self.chrf.metric(0)?),
                Name::ChrfPlusPlus => Box::new(self.chrf.metric(2)?),
                Name::Ter => Box::new(self.ter.metric()),
            });
        }
        Ok(metrics)
    }

    /// The tokenizer of BLEU, if that is asked for.
    pub(super) fn tokenizer(&self) -> Option<&str> {
        self.names.contains(&Name::Bleu).then(|| self.bleu.tokenizer_name())
    }

    /// Whether a tokenizer was asked for by name.
    pub(super) fn names_tokenizer(&self) -> bool {
        self.bleu.names_tokenizer()
    }
}

impl ChrfArgs {
    fn metric(&self, word_order: usize) -> anyhow::Result<Chrf> {
        Ok(Chrf::new(ChrfConfig {
            character_order: self.chrf_char_order,
            word_order: self.chrf_word_order.unwrap_or(word_order),
            beta: self.chrf_beta,
            whitespace: self.chrf_whitespace,
            epsilon_smoothing: self.chrf_eps_smoothing,
            lowercase: self.chrf_lowercase,
        })?)
    }
}

impl TerArgs {
    fn metric(&self) -> Ter {
        Ter::new(Tercom {
            normalized: self.ter_normalized,
            no_punctuation: self.ter_no_punct,
            asian_support: self.ter_asian_support,
            case_sensitive: self.ter_case_sensitive,
        })
    }
}
