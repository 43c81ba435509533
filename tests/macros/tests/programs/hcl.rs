use hclkit::{body, expr, value};

fn main() {
    let port = 80;
    let _ = body! {
        service "web" {
            port = [80, 443
                    444]
        }
        port = #port
        port = 2
    };
    let _ = body! { a = 1, b = 2 };
    let _ = expr!(var.count +);
    let _ = expr!(#port(1));
    let _ = expr!(#port ? #(port) : #[1]);
    let _ = value!({ size = 2 * #port });
    let _ = value!([1, "a${b}"]);
    let _ = value!(1e100000);
    let _ = body! {
        /// A comment.
        a = 1
    };
}
