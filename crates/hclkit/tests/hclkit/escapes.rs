//! Names and descriptions in Markdown, Graphviz, Mermaid and SVG never change the structure of the document: readers of these
//! formats find exactly the headings, tables, code spans, nodes and edges that were written.

use std::collections::HashSet;
use std::fmt::Write as _;

use fastrand::Rng;
use hclkit::model::{AttributeSpec, BlocksSpec, LabeledBlocksSpec, ObjectSpec, Spec, SpecFile};
use hclkit::module::{Dialect, Graph, Memory, ModuleLoader};
use hclkit::render::graph::{to_dot, to_mermaid, write_svg_part};
use hclkit::syntax::{visible, visible_line};
use hclkit::{Type, Value, schema};
use hclkit_test_cases::{rounds, seed};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Pieces of hostile texts.
const PIECES: &[&str] = &[
    "`",
    "``",
    "```",
    "```\n",
    "~~~\n",
    "|",
    "||",
    "\\",
    "\\|",
    "\\`",
    "<b>",
    "</td>",
    "<!--",
    "-->",
    "<script>",
    "&lt;",
    "&#35;",
    "&",
    "&amp;",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "# ",
    "\n# ",
    "- ",
    "\n- ",
    "\n1. ",
    "\n2) ",
    "> ",
    "\n> ",
    "===",
    "\n===\n",
    "\n---\n",
    "---",
    "***",
    "\n|-|-|\n",
    "\n| --- |\n",
    ": x",
    "\n: x",
    "+ ",
    "[a](b)",
    "![a](b)",
    "\n[a]: b\n",
    "[^1]",
    "[^1]: x",
    "[ ] ",
    "[[x]]",
    "*",
    "**",
    "_",
    "~",
    "~~",
    "$",
    "$$",
    "^",
    "{#x}",
    "{.y}",
    "\t",
    "    ",
    "  \n",
    "\u{200b}",
    "\u{202e}",
    "\u{fffd}",
    "é",
    "a",
    "b",
    "c",
    " ",
    "\0",
    "http://x",
    "<http://x>",
    "@x",
    "\"",
    "'",
    "%",
    "${",
    "%{",
    "]",
    "[",
    "#quot;",
    "#35;",
    ";",
    "\\n",
    "\\N",
    "-> b",
    "[label=x]",
    "}",
    "{",
    "n1",
    "%%{init}%%",
    "!",
    "=",
    "+",
    ":::",
];

fn hostile(random: &mut Rng) -> String {
    (0..random.usize(1..7)).map(|_| PIECES[random.usize(..PIECES.len())]).collect()
}

/// A text that was not drawn before.
fn name(random: &mut Rng, drawn: &mut HashSet<String>) -> String {
    loop {
        let name = hostile(random);
        if drawn.insert(name.clone()) {
            return name;
        }
    }
}

/// What a document contains, in the order of the lines, or sorted for comparison.
#[derive(Debug, Default, PartialEq)]
struct Found {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
    fences: usize,
    paragraphs: String,
}

/// The text of a code span, marked as code.
fn code(text: &str) -> String {
    let text = visible_line(text);
    format!("⟦{}⟧", if text.trim().is_empty() { "" } else { &text })
}

/// A text without what is not compared: spaces, backticks, and line breaks.
fn bare(text: &str) -> String {
    let text = visible(text);
    text.chars().filter(|character| !character.is_whitespace() && !"`␉␍⟦⟧".contains(*character)).collect()
}

fn read(text: &str) -> Found {
    let mut found = Found::default();
    let (mut current, mut in_fence) = (String::new(), false);
    let mut in_list = false;
    for event in Parser::new_ext(text, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
        match event {
            Event::Text(text) if !in_fence => current.push_str(&text),
            Event::Text(_) => {}
            Event::Code(text) => {
                let text = if text.trim().is_empty() { "" } else { &text };
                let _ = write!(current, "⟦{text}⟧");
            }
            Event::SoftBreak => current.push('\n'),
            Event::Start(Tag::Heading { id, classes, attrs, .. }) => {
                assert!(id.is_none() && classes.is_empty() && attrs.is_empty(), "{text}");
            }
            Event::End(TagEnd::Heading(level)) => {
                assert!(level == HeadingLevel::H1 || level == HeadingLevel::H2, "{text}");
                found.headings.push(std::mem::take(&mut current));
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => found.rows.push(Vec::new()),
            Event::End(TagEnd::TableCell) => {
                found.rows.last_mut().unwrap().push(std::mem::take(&mut current));
            }
            Event::Start(Tag::CodeBlock(_)) => in_fence = true,
            Event::End(TagEnd::CodeBlock) => {
                in_fence = false;
                found.fences += 1;
            }
            Event::End(TagEnd::Paragraph) if !in_list => {
                found.paragraphs += &bare(&std::mem::take(&mut current));
            }
            Event::Start(Tag::List(None)) => in_list = true,
            Event::End(TagEnd::List(_)) => in_list = false,
            Event::Start(Tag::Paragraph | Tag::Table(_) | Tag::TableCell)
            | Event::End(TagEnd::Table | TagEnd::TableHead | TagEnd::TableRow) => {}
            other => panic!("{other:?} in\n{text}"),
        }
    }
    found.headings.sort();
    found.rows.sort();
    found
}

/// A random spec, whose parts are added to what a reader must find.
fn spec(random: &mut Rng, path: &mut Vec<String>, expected: &mut Found) -> Spec {
    let (mut drawn, mut parts) = (HashSet::new(), Vec::new());
    let mut described = None;
    let mut rows = Vec::new();
    for _ in 0..random.usize(1..4) {
        let name = name(random, &mut drawn);
        let mut attribute = AttributeSpec::new(&*name, Type::Number);
        let mut row = vec![code(&name), code("number"), String::new(), String::new()];
        if random.bool() {
            let description = hostile(random);
            row.push(bare(&description));
            described = Some(());
            attribute = attribute.with_description(description);
        }
        rows.push(row);
        parts.push((name, Spec::from(attribute)));
    }
    let mut heads: Vec<&str> = vec!["argument", "type", "required", "default"];
    heads.extend(described.map(|()| "description"));
    expected.rows.push(heads.iter().map(ToString::to_string).collect());
    for mut row in rows {
        row.resize(heads.len(), String::new());
        expected.rows.push(row);
    }
    let mut drawn = HashSet::new();
    let blocks = if path.len() < 2 { random.usize(..3) } else { 0 };
    let mut descriptions = Vec::new();
    for number in 0..blocks {
        let name = name(random, &mut drawn);
        path.push(code(&name));
        expected.headings.push(path.join(" › "));
        expected.fences += 1;
        let description = hostile(random);
        descriptions.push(description.clone());
        let at = expected.paragraphs.len();
        let nested = spec(random, path, expected);
        expected.paragraphs.insert_str(at, &bare(&description));
        path.pop();
        let (block, labels) = if random.bool() {
            let label = hostile(random);
            let block = LabeledBlocksSpec::new(&*name, [&*label], nested).with_description(description);
            (Spec::BlockMap(block), code(&label))
        } else {
            (Spec::BlockList(BlocksSpec::new(&*name, nested).with_description(description)), String::new())
        };
        expected.rows.push(vec![code(&name), labels, "any number".to_owned()]);
        parts.push((format!("b{number}"), block));
    }
    if blocks > 0 {
        expected.rows.push(["block", "labels", "number"].map(str::to_owned).to_vec());
    }
    Spec::from(ObjectSpec::new(parts))
}

#[test]
fn readers_of_markdown_find_what_was_written() {
    let mut random = Rng::with_seed(seed(28));
    for _ in 0..rounds(1_000) {
        let mut expected = Found::default();
        let (title, description) = (hostile(&mut random), hostile(&mut random));
        let spec = spec(&mut random, &mut Vec::new(), &mut expected);
        expected.paragraphs.insert_str(0, &bare(&description));
        let mut file = SpecFile::from(spec);
        file.description = Some(description.into());
        let variable = hostile(&mut random);
        file.variables.insert(variable.as_str().into(), Value::from(1));
        expected.rows.push(["variable", "default"].map(str::to_owned).to_vec());
        expected.rows.push(vec![code(&variable), code("1")]);
        expected.headings.push("Variables".to_owned());
        expected.headings.push(visible_line(&title).trim_matches([' ', '\t']).to_owned());
        expected.headings.sort();
        expected.rows.sort();
        let text = schema::markdown(&file, &title);
        let mut found = read(&text);
        for row in found.rows.iter_mut().filter(|row| row.len() == 5 && row[0] != "argument") {
            row[4] = bare(&row[4]);
        }
        found.rows.sort();
        assert_eq!(found, expected, "{text}");
    }
}

/// Graphs of modules with hostile names of resources.
fn graphs() -> impl Iterator<Item = Graph> {
    let mut random = Rng::with_seed(29);
    (0..200).map(move |round| {
        let mut drawn = HashSet::new();
        let mut names: Vec<String> = (0..6).map(|_| name(&mut random, &mut drawn)).collect();
        if round == 0 {
            names = ["a\u{200b}", "a\u{200c}", "a\u{fffd}", "a\u{200b}b", "a\u{200c}b", "n1"]
                .map(str::to_owned)
                .to_vec();
        }
        let mut text = String::from("locals {\n  all = [x.plain]\n}\nresource \"x\" \"plain\" {}\n");
        for name in &names {
            let label = Value::from(name.as_str()).to_string();
            let _ = write!(text, "resource \"x\" {label} {{\n  a = [local.all, x.plain]\n}}\n");
        }
        let files = Memory::from_iter([("main.tf", text.as_str())]);
        let graph = ModuleLoader::new(Dialect::terraform()).with_files(files).load().graph();
        assert!(graph.len() >= 7, "{text}");
        graph
    })
}

/// The strings of a line of Graphviz, without their escapes, and the text between them.
fn dot_line(line: &str) -> (Vec<String>, String) {
    let (mut strings, mut rest, mut characters) = (Vec::new(), String::new(), line.chars().peekable());
    while let Some(character) = characters.next() {
        if character != '"' {
            rest.push(character);
            continue;
        }
        let mut string = String::new();
        loop {
            match characters.next().expect("the string ends") {
                '"' => break,
                '\\' => match characters.next().unwrap() {
                    escaped @ ('\\' | '"') => string.push(escaped),
                    'n' => string.push('\n'),
                    other => panic!("\\{other} in {line}"),
                },
                '&' => {
                    assert!("amp;".chars().all(|wanted| characters.next() == Some(wanted)), "{line}");
                    string.push('&');
                }
                character => string.push(character),
            }
        }
        strings.push(string);
    }
    (strings, rest)
}

/// The shown addresses of a graph.
fn addresses(graph: &Graph) -> Vec<String> {
    graph.nodes().map(|node| visible_line(&node.address().to_string()).into_owned()).collect()
}

#[test]
fn readers_of_graphviz_find_the_nodes_and_edges() {
    for graph in graphs() {
        let text = to_dot(&graph);
        let lines: Vec<&str> = text.split_terminator('\n').collect();
        assert!(lines[..3] == ["digraph {", "  rankdir = LR", "  node [shape = box]"], "{text}");
        assert_eq!(*lines.last().unwrap(), "}");
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        for line in &lines[3..lines.len() - 1] {
            let (strings, rest) = dot_line(line);
            match (&strings[..], rest.as_str()) {
                ([node], "  ") => nodes.push(node.clone()),
                ([from, to], "   -> ") => edges.push((from.clone(), to.clone())),
                _ => panic!("{line}"),
            }
        }
        let shown: Vec<String> =
            nodes.iter().map(|node| node.split('\n').next().unwrap().to_owned()).collect();
        assert_eq!(shown, addresses(&graph));
        assert_eq!(nodes.iter().collect::<HashSet<_>>().len(), nodes.len(), "{text}");
        let expected: Vec<(String, String)> =
            graph.edges().map(|(from, to)| (nodes[from].clone(), nodes[to].clone())).collect();
        assert_eq!(edges, expected, "{text}");
    }
}

/// The text of a string of Mermaid, in which nothing is HTML or Markdown.
fn mermaid_string(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['#', ';', '&', '<', '>', '`', '"']) {
        assert!(rest[at..].starts_with('#'), "{text}");
        let end = at + rest[at..].find(';').expect("the code ends");
        out.push_str(&rest[..at]);
        out.push(match &rest[at + 1..end] {
            "quot" => '"',
            code => char::from_u32(code.parse().unwrap()).unwrap(),
        });
        rest = &rest[end + 1..];
    }
    out + rest
}

#[test]
fn readers_of_mermaid_find_the_nodes_and_edges() {
    for graph in graphs() {
        let text = to_mermaid(&graph);
        let mut lines = text.split_terminator('\n');
        assert_eq!(lines.next(), Some("flowchart LR"));
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        for line in lines {
            let line = line.strip_prefix("  n").unwrap();
            if let Some((from, to)) =
                line.split_once(" --> n").filter(|(from, _)| from.parse::<usize>().is_ok())
            {
                edges.push((from.parse::<usize>().unwrap(), to.parse::<usize>().unwrap()));
                continue;
            }
            let (number, node) = line.split_once("[\"").unwrap();
            assert_eq!(number.parse(), Ok(nodes.len()));
            nodes.push(mermaid_string(node.strip_suffix("\"]").unwrap()));
        }
        assert_eq!(nodes, addresses(&graph), "{text}");
        assert_eq!(edges, graph.edges().collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn readers_of_svg_find_the_nodes_and_edges() {
    for graph in graphs() {
        let mut text = String::new();
        write_svg_part(&graph, &(0..graph.len()).collect(), &mut text).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let all = |tag: &'static str| document.descendants().filter(move |node| node.has_tag_name(tag));
        let known = ["svg", "defs", "marker", "path", "rect", "g", "title", "text"];
        assert!(
            document
                .descendants()
                .filter(roxmltree::Node::is_element)
                .all(|node| { known.contains(&node.tag_name().name()) })
        );
        let shown: Vec<&str> = all("text").filter_map(|node| node.text()).collect();
        assert_eq!(shown.iter().collect::<HashSet<_>>().len(), graph.len(), "{text}");
        for (number, (shown, address)) in shown.iter().zip(addresses(&graph)).enumerate() {
            let is_visible = graph.node(number).address().to_string().chars().all(hclkit::syntax::is_visible);
            let expected = if is_visible { address } else { format!("{address} #{number}") };
            assert_eq!(*shown, expected.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"));
        }
        let edges: HashSet<String> =
            all("path").filter_map(|node| node.attribute("id")).map(str::to_owned).collect();
        let expected: HashSet<String> = graph.edges().map(|(from, to)| format!("e{from}-{to}")).collect();
        assert_eq!(edges, expected, "{text}");
    }
}
