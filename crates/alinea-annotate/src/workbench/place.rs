//! Where a workbench is served.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;

use crate::error::{Error, Result};
use crate::format::sink;

/// The port that a project was last served at.
const PORT: &str = "port";

/// Where a workbench is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The address of this machine that it can be reached by.
    pub address: IpAddr,
    /// The port; 0 for the one that the project had the last time or, if that is taken, one that is free.
    pub port: u16,
    /// Names of this machine that the page may be asked for by, beside addresses and `localhost`.
    pub hosts: Vec<String>,
}

impl Default for Place {
    /// For this machine alone, at a port that is free.
    fn default() -> Self {
        Self { address: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0, hosts: Vec::new() }
    }
}

impl Place {
    /// Takes it for the project of a folder. A page that is still open finds a project again at the same port, and saves what it has.
    pub(super) fn take(&self, folder: &Path) -> Result<TcpListener> {
        let last = fs::read_to_string(folder.join(PORT)).ok().and_then(|port| port.trim().parse().ok());
        let bind = |port: u16| TcpListener::bind((self.address, port));
        let io = |error| Error::io(SocketAddr::new(self.address, self.port).to_string(), error);
        let again = last.filter(|_| self.port == 0).and_then(|port| bind(port).ok());
        let listener = again.map_or_else(|| bind(self.port), Ok).map_err(io)?;
        let port = listener.local_addr().map_err(io)?.port();
        if last != Some(port) {
            // A project can be served without, and on a full disk there may be no more than to look at it.
            let _ = write(folder, port);
        }
        Ok(listener)
    }
}

fn write(folder: &Path, port: u16) -> Result<()> {
    let mut output = sink::create(folder.join(PORT))?;
    output.write_bytes(format!("{port}\n").as_bytes())?;
    output.finish()
}
