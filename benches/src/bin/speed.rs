//! Times readers on the files of a list: `bench-speed LIST SECONDS [READER…]`. The readers take turns. In each turn, a
//! reader reads every file once and drops the results; the median of its turns counts. Prints one JSON object.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use hclkit_benches::inputs::read_list;
use hclkit_benches::readers::{Again, Reader};
use serde_json::{Map, json};

struct Run {
    reader: Reader,
    texts: Vec<String>,
    refused: usize,
    seconds: Vec<f64>,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: bench-speed LIST SECONDS [READER…]";
    let list = arguments.next().context(usage)?;
    let budget: f64 = arguments.next().context(usage)?.parse()?;
    let mut readers = Vec::new();
    for name in arguments {
        match Reader::named(&name) {
            Some(reader) => readers.push(reader),
            None => bail!("no reader is called {name}"),
        }
    }
    if readers.is_empty() {
        readers.extend(Reader::ALL);
    }

    let (texts, mut again) = (read_list(Path::new(&list))?, Again::default());
    let mut runs: Vec<Run> = readers.into_iter().map(|reader| prepare(reader, &texts, &mut again)).collect();

    // In rounds, so that a slow phase of the machine affects all readers. A slow reader gets fewer rounds.
    while runs.iter().any(|run| run.wants_more(budget)) {
        for run in runs.iter_mut().filter(|run| run.wants_more(budget)) {
            run.turn(&mut again);
        }
    }

    let bytes = |texts: &[String]| texts.iter().map(|text| f64::from(text.len() as u32)).sum::<f64>();
    let mut answer = Map::new();
    for mut run in runs {
        run.seconds.sort_by(f64::total_cmp);
        let median = run.seconds[run.seconds.len() / 2];
        let rate = bytes(&run.texts) / 1e6 / median;
        let (turns, refused) = (run.seconds.len(), run.refused);
        let least = run.seconds[0];
        answer.insert(
            run.reader.name().to_owned(),
            json!({ "mb_per_s": rate, "seconds": median, "least_seconds": least, "turns": turns, "refused": refused }),
        );
    }
    println!("{}", json!({ "files": texts.len(), "bytes": bytes(&texts), "readers": answer }));
    Ok(())
}

fn prepare(reader: Reader, texts: &[String], again: &mut Again) -> Run {
    let prepared: Vec<_> = texts.iter().filter_map(|text| reader.prepare(text)).collect();
    let accepted = prepared.iter().filter(|text| reader.accepts(text, again)).count();
    Run { reader, refused: texts.len() - accepted, texts: prepared, seconds: Vec::new() }
}

impl Run {
    fn wants_more(&self, budget: f64) -> bool {
        self.seconds.is_empty() || self.seconds.iter().sum::<f64>() < budget && self.seconds.len() < 400
    }

    fn turn(&mut self, again: &mut Again) {
        let start = Instant::now();
        for text in &self.texts {
            black_box(self.reader.read(black_box(text), again));
        }
        self.seconds.push(start.elapsed().as_secs_f64());
    }
}
