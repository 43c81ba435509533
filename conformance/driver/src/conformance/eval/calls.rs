//! Calls of the functions of the table `std`, with arguments that fit most of the time.

use super::maker::{Made, Maker};
use super::ty::Ty;

/// Functions by what they return, with their arguments, each a letter: `s`tring, `n`umber, `b`ool, `a`ny,
/// `c`ollection; a letter after `l`, `t` or `m` is a list, set or map of such; `=` is followed by literal text; `*`
/// after the last argument means that there may be more of them.
const CALLS: &[(&str, &str, &str)] = &[
    ("abs", "n", "n"),
    ("add", "n n", "n"),
    ("and", "b b", "b"),
    ("assertnotnull", "a", "a"),
    ("byteslen", "s", "n"),
    ("ceil", "n", "n"),
    ("chomp", "s", "s"),
    ("chunklist", "ls =2", "lls"),
    ("coalesce", "s s*", "s"),
    ("coalesce", "n n*", "n"),
    ("coalesce", "=null s*", "s"),
    ("coalescelist", "ls ls*", "ls"),
    ("coalescelist", "ln ln*", "ln"),
    ("compact", "ls", "ls"),
    ("concat", "ls ls*", "ls"),
    ("concat", "ln ln*", "ln"),
    ("contains", "ls s", "b"),
    ("contains", "ln n", "b"),
    ("convert", "s =string", "s"),
    ("convert", "n =number", "n"),
    ("convert", "ls =list(string)", "ls"),
    ("convert", "ln =set(number)", "tn"),
    ("convert", "ms =map(string)", "ms"),
    ("csvdecode", "=\"a,b\\n1,2\\n3,4\\n\"", "lms"),
    ("distinct", "ls", "ls"),
    ("distinct", "ln", "ln"),
    ("divide", "n =4", "n"),
    ("element", "=[1,2,3] n", "n"),
    ("equal", "a a", "b"),
    ("flatten", "lls", "ls"),
    ("floor", "n", "n"),
    ("format", "=\"%s-%s\" s n", "s"),
    ("format", "=\"%d%%\" n", "s"),
    ("format", "=\"%v %q\" a s", "s"),
    ("format", "=\"%05.2f|%x\" n =255", "s"),
    ("formatdate", "=\"YYYY-MM-DD\" =\"2020-02-03T04:05:06Z\"", "s"),
    ("formatlist", "=\"%s!\" ls", "ls"),
    ("greaterthan", "n n", "b"),
    ("hasindex", "ls n", "b"),
    ("hasindex", "ms s", "b"),
    ("indent", "=2 s", "s"),
    ("index", "=[1,2] =1", "n"),
    ("int", "n", "n"),
    ("join", "=\",\" ls", "s"),
    ("join", "s ls", "s"),
    ("jsondecode", "=\"[1,2]\"", "ln"),
    ("jsondecode", "=\"{\\\"a\\\":\\\"x\\\"}\"", "ms"),
    ("jsonencode", "a", "s"),
    ("keys", "ms", "ls"),
    ("keys", "mn", "ls"),
    ("length", "ls", "n"),
    ("length", "tn", "n"),
    ("length", "mn", "n"),
    ("length", "c", "n"),
    ("lessthan", "n n", "b"),
    ("log", "=100 =10", "n"),
    ("lookup", "ms s s", "s"),
    ("lookup", "mn s n", "n"),
    ("lower", "s", "s"),
    ("max", "n n*", "n"),
    ("merge", "ms ms*", "ms"),
    ("merge", "mn mn*", "mn"),
    ("min", "n n*", "n"),
    ("modulo", "n =3", "n"),
    ("multiply", "n n", "n"),
    ("negate", "n", "n"),
    ("not", "b", "b"),
    ("notequal", "a a", "b"),
    ("or", "b b", "b"),
    ("parseint", "=\"ff\" =16", "n"),
    ("pow", "n =2", "n"),
    ("range", "=3", "ln"),
    ("range", "=1 =6 =2", "ln"),
    ("regex", "=\"[a-z]+\" =\"abc1\"", "s"),
    ("regexall", "=\"[a-z]\" s", "ls"),
    ("regexreplace", "s =\"[aeiou]\" =\"_\"", "s"),
    ("replace", "s =\"a\" =\"b\"", "s"),
    ("replace", "s s s", "s"),
    ("reverse", "ls", "ls"),
    ("reverse", "ln", "ln"),
    ("sethaselement", "tn n", "b"),
    ("setintersection", "ts ts*", "ts"),
    ("setproduct", "ls ls", "lls"),
    ("setsubtract", "ts ts", "ts"),
    ("setsymmetricdifference", "tn tn", "tn"),
    ("setunion", "ts ts*", "ts"),
    ("signum", "n", "n"),
    ("slice", "=[1,2,3] =0 =2", "ln"),
    ("sort", "ls", "ls"),
    ("split", "=\",\" s", "ls"),
    ("split", "s s", "ls"),
    ("strlen", "s", "n"),
    ("strrev", "s", "s"),
    ("substr", "s =0 =2", "s"),
    ("subtract", "n n", "n"),
    ("timeadd", "=\"2020-02-03T04:05:06Z\" =\"1h\"", "s"),
    ("title", "s", "s"),
    ("tobool", "b", "b"),
    ("tolist", "ls", "ls"),
    ("tolist", "tn", "ln"),
    ("tomap", "ms", "ms"),
    ("tonumber", "n", "n"),
    ("toset", "ls", "ts"),
    ("tostring", "n", "s"),
    ("trim", "s =\" -\"", "s"),
    ("trimprefix", "s =\"a\"", "s"),
    ("trimspace", "s", "s"),
    ("trimsuffix", "s =\"b\"", "s"),
    ("try", "s s", "s"),
    ("upper", "s", "s"),
    ("values", "ms", "ls"),
    ("values", "mn", "ln"),
    ("zipmap", "=[\"a\",\"b\"] =[1,2]", "mn"),
];

/// The type that the letters stand for.
fn spelled(letters: &str) -> Ty {
    let element = || spelled(&letters[1..]);
    match letters.as_bytes() {
        [b's', ..] => Ty::Str,
        [b'n', ..] => Ty::Num,
        [b'b', ..] => Ty::Bool,
        [b'l', ..] => Ty::list(element()),
        [b't', ..] => Ty::set(element()),
        [b'm', ..] => Ty::map(element()),
        _ => Ty::Any,
    }
}

impl Maker<'_> {
    /// A call that returns a value of a type, if there is one.
    pub(super) fn call(&mut self, ty: &Ty) -> Option<Made> {
        let fits =
            |returned: Ty| returned == *ty || (returned == Ty::Any && ty.is_primitive()) || *ty == Ty::Any;
        let fitting: Vec<_> = CALLS.iter().filter(|(_, _, returned)| fits(spelled(returned))).collect();
        let (name, arguments, _) = self.rng.choice(fitting)?;
        let mut list: Vec<String> = Vec::new();
        for argument in split(arguments) {
            if let Some(text) = argument.strip_prefix('=') {
                list.push(text.to_owned());
                continue;
            }
            let (letters, more) =
                argument.strip_suffix('*').map_or((argument, false), |letters| (letters, true));
            let argument = match letters {
                "c" => {
                    let element = self.any_type();
                    Ty::list(element)
                }
                "a" if ty.is_primitive() => ty.clone(),
                letters => spelled(letters),
            };
            for _ in 0..if more { self.pick(&[0, 1, 1, 2]) } else { 1 } {
                list.push(self.value(&argument).text);
            }
            if more && self.one_in(3) {
                let rest = self.expanded(&argument);
                list.push(rest);
            }
        }
        let last =
            if list.last().is_some_and(|last| !last.ends_with("...")) && self.one_in(12) { "," } else { "" };
        let (open, comma) = (self.pick(&["(", "(", "(", "( ", "(\n"]), self.pick(&[", ", ", ", ","]));
        Some(Made::atom(format!("{name}{open}{}{last})", list.join(comma))))
    }

    /// The rest of the arguments as one collection.
    fn expanded(&mut self, argument: &Ty) -> String {
        let ty = match self.rng.u8(..4) {
            0 => Ty::set(argument.clone()),
            1 => Ty::Tuple(vec![argument.clone(), argument.clone()]),
            _ => Ty::list(argument.clone()),
        };
        let known = match self.rng.u8(..14) {
            0 => self.path_text(|path| path.ty == Ty::Any && !path.null),
            1 => Some("[]".to_owned()),
            2 if self.mistakes > 0 => self.path_text(|path| path.null),
            _ => None,
        };
        known.unwrap_or_else(|| self.value(&ty).text) + "..."
    }
}

/// Arguments are separated by blanks; those that are text as it is hold none outside quotes.
fn split(arguments: &str) -> Vec<&str> {
    let (mut list, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in arguments.char_indices() {
        if c == '"' && !arguments[..at].ends_with('\\') {
            quoted = !quoted;
        }
        if c == ' ' && !quoted {
            list.push(&arguments[start..at]);
            start = at + 1;
        }
    }
    list.push(&arguments[start..]);
    list
}
