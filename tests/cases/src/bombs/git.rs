//! Bare repositories that are small and hold more than anyone has time or memory for. They are made without the program `git`, with a
//! file for each object.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use sha1::{Digest as _, Sha1};

/// A repository, in the directory `bare.git`.
pub struct GitBomb {
    /// What it is, for people.
    pub input: &'static str,
    make: fn(u64) -> Vec<(String, Vec<u8>)>,
}

impl GitBomb {
    /// The files of the repository with their paths, for a number of bytes in flight.
    pub fn files(&self, in_flight: u64) -> Vec<(String, Vec<u8>)> {
        (self.make)(in_flight)
    }
}

type Id = [u8; 20];

/// The files of a repository.
#[derive(Default)]
struct Repository(Vec<(String, Vec<u8>)>);

impl Repository {
    /// Adds an object that claims a size.
    fn claiming(&mut self, kind: &str, size: u64, content: &[u8]) -> Id {
        let header = format!("{kind} {size}\0");
        let id: Id = Sha1::new().chain_update(&header).chain_update(content).finalize().into();
        let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
        for part in [header.as_bytes(), content] {
            out.write_all(part).expect("memory can be written");
        }
        let digits = hex(&id);
        let path = format!("bare.git/objects/{}/{}", &digits[..2], &digits[2..]);
        self.0.push((path, out.finish().expect("memory can be written")));
        id
    }

    fn object(&mut self, kind: &str, content: &[u8]) -> Id {
        self.claiming(kind, content.len() as u64, content)
    }

    /// Adds a tree of so many names for one object.
    fn names(&mut self, mode: &str, ending: &str, count: usize, id: Id) -> Id {
        let mut names: Vec<String> = (0..count).map(|at| format!("{at}{ending}")).collect();
        names.sort_unstable();
        let entry = |name: &String| [format!("{mode} {name}\0").as_bytes(), &id].concat();
        let tree = names.iter().map(entry).collect::<Vec<_>>().concat();
        self.object("tree", &tree)
    }

    /// The files, with a commit of a tree.
    fn commit(mut self, tree: Id) -> Vec<(String, Vec<u8>)> {
        let person = "a <a@example.com> 1700000000 +0000";
        let text = format!("tree {}\nauthor {person}\ncommitter {person}\n\nx\n", hex(&tree));
        let commit = self.object("commit", text.as_bytes());
        self.0.push(("bare.git/HEAD".to_owned(), b"ref: refs/heads/main\n".to_vec()));
        self.0.push(("bare.git/refs/heads/main".to_owned(), format!("{}\n", hex(&commit)).into_bytes()));
        self.0
    }
}

fn hex(id: &Id) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// The repositories, each of which exceeds a limit.
pub fn git_bombs() -> Vec<GitBomb> {
    vec![
        GitBomb {
            input: "a bare repository with 200 names of one large file",
            make: |in_flight| {
                let mut all = Repository::default();
                let blob = all.object("blob", &vec![b'\n'; usize::try_from(in_flight / 5).unwrap_or(0)]);
                let tree = all.names("100644", ".tf", 200, blob);
                all.commit(tree)
            },
        },
        GitBomb {
            input: "one with 10 names in 10 directories in 10 directories …, ten levels deep",
            make: |_| {
                let mut all = Repository::default();
                let blob = all.object("blob", b"a = 1\n");
                let mut tree = all.names("100644", ".tf", 10, blob);
                for _ in 0..9 {
                    tree = all.names("40000", "", 10, tree);
                }
                all.commit(tree)
            },
        },
        GitBomb {
            input: "one with a file that claims to have a terabyte",
            make: |_| {
                let mut all = Repository::default();
                let blob = all.claiming("blob", 1 << 40, b"a = 1\n");
                let tree = all.names("100644", ".tf", 1, blob);
                all.commit(tree)
            },
        },
        GitBomb {
            input: "one with a directory that claims to have a terabyte",
            make: |_| {
                let mut all = Repository::default();
                let tree = all.claiming("tree", 1 << 40, b"");
                all.commit(tree)
            },
        },
        GitBomb {
            input: "one with a directory of 100 million spaces",
            make: |_| {
                let mut all = Repository::default();
                let tree = all.object("tree", &vec![b' '; 100_000_000]);
                all.commit(tree)
            },
        },
    ]
}
