//! Pictures are drawn by hand.

use unicode_width::UnicodeWidthStr;

use super::*;
use crate::view::Marks;

fn words(text: &str) -> Vec<&str> {
    text.split(' ').filter(|word| !word.is_empty()).collect()
}

fn draw(source: &str, target: &str, links: &Alignment, style: &Style) -> String {
    grid(&words(source), &words(target), links, None, style)
}

#[test]
fn an_alignment_without_gold_standard() {
    let picture =
        draw("da war eine gute", "then a good thing was", &[(0, 0), (1, 4), (3, 2)].into(), &Style::default());
    let expected = "              t
        t   g h
        h   o i w
        e   o n a
        n a d g s
        0
  da 0  ■ · · · ·
 war 1  · · · · ■
eine 2  · · · · ·
gute 3  · · ■ · ·

■ link 3
";
    assert_eq!(picture, expected);
}

#[test]
fn every_way_to_be_right_or_wrong_has_a_mark() {
    let gold = GoldAlignment::from_parts([(0, 0), (1, 1)].into(), &[(0, 1), (2, 0)].into());
    let hypothesis: Alignment = [(0, 0), (0, 1), (2, 1)].into();
    let (source, target) = (words("a b c"), words("x y"));
    let picture = grid(&source, &target, &hypothesis, Some(&gold), &Style::default());
    let expected = "     x y
     0
a 0  ■ □
b 1  · ○
c 2  ◦ ×

■ sure 1   □ possible 1   × wrong 1   ○ missed 1   ◦ missed (possible) 1
";
    assert_eq!(picture, expected);
    let plain = Style { marks: Marks::Ascii, width: 40, ..Style::default() };
    let expected = "     x y
     0
a 0  # +
b 1  . O
c 2  o x

# sure 1   + possible 1   x wrong 1
O missed 1   o missed (possible) 1
";
    assert_eq!(grid(&source, &target, &hypothesis, Some(&gold), &plain), expected);
}

#[test]
fn wide_characters_take_two_columns_and_marks_none() {
    let picture = draw("家 cafe\u{301}", "ビル e\u{301}t", &[(0, 0), (1, 1)].into(), &Style::default());
    let expected = "        ビ e\u{301}
        ル t
        0
  家 0  ■  ·
cafe\u{301} 1  ·  ■

■ link 2
";
    assert_eq!(picture, expected);
}

#[test]
fn a_wide_grid_continues_below() {
    let style = Style { width: 16, ..Style::default() };
    let picture = draw("p q", "a b c d e f g", &[(0, 0), (1, 6)].into(), &style);
    // 16 columns less 5 leave room for 6 words; blocks of more than 5 are cut to multiples of 5.
    let expected = "     a b c d e
     0
p 0  ■ · · · ·
q 1  · · · · ·

     f g
     5
p 0  · ·
q 1  · ■

■ link 2
";
    assert_eq!(picture, expected);
}

#[test]
fn no_line_is_wider_than_asked_for() {
    let source = vec!["Donaudampfschifffahrtsgesellschaft"; 12];
    let target = ["船", "b", "steamship"].repeat(40);
    let links: Alignment = (0..12).map(|n| Link::new(n, n * 10)).collect();
    let gold = GoldAlignment::from_parts(links.inverted().intersection(&links), &links);
    for width in 60..=120 {
        let style = Style { width, ..Style::default() };
        let picture = grid(&source, &target, &links, Some(&gold), &style);
        let widest = picture.lines().map(UnicodeWidthStr::width).max();
        assert!(widest <= Some(width), "{widest:?} columns, not {width}");
        assert!(picture.lines().all(|line| !line.ends_with(' ')));
    }
}

#[test]
fn colors_are_the_callers_choice() {
    let style = Style { color: true, ..Style::default() };
    let picture = draw("a", "x y", &[(0, 1)].into(), &style);
    assert!(picture.contains("a 0  \x1b[2m·\x1b[0m \x1b[32m■\x1b[0m\n"), "{picture:?}");
}

#[test]
fn empty_sentences_and_links_outside_are_drawn_as_such() {
    assert_eq!(draw("", "", &Alignment::new(), &Style::default()), "■ link 0\n");
    let outside: Alignment = (0..13).map(|n| Link::new(0, n)).chain([Link::new(u32::MAX, 0)]).collect();
    let picture = draw("a", "x", &outside, &Style::default());
    let expected = "     x
     0
a 0  ■

■ link 1
not drawn: 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 0-9 0-10 and 3 more
";
    assert_eq!(picture, expected);
    let short = Style { words: 1, ..Style::default() };
    assert!(draw("a b", "x y", &[(0, 0), (1, 1)].into(), &short).ends_with("■ link 1\nnot drawn: 1-1\n"));
    assert_eq!(draw("a b", "", &Alignment::new(), &Style::default()), "a 0\nb 1\n\n■ link 0\n");
}

#[test]
fn long_words_are_cut_and_terminals_are_not_controlled() {
    let style = Style { word_length: 4, ..Style::default() };
    let picture = draw("abcdef \u{1b}[2J", "vwxyz", &[(0, 0)].into(), &style);
    let expected = "        v
        w
        x
        …
        0
abc… 0  ■
�[2J 1  ·

■ link 1
";
    assert_eq!(picture, expected);
}

/// A word as it is isolated from right to left.
fn from_right(word: &str) -> String {
    format!("\u{2067}{word}\u{2069}")
}

#[test]
fn columns_of_a_sentence_from_right_to_left_begin_on_the_right() {
    let links: Alignment = [(0, 1), (1, 0), (2, 2)].into();
    let picture = draw("this book (", "ספר זה (", &links, &Style::default());
    let letters = |word: &str| word.chars().map(|c| from_right(&c.to_string())).collect::<Vec<_>>();
    let [bracket, book, this] = ["(", "ספר", "זה"].map(letters);
    let expected = format!(
        "            {}
          {} {}
        {} {} {}
            0
this 0  · ■ ·
book 1  · · ■
   ( 2  ■ · ·

■ link 3
",
        book[0], this[0], book[1], bracket[0], this[1], book[2]
    );
    assert_eq!(picture, expected);
    let narrow = draw("a", "א ב ג ד ה ו ז", &[(0, 6)].into(), &Style { width: 16, ..Style::default() });
    let rows: Vec<&str> = narrow.lines().filter(|line| line.starts_with("a 0")).collect();
    assert_eq!(rows, ["a 0  · · · · ·", "a 0  ■ ·"]);
    assert!(narrow.contains("             0\n") && narrow.contains("       5\n"), "{narrow}");
}

#[test]
fn rows_of_a_sentence_from_right_to_left_are_isolated() {
    let picture = draw("כתב ABC ספר", "x", &[(2, 0)].into(), &Style::default());
    let rows: Vec<&str> = picture.lines().filter(|line| line.contains("  ■") || line.contains("  ·")).collect();
    let [first, last] = ["כתב", "ספר"].map(from_right);
    assert_eq!(rows, [format!("{first} 0  ·"), "ABC 1  ·".to_owned(), format!("{last} 2  ■")]);
    assert!(picture.lines().all(|line| line.width() <= 8), "isolates take no columns: {picture}");
}
