//! Writing a trained model to a file.
//!
//! The file is a container of named arrays with checksums (`storage`) and a JSON header (`header`). It has the words of
//! both sides with their frequencies, the pair index, t(f|e) and t(e|f), the parameters of each direction, the tables
//! of stem pairs and the character model. Two parts are there only if training has left them: the counts of the last
//! pass, from which models can be merged, and what each distinct sentence pair added to them, so that the model aligns
//! its training text as training did. Each part writes its own arrays, under names that only it uses.

use std::io::{self, Write};

use crate::bitext::{RankedBitext, Text, Vocabulary};
use crate::format::tokens::Tokenize;
use crate::model::aligner::Aligner;
use crate::model::em::expectation::PreviousPass;
use crate::model::em::parameters::Parameters;
use crate::model::refinement::leave_one_out::KnownPairs;
use crate::model::saved::counts::store_counts;
use crate::model::saved::header::{Description, PROBABILITIES, SIDES, SUBWORDS, TextForm};
use crate::storage::ContainerWriter;

impl Aligner {
    /// Writes the model that was trained on this text. (One that was adapted knows the words and pairs of its text alone.)
    ///
    /// # Errors
    /// What the writer says.
    ///
    /// # Panics
    /// If it was trained on another text.
    pub fn save(&self, bitext: &RankedBitext, form: TextForm, to: &mut dyn Write) -> io::Result<()> {
        self.save_with(bitext, form, self.signature(), |_| {}, to)
    }

    /// The same under a signature that says more, with what else is added.
    pub(crate) fn save_with(
        &self,
        bitext: &RankedBitext,
        form: TextForm,
        signature: String,
        add: impl FnOnce(&mut ContainerWriter<'_>),
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let texts = [&bitext.bitext().source, &bitext.bitext().target];
        let frequencies = [bitext.source_frequencies(), bitext.target_frequencies()];
        let Parameters { translation, forward, reverse, back_off } = self.parameters();
        assert_eq!([reverse.null.len(), forward.null.len()], texts.map(|text| text.vocabulary().len()), "its own text");
        let description = Description {
            signature,
            config: self.config().clone(),
            form,
            pairs: self.pairs,
            hmm: self.schedule().hmm > 0,
        };
        let spilled = translation.spilled();
        let counts = || translation.counts_with(&spilled);
        let mut file = ContainerWriter::new(description.header()?);
        if let Tokenize::SentencePiece(model) = form.tokenize {
            file.add(SUBWORDS, model.bytes());
        }
        store_words(&mut file, [0, 1].map(|side| (texts[side].vocabulary(), frequencies[side])));
        self.index().store(&mut file);
        file.add_made(PROBABILITIES, || translation.probabilities());
        forward.store(&mut file, "forward", texts[1].vocabulary());
        reverse.store(&mut file, "reverse", texts[0].vocabulary());
        for (n, (level, back_off)) in self.levels.iter().zip(back_off).enumerate() {
            level.store(&mut file, n, back_off, self.index(), texts.map(Text::vocabulary));
        }
        if let Some(characters) = &self.characters {
            characters.store(&mut file);
        }
        if let Some(sums) = &self.sums {
            store_counts(&mut file, "counts", counts);
            sums.store(&mut file, "counts.");
        }
        if let PreviousPass::Hmm(contributions) = &self.previous {
            KnownPairs::of(bitext.in_stretches(), &self.distinct, contributions).store(&mut file);
        }
        add(&mut file);
        file.write(to)
    }
}

/// Adds the words of both sides to a file, and how often each occurs.
pub(in crate::model) fn store_words<'a>(file: &mut ContainerWriter<'a>, sides: [(&Vocabulary, &'a [u64]); 2]) {
    for (side, (words, frequencies)) in SIDES.into_iter().zip(sides) {
        words.store(file, &format!("words.{side}"));
        file.add(format!("words.{side}.frequencies"), frequencies);
    }
}
