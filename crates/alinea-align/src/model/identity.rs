//! What identifies a trained model: the configuration as files keep it, and the one line of its signature.
//!
//! [`StoredConfig`] is the format: its names, their order, and how each value is written belong to version 2 of model
//! files and to the identity of checkpoints. It is apart from [`AlignerConfig`], which is what users choose: a new choice
//! gets a field there, and here one with a default, so that files written before are read as they were meant. Both
//! conversions name every field, so the compiler says what is missing.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::lexicon::{Affix, Letters, StemRule};
use crate::model::config::{AlignerConfig, BackOffLevel, JumpConfig, LexicalPrior, NullProbability, Schedule};
use crate::model::name::ModelName;

/// A configuration in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredConfig {
    name: String,
    schedule: Option<StoredSchedule>,
    null_probability: StoredNullProbability,
    prior: Option<StoredPrior>,
    jumps: StoredJumps,
    agreement: bool,
    #[serde(rename = "parting")]
    independent_pass: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subwords: Option<f32>,
    leave_one_out: bool,
    fertility: Option<f32>,
    characters: bool,
    threshold: f32,
    /// A threshold for new text, which files of version 0.1.0 may have; it is not used any more.
    #[serde(default, skip_serializing)]
    #[expect(dead_code, reason = "so that it is no unknown field")]
    threshold_of_new: Option<f32>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSchedule {
    ibm1: u32,
    hmm: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum StoredNullProbability {
    Fixed(f32),
    Uniform,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredPrior {
    pair: f32,
    similarity: f32,
    levels: Vec<StoredLevel>,
    stem_pair: f32,
    null: f32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLevel {
    letters: StoredLetters,
    rule: StoredRule,
    weight: f32,
    short_of_text: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRule {
    affix: StoredAffix,
    characters: usize,
    east_asian: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum StoredLetters {
    All,
    Consonants,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum StoredAffix {
    Prefix,
    Suffix,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredJumps {
    uniform: f32,
    pseudo_count: f32,
    window: bool,
    end: bool,
    sentences: Option<usize>,
    by_kind: Option<f32>,
}

impl StoredConfig {
    /// What a configuration is in a file.
    pub(super) fn of(config: &AlignerConfig) -> Self {
        let AlignerConfig {
            name,
            schedule,
            null_probability,
            prior,
            jumps,
            agreement,
            independent_pass,
            subwords,
            leave_one_out,
            fertility,
            characters,
            threshold,
        } = config;
        Self {
            name: name.name().to_owned(),
            schedule: schedule.map(|Schedule { ibm1, hmm }| StoredSchedule { ibm1, hmm }),
            null_probability: match *null_probability {
                NullProbability::Fixed(p) => StoredNullProbability::Fixed(p),
                NullProbability::Uniform => StoredNullProbability::Uniform,
            },
            prior: prior.as_ref().map(StoredPrior::of),
            jumps: StoredJumps::of(*jumps),
            agreement: *agreement,
            independent_pass: *independent_pass,
            subwords: *subwords,
            leave_one_out: *leave_one_out,
            fertility: *fertility,
            characters: *characters,
            threshold: *threshold,
            threshold_of_new: None,
        }
    }

    /// The configuration of a file, checked.
    ///
    /// # Errors
    /// `Config` for values that no model has; a message if no model has the name.
    pub(super) fn config(self) -> std::result::Result<Result<AlignerConfig>, String> {
        let named = ModelName::ALL.into_iter().find(|known| !known.is_chain() && known.name() == self.name);
        let name = named.ok_or_else(|| format!("no model is called `{}`", self.name))?;
        let config = AlignerConfig {
            name,
            schedule: self.schedule.map(|StoredSchedule { ibm1, hmm }| Schedule { ibm1, hmm }),
            null_probability: match self.null_probability {
                StoredNullProbability::Fixed(p) => NullProbability::Fixed(p),
                StoredNullProbability::Uniform => NullProbability::Uniform,
            },
            prior: self.prior.map(StoredPrior::prior),
            jumps: self.jumps.jumps(),
            agreement: self.agreement,
            independent_pass: self.independent_pass,
            subwords: self.subwords,
            leave_one_out: self.leave_one_out,
            fertility: self.fertility,
            characters: self.characters,
            threshold: self.threshold,
        };
        Ok(config.validate().map(|()| config))
    }
}

impl StoredPrior {
    fn of(prior: &LexicalPrior) -> Self {
        let LexicalPrior { pair, similarity, ref levels, stem_pair, null } = *prior;
        Self { pair, similarity, levels: levels.iter().copied().map(StoredLevel::of).collect(), stem_pair, null }
    }

    fn prior(self) -> LexicalPrior {
        let Self { pair, similarity, levels, stem_pair, null } = self;
        LexicalPrior { pair, similarity, levels: levels.into_iter().map(StoredLevel::level).collect(), stem_pair, null }
    }
}

impl StoredLevel {
    fn of(level: BackOffLevel) -> Self {
        let BackOffLevel { letters, rule: StemRule { affix, characters, east_asian }, weight, short_of_text } = level;
        let letters = match letters {
            Letters::All => StoredLetters::All,
            Letters::Consonants => StoredLetters::Consonants,
        };
        let affix = match affix {
            Affix::Prefix => StoredAffix::Prefix,
            Affix::Suffix => StoredAffix::Suffix,
        };
        Self { letters, rule: StoredRule { affix, characters, east_asian }, weight, short_of_text }
    }

    fn level(self) -> BackOffLevel {
        let Self { letters, rule: StoredRule { affix, characters, east_asian }, weight, short_of_text } = self;
        let letters = match letters {
            StoredLetters::All => Letters::All,
            StoredLetters::Consonants => Letters::Consonants,
        };
        let affix = match affix {
            StoredAffix::Prefix => Affix::Prefix,
            StoredAffix::Suffix => Affix::Suffix,
        };
        BackOffLevel { letters, rule: StemRule { affix, characters, east_asian }, weight, short_of_text }
    }
}

impl StoredJumps {
    fn of(jumps: JumpConfig) -> Self {
        let JumpConfig { uniform, pseudo_count, window, end, sentences, by_kind } = jumps;
        Self { uniform, pseudo_count, window, end, sentences, by_kind }
    }

    fn jumps(self) -> JumpConfig {
        let Self { uniform, pseudo_count, window, end, sentences, by_kind } = self;
        JumpConfig { uniform, pseudo_count, window, end, sentences, by_kind }
    }
}

impl AlignerConfig {
    /// The configuration as one line: equal for equal configurations, and for no others.
    pub(super) fn identity(&self) -> String {
        serde_json::to_string(&StoredConfig::of(self)).expect("a configuration is numbers and names")
    }

    /// One line that names every choice that changes results, for a text of this many sentence pairs.
    pub fn signature(&self, pairs: usize) -> String {
        // Taken apart, so that what is added cannot be forgotten here.
        let Self {
            name,
            schedule: _,
            null_probability,
            prior,
            jumps: JumpConfig { uniform, pseudo_count, window, end, sentences, by_kind },
            agreement,
            independent_pass: _,
            subwords,
            leave_one_out,
            fertility,
            characters,
            threshold: _,
        } = self;
        let schedule = self.schedule_for(pairs);
        let mut line = format!("model:{}|it:ibm1:{},hmm:{}", name, schedule.ibm1, schedule.hmm);
        let mut field = |name: &str, value: &dyn std::fmt::Display| {
            write!(line, "|{name}:{value}").expect("writing to a string does not fail");
        };
        match null_probability {
            NullProbability::Fixed(p) => field("p0", p),
            NullProbability::Uniform => field("p0", &"uniform"),
        }
        if let Some(prior) = prior {
            field("alpha", &prior.pair);
            field("sim", &prior.similarity);
            for level in self.levels(pairs) {
                field(&format!("{}{}", level.letters, level.rule), &level.weight);
            }
            field("stem", &prior.stem_pair);
            field("null", &prior.null);
        }
        if schedule.hmm > 0 {
            field("m", uniform);
            field("jump", pseudo_count);
            field("window", window);
            field("end", end);
            match sentences {
                Some(limit) => field("jumps", limit),
                None => field("jumps", &"all"),
            }
            if let Some(strength) = by_kind {
                field("kinds", strength);
            }
        }
        field("agree", agreement);
        if *leave_one_out {
            // The first HMM pass that leaves self-counts out.
            field("loo", if self.leaves_out_after_ibm1(pairs) { &1 } else { &2 });
        }
        if let Some(strength) = fertility {
            field("fertility", strength);
        }
        if *characters {
            field("characters", &true);
        }
        if let Some(share) = self.independent_share_for(pairs) {
            field("independent", &share);
            if let Some(share) = subwords {
                field("subwords", share);
            }
        }
        field("v", &env!("CARGO_PKG_VERSION"));
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_models_are_valid_and_their_signatures_tell_them_apart() {
        for config in [
            AlignerConfig::agreement(),
            AlignerConfig::agreement_loo(),
            AlignerConfig::quality(),
            AlignerConfig::hmm(),
            AlignerConfig::ibm1(),
        ] {
            config.validate().unwrap();
        }
        let (agreement, default) = (AlignerConfig::agreement(), AlignerConfig::default());
        assert!(agreement.signature(49_999).starts_with("model:agreement|it:ibm1:5,hmm:4|p0:0.2|"));
        assert!(agreement.signature(50_000).starts_with("model:agreement|it:ibm1:3,hmm:2|"));
        assert!(default.signature(49_999).starts_with("model:agreement-loo|it:ibm1:5,hmm:4|p0:0.15|"));
        assert!(default.signature(50_000).starts_with("model:agreement-loo|it:ibm1:3,hmm:3|"));
        assert!(default.signature(49_999).contains("|agree:true|loo:1|fertility:5|"));
        assert!(default.signature(50_000).contains("|agree:true|loo:2|fertility:5|"));
        assert!(default.signature(49_999).contains("|suffix2/2:3|consonants-prefix3/1:6|stem:"));
        assert!(default.signature(49_999).contains("|characters:true|independent:0.5|v:"));
        assert!(default.signature(50_000).contains("|characters:true|v:"));
        let quality = AlignerConfig::quality();
        assert!(quality.signature(50_000).contains("|characters:true|independent:0.7|subwords:0.8|v:"));
        assert!(AlignerConfig { independent_pass: None, ..quality }.validate().is_err());
        let ibm1 = AlignerConfig { schedule: Some(Schedule { ibm1: 5, hmm: 0 }), ..default };
        assert!(!ibm1.signature(9).contains("independent"), "there is no HMM pass");
        assert!(!agreement.signature(9).contains("loo") && !agreement.signature(9).contains("independent"));
        assert!(AlignerConfig::ibm1().signature(9).contains("p0:uniform"));
    }

    #[test]
    fn every_named_model_is_read_from_its_file_as_it_was() {
        for config in ModelName::ALL.into_iter().filter_map(ModelName::config) {
            let stored: StoredConfig = serde_json::from_str(&config.identity()).unwrap();
            assert_eq!(stored.config().unwrap().unwrap(), config);
        }
    }

    #[test]
    fn the_format_is_that_of_version_2() {
        // As alinea 0.1.0 wrote it for `--model ibm1 --iterations ibm1:3`.
        let written = concat!(
            r#"{"name":"ibm1","schedule":{"ibm1":3,"hmm":0},"null_probability":"Uniform","prior":null,"jumps":{"#,
            r#""uniform":0.0,"pseudo_count":0.0,"window":false,"end":false,"sentences":null,"by_kind":null},"#,
            r#""agreement":false,"parting":null,"leave_one_out":false,"fertility":null,"characters":false,"threshold":0.5}"#,
        );
        let config = AlignerConfig { schedule: Some(Schedule { ibm1: 3, hmm: 0 }), ..AlignerConfig::ibm1() };
        assert_eq!(config.identity(), written);
        let stored: StoredConfig = serde_json::from_str(written).unwrap();
        assert_eq!(stored.config().unwrap().unwrap(), config);
        let unknown: StoredConfig = serde_json::from_str(&written.replace("ibm1\",\"sch", "ibm7\",\"sch")).unwrap();
        assert_eq!(unknown.config().unwrap_err(), "no model is called `ibm7`");
    }
}
