//! The functions of Nomad's job files, except for `try`, `can` and `convert`, which are part of the evaluator: functions of cty,
//! and some that Nomad took from Packer.

use crate::arguments::renamed;
use crate::cty;
use crate::grants::Grants;
use crate::{Table, packer};

/// Other functions of cty than the shared ones.
const FROM_CTY: [&str; 14] = [
    "abs",
    "coalesce",
    "contains",
    "element",
    "format",
    "formatlist",
    "index",
    "length",
    "lookup",
    "range",
    "replace",
    "strlen",
    "strrev",
    "substr",
];

/// The functions that Packer has, too.
const FROM_PACKER: [&str; 27] = [
    "abspath",
    "base64decode",
    "base64encode",
    "basename",
    "bcrypt",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "cidrsubnets",
    "dirname",
    "file",
    "filebase64",
    "fileexists",
    "fileset",
    "md5",
    "pathexpand",
    "regex_replace",
    "rsadecrypt",
    "sha1",
    "sha256",
    "sha512",
    "signum",
    "urlencode",
    "uuidv4",
    "uuidv5",
    "yamldecode",
    "yamlencode",
];

/// The functions of Nomad, with the given grants.
pub(crate) fn table(grants: &Grants) -> Table {
    let mut table = cty::shared_and(&FROM_CTY);
    // Not that of lists, which has this name in cty.
    if let Some(strrev) = table.get("strrev") {
        table.insert("reverse", renamed(strrev, r#"reverse("abc")"#, r#""cba""#));
    }
    table.extend(packer::table(grants).into_iter().filter(|(name, _)| FROM_PACKER.contains(name)));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_functions() {
        assert_eq!(table(&Grants::new()).len(), cty::SHARED.len() + FROM_CTY.len() + FROM_PACKER.len() + 1);
    }
}
