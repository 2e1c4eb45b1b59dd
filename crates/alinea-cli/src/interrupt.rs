//! The end by Ctrl-C, by a signal that asks to terminate, or by a terminal that is gone.
//!
//! Work is not asked to stop: it may be waiting for input that never comes. The signals have a thread of their own,
//! which removes the outputs that are not complete and ends the process. A signal that whoever started the process had
//! ignored stays ignored: so `nohup` holds, and so do the jobs that a script puts into the background. Windows has events
//! of the console in their place, and a new thread for each: Ctrl-C, Ctrl-Break, a window that is closed, the end of the
//! session.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

/// The exit code after Ctrl-C: 128 and the number of the signal, as shells have it.
const EXIT_INTERRUPTED: u8 = 130;

/// The exit code by the signal that came.
static EXIT: AtomicU8 = AtomicU8::new(EXIT_INTERRUPTED);

/// The exit code of work that an interruption has cancelled.
pub(crate) fn exit_code() -> u8 {
    EXIT.load(Ordering::SeqCst)
}

/// Files that are not outputs, and must not be left.
static PASSING: Mutex<Vec<TempPath>> = Mutex::new(Vec::new());

/// Keeps a file until it is dropped, or the process is told to end.
#[derive(Debug)]
pub(crate) struct Passing(PathBuf);

impl Passing {
    pub(crate) fn keep(file: TempPath) -> Self {
        let path = file.to_path_buf();
        passing().push(file);
        Self(path)
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        passing().retain(|file| **file != *self.0);
    }
}

fn passing() -> MutexGuard<'static, Vec<TempPath>> {
    PASSING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prepares for interruptions. Once, before there are outputs.
#[cfg(unix)]
pub(crate) fn install() -> anyhow::Result<()> {
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, mpsc};

    use anyhow::Context as _;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    let prepare = || {
        // A file that may not grow is an error of writing, not the end.
        signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| !is_ignored(signal)))?;
        let (ready, is_ready) = mpsc::channel();
        let wait = move || {
            // Nobody listens if the main thread is gone, and the process with it.
            let _ = ready.send(());
            signals.forever().next().into_iter().for_each(end);
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
        // A thread that starts needs memory, which those after it may use up.
        is_ready.recv().map_err(std::io::Error::other)
    };
    prepare().context("no handler for interruptions")
}

/// Prepares for interruptions. Once, before there are outputs.
#[cfg(windows)]
#[expect(unsafe_code, reason = "having events of the console handled")]
pub(crate) fn install() -> anyhow::Result<()> {
    use anyhow::Context as _;
    use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;

    // SAFETY: The handler is a function, and so there as long as the process. It runs in a thread of its own, not in the
    // middle of another one's work, so that it may do what any thread may.
    if unsafe { SetConsoleCtrlHandler(Some(on_event), 1) } == 0 {
        return Err(std::io::Error::last_os_error()).context("no handler for interruptions");
    }
    Ok(())
}

/// Ends the process with the code of the signal that means the same.
#[cfg(windows)]
extern "system" fn on_event(event: u32) -> windows_sys::core::BOOL {
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT};
    const SIGHUP: i32 = 1;
    const SIGINT: i32 = 2;
    const SIGTERM: i32 = 15;

    end(match event {
        CTRL_C_EVENT | CTRL_BREAK_EVENT => SIGINT,
        CTRL_CLOSE_EVENT => SIGHUP,
        _ => SIGTERM,
    });
    1
}

/// Whether whoever started the process had a signal ignored.
#[cfg(unix)]
#[expect(unsafe_code, reason = "asking what is done about a signal")]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: Without a new action nothing changes; the call fills the place it is given, for which zeros do as well.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

#[expect(clippy::exit, reason = "nothing else ends a thread that waits for input")]
fn end(signal: i32) {
    let code = 128 + signal;
    // Before outputs are gone: whoever tries to finish one then ends the process as well.
    EXIT.store(u8::try_from(code).unwrap_or(EXIT_INTERRUPTED), Ordering::SeqCst);
    alinea::format::sink::remove_unfinished();
    passing().clear();
    std::process::exit(code);
}
