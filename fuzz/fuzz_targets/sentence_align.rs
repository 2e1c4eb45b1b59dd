//! Texts are aligned sentence by sentence or refused; each sentence of both stands in one group, in order. Confidences are
//! probabilities. Groups in files are read or refused, and compared.

use alinea::format::lines::Utf8;
use alinea::format::paragraphs::{LengthUnit, ParagraphEnd, Paragraphs};
use alinea::format::sentence_groups;
use alinea::progress::Silent;
use alinea::sentence_align::{GaleChurchConfig, GroupScores, Priors, SentenceAligner};
use alinea_fuzz::parts::texts;
use alinea_fuzz::{bit, choice, lines};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let end = if bit(choice, 0) { ParagraphEnd::BlankLines } else { ParagraphEnd::Nothing };
    let unit = if bit(choice, 1) { LengthUnit::Bytes } else { LengthUnit::Characters };
    let read = |text| Paragraphs::read(&mut lines(text, Utf8::Strict), &end);
    let [source, target, groups] = texts(data);
    if let Ok(groups) = sentence_groups::read(lines(groups, Utf8::Strict)) {
        let counts = GroupScores::of(&groups, &groups).strict;
        assert_eq!((counts.found, counts.gold), (counts.right, counts.recalled));
    }
    let (Ok(source), Ok(target)) = (read(source), read(target)) else { return };
    let priors = Priors::up_to(1 + (choice >> 2) % 4);
    let config = GaleChurchConfig::default().with(|c| c.priors = priors);
    let mut aligner = SentenceAligner::new(config).expect("groups of 1 to 4");
    let Ok(beads) = aligner.align_paragraphs(&source.lengths(unit), &target.lengths(unit), &Silent) else { return };
    let sentences = |all: &Paragraphs| (0..all.sentences().len()).collect::<Vec<_>>();
    assert_eq!(beads.iter().flat_map(|bead| bead.source.clone()).collect::<Vec<_>>(), sentences(&source));
    assert_eq!(beads.iter().flat_map(|bead| bead.target.clone()).collect::<Vec<_>>(), sentences(&target));
    let (source, target) = (source.lengths(unit), target.lengths(unit));
    let found = aligner.with_confidences(beads, &source, &target, &Silent).expect("nobody cancels");
    assert!(found.iter().all(|found| (0.0..=1.0).contains(&found.confidence)));
}
