use hclkit::Decode;

#[derive(Decode)]
struct Twice {
    name: String,
    #[hcl(rename = "name")]
    title: String,
}

#[derive(Decode)]
struct Alias {
    #[hcl(alias = "size")]
    width: u32,
    #[hcl(alias = "size")]
    height: u32,
}

#[derive(Decode)]
#[hcl(rename_all = "Title Case")]
struct Case {
    name: String,
}

#[derive(Decode)]
struct Blank {
    #[hcl(rename = "a b")]
    name: String,
}

#[derive(Decode)]
struct Empty {
    #[hcl(block, rename = "-")]
    blocks: Vec<Case>,
}

#[derive(Decode)]
struct Reserved {
    #[hcl(rename = "type-of")]
    kind: String,
    r#type: String,
}

fn main() {}
