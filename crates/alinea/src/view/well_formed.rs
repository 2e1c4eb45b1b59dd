//! Whether a picture is well-formed XML.

/// The text of all elements that hold no other, in order, but of style sheets; fails where a tag is not closed by its own, where a
/// reference is none of XML's own, or where a character is not allowed (XML 1.0, 2.2).
pub(super) fn texts(picture: &str) -> Vec<String> {
    let allowed = |c: char| matches!(c, '\t' | '\n' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
    assert!(picture.chars().all(allowed), "{picture:?}");
    let mut open = Vec::new();
    let mut texts = Vec::new();
    for piece in picture.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
        let plain = text.replace("&amp;", "\0").replace("&lt;", "<").replace("&gt;", ">");
        assert!(!plain.contains('&') && !text.contains('>'), "{text:?}");
        if !text.trim().is_empty() && open.last() != Some(&"style") {
            texts.push(plain.replace('\0', "&"));
        }
    }
    assert!(open.is_empty());
    texts
}
