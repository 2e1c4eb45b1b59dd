//! Tables for the terminal and for papers.
//!
//! ```
//! use alinea::evaluate::{Table, TableStyle};
//!
//! let mut table = Table::new("Corpora", &["corpus"], &["sentences", "words"]);
//! table.row(["INRA_1".to_owned(), "120".to_owned(), "2000".to_owned()]);
//! let markdown = "### Corpora\n\n| corpus | sentences | words |\n|---|---:|---:|\n| INRA\\_1 | 120 | 2000 |\n";
//! assert_eq!(table.to_text(TableStyle::Markdown), markdown);
//! ```
//!
//! [`html_page`] makes a page of several tables.

use std::fmt::Write as _;
use std::str::FromStr;

use crate::error::Error;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableStyle {
    /// With blanks, for the terminal.
    #[default]
    Text,
    /// As in GitHub's dialect of Markdown.
    Markdown,
    /// A `table` with its title as caption around a `tabular`, which needs no package but for [`Table::with_booktabs`];
    /// the `tabular` alone if there is no title.
    Latex,
    /// As a `table` of HTML, with its title as caption; [`html_page`] has the page around it.
    Html,
}

impl TableStyle {
    /// All styles.
    pub const ALL: [Self; 4] = [Self::Text, Self::Markdown, Self::Latex, Self::Html];

    /// The name by which the style is written and read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Latex => "latex",
            Self::Html => "html",
        }
    }
}

impl FromStr for TableStyle {
    type Err = Error;

    /// Reads a [`name`](TableStyle::name).
    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|style| style.name() == name);
        found.ok_or_else(|| Error::config("style", name, "text, markdown, latex, html"))
    }
}

/// A title, a heading, and rows of cells: first names, on the left, then numbers, on the right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Empty if there is none.
    title: String,
    heading: Vec<String>,
    names: usize,
    booktabs: bool,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows, whose columns of names and of numbers have these headings.
    pub fn new(title: impl Into<String>, names: &[&str], numbers: &[&str]) -> Self {
        let heading = names.iter().chain(numbers).map(|&heading| heading.to_owned()).collect();
        Self { title: title.into(), heading, names: names.len(), booktabs: false, rows: Vec::new() }
    }

    /// The same without a title.
    ///
    /// ```
    /// use alinea::evaluate::{Table, TableStyle};
    ///
    /// let mut table = Table::untitled(&["System"], &["BLEU"]);
    /// table.row(["a".to_owned(), "49.7".to_owned()]);
    /// assert_eq!(table.to_text(TableStyle::Text), "System  BLEU\na       49.7\n");
    /// assert_eq!(table.to_text(TableStyle::Markdown), "| System | BLEU |\n|---|---:|\n| a | 49.7 |\n");
    /// ```
    pub fn untitled(names: &[&str], numbers: &[&str]) -> Self {
        Self::new("", names, numbers)
    }

    /// The table with the rules of the LaTeX package booktabs in place of `\hline`.
    #[must_use]
    pub fn with_booktabs(mut self) -> Self {
        self.booktabs = true;
        self
    }

    /// Adds a row; cells that are missing are empty, and there is no place for more than there are headings.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().take(self.heading.len()).collect();
        row.resize(self.heading.len(), String::new());
        self.rows.push(row);
    }

    /// The table without columns of names that are empty in all rows: for one corpus, say, that needs no name.
    #[must_use]
    pub fn without_empty_names(mut self) -> Self {
        for column in (0..self.names).rev() {
            if self.rows.iter().all(|row| row[column].is_empty()) {
                self.heading.remove(column);
                self.rows.iter_mut().for_each(|row| drop(row.remove(column)));
                self.names -= 1;
            }
        }
        self
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as lines. What the style gives a meaning is escaped, and characters that would command a terminal are
    /// replaced.
    pub fn to_text(&self, style: TableStyle) -> String {
        match style {
            TableStyle::Text => self.text(),
            TableStyle::Markdown => self.markdown(),
            TableStyle::Latex => self.latex(),
            TableStyle::Html => self.html(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.heading).chain(&self.rows)
    }

    fn text(&self) -> String {
        let mut widths = vec![0; self.heading.len()];
        for line in self.lines() {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let mut text = if self.title.is_empty() { String::new() } else { format!("{}\n\n", harmless(&self.title)) };
        for line in self.lines() {
            let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                let cell = harmless(cell);
                if column < self.names { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    fn markdown(&self) -> String {
        let escape = |cell: &String| {
            escaped(cell, |c| matches!(c, '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']').then(|| format!("\\{c}")))
        };
        let mut lines =
            self.lines().map(|line| format!("| {} |\n", line.iter().map(escape).collect::<Vec<_>>().join(" | ")));
        let mut text = if self.title.is_empty() { String::new() } else { format!("### {}\n\n", escape(&self.title)) };
        text.push_str(&lines.next().unwrap_or_default());
        text.push('|');
        for column in 0..self.heading.len() {
            text.push_str(if column < self.names { "---|" } else { "---:|" });
        }
        text.push('\n');
        text.extend(lines);
        text
    }

    fn latex(&self) -> String {
        let columns: String =
            (0..self.heading.len()).map(|column| if column < self.names { 'l' } else { 'r' }).collect();
        let [top, middle, bottom] = if self.booktabs {
            ["\\toprule", "\n\\midrule", "\\bottomrule"]
        } else {
            ["\\hline", " \\hline", "\\hline"]
        };
        let mut text = format!("\\begin{{tabular}}{{{columns}}}\n{top}\n");
        for (number, line) in self.lines().enumerate() {
            let cells: Vec<String> = line.iter().map(|cell| latex_escaped(cell)).collect();
            let rule = if number == 0 { middle } else { "" };
            // Writing to memory cannot fail.
            let _ = writeln!(text, "{} \\\\{rule}", cells.join(" & "));
        }
        // Writing to memory cannot fail.
        let _ = writeln!(text, "{bottom}\n\\end{{tabular}}");
        if self.title.is_empty() {
            return text;
        }
        format!("\\begin{{table}}\n\\caption{{{}}}\n{text}\\end{{table}}\n", latex_escaped(&self.title))
    }

    fn html(&self) -> String {
        let mut text = "<table>\n".to_owned();
        if !self.title.is_empty() {
            // Writing to memory cannot fail.
            let _ = writeln!(text, "<caption>{}</caption>", html_escaped(&self.title));
        }
        for (number, line) in self.lines().enumerate() {
            let tag = if number == 0 { "th" } else { "td" };
            let cell = |(column, cell): (usize, &String)| {
                let side = if column < self.names { "left" } else { "right" };
                format!("<{tag} style=\"text-align: {side}\">{}</{tag}>", html_escaped(cell))
            };
            let cells: Vec<String> = line.iter().enumerate().map(cell).collect();
            // Writing to memory cannot fail.
            let _ = writeln!(text, "<tr>{}</tr>", cells.concat());
        }
        text.push_str("</table>\n");
        text
    }
}

/// The style of pages: dark where the reader's system is dark.
const PAGE_STYLE: &str = "\
:root { color-scheme: light dark; --page: #fff; --text: #1c1c1c; --rule: #c9c9c9; --faint: #5f5f5f; }
@media (prefers-color-scheme: dark) {
  :root { --page: #171717; --text: #e4e4e4; --rule: #454545; --faint: #a3a3a3; }
}
body { background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 2rem 0 1rem; }
caption { font-weight: bold; padding-bottom: 0.5rem; text-align: left; }
th, td { border-bottom: 1px solid var(--rule); padding: 0.2rem 0.8rem 0.2rem 0; white-space: nowrap; }
p { color: var(--faint); margin: 0.3rem 0; }
.wide { overflow-x: auto; }
";

/// A page of HTML with this title, tables, and below them notes, a paragraph each. It needs no other file, and follows
/// the choice of light or dark of the reader's system.
///
/// ```
/// use alinea::evaluate::{Table, html_page};
///
/// let mut table = Table::new("Corpora", &["corpus"], &["sentences"]);
/// table.row(["INRA".to_owned(), "120".to_owned()]);
/// let page = html_page("Results", &[table], &["By hand.".to_owned()]);
/// assert!(page.starts_with("<!DOCTYPE html>\n") && page.contains("<p>By hand.</p>"));
/// ```
pub fn html_page(title: &str, tables: &[Table], notes: &[String]) -> String {
    let title = html_escaped(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{PAGE_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for table in tables {
        // Writing to memory cannot fail.
        let _ = writeln!(page, "<div class=\"wide\">\n{}</div>", table.html());
    }
    for note in notes {
        let _ = writeln!(page, "<p>{}</p>", html_escaped(note));
    }
    page.push_str("</body>\n</html>\n");
    page
}

fn html_escaped(cell: &str) -> String {
    escaped(cell, |c| match c {
        '&' => Some("&amp;".to_owned()),
        '<' => Some("&lt;".to_owned()),
        '>' => Some("&gt;".to_owned()),
        '"' => Some("&quot;".to_owned()),
        _ => None,
    })
}

fn latex_escaped(cell: &str) -> String {
    escaped(cell, |c| match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => Some(format!("\\{c}")),
        '\\' => Some("\\textbackslash{}".to_owned()),
        '~' => Some("\\textasciitilde{}".to_owned()),
        '^' => Some("\\textasciicircum{}".to_owned()),
        'κ' => Some("$\\kappa$".to_owned()),
        'μ' => Some("$\\mu$".to_owned()),
        '±' => Some("$\\pm$".to_owned()),
        _ => None,
    })
}

fn escaped(cell: &str, escape: impl Fn(char) -> Option<String>) -> String {
    let mut out = String::with_capacity(cell.len());
    for c in harmless(cell).chars() {
        match escape(c) {
            Some(escaped) => out.push_str(&escaped),
            None => out.push(c),
        }
    }
    out
}

/// Without characters that a terminal would obey.
fn harmless(cell: &str) -> String {
    let obeyed = |c: char| c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    cell.chars().map(|c| if obeyed(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("A & B", &["name"], &["%", "n"]);
        table.row(["x|y_z".to_owned(), "5.25".to_owned(), "10".to_owned()]);
        table.row(["\u{1b}[2J".to_owned(), "100.00".to_owned()]);
        table
    }

    #[test]
    fn text_stands_in_columns() {
        let expected = "A & B\n\nname        %   n\nx|y_z    5.25  10\n\u{fffd}[2J   100.00\n";
        assert_eq!(table().to_text(TableStyle::Text), expected);
    }

    #[test]
    fn columns_without_names_are_left_out() {
        let mut table = Table::new("t", &["corpus", "name"], &["n"]);
        table.row([String::new(), "x".to_owned(), "1".to_owned()]);
        assert_eq!(table.clone().without_empty_names().to_text(TableStyle::Text), "t\n\nname  n\nx     1\n");
        table.row(["c".to_owned(), "y".to_owned(), String::new()]);
        assert_eq!(table.clone().without_empty_names(), table);
    }

    #[test]
    fn titles_may_be_missing() {
        let mut table = Table::untitled(&["name"], &["n"]);
        table.row(["x".to_owned(), "10".to_owned()]);
        assert_eq!(table.to_text(TableStyle::Text), "name   n\nx     10\n");
        assert_eq!(table.to_text(TableStyle::Markdown), "| name | n |\n|---|---:|\n| x | 10 |\n");
        let rows = "<tr><th style=\"text-align: left\">name</th><th style=\"text-align: right\">n</th></tr>\n\
                    <tr><td style=\"text-align: left\">x</td><td style=\"text-align: right\">10</td></tr>\n";
        assert_eq!(table.to_text(TableStyle::Html), format!("<table>\n{rows}</table>\n"));
        let latex = "\\begin{tabular}{lr}\n\\hline\nname & n \\\\ \\hline\nx & 10 \\\\\n\\hline\n\\end{tabular}\n";
        assert_eq!(table.to_text(TableStyle::Latex), latex);
        let booktabs = "\\begin{tabular}{lr}\n\\toprule\nname & n \\\\\n\\midrule\nx & 10 \\\\\n\\bottomrule\n\
                        \\end{tabular}\n";
        assert_eq!(table.with_booktabs().to_text(TableStyle::Latex), booktabs);
    }

    #[test]
    fn markdown_is_escaped() {
        let expected = "### A & B\n\n| name | % | n |\n|---|---:|---:|\n| x\\|y\\_z | 5.25 | 10 |\n\
                        | \u{fffd}\\[2J | 100.00 |  |\n";
        assert_eq!(table().to_text(TableStyle::Markdown), expected);
    }

    #[test]
    fn html_is_escaped() {
        let expected = "<table>\n<caption>A &amp; B</caption>\n<tr><th style=\"text-align: left\">name</th>\
                        <th style=\"text-align: right\">%</th><th style=\"text-align: right\">n</th></tr>\n";
        let html = table().to_text(TableStyle::Html);
        assert!(html.starts_with(expected), "{html}");
        assert_eq!(html_escaped("<a href=\"x\">"), "&lt;a href=&quot;x&quot;&gt;");
    }

    #[test]
    fn pages_are_whole_and_need_nothing_else() {
        let page = html_page("a < b", &[table(), table()], &["n & m".to_owned()]);
        assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"), "{page}");
        assert!(page.ends_with("<p>n &amp; m</p>\n</body>\n</html>\n"), "{page}");
        assert!(page.contains("<title>a &lt; b</title>") && page.contains("(prefers-color-scheme: dark)"), "{page}");
        assert_eq!(page.matches(&table().to_text(TableStyle::Html)).count(), 2);
        assert!(["src=", "href=", "url(", "http"].iter().all(|outside| !page.contains(outside)), "{page}");
    }

    #[test]
    fn latex_is_escaped() {
        let expected = "\\begin{table}\n\\caption{A \\& B}\n\\begin{tabular}{lrr}\n\\hline\nname & \\% & n \\\\ \\hline\n\
                        x|y\\_z & 5.25 & 10 \\\\\n\u{fffd}[2J & 100.00 &  \\\\\n\\hline\n\\end{tabular}\n\\end{table}\n";
        assert_eq!(table().to_text(TableStyle::Latex), expected);
        assert_eq!(latex_escaped("a\\~^{}"), "a\\textbackslash{}\\textasciitilde{}\\textasciicircum{}\\{\\}");
        assert_eq!(latex_escaped("1 (μ = 2 ± 3)"), "1 ($\\mu$ = 2 $\\pm$ 3)");
        assert_eq!("latex".parse::<TableStyle>().unwrap(), TableStyle::Latex);
        assert!("rtf".parse::<TableStyle>().is_err());
    }
}
