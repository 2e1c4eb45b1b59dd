//! Posteriors of the models of subwords for the links of words, by distinct pair: what the independent last pass is
//! interpolated with. Links whose posteriors are negligible in both directions are left out, so memory is O(likely links).

/// The posteriors of one link, their mean over the models.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::model) struct SubwordPosterior {
    pub(in crate::model) source: u32,
    pub(in crate::model) target: u32,
    /// The posteriors of both directions.
    pub(in crate::model) forward: f32,
    pub(in crate::model) reverse: f32,
}

/// Those of each distinct pair of a text.
#[derive(Debug, Default)]
pub(in crate::model) struct SubwordPosteriors {
    /// By place among the distinct pairs, in the order of links.
    by_place: Vec<Vec<SubwordPosterior>>,
}

impl SubwordPosteriors {
    /// Those of the pair at a place.
    #[inline(always)]
    pub(in crate::model) fn of(&self, place: usize) -> &[SubwordPosterior] {
        self.by_place.get(place).map_or(&[], Vec::as_slice)
    }

    /// Adds the share of one of the models.
    pub(in crate::model) fn add(&mut self, by_place: Vec<Vec<SubwordPosterior>>) {
        if self.by_place.is_empty() {
            self.by_place = by_place;
            return;
        }
        for (all, more) in self.by_place.iter_mut().zip(by_place) {
            all.extend(more);
            all.sort_by_key(|link| (link.source, link.target));
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
