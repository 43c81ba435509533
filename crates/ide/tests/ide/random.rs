//! Nothing panics, whatever the text and the place.

use std::sync::Arc;

use hclkit::Span;
use hclkit_ide::{Encoding, MemoryFiles, Workspace};

#[test]
fn all_answers_exist_for_damaged_files() {
    let texts = [
        ("main.tf", include_str!("../../../../examples/infrastructure/main.tf")),
        ("web.nomad", include_str!("../../../../examples/nomad/web.nomad")),
        ("main.tf.json", "{\"locals\": [{\"a\": \"${local.b[0].c}\"}], \"resource\": {\"a\": {\"b\": {}}}}"),
        ("docker-bake.hcl", include_str!("../../../../examples/bake/docker-bake.hcl")),
    ];
    let mut random = fastrand::Rng::with_seed(3);
    let pieces = [
        "{", "}", "\"", "${", "<<EOT\n", "\n", ".", "[", "(", "ä😀", "\r", "# x", "for", "var.", "module.",
        "\0",
    ];
    for round in 0..400 {
        let (path, text) = texts[round % texts.len()];
        let mut text = text.to_owned();
        for _ in 0..random.usize(1..5) {
            let mut at = random.usize(..=text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            if random.bool() {
                text.insert_str(at, pieces[random.usize(..pieces.len())]);
            } else {
                let mut end = (at + random.usize(..20)).min(text.len());
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                text.replace_range(at..end, "");
            }
        }
        let path = format!("/w/{path}");
        let mut workspace = Workspace::new(Arc::new(MemoryFiles::default()), ["/w"]);
        workspace.open(&path, text.as_str(), Some(1), None);
        let own = workspace.snapshot();
        let end = text.len() as u32;
        let offset = random.u32(..=end);
        let _ = own.diagnostics(&path);
        let _ = (own.hover(&path, offset), own.completions(&path, offset), own.signature(&path, offset));
        let _ =
            (own.definition(&path, offset), own.references(&path, offset), own.rename(&path, offset, "zz"));
        let _ =
            (own.symbols(&path), own.folds(&path), own.format(&path), own.links(&path), own.lenses(&path));
        let _ = (
            own.inlay_hints(&path, Span::new(0, end)),
            own.fix_all(&path),
            own.actions(&path, Span::new(0, end)),
            own.refactorings(&path, Span::empty(offset)),
            own.moves(&path, Span::new(offset.min(end / 2), end)),
        );
        let _ = (own.module_at(&path, offset), own.workspace_symbols("a", Encoding::Utf16));
        let spans = own.selections(&path, offset);
        assert!(spans.windows(2).all(|pair| pair[1].start <= pair[0].start && pair[0].end <= pair[1].end));
        let tokens = own.tokens(&path, None);
        assert!(tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{text}");
        assert!(tokens.iter().all(|token| !text[token.span.to_range()].contains(['\n', '\r'])), "{text:?}");
    }
}
