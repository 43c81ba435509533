//! The table of language servers: `hcl lsp` and terraform-ls as processes that answer a client. A trace of typing is replayed on
//! a long file and in a module with a large provider; many modules are indexed.

mod client;
mod inputs;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::programs::{self, target};
use client::{Client, Document, position};

/// The server beside ours.
const PEER: &str = "github.com/hashicorp/terraform-ls";
const PEER_VERSION: &str = "v0.39.0";

/// How often a server is started.
const STARTS: usize = 21;

/// How many modules are indexed.
const MODULES: usize = 5_000;
/// How many edits the memory is measured over.
const EDITS: usize = 10_000;

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// A server: what starts it.
struct Server {
    title: &'static str,
    program: PathBuf,
    argument: &'static str,
    /// It reads schemas from a file, without Terraform.
    reads_schemas: bool,
}

impl Server {
    fn start(&self, root: &Path) -> Result<Client> {
        Client::start(Command::new(&self.program).arg(self.argument).current_dir(root), root, true)
    }
}

/// Prints how long answers take.
pub(super) fn table(folder: &Path, args: &super::Args) -> Result<String> {
    let own = match &args.program {
        Some(program) => program.canonicalize()?,
        None => programs::own(true)?.join("hcl"),
    };
    let mut servers =
        vec![Server { title: "**hcl lsp**", program: own, argument: "lsp", reads_schemas: true }];
    if !args.without_reference {
        servers.push(Server {
            title: "terraform-ls 0.39",
            program: peer()?,
            argument: "serve",
            reads_schemas: false,
        });
    }
    let all = folder.join("server");
    if all.exists() {
        fs::remove_dir_all(&all)?;
    }
    let (long, provider, modules) = (all.join("long"), all.join("provider"), all.join("modules"));
    fs::create_dir_all(&long)?;
    fs::write(long.join("main.tf"), inputs::long_file())?;
    inputs::module_with_provider(&provider)?;
    inputs::modules(&modules, MODULES)?;
    let mut text = "### Language servers: latency\n\nMilliseconds: the median, the 99th percentile, and the CPU time of the server on average.\n\n| | initialize (from the start of the process) | diagnostics after a change | completion | hover |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for server in &servers {
        for (title, directory) in [("10,000 lines", &long), ("a provider of 1,400 types", &provider)] {
            eprintln!("{}: {title} …", server.title);
            writeln!(text, "| {}, {title} | {} |", server.title, typing(server, directory, args.seconds)?)?;
        }
    }
    text.push_str("\n### Language servers: memory and CPU\n\n| | 5,000 modules indexed | resident, at most | with the provider | after 10,000 edits | CPU in 10 s of idling |\n| --- | --- | --- | --- | --- | --- |\n");
    for server in &servers {
        eprintln!("{}: {MODULES} modules …", server.title);
        let index = indexed(server, &modules)?;
        let schema = if server.reads_schemas { with_schemas(server, &provider)? } else { String::new() };
        eprintln!("{}: {EDITS} edits …", server.title);
        writeln!(text, "| {} | {index} | {schema} | {} |", server.title, edits(server, &provider)?)?;
    }
    Ok(text + "\n")
}

/// Builds terraform-ls from its Go module.
fn peer() -> Result<PathBuf> {
    let bin = target().join("reference");
    let package = format!("{PEER}@{PEER_VERSION}");
    programs::answer(Command::new("go").args(["install", &package]).env("GOBIN", &bin))?;
    Ok(bin.join("terraform-ls"))
}

/// Times of one kind of request, in milliseconds.
#[derive(Default)]
struct Times {
    all: Vec<f64>,
    /// The CPU time of the server for all of them.
    processor: f64,
    unanswered: usize,
}

impl Times {
    /// Adds a request, which takes the client some time. `None` if there was no answer.
    fn add(
        &mut self,
        client: &mut Client,
        ask: impl FnOnce(&mut Client) -> Result<Option<f64>>,
    ) -> Result<()> {
        let before = client.processor()?;
        match ask(client)? {
            Some(time) => {
                self.all.push(time);
                self.processor += client.processor()? - before;
            }
            None => self.unanswered += 1,
        }
        Ok(())
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut sorted = self.all.clone();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        if count > 0 {
            let (median, slow) = (sorted[count / 2], sorted[(count * 99 / 100).min(count - 1)]);
            #[allow(clippy::cast_precision_loss, reason = "a few thousand")]
            let processor = self.processor / count as f64;
            write!(f, "{median:.1}, {slow:.1} (CPU {processor:.1})")?;
        }
        match self.unanswered {
            0 => Ok(()),
            other => write!(f, " {other} of {} unanswered", count + other),
        }
    }
}

/// Types lines into the file of a directory, asks for completion and hover on the way, and removes the lines.
fn typing(server: &Server, directory: &Path, seconds: f64) -> Result<String> {
    let mut client = server.start(directory)?;
    let path = directory.join("main.tf");
    let mut own = client.open(&path, fs::read_to_string(&path)?)?;
    // A server may send nothing if it finds nothing.
    client.diagnostics(&own, Duration::from_secs(10))?;
    settle(&mut client);
    let (mut changes, mut completions, mut hovers) = (Times::default(), Times::default(), Times::default());
    let end = Instant::now() + Duration::from_secs_f64(seconds.max(1.0) * 4.0);
    for turn in 0.. {
        if Instant::now() > end {
            break;
        }
        // Places all over the file.
        let blocks: Vec<usize> = own.text.match_indices("\nresource ").map(|(at, _)| at).collect();
        let block = blocks[turn * 7919 % blocks.len()];
        let start = block + 1 + own.text[block + 1..].find('\n').context("no line")? + 1;
        let known = own.text.match_indices("var.name").nth(turn % 50).context("no variable")?.0;
        let line = "  extra = upper(var.name) == local.x\n";
        for (at, sign) in line.char_indices() {
            if Instant::now() > end {
                break;
            }
            let typed = sign.to_string();
            change(&mut client, &mut own, (start + at, start + at), &typed, &mut changes)?;
            if sign == '.' || at % 9 == 4 {
                let asked = place(&own, start + at + 1);
                completions
                    .add(&mut client, |client| client.time("textDocument/completion", &asked, PATIENCE))?;
            }
            if at % 9 == 8 {
                let shift = if known > start { at + 1 } else { 0 };
                let asked = place(&own, known + shift + 5);
                hovers.add(&mut client, |client| client.time("textDocument/hover", &asked, PATIENCE))?;
            }
        }
        if Instant::now() <= end {
            change(&mut client, &mut own, (start, start + line.len()), "", &mut changes)?;
        }
    }
    client.end()?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let client = server.start(directory)?;
        starts.push((client.initialize, client.start));
        client.end()?;
    }
    starts.sort();
    let (initialize, start) = starts[STARTS / 2];
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    Ok(format!("{:.1} ({:.1}) | {changes} | {completions} | {hovers}", ms(initialize), ms(start)))
}

/// Changes a document and waits for its diagnostics.
fn change(
    client: &mut Client,
    own: &mut Document,
    (start, end): (usize, usize),
    new: &str,
    times: &mut Times,
) -> Result<()> {
    client.forget();
    times.add(client, |client| {
        let begin = Instant::now();
        client.change(own, start, end, new)?;
        let found = client.diagnostics(own, PATIENCE)?;
        Ok(found.map(|(at, _)| (at - begin).as_secs_f64() * 1e3))
    })
}

fn place(own: &Document, offset: usize) -> Value {
    json!({ "textDocument": { "uri": own.uri }, "position": position(&own.text, offset) })
}

/// Waits until the server has nothing left to do: until it needs no CPU time.
fn settle(client: &mut Client) -> f64 {
    let mut before = client.processor().unwrap_or_default();
    loop {
        thread::sleep(Duration::from_millis(300));
        let now = client.processor().unwrap_or_default();
        // Servers poll and collect garbage.
        if now - before < 5.0 {
            client.forget();
            return now;
        }
        before = now;
    }
}

/// Opens a directory with many modules, and waits until the server has read them.
fn indexed(server: &Server, directory: &Path) -> Result<String> {
    let begin = Instant::now();
    let mut client = server.start(directory)?;
    let path = directory.join("group0/module0/main.tf");
    client.open(&path, fs::read_to_string(&path)?)?;
    // The server has read them when it finds the symbols of the last one, or when it does nothing any more.
    let symbols = json!({ "query": "node_5" });
    let found = client.ask("workspace/symbol", &symbols)?.0;
    let is_complete = |found: &Value| found.as_array().is_some_and(|found| found.len() >= MODULES);
    let elapsed = if is_complete(&found) {
        begin.elapsed()
    } else {
        let mut last = client.processor()?;
        let mut at = Instant::now();
        loop {
            thread::sleep(Duration::from_millis(50));
            let now = client.processor()?;
            if now - last > 2.0 {
                (last, at) = (now, Instant::now());
            } else if at.elapsed() > Duration::from_secs(2) {
                break at - begin;
            }
        }
    };
    settle(&mut client);
    let (now, most) = client.memory()?;
    client.end()?;
    Ok(format!("{:.1} s | {now:.0} MB, {most:.0} MB", elapsed.as_secs_f64()))
}

/// The memory with the schema of a provider, beside that without.
fn with_schemas(server: &Server, directory: &Path) -> Result<String> {
    let path = directory.join("main.tf");
    let settings = directory.join("hcl.toml");
    let text = fs::read_to_string(&settings)?;
    let mut memory = Vec::new();
    for settings_text in ["", text.as_str()] {
        fs::write(&settings, settings_text)?;
        let mut client = server.start(directory)?;
        let own = client.open(&path, fs::read_to_string(&path)?)?;
        client.diagnostics(&own, Duration::from_secs(30))?.context("no diagnostics")?;
        settle(&mut client);
        let at = own.text.find("setting_1").context("no argument")?;
        for _ in 0..50 {
            client.ask("textDocument/completion", &place(&own, at))?;
        }
        memory.push(client.memory()?);
        client.end()?;
    }
    Ok(format!("{:+.0} MB, {:.0} MB", memory[1].0 - memory[0].0, memory[1].1))
}

/// How the memory grows with edits, and the CPU time of a server that nobody asks anything.
fn edits(server: &Server, directory: &Path) -> Result<String> {
    let mut client = server.start(directory)?;
    let path = directory.join("main.tf");
    let mut own = client.open(&path, fs::read_to_string(&path)?)?;
    client.diagnostics(&own, Duration::from_secs(30))?;
    settle(&mut client);
    let at = own.text.find("var.name}").context("no variable")?;
    let mut memory = Vec::new();
    for turn in 0..EDITS + 500 {
        if turn == 500 {
            settle(&mut client);
            memory.push(client.memory()?.0);
        }
        match turn % 2 {
            0 => client.change(&mut own, at, at, "x")?,
            _ => client.change(&mut own, at, at + 1, "")?,
        }
        if turn % 10 == 0 {
            client.time("textDocument/hover", &place(&own, at), PATIENCE)?;
            client.diagnostics(&own, Duration::from_millis(200))?;
            client.forget();
        }
    }
    settle(&mut client);
    memory.push(client.memory()?.0);
    let before = client.processor()?;
    thread::sleep(Duration::from_secs(10));
    let idle = client.processor()? - before;
    client.end()?;
    let growth = (memory[1] / memory[0] - 1.0) * 100.0;
    Ok(format!("{:.0} MB, then {:.0} MB ({growth:+.1} %) | {idle:.1} ms", memory[0], memory[1]))
}
