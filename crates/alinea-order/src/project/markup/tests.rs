use alinea_text::alignment::{Link, WeightedLink};
use alinea_text::error::Position;
use alinea_text::format::markup::{Markup, Role, Segment, Syntax, Translation, write};
use alinea_text::format::tokens::Tokenize;
use proptest::prelude::*;

use super::*;

fn one_thread() -> Parallelism {
    Parallelism::new(1).unwrap()
}

fn links(cells: &[(u32, u32, f32)]) -> Vec<WeightedLink> {
    cells.iter().map(|&(source, target, weight)| WeightedLink { link: Link { source, target }, weight }).collect()
}

fn read(syntax: Syntax, source: &str, target: &str) -> (Segment, Translation) {
    let (markup, line) = (Markup::new(syntax), Position::new("text", 1, 0));
    let segment = markup.segment(source, &line).unwrap();
    let translation = markup.translation(target, &segment, &line).unwrap();
    (segment, translation)
}

fn placed(syntax: Syntax, source: &str, target: &str, cells: &[(u32, u32)], unplaced: Unplaced) -> (String, Vec<Fate>) {
    let (segment, translation) = read(syntax, source, target);
    let links = links(&cells.iter().map(|&(source, target)| (source, target, 0.95)).collect::<Vec<_>>());
    let pair = MarkedPair { source: &segment, target: &translation, links: &links, words: Tokenize::Script };
    let config = MarkupConfig::default().with(|config| config.unplaced = unplaced);
    let found = project(&[pair], &config, &one_thread()).unwrap().remove(0);
    (write(&segment, &translation, &found.places), found.fates)
}

fn xml(source: &str, target: &str, cells: &[(u32, u32)]) -> String {
    placed(Syntax::Xml, source, target, cells, Unplaced::Near).0
}

#[test]
fn tags_follow_their_words() {
    assert_eq!(xml("the <b>red</b> house", "la maison rouge", &[(0, 0), (1, 2), (2, 1)]), "la maison <b>rouge</b>");
    assert_eq!(xml("<b>all of it</b>", " tout cela ", &[]), "<b> tout cela </b>");
    let nested = xml("a <b><i>b</i> c</b> d", "d c b a", &[(0, 3), (1, 2), (2, 1), (3, 0)]);
    assert_eq!(nested, "d <b>c <i>b</i></b> a");
    assert_eq!(xml("<b><i>x</i></b> y", "y x", &[(0, 1), (1, 0)]), "y <b><i>x</i></b>");
    assert_eq!(
        xml("Click <b>Save</b>.", "[保存]をクリック。", &[(0, 5), (1, 1), (1, 2), (2, 6)]),
        "<b>[保存]</b>をクリック。"
    );
}

#[test]
fn points_go_between_words() {
    assert_eq!(xml("one<br/>two", "eins zwei", &[(0, 0), (1, 1)]), "eins<br/> zwei");
    assert_eq!(xml("<x/>one two", "eins zwei", &[(0, 0), (1, 1)]), "<x/>eins zwei");
    assert_eq!(xml("<b>one</b><br/><i>two</i>", "eins zwei", &[(0, 0), (1, 1)]), "<b>eins</b><br/> <i>zwei</i>");
}

#[test]
fn what_has_no_counterpart_goes_where_it_should() {
    let at = |unplaced| placed(Syntax::Xml, "a <b>of</b> b", "x y", &[(0, 0), (2, 1)], unplaced);
    assert_eq!(at(Unplaced::Start).0, "<b></b>x y");
    assert_eq!(at(Unplaced::End).0, "x y<b></b>");
    assert_eq!(at(Unplaced::Drop).0, "x y");
    let (near, fates) = at(Unplaced::Near);
    assert_eq!(near, "x <b></b>y");
    assert_eq!(fates[0].lost, Some(Loss::Unlinked));
}

#[test]
fn pairs_that_overlap_stay_pairs() {
    let source = "<g id='1'>a <bx id='2'/>b</g> c<ex id='2'/> d";
    let cells = [(0, 0), (1, 1), (2, 2), (3, 3)];
    let (written, _) = placed(Syntax::Xliff, source, "A B C D", &cells, Unplaced::Near);
    assert_eq!(written, "<g id='1'>A <bx id='2'/>B</g> C<ex id='2'/> D");
}

#[test]
fn links_out_of_range_are_refused() {
    let (segment, translation) = read(Syntax::Xml, "a", "b");
    let links = links(&[(0, 1, 0.5)]);
    let pair = MarkedPair { source: &segment, target: &translation, links: &links, words: Tokenize::Script };
    let error = project(&[pair], &MarkupConfig::default(), &one_thread()).unwrap_err().to_string();
    assert_eq!(error, "pair 1: link 0-1 in sentences of 1 and 1");
}

/// Pieces of segments; elements are closed where they are drawn.
fn segment() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(
        &[
            "a ",
            "b",
            "Über ",
            "。",
            "東京",
            "&amp;",
            " ",
            "<x id='9'/>",
            "<bx id='1'/>",
            "<ex id='1'/>",
            "<bx id='2'/>",
            "<ex id='2'/>",
            "(",
        ][..],
    );
    let leaf = leaf.prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 5, |inner| {
        let parts = prop::collection::vec(inner, 0..5).prop_map(|parts| parts.concat());
        (parts, any::<bool>())
            .prop_map(|(parts, in_pair)| if in_pair { format!("<g id='3'>{parts}</g>") } else { parts })
    })
}

/// Pairs of tags in the order of a target: where each begins and ends.
fn spans(segment: &Segment, places: &[alinea_text::format::markup::Place]) -> Vec<(usize, usize, usize)> {
    let order: std::collections::BTreeMap<usize, usize> =
        places.iter().enumerate().map(|(number, place)| (place.tag, number)).collect();
    let pair = |(open, tag): (usize, &alinea_text::format::markup::InlineTag)| match tag.role {
        Role::Open(close) => Some((open, *order.get(&open)?, *order.get(&close)?)),
        _ => None,
    };
    segment.tags.iter().enumerate().filter_map(pair).collect()
}

fn cross(one: (usize, usize), other: (usize, usize)) -> bool {
    one.0 < other.0 && other.0 < one.1 && one.1 < other.1 || other.0 < one.0 && one.0 < other.1 && other.1 < one.1
}

proptest! {
    /// Every tag is there once (or dropped, if that is wanted); what is written is read again, with the translation as its text; what nests in the source
    /// nests in the target; threads do not matter.
    #[test]
    fn laws(
        text in prop::collection::vec((segment(), "[ab 東。(]{0,8}", prop::collection::vec((0..9_u32, 0..9_u32, 0.0..=1.0_f32), 0..14)), 1..4),
        unplaced in prop::sample::select(&Unplaced::ALL[..]),
    ) {
        let markup = Markup::new(Syntax::Xliff);
        let read: Vec<_> = text.iter().map(|(source, target, _)| read(Syntax::Xliff, source, target)).collect();
        let all: Vec<Vec<WeightedLink>> = read.iter().zip(&text).map(|((segment, translation), (_, _, cells))| {
            let lengths = [segment.words(Tokenize::Script).len(), translation.words(Tokenize::Script).len()];
            let is_in = |&&(source, target, _): &&(u32, u32, f32)| (source as usize) < lengths[0] && (target as usize) < lengths[1];
            links(&cells.iter().filter(is_in).copied().collect::<Vec<_>>())
        }).collect();
        let pairs: Vec<MarkedPair<'_>> = read.iter().zip(&all).map(|((source, target), links)| {
            MarkedPair { source, target, links, words: Tokenize::Script }
        }).collect();
        let config = MarkupConfig::default().with(|config| config.unplaced = unplaced);
        let found = project(&pairs, &config, &one_thread()).unwrap();
        prop_assert_eq!(&project(&pairs, &config, &Parallelism::new(3).unwrap()).unwrap(), &found);
        for (pair, found) in pairs.iter().zip(&found) {
            let tags = pair.source.tags.len();
            let mut there: Vec<usize> = found.places.iter().map(|place| place.tag).collect();
            there.sort_unstable();
            there.dedup();
            prop_assert_eq!(there.len(), found.places.len());
            prop_assert!(there.len() == tags || unplaced == Unplaced::Drop && there.len() < tags);
            prop_assert!(found.places.windows(2).all(|two| two[0].at <= two[1].at));
            let written = write(pair.source, pair.target, &found.places);
            let again = markup.segment(&written, &Position::new("again", 1, 0));
            prop_assert!(again.is_ok(), "{} {:?}", written, again);
            let again = again.unwrap();
            prop_assert_eq!((again.text.as_str(), again.tags.len()), (pair.target.text(), there.len()));
            let spans = spans(pair.source, &found.places);
            for &(one, start, end) in &spans {
                prop_assert!(start < end);
                for &(other, other_start, other_end) in &spans {
                    let close = |open: usize| match pair.source.tags[open].role {
                        Role::Open(close) => close,
                        _ => open,
                    };
                    let in_source = cross((one, close(one)), (other, close(other)));
                    prop_assert!(in_source || !cross((start, end), (other_start, other_end)), "{}", written);
                }
            }
        }
    }
}

/// A million tags: as long as time is linear, nobody notices.
#[test]
fn long_segments_are_placed() {
    let number = 100_000;
    let source = "<b>a</b> <br/>".repeat(number);
    let (segment, translation) = read(Syntax::Xml, &source, &"a ".repeat(number));
    let cells: Vec<(u32, u32, f32)> = (0..number as u32).map(|word| (word, word, 0.9)).collect();
    let links = links(&cells);
    let pair = MarkedPair { source: &segment, target: &translation, links: &links, words: Tokenize::Script };
    let found = project(&[pair], &MarkupConfig::default(), &one_thread()).unwrap();
    assert_eq!(found[0].places.len(), 3 * number);
    let deep = format!("{}x{} y", "<b>".repeat(number), "</b>".repeat(number));
    let expected = format!("y {}x{}", "<b>".repeat(number), "</b>".repeat(number));
    assert_eq!(xml(&deep, "y x", &[(0, 1), (1, 0)]), expected);
}
