//! What the models have beyond two HMMs trained by agreement; each can be left out.
//!
//! | file | what it adds |
//! |---|---|
//! | `leave_one_out` | a pair's own share of the counts is taken away while its posteriors are computed |
//! | `fertility` | how many words a word generates, by word |
//! | `subwords` | three models of the text cut into subwords, with which the last pass is interpolated; what they say of each pair is in `subword_posteriors` |
//! | `supervision` | a dictionary, and links that are known for some pairs |
//! | `soft_links` | links that are known with some confidence |

pub(super) mod fertility;
pub(super) mod leave_one_out;
pub(super) mod soft_links;
pub(super) mod subword_posteriors;
pub(super) mod subwords;
pub(super) mod supervision;
