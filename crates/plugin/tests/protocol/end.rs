//! How a provider ends: on request, or when its client is gone, and never by Ctrl-C. It leaves no socket.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use tokio::io::AsyncWriteExt as _;
use tokio::net::UnixStream;

use crate::client::{Client, Identity, Server};
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
    // A client may connect again within two seconds.
    let client = server.connect(&identity).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
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

/// What may happen to a provider while its client is there.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    /// Another process sends bytes that are not TLS, and stays.
    Garbage,
    /// Another process connects and closes its connection.
    Close,
    /// Another process connects, and sends nothing.
    Silence,
    /// Another process does not have the certificate.
    Refused,
    /// The client connects once more.
    Connect,
    /// A connection of the client ends.
    Leave,
}

/// The connections that are open.
#[derive(Default)]
struct Open {
    clients: Vec<Client>,
    strangers: Vec<UnixStream>,
}

impl Open {
    async fn happen(&mut self, event: Event, server: &Server, identity: &Identity) {
        let stranger = || async { UnixStream::connect(server.address()).await.unwrap() };
        match event {
            Event::Garbage => {
                let mut socket = stranger().await;
                let _ = socket.write_all(b"GET / HTTP/1.1\r\n\r\n").await;
                self.strangers.push(socket);
            }
            Event::Close => drop(stranger().await),
            Event::Silence => self.strangers.push(stranger().await),
            Event::Refused => assert!(server.connect_as(None).await.is_err()),
            Event::Connect => self.clients.push(server.connect(identity).await),
            Event::Leave => drop(self.clients.pop()),
        }
    }
}

/// All orders of some events.
fn orders(events: &[Event]) -> Vec<Vec<Event>> {
    let Some((first, rest)) = events.split_first() else { return vec![Vec::new()] };
    let insert =
        |order: Vec<Event>| (0..=order.len()).map(move |at| [&order[..at], &[*first], &order[at..]].concat());
    orders(rest).into_iter().flat_map(insert).collect()
}

/// The client uses one or two connections, and strangers come at any time, even after it left: the provider ends soon
/// after the last connection of its client, and never while there is one.
#[tokio::test]
async fn it_ends_after_any_order_of_events() {
    use Event::{Close, Connect, Garbage, Leave, Refused, Silence};
    let identity = Identity::new();
    let client = [Connect, Leave];
    let mut cases = Vec::new();
    for strangers in [&[Garbage, Close][..], &[Refused], &[Silence], &[Connect, Leave, Garbage]] {
        for order in orders(&[&client[..], strangers].concat()) {
            // Only open connections end.
            let open = order.iter().scan(0, |open, event| {
                *open += i32::from(*event == Connect) - i32::from(*event == Leave);
                Some(*open)
            });
            if open.clone().all(|open| open >= 0) && !cases.contains(&order) {
                cases.push(order);
            }
        }
    }
    let mut running = Vec::new();
    for order in cases {
        let server = Server::start(&program(), Some(&identity));
        let mut open = Open::default();
        for event in &order {
            open.happen(*event, &server, &identity).await;
        }
        assert!(open.clients.is_empty());
        running.push((order, server, open, std::time::Instant::now()));
    }
    for (order, mut server, open, left) in running {
        let most = Duration::from_secs(3).saturating_sub(left.elapsed());
        let status = server.wait(most.max(Duration::from_millis(500))).await;
        assert_eq!(status.and_then(|status| status.code()), Some(0), "{order:?}");
        drop(open);
    }
}
