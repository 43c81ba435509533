//! How a provider ends: on request, or when its client is gone, and never by Ctrl-C. It leaves no socket.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::client::{Identity, Server};
use crate::program;

fn signal(server: &Server, signal: Signal) {
    let pid = Pid::from_raw(server.child.id().try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

#[tokio::test]
async fn it_ends_when_the_client_asks() {
    let identity = Identity::new();
    let mut server = Server::start(&program(), Some(&identity));
    let mut client = server.connect(&identity).await;
    // Terraform has this call open all the time.
    let mut output = server.connect(&identity).await;
    let open = tokio::spawn(async move { output.raw("/plugin.GRPCStdio/StreamStdio", &[]).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!open.is_finished());
    assert_eq!(client.raw("/plugin.GRPCController/Shutdown", &[]).await, Ok(Vec::new()));
    let status = server.wait(Duration::from_secs(2)).await;
    assert_eq!(status.and_then(|status| status.code()), Some(0));
    assert!(!server.directory().exists());
    assert_eq!(open.await.unwrap(), Ok(Vec::new()));
}

#[tokio::test]
async fn it_ends_when_the_client_is_gone() {
    let identity = Identity::new();
    let mut server = Server::start(&program(), Some(&identity));
    drop(server.connect(&identity).await);
    tokio::time::sleep(Duration::from_secs(1)).await;
    // A client may connect again within three seconds.
    let client = server.connect(&identity).await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert!(server.child.try_wait().unwrap().is_none());
    drop(client);
    let status = server.wait(Duration::from_secs(5)).await;
    assert_eq!(status.and_then(|status| status.code()), Some(0));
    assert!(!server.directory().exists());
}

#[tokio::test]
async fn interrupts_are_ignored_and_termination_is_orderly() {
    let identity = Identity::new();
    let mut server = Server::start(&program(), Some(&identity));
    let mut client = server.connect(&identity).await;
    for _ in 0..3 {
        signal(&server, Signal::INT);
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    let value: &[u8] = b"\x92\xc4\x06\"bool\"\xc3";
    assert_eq!(client.call("identity", &[value]).await.value(), value);
    signal(&server, Signal::TERM);
    let status = server.wait(Duration::from_secs(2)).await;
    assert_eq!(status.and_then(|status| status.code()), Some(0));
    assert!(!server.directory().exists());
}
