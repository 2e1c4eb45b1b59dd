//! Values of options, and which of them belong to which format.

use alinea::format::conllu_field::Field;
use alinea::format::offsets::Offsets;
use alinea::labels::Scheme;
use alinea::project::labels::Method;
use anyhow::bail;
use clap::ValueEnum as _;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};

use super::Args;
use super::cut::PartialWords;
use super::formats::{Found, LabelFormat};
use crate::input::paths::{Role, check_distinct};

pub(super) fn methods() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>())
}

pub(super) fn schemes() -> impl TypedValueParser<Value = Scheme> {
    PossibleValuesParser::new(Scheme::ALL.map(Scheme::name)).try_map(|name| name.parse::<Scheme>())
}

pub(super) fn units() -> impl TypedValueParser<Value = Offsets> {
    PossibleValuesParser::new(Offsets::ALL.map(Offsets::name)).try_map(|name| name.parse::<Offsets>())
}

pub(super) fn fields() -> impl TypedValueParser<Value = Field> {
    NonEmptyStringValueParser::new().try_map(|name| name.parse::<Field>())
}

impl Args {
    /// Refuses options that say nothing of the format of the source.
    pub(super) fn check_options(&self, format: LabelFormat) -> anyhow::Result<()> {
        use LabelFormat::{Brat, Columns, Conllu, Json};
        let given: [(&str, bool, &[LabelFormat]); 9] = [
            ("--words", self.words.is_some(), &[Columns]),
            ("--tags", self.tags.is_some(), &[Columns]),
            ("--field", self.field.is_some(), &[Conllu]),
            ("--scheme", self.scheme.is_some(), &[Columns, Conllu]),
            ("--offsets", self.offsets != Offsets::default(), &[Json, Brat]),
            ("--tokenize", self.tokenize.is_some(), &[Json, Brat]),
            ("--tokens", !self.tokens.is_empty(), &[Json, Brat]),
            ("--partial-words", self.partial_words != PartialWords::default(), &[Json, Brat]),
            ("--scores", self.scores, &[Json]),
        ];
        for (option, is_given, formats) in given {
            if is_given && !formats.contains(&format) {
                let name = |format: &LabelFormat| {
                    format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
                };
                let formats: Vec<String> = formats.iter().map(name).collect();
                bail!("{option} is for the formats {}, and the source is {}", formats.join(" and "), name(&format));
            }
        }
        Ok(())
    }

    /// Refuses files that would overwrite each other.
    pub(super) fn check_paths(&self, source: &Found) -> anyhow::Result<()> {
        let target = source.target(&self.target);
        let mut inputs = vec![Role::new("SOURCE", &source.path), Role::new("TARGET", &target)];
        inputs.extend(source.annotation.as_deref().map(|path| Role::new("SOURCE", path)));
        inputs.extend(self.tokens.iter().map(|path| Role::new("--tokens", path)));
        inputs.extend(self.links.paths().map(|(name, path)| Role::new(name, path)));
        let mut outputs: Vec<Role<'_>> = self.write_words.iter().map(|path| Role::new("--write-words", path)).collect();
        if outputs.is_empty() {
            outputs.push(Role::new("--output", &self.output));
        }
        outputs.extend(self.report.as_deref().map(|path| Role::new("--report", path)));
        check_distinct(&inputs, &outputs)
    }
}
