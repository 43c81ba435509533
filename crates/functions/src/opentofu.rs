//! The functions of `OpenTofu` 1.12, except for `try` and `can`: those of Terraform, and what only `OpenTofu` has or does
//! differently.

use crate::encoding::{base64gunzip, urldecode};
use crate::grants::Grants;
use crate::network::{Rules, cidrcontains};
use crate::terraform::older;
use crate::terraform::template::{Inside, templatefile, text_template};
use crate::terraform::{self, issensitive_if_known};
use crate::{Table, filesystem, format, sequence, yaml};

/// The functions of `OpenTofu`, with the given grants.
pub(crate) fn table(grants: &Grants) -> Table {
    let inside = Inside::recursive(table, grants);
    let mut table = terraform::table(grants);
    table.extend([
        ("base64gunzip", base64gunzip()),
        ("cidrcontains", cidrcontains(Rules::Terraform)),
        ("contains", older::contains()),
        ("element", sequence::element()),
        ("fileset", filesystem::fileset_with_paths_in_braces(grants)),
        ("format", format::format()),
        ("formatlist", format::formatlist()),
        ("issensitive", issensitive_if_known()),
        ("templatefile", templatefile(grants, inside.clone())),
        ("templatestring", text_template(inside)),
        ("urldecode", urldecode()),
        ("yamldecode", yaml::yamldecode(yaml::Rules { merges_lists: true, ..yaml::Numbers::Yaml12.into() })),
    ]);
    table
}
