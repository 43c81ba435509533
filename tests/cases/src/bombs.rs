//! Inputs of `hcl tables` that are small and become large: archives, Parquet files, lines of JSON, and modules. Their sizes are a
//! multiple of the bytes that a run may have in flight.

mod git;
mod parquet;
mod tar;

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

pub use git::{GitBomb, git_bombs};
use parquet::{Claims, Column};

/// An input of `hcl tables`.
pub struct Bomb {
    /// What it is, for people.
    pub input: &'static str,
    /// The name of its file.
    pub file: &'static str,
    /// Options besides those for the output.
    pub options: &'static [&'static str],
    /// Whether something in it exceeds a limit, so that it becomes a row of `diagnostics` and the exit code is 2. All others are
    /// read completely.
    pub is_limited: bool,
    make: Box<dyn Fn(u64) -> Vec<u8> + Send + Sync>,
}

impl Bomb {
    /// The content of the file, for a number of bytes in flight.
    pub fn content(&self, in_flight: u64) -> Vec<u8> {
        (self.make)(in_flight)
    }
}

fn bomb(
    input: &'static str,
    file: &'static str,
    is_limited: bool,
    make: impl Fn(u64) -> Vec<u8> + Send + Sync + 'static,
) -> Bomb {
    Bomb { input, file, options: &[], is_limited, make: Box::new(make) }
}

fn evaluated(
    input: &'static str,
    is_limited: bool,
    make: impl Fn(u64) -> Vec<u8> + Send + Sync + 'static,
) -> Bomb {
    Bomb { options: &["--evaluate"], ..bomb(input, "a.tar.gz", is_limited, make) }
}

/// An archive with members that differ in the number of line breaks at their ends, compressed.
fn members(count: usize, name: &str, content: &[u8]) -> Vec<u8> {
    let mut content = content.to_vec();
    compressed(|out| {
        for at in 0..count {
            tar::file(out, &format!("{at}/{name}"), &content);
            content.push(b'\n');
        }
    })
}

fn compressed(write: impl FnOnce(&mut dyn std::io::Write)) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::new(4));
    write(&mut out);
    out.write_all(&[0; 1024]).expect("vectors take everything");
    out.finish().expect("vectors take everything")
}

/// A text, repeated up to a number of bytes.
fn repeated(text: &str, bytes: u64) -> Vec<u8> {
    let bytes = usize::try_from(bytes).expect("it is small");
    text.bytes().cycle().take(bytes - bytes % text.len()).collect()
}

/// A comment of so many bytes.
fn comment(bytes: u64) -> Vec<u8> {
    let mut text = repeated("x", bytes);
    text[0] = b'#';
    text
}

/// A module for each member, which differ.
fn modules(count: usize, text: impl Fn(usize) -> String) -> Vec<u8> {
    compressed(|out| {
        (0..count).for_each(|at| tar::file(out, &format!("m{at}/main.tf"), text(at).as_bytes()));
    })
}

/// A local value with a text of `1 << levels` times 1,024 bytes.
fn doubled(levels: usize) -> String {
    let first = format!("  a0 = \"{}\"\n", "x".repeat(1024));
    let next = |at: usize| format!("  a{at} = \"${{local.a{0}}}${{local.a{0}}}\"\n", at - 1);
    format!("locals {{\n{first}{}}}\n", (1..=levels).map(next).collect::<String>())
}

/// How often a kilobyte is doubled to have about so many bytes.
fn levels(bytes: u64) -> usize {
    (bytes >> 10).max(1).ilog2() as usize
}

/// All of them.
pub fn bombs() -> Vec<Bomb> {
    let mut all = archives();
    all.extend(texts());
    all.extend(lines());
    all.extend(tables());
    all.extend(evaluations());
    all
}

fn archives() -> Vec<Bomb> {
    let long = |kind: u8, times: u64| {
        move |in_flight: u64| {
            compressed(|out| {
                tar::member(out, "x", kind, times * in_flight, &|out| tar::zeros(out, times * in_flight));
                tar::file(out, "main.tf", b"a = 1\n");
            })
        }
    };
    vec![
        bomb("a long name of three times the bytes in flight", "a.tar.gz", true, |in_flight| {
            compressed(|out| {
                let size = 3 * in_flight;
                tar::member(out, "x", b'L', size, &|out| out.write_all(&comment(size)).expect("a vector"));
                tar::file(out, "main.tf", b"a = 1\n");
            })
        }),
        bomb("a long name of a link", "a.tar.gz", false, long(b'K', 3)),
        bomb("an extended header of three times the bytes in flight", "a.tar.gz", true, long(b'x', 3)),
        bomb("a global header", "a.tar.gz", false, long(b'g', 3)),
        bomb("40 names of 500 KB in extended headers", "a.tar.gz", true, |_| {
            compressed(|out| {
                for _ in 0..40 {
                    tar::extended(out, "path", &format!("{}.tf", "x".repeat(500_000)));
                    tar::file(out, "x", b"a = 1\n");
                }
            })
        }),
        bomb("a file of 1 PB in an extended header", "a.tar.gz", true, |_| {
            compressed(|out| {
                tar::extended(out, "size", &(1_u64 << 50).to_string());
                tar::file(out, "main.tf", b"a = 1\n");
            })
        }),
        bomb("a sparse file of 4 GB without content", "a.tar.gz", true, |_| {
            compressed(|out| tar::sparse(out, "main.tf", 4 << 30, 0))
        }),
        bomb("a sparse file with endless headers", "a.tar.gz", true, |in_flight| {
            compressed(|out| tar::sparse(out, "main.tf", 1 << 20, 2 * in_flight / 512))
        }),
        bomb("40 members as large as the bytes in flight", "a.tar.gz", true, |in_flight| {
            members(40, "main.tf", &comment(in_flight))
        }),
        bomb("18 members of a fifth, one comment each", "a.tar.gz", false, |in_flight| {
            members(18, "main.tf", &comment(in_flight / 5))
        }),
        bomb("many empty members", "a.tar.gz", false, |in_flight| {
            compressed(|out| (0..in_flight / 2048).for_each(|at| tar::file(out, &format!("{at}.hcl"), b"")))
        }),
    ]
}

/// Texts that become large when they are parsed. Each is in several members.
fn texts() -> Vec<Bomb> {
    let text = |input, name: &'static str, is_limited, part: u64, text: &'static str| {
        bomb(input, "a.tar.gz", is_limited, move |in_flight| {
            members(12, name, &repeated(text, in_flight / part))
        })
    };
    let json = |part: u64| {
        move |in_flight: u64| {
            let mut text = b"{\"a\": [".to_vec();
            text.extend(repeated("1,", in_flight / part));
            text.extend(b"1]}");
            members(12, "a.tf.json", &text)
        }
    };
    vec![
        text("12 files of a fifth, attributes of one letter", "main.tf", true, 5, "a=1\n"),
        text("12 files of 1/400, attributes of one letter", "main.tf", false, 400, "a=1\n"),
        text("12 files of a fifth, line breaks", "main.tf", true, 5, "\n"),
        text("12 files of 1/400, blocks of one letter", "main.tf", false, 400, "a{}\n"),
        text("12 files of 1/400, references", "main.tf", false, 400, "a=[b.c,b.d,b.e]\n"),
        text("12 files of 1/400, what is no HCL", "main.tf", false, 400, "= ] @ a \"\n"),
        text("12 files of a fifth, zeros", "main.tf", true, 5, "\0"),
        text(
            "12 files of 1/150, what JSON escapes",
            "main.tf",
            false,
            150,
            "#\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\n",
        ),
        text("12 files of 1/200, letters of two bytes", "main.tf", false, 200, "# é\n"),
        bomb("12 files of a fifth, an array of JSON", "a.tar.gz", true, json(5)),
        bomb("12 files of 1/400, an array of JSON", "a.tar.gz", false, json(400)),
    ]
}

fn lines() -> Vec<Bomb> {
    let line = |path: &str, content: &str| {
        format!("{{\"path\":\"{path}\",\"content\":\"{content}\"}}\n").into_bytes()
    };
    vec![
        bomb("a line as long as the bytes in flight", "a.ndjson", true, comment),
        bomb("a content as large as a quarter", "a.ndjson", true, move |in_flight| {
            line("a.tf", std::str::from_utf8(&comment(in_flight / 4)).expect("it is text"))
        }),
        bomb("40 escaped contents", "a.ndjson", false, move |in_flight| {
            let one = line(
                "a.tf",
                &format!("#{}", "\\u0001".repeat(usize::try_from(in_flight / 400).expect("it is small"))),
            );
            one.repeat(40)
        }),
        bomb("many rows with a path of 4,000 characters", "a.ndjson", false, move |in_flight| {
            let rows = usize::try_from(in_flight / 2_000).expect("it is small");
            line(&format!("{}.hcl", "x".repeat(4_000)), &"a=1\\n".repeat(rows))
        }),
        bomb("a path of 1 MB, and many rows", "a.ndjson", true, move |_| {
            line(&format!("{}.hcl", "x".repeat(1 << 20)), &"a=1\\n".repeat(10_000))
        }),
    ]
}

fn tables() -> Vec<Bomb> {
    let file = |rows: u64, size: fn(u64) -> u64, claims: Claims| {
        move |in_flight: u64| {
            let path = Column { name: "path", size: 4, claims: Claims::default() };
            let content = Column { name: "content", size: size(in_flight), claims };
            parquet::file(rows, &[path, content])
        }
    };
    let plain = Claims::default;
    vec![
        bomb(
            "a content of an eighth in a dictionary, 200 times",
            "a.parquet",
            true,
            file(200, |all| all / 8, plain()),
        ),
        bomb(
            "a content of 1/100 in a dictionary, 40 times",
            "a.parquet",
            false,
            file(40, |all| all / 100, plain()),
        ),
        bomb(
            "a content of a tenth in a dictionary, ten times",
            "a.parquet",
            false,
            file(10, |all| all / 10, plain()),
        ),
        bomb("an empty content, 1,000,000,000 times", "a.parquet", true, file(1_000_000_000, |_| 0, plain())),
        bomb("a content of the bytes in flight", "a.parquet", true, file(3, |all| all, plain())),
        bomb("a page that claims 2 GB", "a.parquet", true, {
            file(3, |_| 100, Claims { bytes: Some(i32::MAX), ..Claims::default() })
        }),
        bomb("a dictionary that claims 2,000,000,000 values", "a.parquet", true, {
            file(3, |_| 100, Claims { values: Some(i32::MAX), ..Claims::default() })
        }),
    ]
}

fn evaluations() -> Vec<Bomb> {
    let large = |in_flight: u64| doubled(levels(in_flight / 64));
    vec![
        evaluated("40 modules with a large value, repeated in 8 outputs", false, move |in_flight| {
            let text = doubled(levels(in_flight / 512));
            let output = |at: usize| {
                format!("output \"o{at}\" {{\n  value = local.a{}\n}}\n", levels(in_flight / 512))
            };
            let outputs: String = (0..8).map(output).collect();
            modules(40, |at| format!("# {at}\n{text}{outputs}"))
        }),
        evaluated("40 modules with a value that is repeated for each instance", true, move |in_flight| {
            let last = levels(in_flight / 64);
            let resource = format!("resource \"a_b\" \"c\" {{\n  count = 500\n  text = local.a{last}\n}}\n");
            modules(40, |at| format!("# {at}\n{}{resource}", large(in_flight)))
        }),
        evaluated("40 modules with text doubled 40 times", true, |_| {
            modules(40, |at| format!("# {at}\n{}", doubled(40)))
        }),
        evaluated("40 modules with 1,000,000,000 instances", true, |_| {
            modules(40, |at| format!("# {at}\nresource \"a_b\" \"c\" {{\n  count = 1000000000\n}}\n"))
        }),
        evaluated("40 modules with dense sources", true, |in_flight| {
            let text = String::from_utf8(repeated("a=1\n", in_flight / 300)).expect("it is text");
            modules(40, |at| format!("# {at}\nlocals {{\n{text}}}\n"))
        }),
        evaluated("a repository as large as the bytes in flight", true, |in_flight| {
            members(20, "main.tf", &comment(in_flight / 20))
        }),
    ]
}
