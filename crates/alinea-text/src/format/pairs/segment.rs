//! The text of a segment, with or without its tags.
//!
//! Segments of TMX and XLIFF have elements in them that stand for formatting. Stripped is what is no text:
//!
//! | element | in | what it has | stripped |
//! |---|---|---|---|
//! | `bpt` `ept` `ph` `it` `ut` | TMX, XLIFF 1.2 | code of the document, as `&lt;b&gt;` | with its content |
//! | `sub` within these | TMX, XLIFF 1.2 | text, such as a footnote or a title | text stays, with a blank around it |
//! | `hi` | TMX | highlighted text | text stays |
//! | `g` `mrk` `pc` | XLIFF | formatted or marked text | text stays |
//! | `x` `bx` `ex` `ph` `sc` `ec` `sm` `em` | XLIFF | nothing | entirely |
//! | `cp` | XLIFF 2 | a character that XML does not allow, by its number | it becomes that character |
//!
//! Kept, the segment is markup as it stands in the file: tags with their attributes, and `&lt;` in text.

use super::markup::{Markup, Step, push_escaped};
use super::one_line::one_line;
use super::options::Tags;
use crate::error::{Error, Result};
use crate::limits;

/// A part of a segment that is one of its own: `<mrk mtype="seg" mid="1">` of XLIFF 1.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// What it is called on both sides.
    pub(super) mid: String,
    /// Its text, as a line.
    pub(super) text: String,
}

/// Reads on to the end of the element that was opened last, and puts its text into `segment`, as a line. Linear.
///
/// # Errors
/// Those of the markup; `OverLimit` for a segment that is longer than a line may be.
pub(super) fn read(markup: &mut Markup, tags: Tags, segment: &mut String) -> Result<()> {
    read_parts(markup, tags, segment).map(drop)
}

/// The same; returns the parts that are segments.
///
/// # Errors
/// As [`read`].
pub(super) fn read_parts(markup: &mut Markup, tags: Tags, segment: &mut String) -> Result<Vec<Part>> {
    segment.clear();
    let mut parts = Vec::new();
    // The part that is open: how deep it is, where its text begins, and its name.
    let mut open: Option<(usize, usize, String)> = None;
    let outside = markup.depth() - 1;
    // Of each element that is open within the segment, whether its text stays.
    let mut stays = Vec::new();
    // A blank is to come before the next text.
    let mut apart = false;
    let mut just_opened = false;
    loop {
        let step = markup.step()?;
        if step == Step::Close && open.as_ref().is_some_and(|(depth, ..)| *depth == markup.depth()) {
            let (_, start, mid) = open.take().unwrap_or_default();
            let mut text = segment[start..].to_owned();
            one_line(&mut text);
            parts.push(Part { mid, text });
        }
        match (step, tags) {
            (Step::Open, Tags::Strip) => {
                let kept = match markup.local() {
                    "bpt" | "ept" | "ph" | "it" | "ut" => false,
                    "sub" => {
                        apart = true;
                        true
                    }
                    "cp" => {
                        segment.push(character(markup)?);
                        true
                    }
                    _ => stays.last().copied().unwrap_or(true),
                };
                stays.push(kept);
            }
            (Step::Open, Tags::Keep) => segment.extend(["<", markup.tag(), ">"]),
            (Step::Close, _) if markup.depth() == outside => break,
            (Step::Close, Tags::Strip) => {
                apart |= markup.local() == "sub";
                stays.pop();
            }
            (Step::Close, Tags::Keep) if just_opened => {
                // It had no content.
                segment.pop();
                segment.push_str("/>");
            }
            (Step::Close, Tags::Keep) => segment.extend(["</", markup.tag(), ">"]),
            (Step::Text, Tags::Strip) if stays.last() == Some(&false) => {}
            (Step::Text, Tags::Strip) => {
                if std::mem::take(&mut apart) && !segment.is_empty() {
                    segment.push(' ');
                }
                segment.push_str(markup.text());
            }
            (Step::Text, Tags::Keep) => push_escaped(markup.text(), segment),
            (Step::End, _) => break,
        }
        just_opened = step == Step::Open;
        if just_opened && open.is_none() && markup.local() == "mrk" {
            let is_segment = markup.attribute("mtype")?.as_deref() == Some("seg");
            if let Some(mid) = markup.attribute("mid")?.filter(|_| is_segment) {
                open = Some((markup.depth() - 1, segment.len(), mid));
            }
        }
        limits::LINE.check(segment.len()).map_err(|error| error.at(markup.position()))?;
    }
    one_line(segment);
    Ok(parts)
}

/// What `<cp hex="001B"/>` stands for.
fn character(markup: &Markup) -> Result<char> {
    let hex = markup.attribute("hex")?.unwrap_or_default();
    let number = u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32);
    number.ok_or_else(|| Error::parse(markup.position(), "the number of a character, `hex=\"001B\"`", hex.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::source::Input;

    fn read_as(text: &str, tags: Tags) -> String {
        let mut markup = Markup::new(Input::from_bytes("f", format!("<s>{text}</s>"))).unwrap();
        assert_eq!(markup.step().unwrap(), Step::Open);
        let mut segment = "before".to_owned();
        read(&mut markup, tags, &mut segment).unwrap();
        assert_eq!(markup.step().unwrap(), Step::End);
        segment
    }

    #[test]
    fn code_is_stripped_and_text_stays() {
        let stripped = |text| read_as(text, Tags::Strip);
        assert_eq!(stripped("a <bpt i='1'>&lt;b></bpt>bold<ept i='1'>&lt;/b></ept> word"), "a bold word");
        assert_eq!(stripped("a <hi>high <ph>x</ph>light</hi> b"), "a high light b");
        assert_eq!(stripped("see<ph>x<sub>a note</sub>y</ph>here"), "see a note here");
        assert_eq!(stripped("<ph><sub>a title</sub></ph>"), "a title");
        assert_eq!(stripped("<g id='1'>a<x id='2'/> <mrk>b</mrk></g>"), "a b");
        assert_eq!(stripped("a<cp hex='1B'/>b"), "a\u{1b}b");
        assert_eq!(stripped("a\n   b"), "a b");
        assert_eq!(stripped(""), "");
    }

    #[test]
    fn parts_have_names() {
        let text = "<s><mrk mtype='seg' mid='0'>One <g id='1'>two</g>. </mrk><mrk mtype='x-term'>a</mrk>\
                    <mrk mid='1' mtype='seg'><mrk mtype='seg' mid='2'>b</mrk></mrk></s>";
        for (tags, first) in [(Tags::Strip, "One two. "), (Tags::Keep, "One <g id='1'>two</g>. ")] {
            let mut markup = Markup::new(Input::from_bytes("f", text)).unwrap();
            assert_eq!(markup.step().unwrap(), Step::Open);
            let parts = read_parts(&mut markup, tags, &mut String::new()).unwrap();
            let names: Vec<&str> = parts.iter().map(|part| part.mid.as_str()).collect();
            assert_eq!((names, parts[0].text.as_str()), (vec!["0", "1"], first));
        }
    }

    #[test]
    fn markup_is_kept_on_demand() {
        let text = "a <bpt i=\"1\">&lt;b&gt;</bpt>bold<ept i=\"1\">&lt;/b&gt;</ept> <x id=\"1\"/> &amp; <hi></hi>";
        assert_eq!(read_as(text, Tags::Keep), text.replace("<hi></hi>", "<hi/>"));
    }

    #[test]
    fn very_many_tags_and_long_segments_are_read() {
        let text = "a<ph>x</ph>".repeat(100_000);
        assert_eq!(read_as(&text, Tags::Strip), "a".repeat(100_000));
        let long = "word ".repeat(2_000_000);
        assert_eq!(read_as(&long, Tags::Strip).len(), 10_000_000);
    }
}
