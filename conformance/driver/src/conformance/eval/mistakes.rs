//! Mistakes in expressions: undefined names and attributes, operands of another type, nulls, indexes out of range, and
//! invalid calls.

use super::maker::{Made, Maker};
use super::ty::Ty;

impl Maker<'_> {
    /// An expression that is most likely an error if a value of this type is required.
    pub(super) fn mistake(&mut self, ty: &Ty) -> Made {
        match self.rng.u8(..14) {
            0 | 1 => {
                let name = self.pick(&[
                    "missing",
                    "ss1",
                    "nn",
                    "null_x",
                    "os2",
                    "for",
                    "each.value",
                    "var.region",
                    "ee",
                ]);
                Made::atom(name)
            }
            2 | 3 => {
                let path = self.path_text(|path| !path.null);
                let step = self.pick(&[
                    ".missing",
                    ".nam",
                    ".taggs",
                    "[\"missing\"]",
                    "[100]",
                    "[-1]",
                    "[0.5]",
                    ".7",
                    "[null]",
                    "[true]",
                    "[{}]",
                ]);
                Made::atom(path.unwrap_or_else(|| "missing".to_owned()) + step)
            }
            4 => {
                let path = self.path_text(|path| path.ty.is_primitive());
                let step = self.pick(&[".a", "[0]", "[\"a\"]", ".0", "[*].a", ".a.b"]);
                Made::atom(path.unwrap_or_else(|| "\"text\"".to_owned()) + step)
            }
            5 | 6 => Made::atom(self.path_text(|path| path.null).unwrap_or_else(|| "null".to_owned())),
            7 | 8 => {
                let other = self.any_type();
                if other == *ty { Made::atom("{}") } else { self.value(&other) }
            }
            9 => Made::atom(self.pick(&["{}", "[]", "[1]", "{ a = 1 }", "\"text\"", "null", "true"])),
            10 if self.functions => {
                let inner = self.value(ty).text;
                let name = self.pick(&["uper", "nothing", "provider::x::y", "lengh", "f::g", "Upper"]);
                Made::atom(format!("{name}({inner})"))
            }
            11 if self.functions => {
                let inner = self.value(ty).text;
                let call = self.pick(&[
                    "upper()",
                    "length(1, 2)",
                    "max()",
                    "join(\",\")",
                    "abs(\"x\")",
                    "upper(null)",
                    "split(\",\", {})",
                    "max(null...)",
                    "upper(1...)",
                    "element([], 0)",
                ]);
                if self.rng.bool() {
                    Made::atom(call)
                } else {
                    Made::atom(format!("upper({inner}, {inner})"))
                }
            }
            12 => {
                let inner = self.value(ty).term();
                let operator =
                    self.pick(&[" + {}", " && 5", " < \"x\"", " - null", " / 0 * 0", " || []", " % \"a\""]);
                Made::loose(format!("{inner}{operator}"))
            }
            _ => {
                let operand = self.pick(&["{}", "\"x\"", "[]", "null", "[1, 2]"]);
                Made::loose(format!("{}{operand}", self.pick(&["-", "!"])))
            }
        }
    }
}
