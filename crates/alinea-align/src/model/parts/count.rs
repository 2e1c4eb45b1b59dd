//! What is counted in a part of a text, and what the part keeps of it.

use super::own_counts::OwnCounts;
use super::part_text::PartText;
use super::restricted::Restricted;
use super::stored_state::StoredState;
use crate::alignment::GoldAlignment;
use crate::bitext::DistinctPairs;
use crate::error::{ErrorKind, Result};
use crate::lexicon::PairIndex;
use crate::model::em::back_off::Level;
use crate::model::em::expectation::{CountedChunk, Expectations, PassInputs, PreviousPass, expect};
use crate::model::em::pass::{PassNumber, Stage};
use crate::model::em::tables::Tables;
use crate::model::em::text::TrainingText;
use crate::model::refinement::leave_one_out::{ChunkContributions, Contributions, Ibm1Memory, KnownPairs};
use crate::model::refinement::soft_links::GivenPosteriors;
use crate::model::refinement::subword_posteriors::SubwordPosteriors;
use crate::model::refinement::supervision::{GivenLinks, Supervision};
use crate::model::saved::counts::Counts;
use crate::parallel::Work;

impl PartText {
    /// The expectation step of the next pass: expected counts, for all parts together to be merged; and what it keeps for itself.
    ///
    /// `own` is what it kept in the pass before; `links` are those that are known of some of its pairs, by ascending number. Time
    /// O(cells × active states).
    ///
    /// # Errors
    /// `Inconsistent` if all passes are done, the state is one of another text, or `own` is missing or of another pass; `Model` if the
    /// file of the state is damaged; `Io`; `Cancelled` if the observer says so.
    pub fn count(
        &self,
        state: &StoredState,
        own: Option<OwnCounts>,
        links: &[(usize, GoldAlignment)],
        work: Work<'_>,
    ) -> Result<(Counts, OwnCounts)> {
        let pass = state.pass()?;
        if state.whole().parts().get(self.number()) != Some(self.facts()) {
            return Err(ErrorKind::Inconsistent("the state is that of a training on another text".to_owned()).into());
        }
        let (config, plan) = (state.config(), state.plan());
        let text = self.training_text(state, links)?;
        let index = PairIndex::build(text.bitext, work.parallelism, work.observer)?;
        let levels: Vec<Level> = config.levels(plan.usable).map(|cut| Level::new(text.bitext, &index, cut)).collect();
        let Restricted { parameters, ibm1, ids } = Restricted::to(&index, &levels, state, work.parallelism)?;
        let previous = self.previous(state, own, &text, ibm1)?;
        let tables = Tables { index: &index, levels: &levels, parameters: &parameters, config, frozen: None };
        let jump_pairs = config.jumps.sentences.unwrap_or(usize::MAX).saturating_sub(self.before());
        let inputs = PassInputs { previous, subwords: &SubwordPosteriors::default(), jump_pairs };
        let all = 0..text.chunks.len();
        work.observer.started(&pass.to_string(), text.distinct.pairs().len() as u64);
        let mut expectations = expect(&text, all, tables, plan.kind_of(pass), inputs, work)?;
        work.observer.finished("");
        let log_likelihood = expectations.log_likelihood();
        let contributions = expectations.chunks.into_iter().map(|chunk| chunk.contributions).collect();
        let chunk =
            CountedChunk { number: self.number(), log_likelihood, contributions: ChunkContributions::default() };
        expectations = Expectations { chunks: vec![chunk], ..expectations };
        let pairs = parameters.translation.counts().into_iter().map(|(id, units)| (ids[id as usize], units)).collect();
        let counts = Counts::new(state.identity(), state.whole().len(), pass, pairs, expectations);
        let own = self.kept(state, pass, (&text, links.len()), contributions);
        Ok((counts.with(&state.log_likelihoods, None, None), own))
    }

    fn training_text(&self, state: &StoredState, links: &[(usize, GoldAlignment)]) -> Result<TrainingText<'_>> {
        let supervision = Supervision { links: links.to_vec(), ..Supervision::default() };
        let in_stretches = supervision.in_stretches(self.text())?;
        let distinct = DistinctPairs::of(self.text().in_stretches());
        let links = GivenLinks::new(&in_stretches.links, &distinct);
        Ok(TrainingText::new(self.text(), state.plan().usable, distinct, (links, GivenPosteriors::default())))
    }

    /// What is known of its pairs from the pass before.
    fn previous(
        &self,
        state: &StoredState,
        own: Option<OwnCounts>,
        text: &TrainingText<'_>,
        ibm1: Option<Ibm1Memory>,
    ) -> Result<PreviousPass> {
        match ibm1 {
            Some(memory) => Ok(PreviousPass::Ibm1(memory)),
            None if !state.parts_remember => Ok(PreviousPass::Nothing),
            None => {
                let number = self.number() + 1;
                let missing =
                    || format!("the own counts of part {number} are missing, of pass {}", state.passes_done());
                let own = own.ok_or_else(|| ErrorKind::Inconsistent(missing()))?;
                own.check(&state.identity(), state.passes_done())?;
                let lengths = text.chunks.iter().map(std::ops::Range::len);
                if own.header.part != self.number() || !own.chunks.iter().map(ChunkContributions::len).eq(lengths) {
                    let message =
                        format!("these are the own counts of part {}, not of part {number}", own.header.part + 1);
                    return Err(ErrorKind::Inconsistent(message).into());
                }
                Ok(PreviousPass::Hmm(Contributions::new(text.chunks.iter().cloned().zip(own.chunks).collect())))
            }
        }
    }

    /// What it keeps of a pass, of so many pairs with links: by chunk, and at the end by what the pairs say.
    fn kept(
        &self,
        state: &StoredState,
        pass: PassNumber,
        (text, linked): (&TrainingText<'_>, usize),
        contributions: Vec<ChunkContributions>,
    ) -> OwnCounts {
        let remembers = pass.stage == Stage::Hmm && state.config().remembers();
        let (identity, numbers) = (state.identity(), [self.number(), linked]);
        if !remembers || pass.number < pass.of {
            let chunks = if remembers { contributions } else { Vec::new() };
            return OwnCounts::new(identity, numbers, pass.number, chunks, None);
        }
        let contributions = Contributions::new(text.chunks.iter().cloned().zip(contributions).collect());
        let known = KnownPairs::of(text.bitext, &text.distinct, &contributions);
        OwnCounts::new(identity, numbers, pass.number, Vec::new(), Some(known))
    }
}
