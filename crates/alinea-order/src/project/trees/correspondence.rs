//! Direct correspondence: edges of the source between words of the target, by the links themselves.
//!
//! The algorithm of Hwa et al. (2005, section 3.2). A source word that is linked to several words corresponds to a new, empty node above
//! them (*one-to-many*). Of several source words that are linked to one word, the uppermost stands for it, and what depends on the
//! others depends on it (*many-to-one*). A source word without link corresponds to an empty node, too. Where links are many-to-many,
//! groups are made first. Empty nodes are no words of the target, and target words without links have no head:
//!
//! * as published ([`Method::Direct`]), whatever has none, or has one that is empty, is attached to the root;
//! * mended ([`Method::Mended`], after Tiedemann and Agić 2016, who have no empty nodes): what depends on a source word without link
//!   depends on the next word above that has one, a group has for its head the word with the most probable link, and a
//!   word without links has the head of the nearest word to the left that has links, or else to the right.
//!
//! Edges lead from words to what stands for a higher source word, so there are no cycles. If there are several words without head,
//! the one that stands for the uppermost source word is the root, and the others depend on it.

use super::config::Method;
use super::edge::Edge;
use super::projected::Origin;
use super::text::Sentence;

/// What links make of a sentence.
struct Correspondence<'s> {
    sentence: &'s Sentence,
    depths: Vec<u32>,
    /// For each target word the source word that it stands for, and the probability of that link.
    stands: Vec<Option<(usize, f64)>>,
    /// For each source word the target words that it is linked to, that of the most probable link first.
    group: Vec<Vec<(usize, f64)>>,
}

/// The edges over the words of a sentence.
pub(super) fn edges(sentence: &Sentence, method: Method, threshold: f64) -> Vec<Edge> {
    let correspondence = Correspondence::new(sentence, threshold);
    let mut edges: Vec<Option<Edge>> = (0..sentence.words.len())
        .map(|word| if method == Method::Mended { correspondence.mended(word) } else { correspondence.direct(word) })
        .collect();
    let Some(root) = correspondence.root(&edges) else { return Vec::new() };
    if method == Method::Mended {
        attach_unlinked(&mut edges, root);
    }
    let attached = |(word, edge): (usize, Option<Edge>)| match edge {
        Some(edge) if word == root => Edge { head: None, ..edge },
        Some(Edge { head: None, confidence, .. }) => {
            Edge { head: Some(root), source: None, origin: Origin::Mended, confidence }
        }
        Some(edge) => edge,
        None => {
            let head = (word != root).then_some(root);
            Edge { head, source: None, origin: Origin::Guessed, confidence: 0.0 }
        }
    };
    edges.into_iter().enumerate().map(attached).collect()
}

impl<'s> Correspondence<'s> {
    fn new(sentence: &'s Sentence, threshold: f64) -> Self {
        let mut depths = vec![0; sentence.heads.len()];
        for &word in &sentence.top_down {
            depths[word as usize] = sentence.heads[word as usize].map_or(0, |head| depths[head as usize] + 1);
        }
        let mut group = vec![Vec::new(); sentence.heads.len()];
        let mut stands = Vec::with_capacity(sentence.words.len());
        for (word, links) in sentence.links.iter().enumerate() {
            let links = || links.iter().filter(|link| link.probability > 0.0 && link.probability >= threshold);
            for link in links() {
                group[link.source].push((word, link.probability));
            }
            let uppermost = links().min_by(|one, other| {
                let by_depth = depths[one.source].cmp(&depths[other.source]);
                by_depth.then(other.probability.total_cmp(&one.probability))
            });
            stands.push(uppermost.map(|link| (link.source, link.probability)));
        }
        for group in &mut group {
            group.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        }
        Self { sentence, depths, stands, group }
    }

    /// The word above a source word that is next to have a link: its target words, and whether words were passed.
    fn above(&self, source: usize) -> Option<(&[(usize, f64)], bool)> {
        let heads = &self.sentence.heads;
        let mut above = heads[source];
        let mut passed = false;
        while let Some(head) = above {
            let group = &self.group[head as usize];
            if !group.is_empty() {
                return Some((group, passed));
            }
            passed = true;
            above = heads[head as usize];
        }
        None
    }

    /// The edge as published; nothing where the head is an empty node.
    fn direct(&self, word: usize) -> Option<Edge> {
        let (source, probability) = self.stands[word]?;
        if self.group[source].len() > 1 {
            return None;
        }
        let carried = |head, confidence| Some(Edge { head, source: Some(source), origin: Origin::Carried, confidence });
        let Some(above) = self.sentence.heads[source] else { return carried(None, probability) };
        match self.group[above as usize].as_slice() {
            [(head, of_head)] if *head != word => carried(Some(*head), probability * of_head),
            _ => None,
        }
    }

    /// The edge with mends; nothing for words without links.
    fn mended(&self, word: usize) -> Option<Edge> {
        let (source, probability) = self.stands[word]?;
        if let Some(&(first, of_first)) = self.group[source].first()
            && first != word
            && self.stands[first].is_some_and(|(stands, _)| stands == source)
        {
            let confidence = probability * of_first;
            return Some(Edge { head: Some(first), source: None, origin: Origin::Mended, confidence });
        }
        let Some((group, passed)) = self.above(source) else {
            let is_root = self.sentence.heads[source].is_none();
            let origin = if is_root { Origin::Carried } else { Origin::Mended };
            return Some(Edge { head: None, source: Some(source), origin, confidence: probability });
        };
        let origin = if passed || group.len() > 1 { Origin::Mended } else { Origin::Carried };
        // A word of the group stands for the source word or one above it; the first that is lower than this one would be no head.
        let &(head, of_head) = group.first()?;
        Some(Edge { head: Some(head), source: Some(source), origin, confidence: probability * of_head })
    }

    /// The uppermost word without head among those that stand for source words; the first word if there is none.
    fn root(&self, edges: &[Option<Edge>]) -> Option<usize> {
        let depth = |word: usize| self.stands[word].map(|(source, _)| self.depths[source]);
        let free = (0..edges.len()).filter(|&word| edges[word].is_none_or(|edge| edge.head.is_none()));
        let linked = free.clone().filter(|&word| self.stands[word].is_some());
        linked.min_by_key(|&word| depth(word)).or_else(|| free.min())
    }
}

/// Gives words without links the head of a neighbor.
fn attach_unlinked(edges: &mut [Option<Edge>], root: usize) {
    let linked: Vec<usize> = (0..edges.len()).filter(|&word| edges[word].is_some()).collect();
    for word in (0..edges.len()).filter(|&word| edges[word].is_none() && word != root).collect::<Vec<_>>() {
        let behind = linked.partition_point(|&linked| linked < word);
        let neighbor = behind.checked_sub(1).or((behind < linked.len()).then_some(behind)).map(|at| linked[at]);
        let head = neighbor.map(|neighbor| edges[neighbor].and_then(|edge| edge.head).unwrap_or(neighbor));
        let head = Some(head.unwrap_or(root));
        edges[word] = Some(Edge { head, source: None, origin: Origin::Guessed, confidence: 0.0 });
    }
}
