//! Who may connect, and what happens to everybody else.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

use crate::client::{COOKIE, Identity, Server, command};
use crate::program;

#[tokio::test]
async fn the_client_connects_with_its_certificate() {
    let identity = Identity::new();
    let server = Server::start(&program(), Some(&identity));
    assert_eq!(server.fields[..3], ["1", "6", "unix"]);
    assert_eq!(server.fields[4], "grpc");
    assert_eq!(server.fields.len(), 6);
    let mode = std::fs::metadata(server.directory()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let mut client = server.connect(&identity).await;
    assert_eq!(
        client.call("identity", &[b"\x92\xc4\x06\"bool\"\xc3"]).await.value(),
        b"\x92\xc4\x06\"bool\"\xc3"
    );
}

#[tokio::test]
async fn strangers_are_refused_and_do_not_disturb() {
    let identity = Identity::new();
    let mut server = Server::start(&program(), Some(&identity));
    for stranger in [None, Some(&Identity::new())] {
        assert!(server.connect_as(stranger).await.is_err());
    }
    let mut clear = server.connect_clear().await.unwrap();
    assert!(clear.raw("/grpc.health.v1.Health/Check", &[]).await.is_err());
    drop(server.connect(&identity).await);
    let log = server.log();
    assert_eq!(log.matches("a connection was refused").count(), 3, "{log}");
    assert!(log.lines().all(|line| line.starts_with("{\"@level\":")), "{log}");
}

#[tokio::test]
async fn a_client_without_a_certificate_is_served_in_clear_text() {
    let server = Server::start(&program(), None);
    assert_eq!(server.fields[5], "");
    let mut client = server.connect_clear().await.unwrap();
    assert!(client.raw("/grpc.health.v1.Health/Check", b"\x0a\x06plugin").await.is_ok());
}

#[tokio::test]
async fn connections_use_tcp_where_the_provider_says_so() {
    let variables = [("IDENTITY_TCP", "1"), ("PLUGIN_MIN_PORT", "20000"), ("PLUGIN_MAX_PORT", "25000")];
    let server = Server::start_with(&program(), None, &variables);
    assert_eq!(server.fields[2], "tcp");
    let port: u16 = server.address().strip_prefix("127.0.0.1:").unwrap().parse().unwrap();
    assert!((20_000..=25_000).contains(&port));
    let mut client = server.connect_clear().await.unwrap();
    assert!(client.raw("/grpc.health.v1.Health/Check", &[]).await.is_ok());
}

#[tokio::test]
async fn the_socket_is_where_the_client_wants_it() {
    let directory = tempfile::tempdir().unwrap();
    let variables =
        [("PLUGIN_UNIX_SOCKET_DIR", directory.path().to_str().unwrap()), ("PLUGIN_MULTIPLEX_GRPC", "true")];
    let server = Server::start_with(&program(), None, &variables);
    assert_eq!(server.directory().parent().unwrap(), directory.path());
    assert_eq!(server.fields[6], "false");
}

#[test]
fn without_the_expected_environment_it_ends_with_an_error() {
    let cases: [(&[(&str, &str)], &str); 4] = [
        (&[], "a provider for Terraform and OpenTofu"),
        (&[("TF_PLUGIN_MAGIC_COOKIE", "please")], "a provider for Terraform and OpenTofu"),
        (&[("TF_PLUGIN_MAGIC_COOKIE", COOKIE), ("PLUGIN_PROTOCOL_VERSIONS", "5")], "requires version 6"),
        (
            &[("TF_PLUGIN_MAGIC_COOKIE", COOKIE), ("PLUGIN_CLIENT_CERT", "nonsense")],
            "is not a PEM certificate",
        ),
    ];
    for (variables, expected) in cases {
        let output = command(&program()).envs(variables.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        let reason = String::from_utf8(output.stderr).unwrap();
        assert!(reason.contains(expected), "{reason}");
    }
}

/// Random bytes before, in and after the TLS handshake: none of them ends the provider.
#[tokio::test]
async fn random_bytes_do_no_harm() {
    let identity = Identity::new();
    let mut server = Server::start(&program(), Some(&identity));
    let mut random = fastrand::Rng::with_seed(16);
    let bytes = |random: &mut fastrand::Rng, most: usize| -> Vec<u8> {
        (0..random.usize(..most)).map(|_| random.u8(..)).collect()
    };
    for round in 0..200 {
        let Ok(mut socket) = UnixStream::connect(server.address()).await else {
            panic!("refused in round {round}")
        };
        // Half of them look like the beginning of a TLS handshake.
        let mut sent =
            if random.bool() { vec![0x16, 3, 1, random.u8(..), random.u8(..), 1] } else { Vec::new() };
        sent.extend(bytes(&mut random, 600));
        let _ = socket.write_all(&sent).await;
        let _ = tokio::time::timeout(Duration::from_millis(5), socket.read(&mut [0; 64])).await;
    }
    let mut client = server.connect(&identity).await;
    let paths = [
        "/tfplugin6.Provider/CallFunction",
        "/tfplugin6.Provider/PlanResourceChange",
        "/grpc.health.v1.Health/Check",
        "/plugin.GRPCBroker/StartStream",
        "/tfplugin6.Provider/Nothing",
        "/",
    ];
    for _ in 0..300 {
        let path = paths[random.usize(..paths.len())];
        let body = bytes(&mut random, 300);
        // The stream of the broker stays open.
        if path.contains("Broker") {
            let _ = tokio::time::timeout(Duration::from_millis(5), client.framed(path, body)).await;
        } else if random.bool() {
            let _ = client.framed(path, body).await;
        } else {
            let _ = client.raw(path, &body).await;
        }
    }
    let value = b"\x92\xc4\x08\"number\"\x2a";
    assert_eq!(client.call("identity", &[value]).await.value(), value);
    assert!(server.child.try_wait().unwrap().is_none());
    let log = server.log();
    assert!(!log.contains("panic"), "{log}");
}
