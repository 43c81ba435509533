//! All references of a file, each with the address that it begins with. The forms of the addresses are those of the tables of
//! the languages.

use hclkit_dialect::Dialect;
use hclkit_model::{Target, Traversal};
use hclkit_syntax::Span;

use crate::names::Names;
use crate::occurrence::OccurrenceKind;

/// The most names of an address: `data.aws_ami.base.id`.
const MOST_NAMES: usize = 4;

/// A reference in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NameUse {
    /// [`Reference`](OccurrenceKind::Reference) or [`History`](OccurrenceKind::History).
    pub kind: OccurrenceKind,
    /// The span of the traversal, or of the text of a string that is read as one.
    pub span: Span,
    /// The first name, such as `var` or `aws_instance`.
    pub root: String,
    /// The address of what it refers to, such as `var.region`. `None` if that is not declared in a file: `each.key`,
    /// `path.module`, `self`.
    pub address: Option<String>,
}

/// What a traversal begins with.
enum Meaning {
    /// The address of a declaration.
    Declared(String),
    /// A name that the language binds.
    Bound,
    /// No reference: a type, a keyword, or the name of an attribute, as in `ignore_changes`.
    Word,
}

impl Names {
    /// All references in the file, in source order, including those in strings that are read as references. Words that are no
    /// references, such as types and keywords, are left out.
    ///
    /// ```
    /// use hclkit_refactor::Names;
    /// use hclkit_syntax::{Document, StartSymbol, Source};
    ///
    /// let text = "resource \"a\" \"b\" {\n  c = [var.d[0].e, each.key]\n  depends_on = [module.f]\n}\n";
    /// let document = Document::parse(Source::new("main.tf", text), StartSymbol::Config);
    /// let uses = Names::of(&document).uses();
    /// let addresses: Vec<_> = uses.iter().map(|found| found.address.as_deref()).collect();
    /// assert_eq!(addresses, [Some("var.d"), None, Some("module.f")]);
    /// assert_eq!(uses[1].root, "each");
    /// ```
    pub fn uses(&self) -> Vec<NameUse> {
        let named = self.named_strings().filter_map(|(attribute, span, kind)| {
            // A key is only a part of an address.
            let rule = self.string_names(attribute).filter(|rule| !rule.keys)?;
            let text = self.document().source().slice(span);
            let root = rule.blocks.first()?.to_string();
            let is_whole = text.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('.'));
            let rest =
                if is_whole { &text[root.len() + 1..] } else { text.strip_prefix(rule.prefix.as_str())? };
            let address = Some(format!("{root}.{rest}"));
            (!rest.is_empty()).then_some(NameUse { kind, span, root, address })
        });
        // A name in a string is the name of a block, even if it could be read as a reference.
        let mut found: Vec<NameUse> = named.collect();
        found.extend(self.traversals().filter_map(|(traversal, kind)| {
            let address = match self.meaning(traversal) {
                Meaning::Declared(address) => Some(address),
                Meaning::Bound => None,
                Meaning::Word => return None,
            };
            Some(NameUse { kind, span: traversal.span(), root: traversal.root.to_string(), address })
        }));
        found.sort_by_key(|found| (found.span.start, found.span.end));
        found.dedup_by_key(|found| found.span);
        found
    }

    /// The addresses that the text at a byte offset can be, the shortest first, each with the part at the offset: of a reference, of
    /// a string that names a block, or of a declaration. Which of them are declared, other files say.
    ///
    /// ```
    /// let document = hclkit_syntax::parse("a = module.net.id\n");
    /// let found = hclkit_refactor::Names::of(&document).addresses_at(13);
    /// let addresses: Vec<_> = found.iter().map(|(address, _)| address.join(".")).collect();
    /// assert_eq!(addresses, ["module.net", "module.net.id"]);
    /// ```
    pub fn addresses_at(&self, offset: u32) -> Vec<(Vec<String>, Span)> {
        let mut found = self.references_at(offset);
        let declared = self.declared().iter().filter(|own| own.name.touches(offset));
        found.extend(declared.map(|own| (own.address.clone(), own.name)));
        for (attribute, span, _) in self.named_strings().filter(|(_, span, _)| span.touches(offset)) {
            let Some(rule) = self.string_names(attribute) else { continue };
            let text = self.document().source().slice(span);
            let names = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<_>>();
            if let Some(rest) = text.strip_prefix(rule.prefix.as_str()) {
                found.extend(rule.blocks.iter().map(|block| (names(&format!("{block}.{rest}")), span)));
            }
            found.push((names(text), span));
        }
        found
    }

    /// The beginnings of the references at a byte offset, the shortest first, each with the part at the offset.
    pub fn references_at(&self, offset: u32) -> Vec<(Vec<String>, Span)> {
        let mut found = Vec::new();
        for (traversal, _) in self.traversals().filter(|(own, _)| own.span().touches(offset)) {
            let (mut names, mut spans) = (vec![traversal.root.to_string()], vec![traversal.root_span]);
            for step in &traversal.steps {
                let name = match &step.target {
                    Target::Attribute(name) => name.to_string(),
                    Target::Element(key) if spans.len() < 2 => match key.as_str() {
                        Some(name) => name.to_owned(),
                        None => break,
                    },
                    // Instances have keys after their names.
                    Target::Element(_) => continue,
                };
                names.push(name);
                spans.push(step.span);
            }
            let Some(at) = spans.iter().rposition(|span| span.touches(offset)) else { continue };
            let dot = u32::from(self.document().source().slice(spans[at]).starts_with('.'));
            let part = Span::new(spans[at].start + dot, spans[at].end);
            found.extend((at + 1..=names.len().min(MOST_NAMES)).map(|count| (names[..count].to_vec(), part)));
        }
        found
    }

    /// What a traversal begins with.
    fn meaning(&self, traversal: &Traversal) -> Meaning {
        let mut names: Vec<&str> = std::iter::once(traversal.root.as_str())
            .chain(traversal.steps.iter().map_while(|step| match &step.target {
                Target::Attribute(name) => Some(name.as_str()),
                Target::Element(key) => key.as_str(),
            }))
            .collect();
        if names[0] == "resource" && names.len() > 2 {
            names.remove(0);
        }
        if self.language.is_none() {
            return Meaning::Declared(names.join("."));
        }
        if self.languages.iter().any(|language| is_bound(language, &names)) {
            return Meaning::Bound;
        }
        let forms = || {
            self.languages.iter().flat_map(|language| {
                let nested = language.nested_blocks.iter().map(|rule| &rule.defines);
                language.blocks.iter().map(|rule| &rule.defines).chain(nested)
            })
        };
        let named = forms().find(|form| form.root().is_some_and(|root| *root.as_str() == *names[0]));
        let form = named.or_else(|| forms().find(|form| !form.is_empty() && form.root().is_none()));
        match form {
            Some(form) if form.len() <= names.len() => Meaning::Declared(names[..form.len()].join(".")),
            Some(_) => Meaning::Word,
            None => Meaning::Declared(names.join(".")),
        }
    }
}

/// Whether names begin with one that a language binds: a name that the program defines, the key of an instance, `self`.
fn is_bound(language: &Dialect, names: &[&str]) -> bool {
    let starts = |own: &str| *own == *names[0];
    let nested = language.nested_blocks.iter().filter_map(|rule| rule.binds.as_ref());
    language.given_names().filter_map(<[_]>::first).any(|name| starts(name))
        || nested.map(hclkit_value::Name::as_str).any(starts)
}
