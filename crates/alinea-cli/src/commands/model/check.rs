//! `alinea model check`: reads files completely and compares all arrays with their checksums.
//!
//! It takes any container: models of alignment and of word order, checkpoints, counts. A file whose header cannot be
//! read is reported as damaged like the others, so one run over many files reports all of them; the exit code is 2 if
//! any is. Output is one line a file, or one line for each damaged array, or JSON. The checks are in `alinea::storage`;
//! they find accidental damage, not forgery.

use std::path::{Path, PathBuf};

use alinea::format::sink;
use alinea::storage::FileCheck;
use anyhow::bail;
use serde_json::{Value, json};

use crate::input::kind::{FormatArgs, TextKind};
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Check files for damage: read each file completely and verify its checksums.

Examples:
  alinea model check en-fr.alinea
  alinea model check *.alinea --format json         one object per line: file, kind, bytes, arrays, damage";

const AFTER_LONG_HELP: &str = "\
Works for alignment and reordering models, checkpoints, and counts of parts. Other commands also verify the parts of a \
file that they use, and reject damaged files. The exit code is 2 if a file is damaged or cannot be read.";

/// Check files for damage
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Files to check
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatArgs<TextKind>,
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
        let shown = match args.format.get() {
            TextKind::Text => checked.text(),
            TextKind::Json => format!("{}\n", checked.numbers()),
        };
        output.write_bytes(shown.as_bytes())?;
    }
    output.finish()?;
    if bad > 0 {
        bail!("{bad} of {} files are damaged or unreadable", args.files.len());
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
            let arrays = counted(*arrays as u64, "array");
            return format!("{}: sound: {kind}, {arrays}, {bytes} bytes\n", self.file);
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
