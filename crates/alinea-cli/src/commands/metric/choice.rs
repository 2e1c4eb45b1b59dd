//! The options of `alinea metric` that choose and configure metrics, and the metrics that they stand for.
//!
//! Each name behind `--metric` becomes one `Metric`; `bleu` and `lr` become one for each list of `--weights`. The
//! options of BLEU are in `bleu`, those of LRscore in `linked`, those of tree metrics in `trees`, and `words` has
//! tokenization and case for all metrics that compare words. Those of chrF, TER and METEOR are here. Help shows the
//! common options, `--help-all` all.
//!
//! The metrics decide what is read: `dpath` and `ted` read CoNLL-U files, `lr` reads lines with links, all others read
//! lines of text. The three kinds cannot be mixed, and options about synonyms, trees or links are refused where no
//! metric uses them. NIST needs the n-gram counts of all references before it can score, and reads them first.

mod bleu;
mod linked;
mod trees;
mod words;

use std::path::{Path, PathBuf};

use alinea::format::lines::{LineReader, Utf8};
use alinea::metric::chrf::{Chrf, ChrfConfig};
use alinea::metric::dependency_path::DependencyPath;
use alinea::metric::gleu::{Gleu, GleuConfig};
use alinea::metric::lepor::{Lepor, LeporConfig};
use alinea::metric::meteor::{Meteor, MeteorConfig, Synonyms};
use alinea::metric::nist::{Nist, NistConfig};
use alinea::metric::order::{Order, OrderConfig, OrderScore};
use alinea::metric::ribes::{Ribes, RibesConfig};
use alinea::metric::ter::Ter;
use alinea::metric::tokenize::{Tercom, Tokenizer};
use alinea::metric::{Metric, Segments};
use anyhow::bail;
use clap::ValueEnum;

use self::bleu::BleuArgs;
use self::linked::LrArgs;
use self::trees::TreeArgs;
use self::words::WordArgs;
use super::input::Streams;
use super::linked_streams::LinkedStreams;
use crate::input::kind::Rare as _;
use crate::input::trees::TreeStreams;

/// A metric by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// n-grams of words (Papineni et al. 2002)
    Bleu,
    /// n-grams of characters (Popović 2015)
    Chrf,
    /// The same plus n-grams of one and two words (Popović 2017)
    #[value(name = "chrf++")]
    ChrfPlusPlus,
    /// Edits and shifts of words; lower is better (Snover et al. 2006)
    Ter,
    /// n-grams of words of all orders in one bag (Wu et al. 2016)
    Gleu,
    /// n-grams of words weighted by information (Doddington 2002)
    Nist,
    /// Word order (Isozaki et al. 2010)
    Ribes,
    /// Words, their stems, and chunks (Lavie and Agarwal 2007)
    Meteor,
    /// Length, positions, precision and recall (Han et al. 2012)
    Lepor,
    /// Share of words in their place (Birch and Osborne 2010)
    Hamming,
    /// Share of word pairs in the right order
    Kendall,
    /// 1 minus the square root of the share of word pairs in the wrong order (Birch and Osborne 2010)
    KendallSqrt,
    /// Kendall's tau of word order
    Tau,
    /// Spearman's rho of word order
    Spearman,
    /// Longest sequence of words in the right order (Ulam)
    Ulam,
    /// Spearman's footrule of word order
    Footrule,
    /// Number of chunks (Talbot et al. 2011)
    Fuzzy,
    /// BLEU and the order of source words, by links (Birch and Osborne 2010)
    Lr,
    /// Paths in dependency trees (CoNLL-U files) (McCaffery 2017)
    Dpath,
    /// Edit distance of dependency trees (CoNLL-U files) (Zhang and Shasha 1989)
    Ted,
}

impl Name {
    /// Whether it compares trees.
    fn is_of_trees(self) -> bool {
        matches!(self, Self::Dpath | Self::Ted)
    }
}

/// Which metrics, and how they count.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Metrics")]
pub(super) struct ChoiceArgs {
    /// Metrics
    #[arg(long = "metric", value_name = "NAME", value_enum, num_args = 1.., default_value = "bleu")]
    names: Vec<Name>,
    #[command(flatten)]
    words: WordArgs,
    #[command(flatten)]
    bleu: BleuArgs,
    #[command(flatten)]
    chrf: ChrfArgs,
    #[command(flatten)]
    ter: TerArgs,
    #[command(flatten)]
    meteor: MeteorArgs,
    #[command(flatten)]
    lr: LrArgs,
    #[command(flatten)]
    trees: TreeArgs,
}

/// How chrF counts.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "chrF")]
#[expect(clippy::struct_field_names, reason = "they are the names of the options")]
struct ChrfArgs {
    /// Maximum order of character n-grams
    #[arg(long, value_name = "N", default_value_t = ChrfConfig::default().character_order, rare = true)]
    chrf_char_order: usize,
    /// Maximum order of word n-grams [default: 0; 2 for chrf++]
    #[arg(long, value_name = "N", rare = true)]
    chrf_word_order: Option<usize>,
    /// Weight of recall relative to precision (beta)
    #[arg(long, value_name = "NUMBER", default_value_t = ChrfConfig::default().beta, rare = true)]
    chrf_beta: f64,
    /// Count whitespace as characters
    #[arg(long, rare = true)]
    chrf_whitespace: bool,
    /// Ignore case
    #[arg(long, rare = true)]
    chrf_lowercase: bool,
    /// Score orders without n-grams as 1e-16 instead of leaving them out
    #[arg(long, rare = true)]
    chrf_eps_smoothing: bool,
}

/// How TER counts; without options as Tercom.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "TER")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
struct TerArgs {
    /// Separate punctuation from words
    #[arg(long, rare = true)]
    ter_normalized: bool,
    /// Delete punctuation
    #[arg(long, rare = true)]
    ter_no_punct: bool,
    /// Also split Chinese and Japanese characters (with --ter-normalized or --ter-no-punct)
    #[arg(long, rare = true)]
    ter_asian_support: bool,
    /// Distinguish case
    #[arg(long, rare = true)]
    ter_case_sensitive: bool,
}

/// How METEOR matches.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "METEOR, and unlinked words of dpath and ted")]
struct MeteorArgs {
    /// Also match synonyms: one set per line, separated by whitespace
    #[arg(long, value_name = "FILE", rare = true)]
    synonyms: Option<PathBuf>,
}

impl ChoiceArgs {
    /// Files that are read besides the text.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let synonyms = self.meteor.synonyms.iter().map(|path| ("--synonyms", path.as_path()));
        synonyms.chain(self.lr.inputs()).chain(self.trees.links.iter().map(|path| ("--links", path.as_path())))
    }

    /// Whether systems have links of their own beside their text.
    pub(super) fn has_links(&self) -> bool {
        self.lr.any() || !self.trees.links.is_empty()
    }

    /// The metrics, in the order of their names. `references` reads all references, for metrics that must know them
    /// first.
    pub(super) fn metrics(
        &self,
        segments: bool,
        references: impl Fn() -> anyhow::Result<Segments>,
    ) -> anyhow::Result<Vec<Box<dyn Metric>>> {
        if self.meteor.synonyms.is_some() && !self.names.contains(&Name::Meteor) && !self.reads_trees()? {
            bail!("--synonyms needs METEOR among the metrics: add --metric meteor");
        }
        let mut metrics: Vec<Box<dyn Metric>> = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            if self.names[..number].contains(name) {
                let name = name.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
                bail!("metric = {name}: given twice");
            }
            metrics.push(match name {
                Name::Bleu => {
                    for bleu in self.bleu.metrics(&self.words, segments)? {
                        metrics.push(Box::new(bleu));
                    }
                    continue;
                }
                Name::Lr => {
                    for bleu in self.bleu.metrics(&self.words.or_at_blanks(), segments)? {
                        metrics.push(Box::new(self.lr.metric(bleu)?));
                    }
                    continue;
                }
                Name::Chrf => Box::new(self.chrf.metric(0)?),
                Name::ChrfPlusPlus => Box::new(self.chrf.metric(2)?),
                Name::Ter => Box::new(self.ter.metric()),
                Name::Nist => Box::new(self.nist(&references()?)?),
                Name::Dpath => Box::new(self.dependency_path()?),
                Name::Ted => Box::new(self.trees.tree_edit(self.meteor.synonyms()?)?),
                _ => self.by_words(*name)?,
            });
        }
        Ok(metrics)
    }

    /// Whether files have trees, not lines; all metrics read the same.
    pub(super) fn reads_trees(&self) -> anyhow::Result<bool> {
        let of_trees = self.names.iter().filter(|name| name.is_of_trees()).count();
        if of_trees > 0 && of_trees < self.names.len() {
            bail!("dpath and ted read trees, the other metrics lines of text: score them separately");
        }
        if of_trees == 0 && self.trees.any() {
            bail!("options for links, roots and matching need dpath or ted among the metrics: add --metric dpath");
        }
        Ok(of_trees > 0)
    }

    /// Whether lines have links, which goes with no other metric.
    pub(super) fn reads_links(&self) -> anyhow::Result<bool> {
        let linked = self.names.contains(&Name::Lr);
        if linked && self.names.len() > 1 {
            bail!("lr reads links as well as lines, the other metrics do not: score them separately");
        }
        if !linked && self.lr.any() {
            bail!("--lr-source, --lr-links and --lr-reference-links need lr among the metrics: add --metric lr");
        }
        Ok(linked)
    }

    /// Opens source and links, beside the lines of so many systems and references.
    pub(super) fn open_links(
        &self,
        lines: Streams,
        systems: usize,
        references: usize,
    ) -> anyhow::Result<LinkedStreams> {
        self.lr.open(lines, systems, references)
    }

    /// Opens files of trees.
    pub(super) fn open_trees(&self, references: &[PathBuf], systems: &[PathBuf]) -> anyhow::Result<TreeStreams> {
        self.trees.open(references, systems, self.names.contains(&Name::Dpath))
    }

    /// The metric that can be explained.
    pub(super) fn dependency_path(&self) -> anyhow::Result<DependencyPath> {
        self.trees.dependency_path(self.meteor.synonyms()?)
    }

    /// The language pair, if one is given.
    pub(super) fn language_pair(&self) -> anyhow::Result<Option<&str>> {
        self.words.pair()
    }

    /// Whether lines are cut at white space alone, because that was asked for.
    pub(super) fn is_at_blanks(&self) -> bool {
        self.words.is_at_blanks()
    }

    /// Whether that is the one metric.
    pub(super) fn is_dependency_path(&self) -> bool {
        self.names == [Name::Dpath]
    }

    /// Metrics that are told only what words are.
    fn by_words(&self, name: Name) -> anyhow::Result<Box<dyn Metric>> {
        let (lowercase, tokenizer) = (self.words.lowercase, self.words.tokenizer()?);
        let order = match name {
            Name::Gleu => {
                return Ok(Box::new(Gleu::new(GleuConfig::default().with(|c| {
                    c.lowercase = lowercase;
                    c.tokenizer = tokenizer;
                }))?));
            }
            Name::Ribes => {
                return Ok(Box::new(Ribes::new(RibesConfig::default().with(|c| {
                    c.lowercase = lowercase;
                    c.tokenizer = tokenizer;
                }))?));
            }
            Name::Meteor => return Ok(Box::new(self.meteor.metric(tokenizer)?)),
            Name::Lepor => {
                return Ok(Box::new(Lepor::new(LeporConfig::default().with(|c| {
                    c.lowercase = lowercase;
                    c.tokenizer = tokenizer;
                }))?));
            }
            Name::Hamming => OrderScore::Hamming,
            Name::Kendall => OrderScore::Kendall,
            Name::KendallSqrt => OrderScore::KendallSquareRoot,
            Name::Tau => OrderScore::KendallTau,
            Name::Spearman => OrderScore::Spearman,
            Name::Ulam => OrderScore::Ulam,
            Name::Footrule => OrderScore::Footrule,
            Name::Fuzzy => OrderScore::Fuzzy,
            Name::Bleu
            | Name::Chrf
            | Name::ChrfPlusPlus
            | Name::Ter
            | Name::Nist
            | Name::Lr
            | Name::Dpath
            | Name::Ted => {
                unreachable!("these have more settings")
            }
        };
        Ok(Box::new(Order::new(OrderConfig::new(order).with(|c| {
            c.lowercase = lowercase;
            c.tokenizer = tokenizer;
        }))?))
    }

    fn nist(&self, references: &Segments) -> anyhow::Result<Nist> {
        let tokenizer = self.words.tokenizer()?;
        let config = NistConfig::default().with(|c| {
            c.lowercase = self.words.lowercase;
            c.tokenizer = tokenizer;
        });
        Ok(Nist::new(config, references)?)
    }

    /// The tokenizer of metrics that compare words, if one of them is asked for.
    pub(super) fn tokenizer(&self) -> Option<&str> {
        let by_words = |name: &Name| {
            !matches!(name, Name::Chrf | Name::ChrfPlusPlus | Name::Ter | Name::Lr | Name::Dpath | Name::Ted)
        };
        self.names.iter().any(by_words).then(|| self.words.tokenizer_name())
    }

    /// Whether lines may be tokenized: a tokenizer was asked for by name, links tell that they are, or it is no matter.
    pub(super) fn may_be_tokenized(&self) -> bool {
        self.words.names_tokenizer() || self.words.force || self.names.contains(&Name::Lr)
    }
}

impl ChrfArgs {
    fn metric(&self, word_order: usize) -> anyhow::Result<Chrf> {
        Ok(Chrf::new(ChrfConfig::default().with(|c| {
            c.character_order = self.chrf_char_order;
            c.word_order = self.chrf_word_order.unwrap_or(word_order);
            c.beta = self.chrf_beta;
            c.whitespace = self.chrf_whitespace;
            c.epsilon_smoothing = self.chrf_eps_smoothing;
            c.lowercase = self.chrf_lowercase;
        }))?)
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

impl MeteorArgs {
    fn metric(&self, tokenizer: Box<dyn Tokenizer>) -> anyhow::Result<Meteor> {
        let synonyms = self.synonyms()?;
        Ok(Meteor::new(MeteorConfig::default().with(|c| {
            c.synonyms = synonyms;
            c.tokenizer = tokenizer;
        }))?)
    }

    fn synonyms(&self) -> anyhow::Result<Option<Synonyms>> {
        let read = |path: &PathBuf| Synonyms::read(LineReader::open(path, Utf8::Strict)?);
        Ok(self.synonyms.as_ref().map(read).transpose()?)
    }
}
