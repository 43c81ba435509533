//! An example for each code: a text or an expression with exactly that error. Those of modules and Bake files are in
//! `modules.rs`.

use std::sync::Arc;
use std::time::Duration;

use super::modules;
use crate::convert::yaml::Yaml;
use hclkit::convert::{FromHcl1, ToJson, ToNative};
use hclkit::decode::{self, Decoder};
use hclkit::functions::{Grants, Library};
use hclkit::model::{BlockLabelSpec, Spec};
use hclkit::syntax::json;
use hclkit::{
    CancelToken, Code, Context, Diagnostic, Diagnostics, Document, Expression, Functions, Limits, Source,
    Span, StartSymbol, Value, hcl1,
};

/// An expression that takes some time to evaluate.
const SQUARES: &str = "[for x in range(1000) : x * x]";

/// A text to parse, or an expression to evaluate.
#[derive(Clone, Copy)]
pub(super) enum Example {
    Read(&'static str, StartSymbol),
    Evaluated(&'static str),
    /// A configuration in the JSON syntax.
    Json(&'static str),
    /// An expression without variables and functions.
    Literal(&'static str),
    /// A spec file.
    Spec(&'static str),
    /// A configuration with a spec file.
    Decoded(&'static str, &'static str),
    /// A configuration with a spec created in code.
    Made(fn() -> Decoder, &'static str),
    /// The same for the JSON syntax.
    DecodedJson(&'static str, &'static str),
    /// A configuration that is not valid UTF-8.
    Bytes(&'static [u8]),
    /// A configuration that is parsed with limits.
    Bounded(&'static str, fn() -> Limits),
    /// An expression that is evaluated with limits.
    Limited(&'static str, fn() -> Limits),
    /// An expression that an application reads without evaluating it.
    Static(&'static str, fn(&Expression) -> Option<Diagnostics>),
    /// A configuration that is converted to the JSON syntax.
    Converted(&'static str),
    /// A configuration in the JSON syntax that is converted to the native syntax.
    ConvertedJson(&'static str),
    /// A configuration in YAML.
    Yaml(&'static str),
    /// A configuration in HCL 1, and what HCL 2 reads differently in it.
    Hcl1(&'static str),
    /// Files of a module or of Bake.
    Module(modules::Files),
    /// An error reported by an application, or one that no short text causes: the text, the error in it and its
    /// explanation.
    Reported(&'static str, &'static str, &'static str),
}

impl Example {
    /// The diagnostics of the example.
    pub(super) fn mistakes(self, code: Code) -> Diagnostics {
        let config = |limits: Limits, text: &[u8]| {
            let source = Source::new("example", text);
            limits.run(|| Document::parse(source, StartSymbol::Config)).diagnostics().clone()
        };
        match self {
            Self::Bytes(text) => config(Limits::new(), text),
            Self::Bounded(text, limits) => config(limits(), text.as_bytes()),
            Self::Limited(text, limits) => {
                let read = Expression::read(Source::new("example", text), StartSymbol::Expression);
                let evaluate = |expression: Expression| limits().run(|| expression.evaluate(&context()));
                read.and_then(evaluate).err().unwrap_or_default()
            }
            Self::Static(text, read_as) => {
                let read = Expression::read(Source::new("example", text), StartSymbol::Expression);
                read.map_or_else(Some, |expression| read_as(&expression)).unwrap_or_default()
            }
            Self::Reported(text, wrong, detail) => {
                let start = text.find(wrong).unwrap_or_default() as u32;
                let span = Span::new(start, start + wrong.len() as u32);
                let source = Arc::new(Source::new("example", text));
                Diagnostic::error(code).at(span).with_note(detail).with_source(&source).into()
            }
            Self::Read(text, entry) => {
                Document::parse(Source::new("example", text), entry).diagnostics().clone()
            }
            Self::Converted(text) => {
                let document = Document::parse(Source::new("example", text), StartSymbol::Config);
                ToJson::new().convert(&document).err().unwrap_or_default()
            }
            Self::ConvertedJson(text) => {
                let document = json::JsonDocument::parse(Source::new("example", text));
                ToNative::new().convert(&document).err().unwrap_or_default()
            }
            Self::Yaml(text) => Yaml::read(Source::new("example", text)).err().unwrap_or_default(),
            Self::Hcl1(text) => {
                let document = Document::parse_hcl1(Source::new("example", text));
                match (hcl1::decode(&document), FromHcl1::new().convert(&document)) {
                    (Err(errors), _) | (_, Err(errors)) => errors,
                    (Ok(_), Ok(converted)) => converted.notes,
                }
            }
            Self::Evaluated(text) => {
                let read = Expression::read(Source::new("example", text), StartSymbol::Expression);
                read.and_then(|expression| expression.evaluate(&context())).err().unwrap_or_default()
            }
            Self::Json(text) => json::JsonDocument::parse(Source::new("example", text)).diagnostics().clone(),
            Self::Literal(text) => {
                let read = Expression::read(Source::new("example", text), StartSymbol::Expression);
                read.and_then(|expression| expression.evaluate(&Context::new())).err().unwrap_or_default()
            }
            Self::Spec(text) => Decoder::new(Source::new("example", text)).err().unwrap_or_default(),
            Self::Decoded(spec, text) => decode_by(spec, Source::new("example", text)),
            Self::Made(decoder, text) => {
                let read = decode::read([Source::new("example", text)]);
                read.and_then(|body| decoder().decode(&body)).err().unwrap_or_default()
            }
            Self::Module(files) => files.mistakes(),
            Self::DecodedJson(spec, text) => decode_by(spec, Source::new("example.json", text)),
        }
    }
}

/// The diagnostics of a configuration with a spec file.
fn decode_by(spec: &str, text: Source) -> Diagnostics {
    let decoder = Decoder::new(Source::new("spec", spec));
    let decoded = decoder.and_then(|decoder| decoder.with_dynamic(true).decode(&decode::read([text])?));
    decoded.err().unwrap_or_default()
}

/// The context of the expressions.
fn context() -> Context {
    let mut functions = Library::Terraform.functions(&Grants::new());
    functions.extend(Functions::special().iter().map(|(name, function)| (name, function.clone())));
    // None of Terraform's functions reads the environment.
    functions.extend(Library::Packer.functions(&Grants::new()).get("env").map(|env| ("env", env.clone())));
    Context::new()
        .with("server", Value::object([("port", 80)]))
        .with("ports", Value::tuple([80, 443]))
        .with("name", "web")
        .with("nothing", Value::NULL)
        .with_functions(functions)
}

/// The example of a code. A test checks that every code has one.
pub(super) fn of(code: Code) -> Option<Example> {
    let text = read(code).or_else(|| evaluated(code).map(Example::Evaluated));
    let text = text.or_else(|| in_json(code).map(Example::Json)).or_else(|| decoded(code));
    text.or_else(|| modules::of(code).map(Example::Module)).or_else(|| other(code))
}

fn other(code: Code) -> Option<Example> {
    Some(match code {
        Code::InvalidEncoding => Example::Bytes(b"name = \"caf\xe9\"\n"),
        Code::NestingTooDeep => Example::Bounded("matrix = [[[[1]]]]\n", || Limits::new().with_nesting(3)),
        Code::SourceTooLarge => Example::Bounded("name = \"web\"\n", || Limits::new().with_source_bytes(4)),
        Code::TooManySteps => Example::Limited(SQUARES, || Limits::new().with_steps(100)),
        Code::TooManyElements => Example::Limited(SQUARES, || Limits::new().with_elements(100)),
        Code::TooManyBytes => Example::Limited("format(\"%1000d\", 1)", || Limits::new().with_bytes(100)),
        Code::EvaluationTooDeep => {
            Example::Limited("[for a in [1] : [for b in [2] : [for c in [3] : a * b * c]]]", || {
                Limits::new().with_depth(3)
            })
        }
        Code::ValueTooDeep => Example::Limited("[[[[name]]]]", || Limits::new().with_value_depth(3)),
        Code::DeadlineExceeded => Example::Limited(SQUARES, || Limits::new().with_timeout(Duration::ZERO)),
        Code::Cancelled => Example::Limited(SQUARES, || {
            let token = CancelToken::new();
            token.cancel();
            Limits::new().with_cancel(token)
        }),
        Code::MapRequired => Example::Static("[server]", |it| it.static_map().err()),
        Code::CallRequired => Example::Static("name", |it| it.static_call().err()),
        Code::Unformatted => Example::Reported("port=80\n", "=", "The layout is not that of `hcl fmt`."),
        Code::InvalidValue => {
            let text = "port = 123456\n";
            Example::Reported(text, "123456", "A port is a number from 1 to 65535.")
        }
        Code::AttributeAndBlock => Example::Converted("log = true\nlog {\n}\n"),
        Code::LabelCount => Example::Converted("disk \"root\" {\n}\ndisk {\n}\n"),
        Code::TooDeepForJson => {
            let note = "The JSON would be nested more than 2500 levels deep.";
            Example::Reported("rows = [[[1]]]\n", "rows", note)
        }
        Code::NotNative => Example::ConvertedJson("{\"first name\": \"Ada\"}\n"),
        Code::JsonUnknownProperty => Example::DecodedJson(SERVICE, "{\"prot\": 80}\n"),
        Code::ReferenceCycle => Example::Reported(
            "locals {\n  a = local.b\n  b = local.a\n}\n",
            "local.b",
            "These definitions refer to each other in a cycle: `local.a` → `local.b` → `local.a`.",
        ),
        Code::DuplicateDefinition => Example::Reported(
            "locals {\n  a = 1\n}\nlocals {\n  a = 2\n}\n",
            "2",
            "`local.a` is already defined. Names must be unique.",
        ),
        Code::Hcl1Conflict => Example::Hcl1("ports = 80\nports {\n  http = 80\n}\n"),
        Code::InvalidYaml => Example::Yaml("ports: [80, 443\nname: web\n"),
        Code::Hcl1Meaning => Example::Hcl1("mode = 0644\n"),
        Code::JsonBodyRequired => Example::DecodedJson(SERVICE, "{\"rule\": true}\n"),
        Code::InconsistentBlocks => {
            Example::Decoded(SERVICE, "rule {\n  on = true\n}\nrule {\n  on = [1]\n}\n")
        }
        Code::NoBlockLabel => {
            Example::Made(|| Decoder::of(Spec::BlockLabel(BlockLabelSpec::new(0, "name"))), "# no block\n")
        }
        _ => return None,
    })
}

/// A spec with an argument, blocks without labels and blocks with one label.
const SERVICE: &str = r#"
object {
  attr "port" {
    type = number
  }
  block_list "rules" {
    block_type = "rule"
    max_items  = 2
    attr {
      name = "on"
    }
  }
  block "log" {
    block_attrs {
      block_type   = "tags"
      element_type = string
    }
  }
  block_map "disk" {
    labels = ["name"]
    attr {
      name     = "size"
      required = true
    }
  }
}
"#;

fn decoded(code: Code) -> Option<Example> {
    let service = match code {
        Code::UnsupportedArgument => "prot = 80\n",
        Code::UnsupportedBlock => "rules {\n  on = true\n}\n",
        Code::UnexpectedBlock => "log {\n  tags {\n    owner {\n    }\n  }\n}\n",
        Code::MissingAttribute => "disk \"root\" {\n}\n",
        Code::MissingLabel => "disk {\n  size = 10\n}\n",
        Code::ExtraLabel => "disk \"root\" \"fast\" {\n  size = 10\n}\n",
        Code::InvalidAttributeValue => "port = \"http\"\n",
        Code::DuplicateBlock => "log {\n}\nlog {\n}\n",
        Code::TooManyBlocks => "rule {\n}\nrule {\n}\nrule {\n}\n",
        Code::InvalidForEach => "dynamic \"rule\" {\n  for_each = 3\n  content {\n  }\n}\n",
        Code::InvalidIterator => {
            "dynamic \"rule\" {\n  for_each = [true]\n  iterator = my.rule\n  content {\n  }\n}\n"
        }
        Code::TraversalRequired => {
            "dynamic \"rule\" {\n  for_each = [true]\n  iterator = \"each\"\n  content {\n  }\n}\n"
        }
        Code::InvalidDynamicLabel => {
            "dynamic \"disk\" {\n  for_each = [10]\n  labels   = [null]\n  content {\n    size = 10\n  }\n}\n"
        }
        Code::MissingContent => "dynamic \"rule\" {\n  for_each = [true]\n}\n",
        Code::ExtraContent => {
            "dynamic \"rule\" {\n  for_each = [true]\n  content {\n  }\n  content {\n  }\n}\n"
        }
        Code::VariablesNotAllowed => return Some(Example::Literal("name")),
        Code::FunctionsNotAllowed => return Some(Example::Literal("upper(\"a\")")),
        Code::InvalidSpec => return Some(Example::Spec("attr {\n  type = number\n}\n")),
        Code::InvalidFunction => {
            let spec = "function \"twice\" {\n  params = [\"n\"]\n  result = n + n\n}\nobject {\n}\n";
            return Some(Example::Spec(spec));
        }
        Code::ListRequired => {
            let spec = "function \"twice\" {\n  params = n\n  result = n + n\n}\nobject {\n}\n";
            return Some(Example::Spec(spec));
        }
        Code::MissingBlock => {
            let spec = "block {\n  block_type = \"server\"\n  block {\n    block_type = \"log\"\n    required   = true\n    object {\n    }\n  }\n}\n";
            return Some(Example::Decoded(spec, "server {\n}\n"));
        }
        Code::TooFewBlocks => {
            let spec = "block_list {\n  block_type = \"rule\"\n  min_items  = 2\n  object {\n  }\n}\n";
            return Some(Example::Decoded(spec, "rule {\n}\n"));
        }
        _ => return None,
    };
    Some(Example::Decoded(SERVICE, service))
}

fn in_json(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::JsonByteOrderMark => "\u{feff}{}",
        Code::JsonComment => "{\n  // the port\n  \"port\": 80\n}\n",
        Code::JsonWrongCharacter => "{\"port\": &80}\n",
        Code::JsonWrongQuotes => "{\"name\": 'web'}\n",
        Code::JsonUnclosedString => "{\"name\": \"web\n}\n",
        Code::JsonControlCharacter => "{\"name\": \"a\tb\"}\n",
        Code::JsonInvalidEscape => "{\"path\": \"C:\\Windows\"}\n",
        Code::JsonLoneSurrogate => "{\"sign\": \"\\ud83d\"}\n",
        Code::JsonInvalidNumber => "{\"port\": 080}\n",
        Code::JsonInvalidKeyword => "{\"on\": True}\n",
        Code::JsonInvalidName => "{port: 80}\n",
        Code::JsonMissingColon => "{\"port\" 80}\n",
        Code::JsonMissingValue => "{\"port\": }\n",
        Code::JsonMissingComma => "{\"ports\": [80 81]}\n",
        Code::JsonExtraComma => "{\"ports\": [80, 81,]}\n",
        Code::JsonMismatchedBracket => "{\"ports\": [80, 81}}\n",
        Code::JsonUnclosedBracket => "{\"ports\": [80, 81]\n",
        Code::JsonExtraText => "{\"port\": 80} {}\n",
        Code::JsonRoot => "80\n",
        _ => return None,
    })
}

fn evaluated(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::UnknownVariable => "\"server-${nam}\"",
        Code::MissingElement => "tomap(server).prot",
        Code::UnsupportedAttribute => "server.prot",
        Code::NullAttribute => "nothing.port",
        Code::NullIndex => "nothing[0]",
        Code::InvalidIndex => "ports[2]",
        Code::UnknownFunction => "uper(name)",
        Code::InvalidExpandedValue => "max(name...)",
        Code::MissingArgument => "replace(name, \"w\")",
        Code::TooManyArguments => "upper(name, \"w\")",
        Code::InvalidArgument => "upper(ports)",
        Code::FunctionFailed => "jsondecode(\"{\")",
        Code::FilesNotGranted => "file(\"motd.txt\")",
        Code::EnvironmentNotGranted => "env(\"HOME\")",
        Code::NotGranted => "uuid()",
        Code::InconsistentResults => "name == \"web\" ? ports : server",
        Code::NullCondition => "nothing ? 80 : 443",
        Code::InvalidCondition => "name ? 80 : 443",
        Code::InvalidOperand => "name + 1",
        Code::OperationFailed => "0 / 0",
        Code::InvalidInterpolation => "\"ports: ${ports}\"",
        Code::NullIteration => "[for x in nothing : x]",
        Code::NotIterable => "[for x in name : x]",
        Code::InvalidForCondition => "[for port in ports : port if name]",
        Code::InvalidKey => "{ (ports) = 1 }",
        Code::DuplicateKey => "{ for port in ports : name => port }",
        Code::AmbiguousKey => "{ server.port = 1 }",
        Code::NullSplat => "tolist(null)[*]",
        Code::MixedSplat => "tolist([1, null])[*][*]",
        Code::InvalidType => "convert(\"80\", nmber)",
        _ => return None,
    })
}

fn read(code: Code) -> Option<Example> {
    let config = match code {
        Code::WrongCharacter => "region = 'eu-west-1'\n",
        Code::UnsupportedOperator => "enabled = a & b\n",
        Code::UnclosedComment => "a = 1\n/* to do\n",
        Code::NewlineInString => "text = \"one\ntwo\"\n",
        Code::UnescapedQuote => "text = \"the \"best\" one\"\n",
        Code::InvalidEscape => "path = \"C:\\Windows\"\n",
        Code::InvalidHeredoc => "text = << EOT\nhello\nEOT\n",
        Code::UnclosedTemplate => "text = <<EOT\nhello\n",
        Code::ExpectedItem => "a = 1\n= 2\n",
        Code::UnexpectedClose => "a = 1\n}\n",
        Code::QuotedName => "\"region\" = \"eu-west-1\"\n",
        Code::DuplicateAttribute => "port = 80\nport = 81\n",
        Code::MissingNewline => "service { port = 80 } service { port = 81 }\n",
        Code::UnexpectedComma => "a = 1,\nb = 2\n",
        Code::InvalidBlock => "service web\n{\n}\n",
        Code::InvalidLabel => "service \"web-${env}\" {\n}\n",
        Code::UnclosedBlock => "service \"web\" {\n  port = 80\n",
        Code::SingleLineBlock => "service { port = 80, host = \"a\" }\n",
        Code::MissingExpression => "a =",
        Code::InvalidExpression => "a = *\n",
        Code::InvalidNumber => "version = 1.2.3\n",
        Code::MissingAttributeName => "a = server.\n",
        Code::NestedSplat => "a = servers.*.disks.*.size\n",
        Code::LegacyIndex => "a = servers.0.1\n",
        Code::UnclosedBracket => "ports = [80, 81\n",
        Code::UnbalancedParens => "a = (1 + 2]\n",
        Code::MissingCloseBracket => "a = list[0 1]\n",
        Code::MissingSeparator => "ports = [80 81]\n",
        Code::MissingItemValue => "tags = {\n  name\n}\n",
        Code::MissingKeySeparator => "tags = { name \"web\" }\n",
        Code::MissingFalseResult => "a = b ? 1\n",
        Code::MissingFunctionName => "a = ns::()\n",
        Code::MissingCallParen => "a = ns::name\n",
        Code::InvalidExpansion => "a = max(list..., 1)\n",
        Code::InvalidFor => "a = [for x of list : x]\n",
        Code::UnclosedInterpolation => "name = \"web-${env\"\n",
        Code::ExtraInInterpolation => "name = \"web-${env name}\"\n",
        Code::InvalidDirective => "text = \"%{ unless x }\"\n",
        Code::UnbalancedDirective => "text = \"%{ if x }yes\"\n",
        Code::ExtraCharacters => return Some(Example::Read("1 + 2 3", StartSymbol::Expression)),
        Code::InvalidTraversal => return Some(Example::Read("servers[count]", StartSymbol::Traversal)),
        _ => return None,
    };
    Some(Example::Read(config, StartSymbol::Config))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_unique() {
        let names: HashSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn every_code_has_an_example_that_shows_it() {
        let mut wrong = Vec::new();
        // Comments are read by the command, and not by the libraries. Only Rust types have deprecated arguments.
        let others = [Code::UnusedAllowance, Code::Deprecated];
        for code in Code::ALL.iter().copied().filter(|code| !others.contains(code)) {
            let Some(example) = of(code) else {
                wrong.push((code, Vec::new()));
                continue;
            };
            let found: Vec<Option<Code>> =
                example.mistakes(code).iter().map(hclkit::Diagnostic::code).collect();
            if found != [Some(code)] {
                wrong.push((code, found));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
