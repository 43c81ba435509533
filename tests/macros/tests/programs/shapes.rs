use hclkit::Decode;

#[derive(Decode)]
struct Unnamed(String);

#[derive(Decode)]
enum Empty {}

#[derive(Decode)]
union Both {
    one: u8,
    other: u8,
}

#[derive(Decode)]
#[hcl(tag = "kind")]
struct Tagged {
    name: String,
}

#[derive(Decode)]
enum Several {
    Two(String, String),
}

#[derive(Decode)]
enum Same {
    #[hcl(rename = "run")]
    One(Step),
    #[hcl(rename = "run")]
    Other(Step),
}

#[derive(Decode)]
struct Step {}

fn main() {}
