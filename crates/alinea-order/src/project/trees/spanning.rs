//! The best tree over scored edges: a maximum spanning arborescence with one dependent of the root.
//!
//! Chu and Liu (1965) and Edmonds (1967): each word takes its best head; a cycle of such edges becomes one node, whose incoming edges
//! count what they gain over the edge of the cycle that they replace. Nodes are visited along a path of best heads, so that a cycle
//! is found where the path meets itself (Tarjan 1977, for dense graphs). Of the edges from a word into a node only the best is kept: a
//! contraction takes time O(n) for each node of the cycle, and all of it O(n²).
//!
//! That the root has one dependent follows from a price on its edges that no other edges make up for.

/// The scores of all edges of a sentence. Node 0 is the root, node w + 1 is word w. Scores are finite.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scores {
    nodes: usize,
    /// For each dependent the scores of its heads.
    cells: Vec<f64>,
}

impl Scores {
    /// No score but 0, for a sentence of so many words.
    pub(super) fn new(words: usize) -> Self {
        let nodes = words + 1;
        Self { nodes, cells: vec![0.0; nodes * nodes] }
    }

    /// The number of words.
    pub(super) fn words(&self) -> usize {
        self.nodes - 1
    }

    /// The scores of the heads of a word, that of the root first, and then of all words, itself included.
    pub(super) fn heads(&self, word: usize) -> &[f64] {
        &self.cells[(word + 1) * self.nodes..][..self.nodes]
    }

    /// The same, to be changed.
    pub(super) fn heads_mut(&mut self, word: usize) -> &mut [f64] {
        &mut self.cells[(word + 1) * self.nodes..][..self.nodes]
    }
}

/// What is known of a node while the tree is sought; words and cycles are nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unseen,
    OnPath,
    Done,
}

struct Search {
    nodes: usize,
    /// For each node that is not in another the best edge from each word: its score, and the word that it enters. A cycle has the
    /// row of its first member.
    scores: Vec<f64>,
    enters: Vec<u32>,
    row: Vec<usize>,
    /// The outermost node that a word is in.
    outermost: Vec<usize>,
    /// The cycle that a node is in.
    cycle: Vec<usize>,
    state: Vec<State>,
    /// The best edge into a node, from word to word, and its score.
    best: Vec<(usize, usize, f64)>,
}

/// The head of each word in the best tree, none for the root. Of equal trees one that depends on nothing but the scores.
///
/// Time and memory O(n²).
pub(super) fn best_tree(scores: &Scores) -> Vec<Option<u32>> {
    let mut search = Search::new(scores);
    for word in 1..search.nodes {
        search.grow(search.outermost[word]);
    }
    search.heads()
}

impl Search {
    fn new(scores: &Scores) -> Self {
        let nodes = scores.nodes;
        let (least, most) =
            scores.cells.iter().fold((0.0_f64, 0.0_f64), |(least, most), &score| (least.min(score), most.max(score)));
        let price = (most - least + 1.0) * nodes as f64;
        let mut cells = scores.cells.clone();
        for word in 1..nodes {
            cells[word * nodes] -= price;
        }
        let mut state = vec![State::Unseen; nodes];
        state[0] = State::Done;
        Self {
            nodes,
            scores: cells,
            enters: (0..nodes as u32).flat_map(|node| std::iter::repeat_n(node, nodes)).collect(),
            row: (0..nodes).collect(),
            outermost: (0..nodes).collect(),
            cycle: vec![0; nodes],
            state,
            best: vec![(0, 0, 0.0); nodes],
        }
    }

    /// Follows best heads from a node until they lead to the root.
    fn grow(&mut self, start: usize) {
        if self.state[start] != State::Unseen {
            return;
        }
        let mut path = vec![start];
        self.state[start] = State::OnPath;
        while let Some(&node) = path.last() {
            self.choose(node);
            let above = self.outermost[self.best[node].0];
            match self.state[above] {
                State::Unseen => {
                    self.state[above] = State::OnPath;
                    path.push(above);
                }
                State::OnPath => {
                    let from = path.iter().rposition(|&member| member == above).unwrap_or(0);
                    let cycle = self.contract(&path[from..]);
                    path.truncate(from);
                    path.push(cycle);
                }
                State::Done => {
                    for node in path.drain(..) {
                        self.state[node] = State::Done;
                    }
                }
            }
        }
    }

    /// The best edge into a node.
    fn choose(&mut self, node: usize) {
        let row = self.row[node] * self.nodes;
        let mut best: Option<(usize, f64)> = None;
        for from in (0..self.nodes).filter(|&from| self.outermost[from] != node) {
            let score = self.scores[row + from];
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((from, score));
            }
        }
        // The root is in no cycle, so there is always an edge.
        let (from, score) = best.unwrap_or((0, 0.0));
        self.best[node] = (from, self.enters[row + from] as usize, score);
    }

    /// Makes the members of a cycle one node.
    fn contract(&mut self, members: &[usize]) -> usize {
        let (cycle, row) = (self.row.len(), self.row[members[0]]);
        for (number, &member) in members.iter().enumerate() {
            let (from, replaced) = (self.row[member] * self.nodes, self.best[member].2);
            for head in 0..self.nodes {
                let gain = self.scores[from + head] - replaced;
                let into = row * self.nodes + head;
                if number == 0 || gain > self.scores[into] {
                    self.scores[into] = gain;
                    self.enters[into] = self.enters[from + head];
                }
            }
            self.cycle[member] = cycle;
        }
        for outermost in &mut self.outermost {
            if members.contains(outermost) {
                *outermost = cycle;
            }
        }
        self.row.push(row);
        self.cycle.push(0);
        self.state.push(State::OnPath);
        self.best.push((0, 0, 0.0));
        cycle
    }

    /// Opens the cycles, the last one first: the edge into a cycle replaces that of the member it enters.
    fn heads(mut self) -> Vec<Option<u32>> {
        for cycle in (self.nodes..self.row.len()).rev() {
            let mut member = self.best[cycle].1;
            while self.cycle[member] != cycle {
                member = self.cycle[member];
            }
            self.best[member] = self.best[cycle];
        }
        self.best[1..self.nodes].iter().map(|&(from, ..)| (from as u32).checked_sub(1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use alinea_text::tree::{DependencyTree, Roots};
    use proptest::prelude::*;

    use super::*;

    fn sum(scores: &Scores, heads: &[Option<u32>]) -> f64 {
        let of = |(word, head): (usize, &Option<u32>)| scores.heads(word)[head.map_or(0, |head| head as usize + 1)];
        heads.iter().enumerate().map(of).sum()
    }

    /// The greatest sum of all trees with one root.
    fn by_brute_force(scores: &Scores) -> f64 {
        let words = scores.words() as u32;
        let mut most = f64::NEG_INFINITY;
        for code in 0..(words + 1).pow(words) {
            let heads: Vec<Option<u32>> =
                (0..words).map(|word| (code / (words + 1).pow(word) % (words + 1)).checked_sub(1)).collect();
            if DependencyTree::new(heads.clone(), Roots::One).is_ok() {
                most = most.max(sum(scores, &heads));
            }
        }
        most
    }

    #[test]
    fn the_root_has_one_dependent_even_if_two_are_better() {
        let mut scores = Scores::new(2);
        scores.heads_mut(0).copy_from_slice(&[9.0, 0.0, -5.0]);
        scores.heads_mut(1).copy_from_slice(&[10.0, -5.0, 0.0]);
        assert_eq!(best_tree(&scores), [Some(1), None]);
        assert_eq!(best_tree(&Scores::new(0)), []);
        assert_eq!(best_tree(&Scores::new(1)), [None]);
    }

    proptest! {
        #[test]
        fn trees_are_best_of_all(words in 1..6_usize, cells in prop::collection::vec(-9..9_i32, 36)) {
            let mut scores = Scores::new(words);
            for word in 0..words {
                for (score, &cell) in scores.heads_mut(word).iter_mut().zip(&cells[word * 6..]) {
                    *score = f64::from(cell);
                }
            }
            let heads = best_tree(&scores);
            prop_assert!(DependencyTree::new(heads.clone(), Roots::One).is_ok());
            // Sums of whole numbers.
            prop_assert!((sum(&scores, &heads) - by_brute_force(&scores)).abs() < 0.5);
        }

        #[test]
        fn long_sentences_have_trees(cells in prop::collection::vec(-9.0..9.0_f64, 61 * 60)) {
            let mut scores = Scores::new(60);
            for word in 0..60 {
                scores.heads_mut(word).copy_from_slice(&cells[word * 61..][..61]);
            }
            prop_assert!(DependencyTree::new(best_tree(&scores), Roots::One).is_ok());
        }
    }
}
