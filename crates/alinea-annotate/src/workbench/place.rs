//! Where a workbench is served.

use std::net::{IpAddr, Ipv4Addr};

/// Where a workbench is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The address of this machine that it can be reached by.
    pub address: IpAddr,
    /// The port; 0 for one that is free.
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
