//! Output files are complete or absent: on success, on errors, on interruption, and after a power cut.
//!
//! Expected is the state of a temporary directory after each step: names, contents, permissions, links. Tests that
//! leave outputs unfinished run one at a time, since `remove_unfinished` removes those of the whole process.

use std::fs;
use std::io::Read as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::*;
use crate::error::ErrorKind;
use crate::format::source;

/// One test at a time may have unfinished outputs: `remove_unfinished` means all of the process.
static ALONE: Mutex<()> = Mutex::new(());

pub(crate) fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// After a power cut a name must not lead to a file that is not on the disk, and whoever deletes a checkpoint after
/// `finish_all` must find the names there.
#[cfg(unix)]
#[test]
fn all_is_on_the_disk_before_any_output_takes_its_name() {
    use super::staged::steps::{Step, taken};
    use std::os::unix::fs::MetadataExt as _;
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().canonicalize().unwrap();
    let paths = ["plain", "zipped.bz2", "zipped.gz", "zipped.zst"].map(|name| place.join(name));
    let outputs = paths.each_ref().map(|path| {
        let mut output = create(path).unwrap();
        output.write_bytes(b"text").unwrap();
        output
    });
    taken();
    finish_all(outputs).unwrap();
    let node = |path: &Path| Step::Synced(fs::metadata(path).unwrap().ino());
    let files = paths.iter().map(|path| node(path));
    let names = paths.iter().map(|path| Step::Named(path.clone()));
    let expected: Vec<Step> = files.chain(names).chain([node(&place)]).collect();
    assert_eq!(taken(), expected);
}

#[test]
fn files_appear_when_they_are_complete() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let text = "line\n".repeat(100_000);
    for name in ["plain", "zipped.bz2", "zipped.gz", "zipped.zst"] {
        let path = directory.path().join(name);
        fs::write(&path, "before").unwrap();
        let mut output = create(&path).unwrap();
        output.write_bytes(text.as_bytes()).unwrap();
        output.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"before");
        let during = names(directory.path());
        assert!(during[0].starts_with(&format!(".{name}.")), "{during:?}");
        output.finish().unwrap();
        let mut back = String::new();
        source::open(&path).unwrap().read_to_string(&mut back).unwrap();
        assert!(back == text);
    }
    assert_eq!(names(directory.path()), ["plain", "zipped.bz2", "zipped.gz", "zipped.zst"]);
    assert!(fs::metadata(directory.path().join("zipped.zst")).unwrap().len() < 10_000);
}

#[test]
fn dropped_and_interrupted_outputs_leave_nothing() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.gz");
    let mut output = create(&path).unwrap();
    output.write_bytes(b"half").unwrap();
    drop(output);
    assert_eq!(names(directory.path()), [""; 0]);

    let mut output = create(&path).unwrap();
    output.write_bytes(b"half").unwrap();
    remove_unfinished();
    assert_eq!(names(directory.path()), [""; 0]);
    assert!(matches!(output.finish().unwrap_err().kind(), ErrorKind::Cancelled));
    assert_eq!(names(directory.path()), [""; 0]);
}

#[test]
fn errors_name_the_output() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let error = create(directory.path()).unwrap_err().to_string();
    assert_eq!(error, format!("{}: is a directory", directory.path().display()));
    let missing = directory.path().join("missing");
    let path = missing.join("out");
    let error = create(&path).unwrap_err();
    let message = format!("{}: the directory {} does not exist", path.display(), missing.display());
    assert_eq!(error.to_string(), message);
    assert!(matches!(error.kind(), ErrorKind::Io { source, .. } if source.kind() == io::ErrorKind::NotFound));
}

#[cfg(unix)]
#[test]
fn devices_are_written_directly() {
    let _alone = alone();
    let mut output = create("/dev/null").unwrap();
    output.write_bytes(b"gone").unwrap();
    output.finish().unwrap();
    if Path::new("/dev/full").exists() {
        let mut output = create("/dev/full").unwrap();
        output.write_bytes(b"no room").unwrap();
        let error = output.finish().unwrap_err().to_string();
        assert_eq!(error, "/dev/full: No space left on device");
    }
}

#[cfg(unix)]
#[test]
fn streams_have_no_name_of_their_own() {
    let directory = tempfile::tempdir().unwrap();
    for stream in ["-", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1"] {
        assert!(is_stream(stream), "{stream}");
    }
    // Whether there is such a file, whether there is not, and wherever it would be.
    fs::write(directory.path().join("file"), "").unwrap();
    for file in ["file", "free", "missing/free"] {
        assert!(!is_stream(directory.path().join(file)), "{file}");
    }
    assert!(!is_stream(directory.path()) && !is_stream("/dev/missing.pdf"));
}

#[cfg(unix)]
#[test]
fn links_into_missing_directories_name_the_directory() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let (link, missing) = (directory.path().join("link"), directory.path().join("missing"));
    std::os::unix::fs::symlink("missing/out", &link).unwrap();
    let error = create(&link).unwrap_err().to_string();
    assert_eq!(error, format!("{}: the directory {} does not exist", link.display(), missing.display()));
}

#[cfg(unix)]
#[test]
fn permissions_and_links_survive() {
    use std::os::unix::fs::PermissionsExt;
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let (file, link) = (directory.path().join("file"), directory.path().join("link"));
    fs::write(&file, "before").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    std::os::unix::fs::symlink("file", &link).unwrap();
    let mut output = create(&link).unwrap();
    output.write_bytes(b"after").unwrap();
    output.finish().unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"after");
    assert!(link.is_symlink());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o666, "whatever the mask of the process");
    assert!(same_file(&file, &link));

    let fresh = directory.path().join("fresh");
    create(&fresh).unwrap().finish().unwrap();
    fs::write(directory.path().join("usual"), "").unwrap();
    let mode = |name: &str| fs::metadata(directory.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("fresh"), mode("usual"));
}

#[test]
fn same_files_are_recognized() {
    let directory = tempfile::tempdir().unwrap();
    let (a, b) = (directory.path().join("a"), directory.path().join("b"));
    let detour = directory.path().join(".").join("a");
    assert!(same_file(&a, &detour), "neither exists, one name");
    assert!(!same_file(&a, &b));
    fs::write(&a, "").unwrap();
    assert!(same_file(&a, &detour));
    assert!(!same_file(&a, &b));
    fs::write(&b, "").unwrap();
    assert!(!same_file(&a, &b));
    assert!(!same_file("-", "-"), "standard input and standard output");
    assert!(same_output("-", "-"));
    assert!(!same_output("/dev/null", "/dev/null"));
}

#[cfg(unix)]
#[test]
fn links_to_one_place_are_recognized() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    for (link, target) in [("a", "free"), ("b", "./free"), ("c", "b"), ("d", "other"), ("round", "round")] {
        std::os::unix::fs::symlink(target, path(link)).unwrap();
    }
    // Nothing is there yet.
    assert!(same_output(path("a"), path("b")) && same_output(path("a"), path("c")));
    assert!(same_output(path("c"), path("free")) && !same_output(path("a"), path("d")));
    assert!(!same_output(path("round"), path("round")), "that leads nowhere");
    fs::write(path("file"), "").unwrap();
    fs::hard_link(path("file"), path("hard")).unwrap();
    assert!(same_output(path("file"), path("hard")));
    assert!(same_output("/dev/stdout", "-") && !same_output("/dev/stderr", "/dev/fd/77"));
}

#[cfg(unix)]
#[test]
fn one_file_is_written_once_at_a_time() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::os::unix::fs::symlink("out", path("link")).unwrap();
    let first = create(path("out")).unwrap();
    let error = create(path("link")).unwrap_err().to_string();
    assert_eq!(error, format!("{}: the file is being written already", path("link").display()));
    first.finish().unwrap();
    create(path("link")).unwrap().finish().unwrap();
    assert_eq!(names(directory.path()), ["link", "out"]);
}

#[cfg(unix)]
#[test]
fn what_is_abandoned_is_removed_and_nothing_else() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let others =
        [".out.part", ".out.abcdefghij.alinea-part.x", ".out.abc.alinea-part", ".other.abcdefghij.alinea-part"];
    for name in others.iter().chain(&[".out.abcdefghij.alinea-part", ".out.0123456789.alinea-part"]) {
        fs::write(path(name), "half").unwrap();
    }
    // One of them is still being written, by a process that another descriptor stands for.
    let writer = fs::File::open(path(".out.0123456789.alinea-part")).unwrap();
    rustix::fs::flock(&writer, rustix::fs::FlockOperation::LockExclusive).unwrap();
    create(path("out")).unwrap().finish().unwrap();
    let mut expected = [&others[..], &[".out.0123456789.alinea-part", "out"]].concat();
    expected.sort_unstable();
    assert_eq!(names(directory.path()), expected);
    drop(writer);
    create(path("out")).unwrap().finish().unwrap();
    expected.retain(|name| !name.contains("0123"));
    assert_eq!(names(directory.path()), expected);
}

#[cfg(unix)]
#[test]
fn read_only_files_are_refused_and_other_names_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("out"), "before").unwrap();
    fs::set_permissions(path("out"), fs::Permissions::from_mode(0o444)).unwrap();
    let error = create(path("out")).unwrap_err().to_string();
    assert_eq!(error, format!("{}: the file is read-only", path("out").display()));
    assert_eq!(names(directory.path()), ["out"]);

    fs::set_permissions(path("out"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::hard_link(path("out"), path("hard")).unwrap();
    drop(create(path("out")).unwrap());
    assert!(!take_parted().contains(&path("out")), "nothing was replaced");
    create(path("out")).unwrap().finish().unwrap();
    assert!(take_parted().contains(&path("out")));
    assert_eq!((fs::read(path("out")).unwrap(), fs::read(path("hard")).unwrap()), (vec![], b"before".to_vec()));
}
