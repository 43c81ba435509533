//! All references of a file, each with the address that it begins with. The forms of the addresses are those of the tables of
//! the languages.

use hclkit_dialect::Dialect;
use hclkit_model::{Target, Traversal};
use hclkit_syntax::Span;

use crate::names::Names;
use crate::occurrence::OccurrenceKind;

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
        let mut found: Vec<NameUse> = self
            .traversals()
            .filter_map(|(traversal, kind)| {
                let address = match self.declared(traversal) {
                    Meaning::Declared(address) => Some(address),
                    Meaning::Bound => None,
                    Meaning::Word => return None,
                };
                Some(NameUse { kind, span: traversal.span(), root: traversal.root.to_string(), address })
            })
            .collect();
        found.extend(self.named_strings().filter_map(|(attribute, span, kind)| {
            // A key is only a part of an address.
            let rule = self.string_names(attribute).filter(|rule| !rule.keys)?;
            let text = self.document().source().slice(span);
            let root = rule.blocks.first()?.to_string();
            let is_whole = text.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('.'));
            let rest =
                if is_whole { &text[root.len() + 1..] } else { text.strip_prefix(rule.prefix.as_str())? };
            let address = Some(format!("{root}.{rest}"));
            (!rest.is_empty()).then_some(NameUse { kind, span, root, address })
        }));
        found.sort_by_key(|found| (found.span.start, found.span.end));
        found.dedup_by_key(|found| found.span);
        found
    }

    /// What a traversal begins with.
    fn declared(&self, traversal: &Traversal) -> Meaning {
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
