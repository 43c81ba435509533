//! The provider: its calls, without Terraform and with it, and its documentation.

mod calls;
#[cfg(unix)]
#[path = "../../../plugin/tests/protocol/client.rs"]
mod client;
mod documentation;
mod go_client;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod module;
mod suite;
#[cfg(unix)]
mod terraform;
