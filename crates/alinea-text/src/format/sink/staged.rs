//! Files that wait for their names.
//!
//! Each is locked (`flock`) as long as its process writes. A lock ends with its process, however that ends: so the next
//! output to the same place knows what a killed process has left there, and removes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use tempfile::{NamedTempFile, TempPath};

use super::place::{Identity, directory_of, named_error};
use crate::error::{Error, ErrorKind, Result};

/// Longest part of a final name that goes into the temporary one: file systems stop at 255 bytes.
const NAME_BYTES: usize = 200;

/// How many letters are drawn for a temporary name.
const DRAWN: usize = 10;

/// How temporary names end.
const SUFFIX: &str = ".alinea-part";

/// What has to be known in all the process.
struct Registry {
    /// Temporary files that wait for their names, and which files they will replace.
    unfinished: BTreeMap<PathBuf, Identity>,
    /// Files that were replaced under one of several names.
    parted: Vec<PathBuf>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { unfinished: BTreeMap::new(), parted: Vec::new() });

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all outputs that are not finished. For the handler of an interruption.
pub fn remove_unfinished() {
    remove(registry());
}

/// The same without memory: nothing is allocated, and where an output is just being created or named, perhaps by the
/// caller itself, it is waited for at most for a second. What is left then, the next output to the same place removes.
pub fn remove_unfinished_without_memory() {
    for _ in 0..100 {
        match REGISTRY.try_lock() {
            Ok(registry) => return remove(registry),
            Err(TryLockError::Poisoned(registry)) => return remove(registry.into_inner()),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

fn remove(mut registry: MutexGuard<'static, Registry>) {
    for path in std::mem::take(&mut registry.unfinished).keys() {
        // There is nobody left to tell, and the file may be gone already.
        let _ = fs::remove_file(path);
    }
}

/// The files that were replaced since this was last asked, and that had other names too (hard links): these still have
/// what was in them before.
pub fn take_parted() -> Vec<PathBuf> {
    std::mem::take(&mut registry().parted)
}

/// A temporary file and the place it will take.
#[derive(Debug)]
pub(super) struct Staged {
    temporary: TempPath,
    place: PathBuf,
    /// Whether what it replaces has other names.
    parts: bool,
}

impl Drop for Staged {
    fn drop(&mut self) {
        let mut registry = registry();
        // Gone already after a renaming; otherwise nobody wants it.
        let _ = fs::remove_file(&self.temporary);
        registry.unfinished.remove(&*self.temporary);
    }
}

impl Staged {
    /// Creates the temporary file for a place, with owner and permissions of the file it will replace.
    pub(super) fn create(place: PathBuf, older: Option<&fs::Metadata>) -> io::Result<(File, Self)> {
        if let Some(older) = older {
            check_writable(&place, older)?;
        }
        let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut cut = name.len().min(NAME_BYTES);
        while !name.is_char_boundary(cut) {
            cut -= 1;
        }
        let prefix = format!(".{}.", &name[..cut]);
        let directory = directory_of(&place);
        remove_abandoned(&directory, &prefix);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(DRAWN);
        if older.is_none() {
            permit_as_usual(&mut builder);
        }
        let identity = Identity::of_file(&place, older);
        let (file, temporary) = locked(&builder, &directory, identity)?;
        let staged = Self { temporary, place, parts: older.is_some_and(has_other_names) };
        if let Some(older) = older {
            follow(&file, older)?;
        }
        Ok((file, staged))
    }

    /// Gives all files their names, and has these on the disk when it returns.
    ///
    /// # Errors
    /// `Cancelled` after [`remove_unfinished`]; `Io`.
    pub(super) fn name_all(all: &[(String, Self)]) -> Result<()> {
        // Locked over the renaming: an interruption comes before it or after it.
        let mut registry = registry();
        let waits = |staged: &Self| registry.unfinished.contains_key(&*staged.temporary);
        if !all.iter().all(|(_, staged)| waits(staged)) {
            return Err(ErrorKind::Cancelled.into());
        }
        for (name, staged) in all {
            fs::rename(&staged.temporary, &staged.place).map_err(|error| Error::io(name, error))?;
            #[cfg(all(test, unix))]
            steps::take(steps::Step::Named(staged.place.clone()));
            registry.unfinished.remove(&*staged.temporary);
            if staged.parts {
                registry.parted.push(PathBuf::from(name));
            }
        }
        drop(registry);
        let directories: BTreeSet<PathBuf> = all.iter().map(|(_, staged)| directory_of(&staged.place)).collect();
        directories.iter().try_for_each(|directory| sync_directory(directory).map_err(|e| Error::io(directory, e)))
    }
}

/// Refuses a file that may not be changed: renaming would not ask.
fn check_writable(place: &Path, older: &fs::Metadata) -> io::Result<()> {
    if older.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    File::options().write(true).open(place).map(drop).map_err(|error| error.kind().into())
}

/// Creates and locks a file that no other process takes for abandoned.
fn locked(builder: &tempfile::Builder<'_, '_>, directory: &Path, identity: Identity) -> io::Result<(File, TempPath)> {
    // The registry is locked over the creation: an interruption finds the file or prevents it.
    let mut registry = registry();
    if registry.unfinished.values().any(|other| *other == identity) {
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, "the file is being written already"));
    }
    loop {
        let (file, temporary) =
            create_in(builder, directory).map_err(|error| named_error(directory, &error))?.into_parts();
        // Between its creation and its lock somebody may have removed it.
        if lock(&file) && has_name(&file) {
            registry.unfinished.insert(temporary.to_path_buf(), identity);
            return Ok((file, temporary));
        }
    }
}

#[cfg(unix)]
fn create_in(builder: &tempfile::Builder<'_, '_>, directory: &Path) -> io::Result<NamedTempFile> {
    builder.tempfile_in(directory)
}

/// Without the attribute of temporary files, which the file would keep under its last name.
#[cfg(not(unix))]
fn create_in(builder: &tempfile::Builder<'_, '_>, directory: &Path) -> io::Result<NamedTempFile> {
    builder.make_in(directory, |path| File::options().read(true).write(true).create_new(true).open(path))
}

/// Removes what killed processes have left of outputs to the same place.
fn remove_abandoned(directory: &Path, prefix: &str) {
    // Who may create files but not see them can do without.
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if is_temporary(entry.file_name().as_encoded_bytes(), prefix) {
            remove_if_unlocked(&entry.path());
        }
    }
}

fn is_temporary(name: &[u8], prefix: &str) -> bool {
    let drawn = name.strip_prefix(prefix.as_bytes()).and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    drawn.is_some_and(|drawn| drawn.len() == DRAWN && drawn.iter().all(u8::is_ascii_alphanumeric))
}

/// Locks a file, unless another process has. Where files cannot be locked at all, nobody removes them either.
#[cfg(unix)]
fn lock(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(rustix::io::Errno::WOULDBLOCK)
}

#[cfg(not(unix))]
fn lock(_: &File) -> bool {
    true
}

#[cfg(unix)]
fn has_name(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
}

#[cfg(not(unix))]
fn has_name(_: &File) -> bool {
    true
}

#[cfg(unix)]
fn remove_if_unlocked(path: &Path) {
    use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(file) = open(path, flags, Mode::empty()) else { return };
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
        let _ = fs::remove_file(path);
    }
}

/// Without locks nobody knows whether a file is abandoned.
#[cfg(not(unix))]
fn remove_if_unlocked(_: &Path) {}

/// Without an older file to follow: what any new file may have, less what the process's mask takes away.
#[cfg(unix)]
fn permit_as_usual(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn permit_as_usual(_: &mut tempfile::Builder<'_, '_>) {}

/// Gives a file the group, the permissions and the owner of an older one, as far as the process may. Where it may not
/// give the group, the other one gets no more than anybody has.
#[cfg(unix)]
fn follow(file: &File, older: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let mine = file.metadata()?;
    let same_group = mine.gid() == older.gid() || fchown(file, None, Some(older.gid())).is_ok();
    let mode = older.mode() & 0o777;
    let mode = if same_group { mode } else { mode & 0o707 | (mode & 0o007) << 3 };
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    if mine.uid() != older.uid() {
        // Only the superuser gives files away.
        let _ = fchown(file, Some(older.uid()), None);
    }
    Ok(())
}

#[cfg(not(unix))]
fn follow(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn has_other_names(file: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

/// Has the names in a directory on the disk. Where a directory cannot be opened, they are as safe as can be.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory).map_or(Ok(()), |open| sync(&open))
}

/// Has what was written on the disk, if it is of a kind for which there is such a thing: pipes are not.
pub(super) fn sync(file: &File) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, ReadOnlyFilesystem, Unsupported};
    #[cfg(all(test, unix))]
    steps::take(steps::Step::Synced(steps::node(file)));
    match file.sync_all() {
        Err(error) if matches!(error.kind(), InvalidInput | ReadOnlyFilesystem | Unsupported) => Ok(()),
        done => done,
    }
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// What a test sees of the order in which outputs come to the disk.
#[cfg(all(test, unix))]
pub(super) mod steps {
    use std::cell::RefCell;
    use std::fs::File;
    use std::os::unix::fs::MetadataExt as _;
    use std::path::PathBuf;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum Step {
        /// The file or directory of this number was brought to the disk.
        Synced(u64),
        /// A file took its name.
        Named(PathBuf),
    }

    thread_local! {
        static TAKEN: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
    }

    pub(super) fn take(step: Step) {
        TAKEN.with_borrow_mut(|taken| taken.push(step));
    }

    pub(super) fn node(file: &File) -> u64 {
        file.metadata().map_or(0, |metadata| metadata.ino())
    }

    /// The steps since this was last asked.
    pub(crate) fn taken() -> Vec<Step> {
        TAKEN.with_borrow_mut(std::mem::take)
    }
}
