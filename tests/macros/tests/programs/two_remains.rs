use hclkit::Decode;

#[derive(Decode)]
struct Service {
    #[hcl(remain)]
    rest: hclkit::Body,
    #[hcl(remain)]
    more: hclkit::Body,
}

fn main() {}
