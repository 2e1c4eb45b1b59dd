//! Bracketing transduction grammar.
mod beam;
mod chart;
mod derivation;
mod likelihood;
mod model;
mod passive;
mod posterior;
mod scores;
mod spans;
mod split_features;
mod template;
#[cfg(test)]
mod tests;

pub use self::likelihood::LikelihoodConfig;
pub use self::model::{Btg, BtgConfig, BtgEngine, Learning, PassiveConfig, Search};
pub use self::template::Templates;
