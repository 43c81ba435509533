//! Writes a static site that documents Terraform modules, with a page for each module:
//! `cargo run -p hclkit --example site -- crates/hclkit/examples/scanner target/site`.

use std::{env, error::Error, fmt::Write, fs, io, path::Path};

use hclkit::{Body, Context, Loader};

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn page(title: &str, content: &str) -> String {
    let title = escape(title);
    format!("<!doctype html>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<h1>{title}</h1>\n{content}")
}

/// A table of all blocks of a type. Its columns are the name and these attributes.
fn table(module: &Body, block_type: &str, columns: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut table = format!("<h2>{block_type}s</h2>\n<table>\n<tr><th>name<th>{}\n", columns.join("<th>"));
    for block in module.blocks(block_type, &["*"]) {
        write!(table, "<tr><td>{}", escape(&block.labels[0]))?;
        for column in columns {
            let Some(attribute) = block.body.attribute(column) else {
                table += "<td>";
                continue;
            };
            // Text is shown as text, and everything else as source.
            let text = match attribute.expression.evaluate(&Context::new()) {
                Ok(value) if value.as_str().is_some() => value.as_str().unwrap_or_default().to_owned(),
                _ => attribute.expression.text().to_owned(),
            };
            write!(table, "<td>{}", escape(&text))?;
        }
        table += "\n";
    }
    Ok(table + "</table>\n")
}

pub(crate) fn write(modules: &Path, site: &Path) -> Result<usize, Box<dyn Error>> {
    let (mut index, mut count) = ("<ul>\n".to_owned(), 0);
    fs::create_dir_all(site)?;
    let mut directories =
        fs::read_dir(modules)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    directories.sort();
    for directory in directories {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if directory.is_dir() {
            let (module, _) = Loader::new().with_directory(&directory, ["tf", "tf.json"]).body()?;
            let tables = table(&module, "variable", &["type", "default", "description"])?
                + &table(&module, "output", &["description"])?;
            fs::write(site.join(format!("{name}.html")), page(&name, &tables))?;
            writeln!(index, "<li><a href=\"{name}.html\">{}</a>", escape(&name))?;
            count += 1;
        }
    }
    fs::write(site.join("index.html"), page("Modules", &(index + "</ul>\n")))?;
    Ok(count)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [modules, site] = &arguments[..] else { return Err("usage: site MODULES SITE".into()) };
    println!("{site}/index.html: {} modules with pages", write(modules.as_ref(), site.as_ref())?);
    Ok(())
}
