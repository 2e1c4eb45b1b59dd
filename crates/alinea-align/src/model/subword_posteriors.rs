//! What other models say of the links of a text, by distinct pair.

/// What is advised for the link of two words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SubwordPosterior {
    pub(super) source: u32,
    pub(super) target: u32,
    /// The posteriors of both directions.
    pub(super) forward: f32,
    pub(super) reverse: f32,
}

/// What is advised for each distinct pair of a text.
#[derive(Debug, Default)]
pub(super) struct SubwordPosteriors {
    /// By place among the distinct pairs, in the order of links.
    by_place: Vec<Vec<SubwordPosterior>>,
}

impl SubwordPosteriors {
    /// What is advised for the pair at a place.
    #[inline(always)]
    pub(super) fn of(&self, place: usize) -> &[SubwordPosterior] {
        self.by_place.get(place).map_or(&[], Vec::as_slice)
    }

    /// Adds what one of the models says.
    pub(super) fn add(&mut self, by_place: Vec<Vec<SubwordPosterior>>) {
        if self.by_place.is_empty() {
            self.by_place = by_place;
            return;
        }
        for (all, more) in self.by_place.iter_mut().zip(by_place) {
            all.extend(more);
            all.sort_by_key(|advised| (advised.source, advised.target));
            all.dedup_by(|next, kept| {
                let same = (next.source, next.target) == (kept.source, kept.target);
                if same {
                    kept.forward += next.forward;
                    kept.reverse += next.reverse;
                }
                same
            });
        }
    }
}
