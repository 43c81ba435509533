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

fn main() {}
