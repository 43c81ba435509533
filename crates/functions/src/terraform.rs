//! The functions of Terraform 1.16, except for `try`, `can` and `convert`, which take expressions and are part of the evaluator.
//! Functions that only Terraform has, or that differ from cty's, are in `terraform/`.

mod collection;
pub(crate) mod older;
mod sensitive;
mod string;
pub(crate) mod template;

pub(crate) use collection::{alltrue, anytrue, coalesce, index, length, sum};
pub use sensitive::ephemeral_mark;
pub(crate) use sensitive::issensitive_if_known;
pub(crate) use string::{endswith, startswith, strcontains};
use template::Inside;

use crate::conversion::{self, ElementMarks};
use crate::grants::Grants;
use crate::network::Rules;
use crate::{Table, crypto, cty, encoding, filesystem, hash, network, time, yaml};

/// Other functions that Terraform shares with cty.
const FROM_CTY: [&str; 15] = [
    "abs",
    "contains",
    "element",
    "format",
    "formatlist",
    "range",
    "regex",
    "regexall",
    "reverse",
    "setsubtract",
    "strrev",
    "substr",
    "tobool",
    "tonumber",
    "tostring",
];

/// The functions of Terraform, with the given grants.
pub(crate) fn table(grants: &Grants) -> Table {
    let inside = Inside::new(table, grants);
    let mut table = cty::shared_and(&FROM_CTY);
    table.extend([
        ("abspath", filesystem::abspath(grants)),
        ("alltrue", alltrue()),
        ("anytrue", anytrue()),
        ("base64decode", encoding::base64decode()),
        ("base64encode", encoding::base64encode()),
        ("base64gzip", encoding::base64gzip()),
        ("base64sha256", hash::base64sha256()),
        ("base64sha512", hash::base64sha512()),
        ("basename", filesystem::basename()),
        ("bcrypt", crypto::bcrypt(grants)),
        ("cidrhost", network::cidrhost(Rules::Terraform)),
        ("cidrnetmask", network::cidrnetmask(Rules::Terraform)),
        ("cidrsubnet", network::cidrsubnet(Rules::Terraform)),
        ("cidrsubnets", network::cidrsubnets(Rules::Terraform)),
        ("coalesce", coalesce()),
        ("dirname", filesystem::dirname()),
        ("endswith", endswith()),
        ("ephemeralasnull", sensitive::ephemeralasnull()),
        ("file", filesystem::file(grants)),
        ("filebase64", filesystem::filebase64(grants)),
        ("filebase64sha256", filesystem::filebase64sha256(grants)),
        ("filebase64sha512", filesystem::filebase64sha512(grants)),
        ("fileexists", filesystem::fileexists(grants)),
        ("filemd5", filesystem::filemd5(grants)),
        ("fileset", filesystem::fileset(grants)),
        ("filesha1", filesystem::filesha1(grants)),
        ("filesha256", filesystem::filesha256(grants)),
        ("filesha512", filesystem::filesha512(grants)),
        ("index", index()),
        ("issensitive", sensitive::issensitive()),
        ("length", length()),
        ("lookup", collection::lookup()),
        ("matchkeys", collection::matchkeys()),
        ("md5", hash::md5()),
        ("nonsensitive", sensitive::nonsensitive()),
        ("one", collection::one()),
        ("pathexpand", filesystem::pathexpand(grants)),
        ("plantimestamp", time::plantimestamp(grants)),
        ("replace", string::replace()),
        ("rsadecrypt", crypto::rsadecrypt()),
        ("sensitive", sensitive::sensitive()),
        ("sha1", hash::sha1()),
        ("sha256", hash::sha256()),
        ("sha512", hash::sha512()),
        ("signum", older::signum()),
        ("startswith", startswith()),
        ("strcontains", strcontains()),
        ("sum", sum()),
        ("templatefile", template::templatefile(grants, inside.clone())),
        ("templatestring", template::templatestring(inside)),
        ("textdecodebase64", encoding::textdecodebase64()),
        ("textencodebase64", encoding::textencodebase64()),
        ("timecmp", time::timecmp()),
        ("timestamp", time::timestamp(grants)),
        ("tolist", conversion::tolist(ElementMarks::Stay)),
        ("tomap", conversion::tomap(ElementMarks::Stay)),
        ("toset", conversion::toset(ElementMarks::Stay)),
        ("transpose", collection::transpose()),
        ("urlencode", encoding::urlencode()),
        ("uuid", crypto::uuid("uuid", grants)),
        ("uuidv5", crypto::uuidv5()),
        ("yamldecode", yaml::yamldecode(yaml::Numbers::Yaml12)),
        ("yamlencode", yaml::yamlencode()),
    ]);
    table
}
