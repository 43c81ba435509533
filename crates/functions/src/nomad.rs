//! The functions of Nomad's job files, except for `try`, `can` and `convert`, which are part of the evaluator: functions of cty,
//! and some that Nomad took from Packer.

use crate::arguments::renamed;
use crate::grants::Grants;
use crate::terraform::from_cty;
use crate::{Table, packer};

/// The functions of cty.
const FROM_CTY: [&str; 53] = [
    "abs",
    "ceil",
    "chomp",
    "chunklist",
    "coalesce",
    "coalescelist",
    "compact",
    "concat",
    "contains",
    "csvdecode",
    "distinct",
    "element",
    "flatten",
    "floor",
    "format",
    "formatdate",
    "formatlist",
    "indent",
    "index",
    "join",
    "jsondecode",
    "jsonencode",
    "keys",
    "length",
    "log",
    "lookup",
    "lower",
    "max",
    "merge",
    "min",
    "parseint",
    "pow",
    "range",
    "replace",
    "setintersection",
    "setproduct",
    "setunion",
    "signum",
    "slice",
    "sort",
    "split",
    "strlen",
    "strrev",
    "substr",
    "timeadd",
    "title",
    "trim",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "upper",
    "values",
    "zipmap",
];

/// The functions that Packer has, too.
const FROM_PACKER: [&str; 26] = [
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
    "urlencode",
    "uuidv4",
    "uuidv5",
    "yamldecode",
    "yamlencode",
];

/// The functions of Nomad, with the given grants.
pub(crate) fn table(grants: &Grants) -> Table {
    let mut table = from_cty(&FROM_CTY);
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
        assert_eq!(table(&Grants::new()).len(), FROM_CTY.len() + FROM_PACKER.len() + 1);
    }
}
