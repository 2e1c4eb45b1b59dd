//! The least number of nodes to insert, delete and rename (Zhang and Shasha 1989, *Simple Fast Algorithms for the Editing
//! Distance between Trees and Related Problems*).

use super::ordered::OrderedTree;

/// The distance of two trees whose nodes are the same where `same` says so, in the time of [`cells`].
pub(super) fn distance(one: &OrderedTree, other: &OrderedTree, same: &[Vec<bool>]) -> u32 {
    let (rows, columns) = (one.leftmost.len(), other.leftmost.len());
    let mut trees = vec![0u32; rows * columns];
    let mut forests = vec![0u32; (rows + 1) * (columns + 1)];
    let others = other.key_roots();
    for root in one.key_roots() {
        for &other_root in &others {
            subtrees([one, other], [root, other_root], same, &mut trees, &mut forests);
        }
    }
    trees[rows * columns - 1]
}

/// How many cells are computed for the distance of two trees: the product of what each has of them. At most O(n² min(depth,
/// leaves)²). Turned around, trees have the same distance, but other numbers of cells.
pub(super) fn cells(one: &OrderedTree, other: &OrderedTree) -> u64 {
    let of = |tree: &OrderedTree| {
        tree.key_roots().iter().map(|&root| (root + 1) as u64 - u64::from(tree.leftmost[root])).sum::<u64>()
    };
    of(one).saturating_mul(of(other))
}

/// Distances of all forests of the first nodes below two roots, and so of the subtrees on the ways to their leftmost leaves.
fn subtrees(
    [one, other]: [&OrderedTree; 2],
    [root, other_root]: [usize; 2],
    same: &[Vec<bool>],
    trees: &mut [u32],
    forests: &mut [u32],
) {
    let columns = other.leftmost.len();
    let width = columns + 1;
    let (first, other_first) = (one.leftmost[root] as usize, other.leftmost[other_root] as usize);
    // Cell (i, j): the first i nodes from `first` on, and the first j from `other_first` on.
    for (column, cell) in (0..).zip(&mut forests[..other_root + 2 - other_first]) {
        *cell = column;
    }
    for node in first..=root {
        let row = node + 1 - first;
        forests[row * width] = row as u32;
        let left = one.leftmost[node] as usize;
        let whole = left == first;
        for candidate in other_first..=other_root {
            let column = candidate + 1 - other_first;
            let edited = forests[(row - 1) * width + column].min(forests[row * width + column - 1]) + 1;
            let other_left = other.leftmost[candidate] as usize;
            forests[row * width + column] = if whole && other_left == other_first {
                let renamed = forests[(row - 1) * width + column - 1] + u32::from(!same[node][candidate]);
                let distance = edited.min(renamed);
                trees[node * columns + candidate] = distance;
                distance
            } else {
                let apart = forests[(left - first) * width + other_left - other_first];
                edited.min(apart + trees[node * columns + candidate])
            };
        }
    }
}
