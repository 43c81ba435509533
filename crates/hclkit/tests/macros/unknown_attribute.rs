use hclkit::Decode;

#[derive(Decode)]
struct Service {
    name: String,
    #[hcl(lable)]
    kind: String,
}

fn main() {}
