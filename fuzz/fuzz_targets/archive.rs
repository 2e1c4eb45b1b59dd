//! Archives are read or refused; files that are packed are unpacked as they were, and are a submission or refused as one.

use std::collections::BTreeMap;

use alinea::format::archive;
use alinea::reorder::submission::Submission;
use alinea_fuzz::NAME;
use alinea_fuzz::parts::BETWEEN;

pub(crate) fn fuzz(data: &[u8]) {
    let Some((&BETWEEN, files)) = data.split_first() else {
        let _ = (archive::read(data, NAME), Submission::from_archive(data, NAME));
        return;
    };
    let files: BTreeMap<String, Vec<u8>> = files
        .split(|&byte| byte == BETWEEN)
        .filter_map(|file| {
            let (name, content) = file.split_at(file.iter().position(|&byte| byte == b'\n')?);
            let name = std::str::from_utf8(name).ok().filter(|name| !name.ends_with('/'))?;
            Some((name.to_owned(), content[1..].to_vec()))
        })
        .collect();
    let Ok(packed) = archive::write(&files) else { return };
    assert_eq!(archive::read(&packed, NAME).expect("what was packed is unpacked"), files);
    let Ok(submission) = Submission::from_archive(&packed, NAME) else { return };
    let again = submission.to_archive().expect("runs as they were read");
    let again = Submission::from_archive(&again, NAME).expect("what was packed is unpacked");
    assert!(
        submission.runs().map(|(name, run)| (name, run.len())).eq(again.runs().map(|(name, run)| (name, run.len())))
    );
}
