//! Derivations: actions, orders, trees.
//!
//! A derivation is a list of actions, each the pivot of the span that is split next and whether its parts are exchanged; the
//! span is always the one that was made last, so right parts come first. A sentence of n words takes n - 1.

use std::collections::BTreeMap;

use super::scores::context_of;

/// Splits of a sentence and whether they invert, in the order in which a top-down parser makes them.
pub(super) type Action = (usize, bool);

/// What made a span ([`context_of`], 0 for the sentence), its begin, pivot and end, and whether it inverts.
pub(super) type Span = (usize, [usize; 3], bool);

/// The spans of a derivation in the order of its actions.
pub(super) fn spans_of(words: usize, actions: &[Action]) -> impl Iterator<Item = Span> {
    let mut open = if words > 1 { vec![(0, words, 0)] } else { Vec::new() };
    actions.iter().map_while(move |&(pivot, inverted)| {
        let (begin, end, context) = open.pop()?;
        if pivot - begin > 1 {
            open.push((begin, pivot, context_of(inverted, false)));
        }
        if end - pivot > 1 {
            open.push((pivot, end, context_of(inverted, true)));
        }
        Some((context, [begin, pivot, end], inverted))
    })
}

/// By begin and end, the action of each span.
fn splits(words: usize, actions: &[Action]) -> BTreeMap<(usize, usize), Action> {
    spans_of(words, actions).map(|(_, [begin, pivot, end], inverted)| ((begin, end), (pivot, inverted))).collect()
}

/// The words in their new order.
pub(super) fn order_of(words: usize, actions: &[Action]) -> Vec<u32> {
    let splits = splits(words, actions);
    let mut order = Vec::with_capacity(words);
    let mut spans = vec![(0, words)];
    while let Some((begin, end)) = spans.pop() {
        match splits.get(&(begin, end)) {
            None => order.extend(begin as u32..end as u32),
            // What is pushed last comes first.
            Some(&(pivot, true)) => spans.extend([(begin, pivot), (pivot, end)]),
            Some(&(pivot, false)) => spans.extend([(pivot, end), (begin, pivot)]),
        }
    }
    order
}

/// The tree in brackets, `[ ]` around straight and `< >` around inverted nodes, over the words in their old order, as Nakagawa's
/// program writes it. Brackets and backslashes in words get a backslash.
pub(super) fn tree_of(words: &[String], actions: &[Action]) -> String {
    enum Part {
        Span(usize, usize),
        Mark(char),
    }
    let splits = splits(words.len(), actions);
    let mut text = String::new();
    let mut parts = vec![Part::Span(0, words.len())];
    while let Some(part) = parts.pop() {
        match part {
            Part::Mark(mark) => text.push(mark),
            Part::Span(begin, end) => match splits.get(&(begin, end)) {
                Some(&(pivot, inverted)) => {
                    let [open, close] = if inverted { ['<', '>'] } else { ['[', ']'] };
                    text.push(open);
                    let rest = [Part::Mark(close), Part::Span(pivot, end), Part::Mark(' '), Part::Span(begin, pivot)];
                    parts.extend(rest);
                }
                None => words[begin..end].iter().for_each(|word| escape(word, &mut text)),
            },
        }
    }
    text
}

fn escape(word: &str, text: &mut String) {
    for character in word.chars() {
        if matches!(character, '[' | ']' | '<' | '>' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the spec of the engine has it, and as the program of Nakagawa (2015) writes trees.
    #[test]
    fn orders_and_trees_of_actions() {
        let words: Vec<String> = ["I", "had", "a", "[red]", "pen", "."].map(str::to_owned).to_vec();
        let actions = [(5, false), (1, false), (2, true), (3, true), (4, false)];
        assert_eq!(order_of(6, &actions), [0, 3, 4, 2, 1, 5]);
        assert_eq!(tree_of(&words, &actions), r"[[I <had <a [\[red\] pen]>>] .]");
        assert_eq!(tree_of(&words[..1], &[]), "I");
        assert_eq!(tree_of(&[], &[]), "");
        assert!(order_of(0, &[]).is_empty());
        let contexts: Vec<usize> = spans_of(6, &actions).map(|(context, ..)| context).collect();
        assert_eq!(contexts, [0, context_of(false, false), context_of(false, true), context_of(true, true), 4]);
    }
}
