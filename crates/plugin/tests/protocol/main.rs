//! The plugin protocol, asked by a client that is written against its description: the handshake, TLS, calls, and the end
//! of the process. The provider is the example `identity`.
#![cfg(unix)]

mod calls;
mod client;
mod connections;
mod end;

use std::path::PathBuf;

/// The program of the example, which cargo builds together with the tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/identity")
}
