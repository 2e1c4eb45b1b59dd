//! What is counted in a part of a text, and what the part keeps of it.

use std::ops::Range;
use std::path::Path;

use super::identity::identity_of_counts;
use super::memory::{Budget, MemoryLimit, Slices};
use super::own_counts::OwnCounts;
use super::part_text::PartText;
use super::restricted::Restricted;
use super::stored_state::StoredState;
use crate::alignment::GoldAlignment;
use crate::bitext::DistinctPairs;
use crate::error::{ErrorKind, Result};
use crate::lexicon::{IdsInFile, PairIndex};
use crate::model::em::back_off::Level;
use crate::model::em::expectation::{CountedChunk, Expectations, PassInputs, PreviousPass, expect};
use crate::model::em::pass::{Pass, PassNumber, Stage};
use crate::model::em::tables::Tables;
use crate::model::em::text::TrainingText;
use crate::model::refinement::leave_one_out::{ChunkContributions, Contributions, KnownPairs};
use crate::model::refinement::soft_links::GivenPosteriors;
use crate::model::refinement::subword_posteriors::SubwordPosteriors;
use crate::model::refinement::supervision::{GivenLinks, Supervision};
use crate::model::saved::counts::{CountedPairs, Counts};
use crate::parallel::Work;

impl PartText {
    /// The expectation step of the next pass: expected counts, for all parts together to be merged; and what it keeps for itself.
    ///
    /// `own` is what it kept in the pass before; `links` are those that are known of some of its pairs, by ascending number. With a
    /// limit, memory is bounded: see [`MemoryLimit`]. Time O(cells × active states + slices × size of the state).
    ///
    /// # Errors
    /// `Inconsistent` if all passes are done, the state is one of another text, `own` is missing or of another pass, or text and words
    /// exceed the limit; `Model` if the file of the state is damaged; `Io`; `Cancelled` if the observer says so.
    pub fn count(
        &self,
        state: &StoredState,
        own: Option<OwnCounts>,
        links: &[(usize, GoldAlignment)],
        memory: Option<&MemoryLimit>,
        work: Work<'_>,
    ) -> Result<(Counts, OwnCounts)> {
        let budget = |text: &TrainingText<'_>, pass| {
            let words = state.whole().words();
            let words = words.source_frequencies().len() + words.target_frequencies().len();
            memory.map(|memory| memory.budget(text, pass, words, work)).transpose()
        };
        self.count_within(state, own, links, budget, work)
    }

    /// The same, given what is known of memory for pairs of words when the text is there, in such a pass.
    pub(super) fn count_within<'l>(
        &self,
        state: &StoredState,
        own: Option<OwnCounts>,
        links: &[(usize, GoldAlignment)],
        budget: impl FnOnce(&TrainingText<'_>, (Pass, bool)) -> Result<Option<Budget<'l>>>,
        work: Work<'_>,
    ) -> Result<(Counts, OwnCounts)> {
        let pass = state.pass()?;
        if state.whole().parts().get(self.number()) != Some(self.facts()) {
            return Err(ErrorKind::Inconsistent("the state is that of a training on another text".to_owned()).into());
        }
        let text = self.training_text(state, links)?;
        let mut own = self.own_chunks(state, own, &text)?;
        let budget = budget(&text, (state.plan().kind_of(pass), state.config().remembers()))?;
        let (mut slices, mut pairs) = (Slices::new(&text, budget.map(|budget| budget.bytes)), CountedPairs::default());
        let mut all: Option<Expectations> = None;
        while let Some((slice, index)) = slices.next(work)? {
            work.observer.started(&pass.to_string(), slices.pairs_of(slice.clone()).len() as u64);
            let own = own.as_mut().map(|own| of_slice(own, slice.clone()));
            let directory = budget.map(|budget| budget.directory);
            let counted = self.count_slice(state, (&text, slice), (&index, own), (&mut pairs, directory), work)?;
            work.observer.finished("");
            all = Some(match all {
                None => counted,
                Some(before) => before.with_chunks(counted),
            });
        }
        let all = all.expect("there is one slice at least");
        let log_likelihood = all.log_likelihood();
        let contributions = all.chunks.into_iter().map(|chunk| chunk.contributions).collect();
        let chunk =
            CountedChunk { number: self.number(), log_likelihood, contributions: ChunkContributions::default() };
        let expectations = Expectations { chunks: vec![chunk], ..all };
        let identity = identity_of_counts(&state.identity, &state.pruned);
        let counts = Counts::new(identity, state.whole().len(), pass, pairs, expectations);
        let own = self.kept(state, pass, (&text, links.len()), contributions);
        Ok((counts.with(&state.log_likelihoods, None, None), own))
    }

    /// Counts some chunks, whose pairs of words are given, and what is known of them from the pass before. The counts of these pairs are
    /// added to others, in a file if a directory is given.
    fn count_slice(
        &self,
        state: &StoredState,
        (text, slice): (&TrainingText<'_>, Range<usize>),
        (index, own): (&PairIndex, Option<Vec<ChunkContributions>>),
        (pairs, directory): (&mut CountedPairs, Option<&Path>),
        work: Work<'_>,
    ) -> Result<Expectations> {
        let (config, plan) = (state.config(), state.plan());
        let levels: Vec<Level> = config.levels(plan.usable).map(|cut| Level::new(text.bitext, index, cut)).collect();
        let Restricted { parameters, ibm1, ids } = Restricted::to(index, &levels, state, work.parallelism)?;
        let previous = match (ibm1, own) {
            (Some(memory), _) => PreviousPass::Ibm1(memory),
            (None, Some(own)) => PreviousPass::Hmm(Contributions::new(text.chunks.iter().cloned().zip(own).collect())),
            (None, None) => PreviousPass::Nothing,
        };
        let tables = Tables { index, levels: &levels, parameters: &parameters, config, frozen: None };
        let jump_pairs = config.jumps.sentences.unwrap_or(usize::MAX).saturating_sub(self.before());
        let inputs = PassInputs { previous, subwords: &SubwordPosteriors::default(), jump_pairs };
        let counted = expect(text, slice, tables, plan.kind_of(state.pass()?), inputs, work)?;
        let spilled = parameters.translation.spilled();
        let units = || {
            let units = parameters.translation.counts_with(&spilled).map(|(id, units)| (ids[id as usize], units));
            units.filter(|&(id, _)| id != IdsInFile::NO_PAIR)
        };
        match directory {
            Some(directory) => pairs.push_to(directory, units)?,
            None => pairs.push(units),
        }
        Ok(counted)
    }

    fn training_text(&self, state: &StoredState, links: &[(usize, GoldAlignment)]) -> Result<TrainingText<'_>> {
        let supervision = Supervision { links: links.to_vec(), ..Supervision::default() };
        let in_stretches = supervision.in_stretches(self.text())?;
        let distinct = DistinctPairs::of(self.text().in_stretches());
        let links = GivenLinks::new(&in_stretches.links, &distinct);
        Ok(TrainingText::new(self.text(), state.plan().usable, distinct, (links, GivenPosteriors::default())))
    }

    /// What it kept of the pass before, chunk by chunk, if the state asks for it.
    fn own_chunks(
        &self,
        state: &StoredState,
        own: Option<OwnCounts>,
        text: &TrainingText<'_>,
    ) -> Result<Option<Vec<ChunkContributions>>> {
        if !state.parts_remember {
            return Ok(None);
        }
        let number = self.number() + 1;
        let missing = || format!("the own counts of part {number} are missing, of pass {}", state.passes_done());
        let own = own.ok_or_else(|| ErrorKind::Inconsistent(missing()))?;
        own.check(&state.identity, state.passes_done())?;
        let lengths = text.chunks.iter().map(Range::len);
        if own.header.part != self.number() || !own.chunks.iter().map(ChunkContributions::len).eq(lengths) {
            let message = format!("these are the own counts of part {}, not of part {number}", own.header.part + 1);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(Some(own.chunks))
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
        let (identity, numbers) = (state.identity.clone(), [self.number(), linked]);
        if !remembers || pass.number < pass.of {
            let chunks = if remembers { contributions } else { Vec::new() };
            return OwnCounts::new(identity, numbers, pass.number, chunks, None);
        }
        let contributions = Contributions::new(text.chunks.iter().cloned().zip(contributions).collect());
        let known = KnownPairs::of(text.bitext, &text.distinct, &contributions);
        OwnCounts::new(identity, numbers, pass.number, Vec::new(), Some(known))
    }
}

/// What a part kept of the pass before of some chunks, and nothing of the others. It is used up.
fn of_slice(own: &mut [ChunkContributions], slice: Range<usize>) -> Vec<ChunkContributions> {
    let taken = own.iter_mut().enumerate().map(|(n, chunk)| slice.contains(&n).then(|| std::mem::take(chunk)));
    taken.map(Option::unwrap_or_default).collect()
}
