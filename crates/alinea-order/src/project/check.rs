//! What the links of every projection have to be.

use alinea_text::alignment::WeightedLink;

/// Refuses links outside of sentences of so many words, source first, by what is wrong.
pub(super) fn check_links(links: &[WeightedLink], [source, target]: [usize; 2]) -> Result<(), String> {
    let is_outside = |link: &&WeightedLink| link.link.source as usize >= source || link.link.target as usize >= target;
    match links.iter().find(is_outside) {
        Some(WeightedLink { link, .. }) => Err(format!("link {link} in sentences of {source} and {target}")),
        None => Ok(()),
    }
}
