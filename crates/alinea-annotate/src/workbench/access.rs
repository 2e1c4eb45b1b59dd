//! Who may ask: tokens, and requests that come from this page alone.
//!
//! Names of hosts are checked since a page elsewhere may have its own name lead to this machine (DNS rebinding): its requests
//! then come with that name. Addresses in numbers cannot be had so.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::Path;

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};

use super::place::Place;
use crate::annotate::{ADJUDICATOR, Annotator, Project};
use crate::error::{Error, ErrorKind, Position, Result};

const TOKENS: &str = "tokens.json";

/// The bytes of a token; it has twice as many digits.
const BYTES: usize = 16;

/// Who has which token, and what the page may be asked for by.
#[derive(Debug)]
pub(super) struct Access {
    tokens: BTreeMap<String, String>,
    hosts: Vec<String>,
}

impl Access {
    /// Those of the annotators of a project, and of the adjudicator. Who has none yet is given one.
    pub(super) fn of(project: &Project, place: &Place) -> Result<Self> {
        let path = project.folder().join(TOKENS);
        let mut tokens = read(&path)?;
        let names: Vec<&str> = project.annotators().map(Annotator::name).collect();
        if names.is_empty() {
            return Err(ErrorKind::Inconsistent("a workbench needs an annotator".to_owned()).into());
        }
        let before = tokens.clone();
        tokens.retain(|name, _| name == ADJUDICATOR || names.contains(&name.as_str()));
        for name in names.into_iter().chain([ADJUDICATOR]) {
            if !tokens.contains_key(name) {
                tokens.insert(name.to_owned(), random().map_err(|error| Error::io("random numbers", error))?);
            }
        }
        if tokens != before {
            write(&path, &tokens).map_err(|error| Error::io(&path, error))?;
        }
        let hosts = place.hosts.iter().map(|host| host.to_lowercase()).collect();
        Ok(Self { tokens, hosts })
    }

    /// Names and tokens.
    pub(super) fn tokens(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tokens.iter().map(|(name, token)| (name.as_str(), token.as_str()))
    }

    /// Refuses requests for another host, and those of pages from elsewhere.
    pub(super) fn check_origin(&self, headers: &HeaderMap) -> std::result::Result<(), StatusCode> {
        let text = |name| headers.get(name).map(|value| value.to_str().map_err(|_| StatusCode::BAD_REQUEST));
        let host = text(HOST).ok_or(StatusCode::BAD_REQUEST)??;
        if !self.is_ours(host) {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        match text(ORIGIN).transpose()? {
            Some(origin) if !is_of(origin, host) => Err(StatusCode::FORBIDDEN),
            _ => Ok(()),
        }
    }

    /// Who asks.
    pub(super) fn who(&self, headers: &HeaderMap) -> std::result::Result<String, StatusCode> {
        let given = headers.get(AUTHORIZATION).and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
        let given = given.ok_or(StatusCode::UNAUTHORIZED)?;
        // All are compared, as a whole, so that time tells nothing.
        let mut found = None;
        for (name, token) in &self.tokens {
            if is_same(token.as_bytes(), given) {
                found = Some(name.clone());
            }
        }
        found.ok_or(StatusCode::UNAUTHORIZED)
    }

    /// Whether a host, with or without a port, is this machine.
    fn is_ours(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let name = name.to_lowercase();
        literal.parse::<IpAddr>().is_ok() || name == "localhost" || self.hosts.contains(&name)
    }
}

/// Whether pages of an origin come from this host, perhaps through a proxy that encrypts.
fn is_of(origin: &str, host: &str) -> bool {
    let name = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    name == Some(host)
}

fn is_same(token: &[u8], given: &[u8]) -> bool {
    let difference = token.iter().zip(given).fold(0, |difference, (a, b)| difference | (a ^ b));
    difference == 0 && token.len() == given.len()
}

fn random() -> io::Result<String> {
    use std::fmt::Write as _;
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let mut token = String::with_capacity(2 * BYTES);
    for byte in bytes {
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}

fn read(path: &Path) -> Result<BTreeMap<String, String>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(Error::io(path, error)),
    };
    serde_json::from_slice(&text).map_err(|error| {
        let position = Position::new(path.display().to_string(), error.line() as u64, error.column() as u64);
        Error::parse(position, "an object of names and tokens", &text)
    })
}

/// Replaces the file; nobody but its owner may ever read it.
fn write(path: &Path, tokens: &BTreeMap<String, String>) -> io::Result<()> {
    use std::io::Write as _;
    let folder = path.parent().unwrap_or(Path::new("."));
    // Temporary files are the owner's alone.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&mut file, tokens)?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> Access {
        let tokens = [("lisa", "0a"), ("jonas", "1b")].map(|(name, token)| (name.to_owned(), token.to_owned()));
        Access { tokens: tokens.into(), hosts: vec!["annotation.example".to_owned()] }
    }

    fn headers(given: &[(&'static str, &str)]) -> HeaderMap {
        given.iter().map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_this_machine_and_this_page_are_answered() {
        let check = |given: &[(&'static str, &str)]| access().check_origin(&headers(given));
        for host in
            ["127.0.0.1:8765", "[::1]:8765", "localhost:8765", "LOCALHOST", "10.0.0.7:80", "Annotation.example:1"]
        {
            assert_eq!(check(&[("host", host)]), Ok(()), "{host}");
            for scheme in ["http", "https"] {
                assert_eq!(check(&[("host", host), ("origin", &format!("{scheme}://{host}"))]), Ok(()));
            }
            assert_eq!(check(&[("host", host), ("origin", "http://127.0.0.1:1")]), Err(StatusCode::FORBIDDEN));
            assert_eq!(check(&[("host", host), ("origin", "null")]), Err(StatusCode::FORBIDDEN));
        }
        for host in ["evil.example:8765", "127.0.0.1.evil.example", "localhost.evil.example", "", "[evil]:1"] {
            assert_eq!(check(&[("host", host)]), Err(StatusCode::MISDIRECTED_REQUEST), "{host}");
        }
        assert_eq!(check(&[]), Err(StatusCode::BAD_REQUEST));
    }

    #[test]
    fn tokens_tell_who_asks() {
        let who = |value: &str| access().who(&headers(&[("authorization", value)]));
        assert_eq!(who("Bearer 1b").as_deref(), Ok("jonas"));
        for wrong in ["Bearer 1c", "Bearer 1", "Bearer 1bb", "Bearer ", "1b", "Basic 1b"] {
            assert_eq!(who(wrong), Err(StatusCode::UNAUTHORIZED), "{wrong}");
        }
        assert_eq!(access().who(&HeaderMap::new()), Err(StatusCode::UNAUTHORIZED));
    }

    #[test]
    fn tokens_are_random_and_the_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(TOKENS);
        let tokens = BTreeMap::from([("lisa".to_owned(), random().unwrap())]);
        assert_eq!(tokens["lisa"].len(), 2 * BYTES);
        assert_ne!(tokens["lisa"], random().unwrap());
        write(&path, &tokens).unwrap();
        assert_eq!(read(&path).unwrap(), tokens);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
