use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::format::tokens::Tokenize;

fn line() -> Position {
    Position::new("text", 3, 0)
}

fn read(syntax: Syntax, raw: &str) -> Segment {
    Markup::new(syntax).segment(raw, &line()).unwrap_or_else(|error| panic!("{raw}: {error}"))
}

fn error(syntax: Syntax, raw: &str) -> String {
    Markup::new(syntax).segment(raw, &line()).unwrap_err().to_string()
}

/// The tags as they are written, with `(` for those that open, `)` for those that close.
fn tags(segment: &Segment) -> Vec<String> {
    let kind = |role| match role {
        Role::Open(_) => "(",
        Role::Close(_) => ")",
        Role::Alone => "",
    };
    (0..segment.tags.len()).map(|tag| format!("{}{}", kind(segment.tags[tag].role), segment.code(tag))).collect()
}

#[test]
fn xml_is_taken_apart() {
    let segment =
        read(Syntax::Xml, "a &amp; <b x='>' y=\"1\">c<br/></b><!-- <i> --><?p?><![CDATA[<&]]>&#233;&#xE9;&foo;");
    assert_eq!(segment.text, "a & c<&éé&foo;");
    assert_eq!(tags(&segment), ["(<b x='>' y=\"1\">", "<br/>", ")</b>", "<!-- <i> -->", "<?p?>"]);
    assert_eq!(segment.tags.iter().map(|tag| tag.at).collect::<Vec<_>>(), [4, 5, 5, 5, 5]);
}

#[test]
fn html_has_void_elements_and_loose_characters() {
    let segment = read(Syntax::Html, "1 < 2 & 3<BR>&eacute;<b>x</B><script>a<b</script>");
    assert_eq!(segment.text, "1 < 2 & 3éx");
    assert_eq!(tags(&segment), ["<BR>", "(<b>", ")</B>", "<script>a<b</script>"]);
}

#[test]
fn inline_elements_of_xliff_and_tmx_are_known() {
    let raw = "<bpt id='1'>&lt;b></bpt>a<ept id='1'>&lt;/b></ept><g id='2'>b</g><bx id='3' rid='9'/>c<ex id='4' rid='9'/><x id='5'/>\
               <ph id='6'>{0}</ph><it id='7' pos='open'>x</it>";
    let segment = read(Syntax::Xliff, raw);
    assert_eq!(segment.text, "abc");
    let roles: Vec<Role> = segment.tags.iter().map(|tag| tag.role).collect();
    let pairs = [(0, 1), (2, 3), (4, 5)];
    for (open, close) in pairs {
        assert_eq!((roles[open], roles[close]), (Role::Open(close), Role::Close(open)));
    }
    assert!(roles[6..].iter().all(|role| *role == Role::Alone) && roles.len() == 9);
    let segment = read(Syntax::Xliff, "<sc id='1'/>a<pc id='2'>b</pc><ec startRef='1'/><ec id='8' isolated='yes'/>");
    assert_eq!((segment.tags[0].role, segment.tags[4].role), (Role::Open(3), Role::Alone));
    let segment = read(Syntax::Tmx, "<bpt i='1' x='7'>{\\b <sub>s</sub></bpt>a<ept i='1'>}</ept><hi>b</hi><ut>u</ut>");
    assert_eq!((segment.text.as_str(), segment.tags[0].role, segment.tags.len()), ("ab", Role::Open(1), 5));
}

#[test]
fn markers_of_usfm_are_known() {
    let segment = read(
        Syntax::Usfm,
        "\\v 12 the \\nd Lord \\+w God|strong=\"H1\"\\+w*\\nd* said\\f + \\ft note\\f* \\qt-s |who=\"x\"\\*yes",
    );
    assert_eq!(segment.text, "the Lord God said yes");
    let expected = [
        "\\v 12 ",
        "(\\nd ",
        "(\\+w ",
        ")|strong=\"H1\"\\+w*",
        ")\\nd*",
        "\\f + \\ft note\\f*",
        "\\qt-s |who=\"x\"\\*",
    ];
    assert_eq!(tags(&segment), expected);
}

#[test]
fn placeholders_stand_alone() {
    let markup = Markup::new(Syntax::Xml).with_placeholders(&["%[sd]", r"\{\d+\}"]).unwrap();
    let segment = markup.segment("<b>%s</b> of {10} %", &line()).unwrap();
    assert_eq!(
        (segment.text.as_str(), tags(&segment)),
        (" of  %", ["(<b>", "%s", ")</b>", "{10}"].map(str::to_owned).to_vec())
    );
    assert!(Markup::new(Syntax::Xml).with_placeholders(&["("]).is_err());
    let error = markup.translation("x {10}", &segment, &line()).unwrap_err().to_string();
    assert_eq!(error, "text:3:3: expected a translation without tags, found `{10}`");
}

#[test]
fn errors_have_their_column() {
    let cases = [
        (Syntax::Xml, "a <b>c", "text:3:3: expected an element that is closed by `</b>`, found `<b>`"),
        (Syntax::Xml, "<b><i></b>", "text:3:7: expected `</i>`, the end of the element of column 4, found `</b>`"),
        (Syntax::Xml, "é</b>", "text:3:3: expected no end tag, since nothing is open, found `</b>`"),
        (Syntax::Xml, "1 < 2", "text:3:3: expected a tag, or `&lt;`, found `< 2`"),
        (Syntax::Xml, "a & b", "text:3:3: expected a reference such as `&amp;`, found `& b`"),
        (Syntax::Xml, "x<b", "text:3:2: expected a tag that ends with `>`, found `<b`"),
        (Syntax::Xliff, "<ph>x", "text:3:1: expected an element that is closed by `</ph>`, found `<ph>`"),
        (Syntax::Usfm, "a \\nd*", "text:3:3: expected an open marker `\\nd`"),
    ];
    for (syntax, raw, message) in cases {
        let error = error(syntax, raw);
        assert!(error.starts_with(message) || error.replace("\\\\", "\\").starts_with(message), "{raw}: {error}");
    }
}

#[test]
fn translations_with_tags_are_refused() {
    let segment = read(Syntax::Xml, "<b>x</b>");
    let markup = Markup::new(Syntax::Xml);
    let refused = markup.translation("y <b>x</b>", &segment, &line()).unwrap_err().to_string();
    assert_eq!(refused, "text:3:3: expected a translation without tags, found `<b>`");
    assert_eq!(markup.translation("a < b & <name>", &segment, &line()).unwrap().text(), "a < b & <name>");
    let markup = markup.with_escaped_translations(true);
    assert!(markup.translation("<i/>", &segment, &line()).is_err());
    let escaped = markup.translation("R&amp;D &#233;t&#233;", &segment, &line()).unwrap();
    let words: Vec<(&str, Range<usize>)> =
        escaped.words(Tokenize::Script).into_iter().map(|word| (word.text, word.raw)).collect();
    assert_eq!(words, [("R", 0..1), ("&", 1..6), ("D", 6..7), ("été", 8..21)]);
}

#[test]
fn words_are_cut_between_elements_and_at_what_stands_alone() {
    let words = |syntax, raw: &str| {
        let segment = read(syntax, raw);
        let words = segment.words(Tokenize::Script).into_iter();
        words.map(|word| segment.text[word].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(words(Syntax::Xml, "<b>H</b>ello one<br/>two"), ["Hello", "one", "two"]);
    assert_eq!(words(Syntax::Xml, "<li>one</li><li>two</li>"), ["one", "two"]);
}

/// Pieces that segments are drawn from: good and bad.
const PIECES: [&str; 24] = [
    "a",
    "Über",
    " ",
    "東京",
    "タブ",
    "&amp;",
    "&lt;",
    "&",
    "<",
    ">",
    "<b>",
    "</b>",
    "<i x='1'>",
    "</i>",
    "<br/>",
    "<!--x-->",
    "<![CDATA[<]]>",
    "\\nd ",
    "\\nd*",
    "\\v 1 ",
    "|",
    "{0}",
    "<bx id='1'/>",
    "<ex id='1'/>",
];

fn drawn() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Whatever is read: tags are pieces of the segment in order, partners name each other, and what is written again with all tags where
    /// they were, or with none, has the same text.
    #[test]
    fn laws(raw in drawn(), other in drawn(), syntax in prop::sample::select(&Syntax::ALL[..]), is_escaped in any::<bool>()) {
        let markup = Markup::new(syntax).with_placeholders(&[r"\{\d\}"]).unwrap().with_escaped_translations(is_escaped);
        let Ok(segment) = markup.segment(&raw, &line()) else { return Ok(()) };
        let mut end = 0;
        for (number, tag) in segment.tags.iter().enumerate() {
            prop_assert!(tag.code.start >= end && tag.code.end > tag.code.start && segment.text.is_char_boundary(tag.at));
            end = tag.code.end;
            match tag.role {
                Role::Open(close) => prop_assert!(close > number && segment.tags[close].role == Role::Close(number)),
                Role::Close(open) => prop_assert!(open < number && segment.tags[open].role == Role::Open(number)),
                Role::Alone => {}
            }
        }
        let Ok(translation) = markup.translation(&other, &segment, &line()) else { return Ok(()) };
        let words = translation.words(Tokenize::Script);
        prop_assert!(words.windows(2).all(|two| two[0].raw.end <= two[1].raw.start));
        prop_assert!(words.iter().all(|word| translation.raw.is_char_boundary(word.raw.start)));
        if syntax != Syntax::Plain && syntax != Syntax::Usfm && !other.contains("{0}") {
            let written = write(&segment, &translation, &[]);
            let again = Markup::new(syntax).segment(&written, &line()).unwrap();
            prop_assert_eq!((again.text.as_str(), again.tags.len()), (translation.text(), 0));
        }
    }

    /// No bytes make it panic.
    #[test]
    fn anything_is_read_or_refused(raw in "\\PC{0,40}", syntax in prop::sample::select(&Syntax::ALL[..])) {
        if let Ok(segment) = Markup::new(syntax).segment(&raw, &line()) {
            let words = segment.words(Tokenize::Script);
            prop_assert!(words.windows(2).all(|two| two[0].end <= two[1].start));
        }
    }
}

/// A million tags, many megabytes: as long as time is linear, nobody notices.
#[test]
fn long_segments_are_read() {
    let raw = "<b>ab</b> <br/>".repeat(300_000);
    assert_eq!(read(Syntax::Xml, &raw).tags.len(), 900_000);
    let deep = format!("{}x{}", "<b>".repeat(300_000), "</b>".repeat(300_000));
    assert_eq!(read(Syntax::Xml, &deep).tags[0].role, Role::Open(599_999));
}
