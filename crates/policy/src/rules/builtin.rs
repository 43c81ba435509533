//! The rules that the program contains: files of `rules/` in this crate, by name.

use hclkit::syntax::{nearest_name, or_did_you_mean};
use hclkit::{Diagnostics, Document, Source, StartSymbol};

use super::{Reader, Rules};

/// A file of rules that the program contains.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The name, as in `builtin:aws`.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

/// All of them.
pub const BUILTIN: &[Builtin] = &[
    Builtin { name: "aws", text: include_str!("../../rules/aws.rules.hcl") },
    Builtin { name: "azure", text: include_str!("../../rules/azure.rules.hcl") },
    Builtin { name: "bake", text: include_str!("../../rules/bake.rules.hcl") },
    Builtin { name: "google", text: include_str!("../../rules/google.rules.hcl") },
    Builtin { name: "kubernetes", text: include_str!("../../rules/kubernetes.rules.hcl") },
    Builtin { name: "naming", text: include_str!("../../rules/naming.rules.hcl") },
    Builtin { name: "nomad", text: include_str!("../../rules/nomad.rules.hcl") },
    Builtin { name: "packer", text: include_str!("../../rules/packer.rules.hcl") },
    Builtin { name: "secrets", text: include_str!("../../rules/secrets.rules.hcl") },
    Builtin { name: "tags", text: include_str!("../../rules/tags.rules.hcl") },
    Builtin { name: "terraform", text: include_str!("../../rules/terraform.rules.hcl") },
];

/// Where the rules are described. Each has a heading.
const PAGE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/builtin-rules.md");

/// The page about a rule of a file, if the program contains it.
pub(super) fn page(document: &Document, rule: &str) -> String {
    let is_own = document.source().name().starts_with(PREFIX);
    if is_own { format!("{PAGE}#{rule}") } else { String::new() }
}

/// How the names of these files begin.
const PREFIX: &str = "builtin:";

impl Builtin {
    /// The files that a name selects, such as `aws` or `all`, as documents for [`Reader::with_document`].
    ///
    /// # Errors
    /// There is no file with this name. The message lists the names.
    pub fn documents(name: &str) -> Result<Vec<Document>, String> {
        let is_meant = |own: &&Self| name == "all" || own.name == name;
        let found: Vec<Document> = BUILTIN.iter().filter(is_meant).map(|own| own.document()).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let names: Vec<&str> = BUILTIN.iter().map(|own| own.name).chain(["all"]).collect();
        let hint = or_did_you_mean(nearest_name(name, names.iter().copied()));
        Err(format!("there are no such rules{hint} (known: {})", names.join(", ")))
    }

    /// The file as a document, for [`Reader::with_document`].
    pub fn document(self) -> Document {
        let name = format!("{PREFIX}{}.rules.hcl", self.name);
        Document::parse(Source::new(name, self.text), StartSymbol::Config)
    }

    /// The rules of the file, with the defaults of its parameters.
    pub fn rules(self) -> (Rules, Diagnostics) {
        Reader::new().with_document(self.document()).read()
    }
}
