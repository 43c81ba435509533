//! What `hcl check` finds in files in HCL 1 beside errors of syntax: values that cannot be combined, what HCL 2 reads as
//! something else, and what the application does not read. A file is never assumed to be in HCL 1; if nothing else can read it, a hint names `--language`.

use hclkit::convert::FromHcl1;
use hclkit::{Diagnostics, Document, Source, StartSymbol, Syntax, hcl1};

use crate::host::Host;
use crate::input::Input;

/// The errors and warnings in a file of an application that reads HCL 1.
pub(super) fn problems(document: &Document, input: &Input) -> Option<Diagnostics> {
    if !input.is_hcl1() || document.has_errors() {
        return None;
    }
    let found = Host::current().limits().run(|| match hcl1::decode(document) {
        Ok(_) => {
            let mut found = meanings(document);
            if let Some(settings) = input.dialect().and_then(|dialect| dialect.settings()) {
                found.append(settings.check(document));
            }
            found.sort_by_key(hclkit::Diagnostic::span);
            found
        }
        Err(errors) => errors,
    });
    (!found.is_empty()).then_some(found)
}

/// Where HCL 2 reads a file, but not as the same values.
fn meanings(document: &Document) -> Diagnostics {
    let source = document.source();
    let as_hcl_2 = || Document::parse(Source::new(source.name(), source.bytes()), StartSymbol::Config);
    if document.syntax() != Syntax::Hcl1 || as_hcl_2().has_errors() {
        return Diagnostics::new();
    }
    FromHcl1::new().convert(document).map_or_else(|_| Diagnostics::new(), |converted| converted.notes)
}

/// The hint that HCL 1 can read a file with errors, which belongs to no application according to its name.
pub(super) fn hint(document: &Document, input: &Input) -> Option<String> {
    if document.syntax() != Syntax::Native || !document.has_errors() || input.dialect().is_some() {
        return None;
    }
    let source = document.source();
    let as_hcl_1 = Document::parse_hcl1(Source::new(source.name(), source.bytes()));
    let is_hcl_1 = as_hcl_1.syntax() == Syntax::Hcl1 && hcl1::decode(&as_hcl_1).is_ok();
    is_hcl_1.then(|| {
        format!(
            "{} is valid in HCL 1, which Consul, Vault and agents of Nomad read; to read it so, use --language consul, vault, \
             nomad-agent or hcl1, or a table in hcl.toml",
            source.name()
        )
    })
}
