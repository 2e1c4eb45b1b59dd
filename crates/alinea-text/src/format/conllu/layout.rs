//! The columns of a file in CoNLL-U Plus, and its lines as those of CoNLL-U.

use std::fmt::Write as _;

use crate::tree::Column;

/// Which columns a file has.
#[derive(Debug)]
pub(super) struct Layout {
    /// Of each column of the file the one that it is, or a name of its own.
    columns: Vec<Place>,
    /// Where the columns of the line arranged last begin, in the ten columns and in the file.
    starts: Vec<(usize, usize)>,
    /// The line that was arranged last, as it is in the file.
    line: String,
}

#[derive(Debug)]
enum Place {
    Of(Column),
    Named(String),
}

/// What is wrong with a line of names: the byte, from 0, and what was expected.
type Fault = (usize, String);

impl Layout {
    /// The columns that a comment names, if it does, and they are not the ten.
    pub(super) fn of_comment(line: &str) -> Result<Option<Self>, Fault> {
        let names = line.strip_prefix("# global.columns").and_then(|rest| rest.trim_ascii_start().strip_prefix('='));
        let Some(names) = names else { return Ok(None) };
        let start = line.len() - names.len();
        let names: Vec<&str> = names.split_ascii_whitespace().collect();
        if names == Column::ALL.map(Column::name) {
            return Ok(None);
        }
        let known = |name: &str| Column::ALL.into_iter().find(|column| column.name() == name);
        let columns: Vec<Place> =
            names.iter().map(|name| known(name).map_or_else(|| Place::Named((*name).to_owned()), Place::Of)).collect();
        for column in Column::ALL {
            if names.iter().filter(|name| **name == column.name()).count() > 1 {
                return Err((start, format!("the names of columns, {} once", column.name())));
            }
        }
        if !names.contains(&Column::Form.name()) {
            return Err((start, "the names of columns, FORM among them".to_owned()));
        }
        Ok(Some(Self { columns, starts: Vec::new(), line: String::new() }))
    }

    /// How many columns the file has.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Makes ten columns of the line of a word with this number from 1; what is expected if it does not have the columns of the file.
    pub(super) fn arrange(&mut self, line: &mut String, number: u32) -> Result<(), String> {
        self.line.clone_from(line);
        self.starts.clear();
        let fields: Vec<&str> = self.line.split('\t').collect();
        if fields.len() != self.columns.len() {
            return Err(format!("{} tab-separated columns (this line has {})", self.columns.len(), fields.len()));
        }
        line.clear();
        for column in Column::ALL {
            if column != Column::Id {
                line.push('\t');
            }
            let index = self.columns.iter().position(|place| matches!(place, Place::Of(own) if *own == column));
            let field = index.map(|index| fields[index]);
            if let Some(field) = field {
                self.starts.push((line.len(), field.as_ptr().addr() - self.line.as_ptr().addr()));
            }
            match (field, column) {
                (Some(field), _) => line.push_str(field),
                // Writing to memory cannot fail.
                (None, Column::Id) => drop(write!(line, "{number}")),
                (None, _) => line.push('_'),
            }
        }
        for (place, field) in self.columns.iter().zip(fields) {
            let Place::Named(name) = place else { continue };
            if !matches!(field, "" | "_" | "*") {
                if line.ends_with("\t_") {
                    line.pop();
                } else {
                    line.push('|');
                }
                line.push_str(name);
                line.push('=');
                line.push_str(field);
            }
        }
        Ok(())
    }

    /// Where a byte of the line arranged last, from 0, stands in the file.
    pub(super) fn column_in_file(&self, column: usize) -> usize {
        let before = self.starts.iter().rev().find(|(arranged, _)| *arranged <= column);
        before.map_or(0, |(arranged, in_file)| in_file + (column - arranged)).min(self.line.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{parse, write};
    use crate::tree::Roots;

    /// In the shape of PARSEME's files.
    const PLUS: &str = "# global.columns = ID FORM UPOS HEAD DEPREL PARSEME:MWE\n# sent_id = 1\n\
                        1\tShe\tPRON\t2\tnsubj\t*\n2\tgave\tVERB\t0\troot\t1:VPC\n3\tup\tADP\t2\tcompound:prt\t1\n\n";

    #[test]
    fn columns_are_those_of_the_file() {
        let mut out = Vec::new();
        write(&parse(PLUS, "f", Roots::One).unwrap()[0], &mut out);
        let expected = "# sent_id = 1\n1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n\
                        2\tgave\t_\tVERB\t_\t_\t0\troot\t_\tPARSEME:MWE=1:VPC\n\
                        3\tup\t_\tADP\t_\t_\t2\tcompound:prt\t_\tPARSEME:MWE=1\n\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        let words = parse("# global.columns = FORM NER\nA\tB-PER\nb\t_\n", "f", Roots::One).unwrap();
        assert_eq!(words[0].text(), "1\tA\t_\t_\t_\t_\t_\t_\t_\tNER=B-PER\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n");
        let ten =
            "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n";
        assert_eq!(parse(ten, "f", Roots::One).unwrap()[0].text(), ten);
    }

    #[test]
    fn places_are_those_of_the_file() {
        let message = |text: &str| parse(text, "f", Roots::One).unwrap_err().to_string();
        let cyclic = PLUS.replace("VERB\t0", "VERB\t1");
        assert!(message(&cyclic).starts_with("f:3:12: expected a tree, but words 1 → 2 → 1"), "{}", message(&cyclic));
        assert_eq!(
            message(&PLUS.replace("\t1:VPC", "")),
            "f:4:1: expected 6 tab-separated columns (this line has 5), found `2`"
        );
        assert_eq!(
            message(&PLUS.replace("VERB", "")),
            "f:4:8: expected UPOS, or `_` where there is none, found nothing"
        );
        let head = message(&PLUS.replace("VERB\t0", "VERB\tx"));
        assert_eq!(head, "f:4:13: expected the number of the head, or 0 for the root, found `x`");
        assert_eq!(
            message("# global.columns = ID LEMMA\n"),
            "f:1:19: expected the names of columns, FORM among them, found ` ID LEMMA`"
        );
    }
}
