//! What is shown of addresses of modules and other text with addresses: no names, passwords or keys.

use hclkit_model::{shown_source, without_credentials};

#[test]
fn no_password_is_shown() {
    let cases = [
        ("git::https://me:hunter2@x.org/a.git?ref=v1&sshkey=hunter2", "git::https://x.org/a.git?ref=v1"),
        ("git::ssh://git@x.org/a.git", "git::ssh://git@x.org/a.git"),
        ("git::ssh://git:hunter2@x.org/a.git", "git::ssh://x.org/a.git"),
        ("https://x.org/a.zip?token=hunter2", "https://x.org/a.zip"),
        ("https://x.org/a.zip#hunter2", "https://x.org/a.zip"),
        ("https://hunter2@x.org/a@b.zip", "https://x.org/a@b.zip"),
        ("https://me:hun/ter2@x.org/a.zip", "https://x.org/a.zip"),
        ("https://me:hun@ter2@x.org/a.zip", "https://x.org/a.zip"),
        ("https://x.org:443/a@b.zip", "https://x.org:443/a@b.zip"),
        ("x.org/a?checksum=file:https://me:hunter2@x.org/sums&ref=a%40b", "x.org/a"),
        ("x.org/a?checksum=sha256:0aF9&archive=zip", "x.org/a?checksum=sha256:0aF9&archive=zip"),
        ("x.org/a?ref=hunter2:hunter2@x", "x.org/a"),
        ("github.com/a/b//m?ref=v1.2.0", "github.com/a/b//m?ref=v1.2.0"),
        ("me:hunter2@x.org:a/b", "x.org:a/b"),
        ("git::me:hunter2@x.org:a/b", "git::x.org:a/b"),
        ("git@github.com:a/b.git", "git@github.com:a/b.git"),
        ("https://\u{f0000}:\u{f0001}@x.org/a", "https://\u{f0000}:\u{f0001}@x.org/a"),
        ("https://\u{f0000}:\u{100000}@x.org/a", "https://x.org/a"),
        ("https://${var.u}:${var.p}@x.org/a", "https://${var.u}:${var.p}@x.org/a"),
        ("https://${var.u}:hunter2@x.org/a", "https://x.org/a"),
        (
            "git::https://\u{f0000}:hunter2@x.org/a.git?ref=\u{f0000}",
            "git::https://x.org/a.git?ref=\u{f0000}",
        ),
        ("./a", "./a"),
        ("", ""),
    ];
    for (source, expected) in cases {
        assert_eq!(shown_source(source), expected, "{source}");
    }
}

#[test]
fn texts_have_several_addresses() {
    let text = "amqp://u:hunter2@a,amqp://u:hunter2@b or \"https://hunter2@c\" and mail me@x.org";
    assert_eq!(without_credentials(text), "amqp://a,amqp://b or \"https://c\" and mail me@x.org");
    for text in ["a@b", "https://x.org", "https://x.org/a @b", "://", "@://@"] {
        assert!(!without_credentials(text).contains("hunter2"));
    }
}
