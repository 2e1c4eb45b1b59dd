//! The user's browser.
//!
//! All users of a machine can read what a program was started with. So browsers are given a file that its owner alone can
//! read, with the address in it, and not the address, whose token lets anybody in.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempPath;

use crate::interrupt::Passing;

/// Opens an address in the browser, if there is one. The file that leads to it is kept as long as what is returned, and no longer
/// than the process.
pub(super) fn open(address: &str) -> Option<Passing> {
    let program = Program::of_system()?;
    let page = folders().into_iter().find_map(|folder| page(&folder, address).ok())?;
    program.open(&page).ok()?;
    Some(Passing::keep(page))
}

/// Where browsers may find a file, the best place first. On Linux that is the home folder itself: browsers in Snap packages, such as
/// Ubuntu's Firefox, have a /tmp of their own, and see nothing outside of the home folder or hidden in it.
fn folders() -> Vec<PathBuf> {
    let home = cfg!(target_os = "linux").then(std::env::home_dir).flatten();
    home.into_iter().chain([std::env::temp_dir()]).collect()
}

/// A page that leads to an address. Temporary files are the owner's alone.
fn page(folder: &Path, address: &str) -> io::Result<TempPath> {
    let address = address.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let mut file = tempfile::Builder::new().prefix("alinea-annotate-").suffix(".html").tempfile_in(folder)?;
    write!(
        file,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>alinea annotate</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n<p><a href=\"{address}\">Go to the page</a></p>\n</html>\n"
    )?;
    Ok(file.into_temp_path())
}

/// What opens files in the browser.
struct Program {
    name: &'static str,
    arguments: &'static [&'static str],
}

impl Program {
    fn of_system() -> Option<Self> {
        // A browser without a display would take over the terminal.
        let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|variable| std::env::var_os(variable).is_some());
        let (name, arguments): (_, &[_]) = if cfg!(target_os = "macos") {
            ("open", &[])
        } else if cfg!(windows) {
            ("rundll32", &["url.dll,FileProtocolHandler"])
        } else if has_display {
            ("xdg-open", &[])
        } else {
            return None;
        };
        Some(Self { name, arguments })
    }

    fn open(&self, path: &Path) -> io::Result<()> {
        let mut command = Command::new(self.name);
        command.args(self.arguments).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C is meant for this command, not for the browser.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        std::thread::spawn(move || child.wait());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_leads_to_the_address_and_is_the_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let page = page(folder.path(), "http://[::1]:8765/#token=0a&\"<").unwrap();
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains("content=\"0; url=http://[::1]:8765/#token=0a&amp;&quot;&lt;\""), "{text}");
        assert_eq!(page.extension().unwrap(), "html", "what a browser shows as a page");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&page).unwrap().permissions().mode() & 0o777, 0o600);
        }
        let passing = Passing::keep(page);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        drop(passing);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
