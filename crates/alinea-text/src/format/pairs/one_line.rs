//! A segment as a line: text of other formats may have line breaks in it, lines have none.
//!
//! White space (blanks, tabs, `\r`) with a line feed in it becomes one blank, and nothing at the ends of the segment, where programs
//! put it that indent what they write. All other white space stays as it is, but for every `\r` at the end, which would go with the line
//! break ([`LineReader`](crate::format::lines::LineReader)). So a line that is written is read again as it was.

/// Makes a line of a segment. Linear.
pub(super) fn one_line(segment: &mut String) {
    if segment.contains('\n') {
        let mut line = String::with_capacity(segment.len());
        let mut rest = segment.as_str();
        while let Some(start) = rest.find(is_space) {
            let (word, more) = rest.split_at(start);
            let end = more.find(|c| !is_space(c)).unwrap_or(more.len());
            let (space, after) = more.split_at(end);
            line.push_str(word);
            if !space.contains('\n') {
                line.push_str(space);
            } else if !line.is_empty() && !after.is_empty() {
                line.push(' ');
            }
            rest = after;
        }
        line.push_str(rest);
        *segment = line;
    }
    let length = segment.trim_end_matches('\r').len();
    segment.truncate(length);
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(segment: &str) -> String {
        let mut line = segment.to_owned();
        one_line(&mut line);
        line
    }

    #[test]
    fn line_breaks_are_blanks() {
        assert_eq!(line("a\nb\r\nc \n\t d"), "a b c d");
        assert_eq!(line("\n  a  b\n"), "a  b");
        assert_eq!(line(" a\rb \r\r"), " a\rb ");
        assert_eq!(line("\r\n"), "");
        assert_eq!(line("a\u{85}b\u{2028}"), "a\u{85}b\u{2028}");
    }

    proptest! {
        #[test]
        fn lines_stay_as_they_are(text in "[ab \t\r\u{85}é]{0,20}") {
            let text = text.trim_end_matches('\r');
            prop_assert_eq!(line(text), text);
        }

        #[test]
        fn a_segment_is_one_line(text in "[ab \t\r\n]{0,20}") {
            let once = line(&text);
            prop_assert!(!once.contains('\n') && !once.ends_with('\r'));
            prop_assert_eq!(&line(&once), &once);
            prop_assert_eq!(once.split_ascii_whitespace().collect::<Vec<_>>(), text.split_ascii_whitespace().collect::<Vec<_>>());
        }
    }
}
