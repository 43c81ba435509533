//! An example for each code: a text in which exactly that is wrong.

use hclkit::{Code, Entry};

/// The text, and what it is read as; none for codes whose example would have to be huge or unreadable.
pub(super) fn of(code: Code) -> Option<(&'static str, Entry)> {
    let config = match code {
        Code::WrongCharacter => "region = 'eu-west-1'\n",
        Code::UnsupportedOperator => "enabled = a & b\n",
        Code::UnclosedComment => "a = 1\n/* to do\n",
        Code::NewlineInString => "text = \"one\ntwo\"\n",
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
        Code::ExtraCharacters => return Some(("1 + 2 3", Entry::Expression)),
        Code::InvalidTraversal => return Some(("servers[count]", Entry::Traversal)),
        _ => return None,
    };
    Some((config, Entry::Config))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hclkit::{ParseOptions, Source};

    #[test]
    fn each_example_shows_its_code() {
        let mut wrong = Vec::new();
        for &code in Code::ALL {
            let Some((example, entry)) = of(code) else { continue };
            let document = ParseOptions::new().parse(Source::new("example", example), entry);
            let found: Vec<Code> = document.diagnostics().iter().map(|diagnostic| diagnostic.code).collect();
            if found != [code] {
                wrong.push((code, example, found));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
