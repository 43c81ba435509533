use hclkit::FromValue;

#[derive(FromValue)]
struct Point {
    #[hcl(block)]
    x: u32,
}

#[derive(FromValue)]
enum Shape {
    Circle { radius: f64 },
}

fn main() {}
