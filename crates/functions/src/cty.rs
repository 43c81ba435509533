//! The standard library of cty, and the subset of it that the spec language has.

use crate::{Table, conversion, json, mapping, number, sequence, string};
#[cfg(feature = "cty")]
use crate::{conversion::ElementMarks, csv, datetime, format, operator, regex, set};

/// The functions that the reference's hcldec program provides in spec files.
pub(crate) fn spec() -> Table {
    Table::from([
        ("abs", number::abs()),
        ("coalesce", conversion::coalesce()),
        ("concat", sequence::concat()),
        ("hasindex", mapping::hasindex()),
        ("int", number::int()),
        ("jsondecode", json::jsondecode()),
        ("jsonencode", json::jsonencode()),
        ("length", mapping::length()),
        ("lower", string::lower()),
        ("max", number::max()),
        ("min", number::min()),
        ("reverse", sequence::reverse()),
        ("strlen", string::strlen()),
        ("substr", string::substr()),
        ("upper", string::upper()),
    ])
}

/// All functions of the library that take values. Those that take unevaluated expressions are part of the evaluator.
#[cfg(feature = "cty")]
pub(crate) fn table() -> Table {
    let mut table = spec();
    table.extend([
        ("add", operator::add()),
        ("and", operator::and()),
        ("assertnotnull", conversion::assertnotnull()),
        ("byteslen", conversion::byteslen()),
        ("ceil", number::ceil()),
        ("chomp", string::chomp()),
        ("chunklist", sequence::chunklist()),
        ("coalescelist", sequence::coalescelist()),
        ("compact", sequence::compact()),
        ("contains", sequence::contains()),
        ("csvdecode", csv::csvdecode()),
        ("distinct", sequence::distinct()),
        ("divide", operator::divide()),
        ("element", sequence::element()),
        ("equal", operator::equal()),
        ("flatten", sequence::flatten()),
        ("floor", number::floor()),
        ("format", format::format()),
        ("formatdate", datetime::formatdate()),
        ("formatlist", format::formatlist()),
        ("greaterthan", operator::greaterthan()),
        ("indent", string::indent()),
        ("index", mapping::index()),
        ("join", string::join()),
        ("keys", mapping::keys()),
        ("lessthan", operator::lessthan()),
        ("log", number::log()),
        ("lookup", mapping::lookup()),
        ("merge", mapping::merge()),
        ("modulo", operator::modulo()),
        ("multiply", operator::multiply()),
        ("negate", operator::negate()),
        ("not", operator::not()),
        ("notequal", operator::notequal()),
        ("or", operator::or()),
        ("parseint", number::parseint()),
        ("pow", number::pow()),
        ("range", sequence::range()),
        ("regex", regex::regex()),
        ("regexall", regex::regexall()),
        ("regexreplace", regex::regexreplace()),
        ("replace", string::replace()),
        ("sethaselement", set::sethaselement()),
        ("setintersection", set::setintersection()),
        ("setproduct", set::setproduct()),
        ("setsubtract", set::setsubtract()),
        ("setsymmetricdifference", set::setsymmetricdifference()),
        ("setunion", set::setunion()),
        ("signum", number::signum()),
        ("slice", sequence::slice()),
        ("sort", string::sort()),
        ("split", string::split()),
        ("strrev", string::strrev()),
        ("subtract", operator::subtract()),
        ("timeadd", datetime::timeadd()),
        ("title", string::title()),
        ("tobool", conversion::tobool()),
        ("tolist", conversion::tolist(ElementMarks::Move)),
        ("tomap", conversion::tomap(ElementMarks::Move)),
        ("tonumber", conversion::tonumber()),
        ("toset", conversion::toset(ElementMarks::Move)),
        ("tostring", conversion::tostring()),
        ("trim", string::trim()),
        ("trimprefix", string::trimprefix()),
        ("trimspace", string::trimspace()),
        ("trimsuffix", string::trimsuffix()),
        ("values", mapping::values()),
        ("zipmap", mapping::zipmap()),
    ]);
    table
}

/// The functions that Terraform, Packer, Nomad and Bake share with cty.
#[cfg(feature = "terraform")]
pub(crate) const SHARED: [&str; 38] = [
    "ceil",
    "chomp",
    "chunklist",
    "coalescelist",
    "compact",
    "concat",
    "csvdecode",
    "distinct",
    "flatten",
    "floor",
    "formatdate",
    "indent",
    "join",
    "jsondecode",
    "jsonencode",
    "keys",
    "log",
    "lower",
    "max",
    "merge",
    "min",
    "parseint",
    "pow",
    "setintersection",
    "setproduct",
    "setunion",
    "slice",
    "sort",
    "split",
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

/// The shared functions, and others of cty by name.
#[cfg(feature = "terraform")]
pub(crate) fn shared_and(names: &[&'static str]) -> Table {
    let mut all = table();
    SHARED.iter().chain(names).filter_map(|name| all.remove_entry(*name)).collect()
}
