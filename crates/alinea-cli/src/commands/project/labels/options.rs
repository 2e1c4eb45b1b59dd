//! Values of options that the library has names for.

use alinea::format::conllu_field::Field;
use alinea::format::offsets::Offsets;
use alinea::labels::Scheme;
use alinea::project::labels::Method;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};

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
