//! `alinea model check`: whether files are as they were written.

use std::path::{Path, PathBuf};

use alinea::format::sink;
use alinea::storage::FileCheck;
use anyhow::bail;
use serde_json::{Value, json};

use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Checks whether files are as they were written: reads all of each, and compares it with the checksums in it.

Examples:
  alinea model check en-fr.alinea
  alinea model check *.alinea --json                one object a line: file, kind, bytes, arrays, damage";

const AFTER_LONG_HELP: &str = "\
Models of alignment and of word order are checked, checkpoints, and the counts of parts. A file that is read is checked \
anyway, as far as it is used: what is damaged is refused. The exit code is 2 if one of the files is damaged, or cannot be \
read.";

/// Checks whether files are as they were written
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// As JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Checks.
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let inputs: Vec<Role<'_>> = args.files.iter().map(|path| Role::new("FILE", path)).collect();
    check_distinct(&inputs, &[])?;
    let mut output = sink::create("-")?;
    let mut bad = 0;
    for path in &args.files {
        let checked = Checked::of(path);
        bad += usize::from(!checked.damage.is_empty());
        let shown = if args.json { format!("{}\n", checked.numbers()) } else { checked.text() };
        output.write_bytes(shown.as_bytes())?;
    }
    output.finish()?;
    if bad > 0 {
        bail!("{bad} of {} files: damaged, or not readable", args.files.len());
    }
    Ok(())
}

fn kind_of(check: &FileCheck) -> &str {
    check.kind.as_deref().unwrap_or("file of another kind")
}

/// What was found of a file.
struct Checked {
    file: String,
    /// Nothing if its header cannot be read.
    opened: Option<FileCheck>,
    damage: Vec<String>,
}

impl Checked {
    fn of(path: &Path) -> Self {
        let file = path.display().to_string();
        match FileCheck::of(path) {
            Err(error) => Self { file, opened: None, damage: vec![error.to_string()] },
            Ok(check) => {
                let damage = check.damage.iter().map(ToString::to_string).collect();
                Self { file, opened: Some(check), damage }
            }
        }
    }

    fn text(&self) -> String {
        if let (Some(check), true) = (&self.opened, self.damage.is_empty()) {
            let (kind, FileCheck { bytes, arrays, .. }) = (kind_of(check), check);
            return format!("{}: sound: {kind}, {arrays} arrays, {bytes} bytes\n", self.file);
        }
        self.damage.iter().map(ToString::to_string).map(|damage| damage + "\n").collect()
    }

    fn numbers(&self) -> Value {
        let opened = self.opened.as_ref();
        let (kind, bytes, arrays) =
            (opened.map(kind_of), opened.map(|check| check.bytes), opened.map(|check| check.arrays));
        let Self { file, damage, .. } = self;
        json!({ "file": file, "sound": damage.is_empty(), "kind": kind, "bytes": bytes, "arrays": arrays, "damage": damage })
    }
}
