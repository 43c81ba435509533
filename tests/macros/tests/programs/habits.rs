//! What people write who have not read the table of attributes.

use hclkit::Decode;

#[derive(Decode)]
struct Typo {
    #[hcl(lable)]
    name: String,
}

#[derive(Decode)]
struct NoQuotes {
    #[hcl(rename = kind)]
    name: String,
}

#[derive(Decode)]
struct Quotes {
    #[hcl(validate = "check")]
    port: u16,
}

#[derive(Decode)]
struct NoRange {
    #[hcl(range = 10)]
    port: u16,
}

#[derive(Decode)]
struct Regex {
    #[hcl(regex = "^a")]
    text: String,
}

#[derive(Decode)]
struct Value {
    #[hcl(sensitive = true)]
    token: String,
}

#[derive(Decode)]
struct Aliases {
    #[hcl(alias = ["a", "b"])]
    name: String,
}

#[derive(Decode)]
struct DefaultOfOtherType {
    #[hcl(default = "many")]
    replicas: u32,
}

#[derive(Decode)]
struct LargeDefault {
    #[hcl(default = 300)]
    replicas: u8,
}

#[derive(Decode)]
struct Bounds {
    #[hcl(block, min = 3, max = 1)]
    typo: Vec<Step>,
}

#[derive(Decode)]
struct Rest {
    #[hcl(remain)]
    rest: Vec<String>,
}

#[derive(Decode)]
struct One {
    #[hcl(one_or_many)]
    port: u16,
}

#[derive(Decode)]
struct Step {
    name: String,
}

fn main() {}
