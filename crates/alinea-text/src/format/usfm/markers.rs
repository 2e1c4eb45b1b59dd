//! What markers mean for the text of verses.

/// What a marker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// `\id`: the code of the book.
    Id,
    /// `\c`: a chapter.
    Chapter,
    /// `\v`: a verse.
    Verse,
    /// A paragraph or a line of poetry, whose text is that of verses.
    Paragraph,
    /// A heading, a title, an introduction or a remark, whose text is not; a verse that begins in one is shown.
    Heading,
    /// A cell of a table.
    Cell,
    /// `\esb`: a sidebar, not text of verses up to its end.
    Sidebar,
    /// `\esbe`: its end.
    SidebarEnd,
    /// A note, a figure, another number of a verse: not text of verses, and must be closed.
    Aside,
    /// A word with attributes.
    Word,
    /// A style of characters, whose text is that of the verse.
    Character,
    /// A style whose text is not: a cross-reference.
    Hidden,
    /// Not known.
    Unknown,
}

/// What a marker means, by its name.
///
/// Markers are numbered (`q1`, `s2`), cells of tables by their columns (`tc1-2`); numbers mean nothing here.
pub(super) fn role(name: &str) -> Role {
    let plain = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let cell = name.split('-').next().unwrap_or(name);
    if matches!(&cell[..plain(cell)], "tc" | "tcc" | "tcr" | "th" | "thc" | "thr") {
        return Role::Cell;
    }
    match &name[..plain(name)] {
        "id" => Role::Id,
        "c" => Role::Chapter,
        "v" => Role::Verse,
        "w" => Role::Word,
        "esb" => Role::Sidebar,
        "esbe" => Role::SidebarEnd,
        "ca" | "cat" | "ef" | "ex" | "f" | "fe" | "fig" | "pro" | "rq" | "va" | "vp" | "x" => Role::Aside,
        "xt" => Role::Hidden,
        "b" | "cls" | "lf" | "lh" | "li" | "lim" | "m" | "mi" | "nb" | "p" | "pb" | "pc" | "ph" | "phi" | "pi"
        | "pm" | "pmc" | "pmo" | "pmr" | "po" | "pr" | "ps" | "q" | "qc" | "qd" | "qm" | "qr" | "tr" => Role::Paragraph,
        "cd" | "cl" | "cp" | "d" | "h" | "ib" | "ide" | "ie" | "iex" | "ili" | "im" | "imi" | "imq" | "imt"
        | "imte" | "io" | "iot" | "ip" | "ipi" | "ipq" | "ipr" | "iq" | "is" | "lit" | "mr" | "ms" | "mt" | "mte"
        | "periph" | "qa" | "r" | "rem" | "restore" | "s" | "sd" | "sp" | "sr" | "sts" | "toc" | "toca" | "usfm" => {
            Role::Heading
        }
        "add" | "addpn" | "bd" | "bdit" | "bk" | "dc" | "efm" | "em" | "fm" | "iqt" | "ior" | "it" | "jmp" | "k"
        | "lik" | "litl" | "liv" | "nd" | "ndx" | "no" | "ord" | "png" | "pn" | "qac" | "qs" | "qt" | "rb" | "sc"
        | "sig" | "sls" | "sup" | "tl" | "wa" | "wg" | "wh" | "wj" => Role::Character,
        _ => Role::Unknown,
    }
}
