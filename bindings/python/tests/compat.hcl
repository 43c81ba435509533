a = foo
---
a = string
---
a = any
---
a = "x${~ foo ~}y"
---
a = "${ foo }"
---
a = "%{~ if x ~}a%{ endif ~}"
---
a = "%{ for k,v in x }${k}%{ endfor }"
---
a = "${"q"}"
---
a = "a\u00e9\\n"
---
a = "$${x}"
---
a = (1)
---
a = ("x")
---
a = (var.a)
---
a = ([1,2])
---
a = (true)
---
a = 2.0 * x
---
a = -2.5
---
a = - 2
---
a = -1.5e3
---
a = 0.1e-3
---
a = 100000000000000000000000.5
---
a = f()
---
a = f([1,2.0], {a=1,"b"=true})
---
a = f("x", null)
---
a = {a.b = 1, 1 = 2, 1.5 = 3, true = 1, "x-y" = 2}
---
a = {x: 1, y : 2}
---
a = x.0.y
---
a = x.*.0
---
a = x[*][0].y
---
a = x["a b"]
---
a = [for k,v in x: v if k]
---
a = {for k,v in x: k=>{a=v}...if k}
---
a = !x
---
a = -x + 1
---
a = a ? [1] : {a=1}
---
a = "x" == "y"
---
a = "x${a ? "b" : "c"}"
---
a = x /* c1 */
---
a = x + 1 # c2
---
a = x # c3
---
a = [ # c4
 1, # c5
 /* c6 */ 2 ]
---
a = f(x, # c7
 y)
---
a = ["${x}", x, "a-${x}"]
---
a = {b = {c = x}, d = "${x}"}
---
a = <<EOT
x
 y

EOT
---
a = [<<EOT
x
EOTOT
]
---
a = f(<<EOT
x
EOTOT
)
---
a = a.b.c
---
a = a[b.c]
---
a = null
---
a = 1 + 2 * 3
---
a = (1 + 2) * 3
---
a = a ? b : c ? d : e
---
a = 007
---
a = {}
---
a = []
---
a = [[1,"x"],[]]
---
a = {a = 1, a = 2}
---
a = "${x}${y}"
---
a = "é"
---
a = ""
---
a = provider::f::g(1)
---
a = 1e5
---
a = x[1e5]
---
a = each.value["x"]["y"].z
---
a = aws_x.y["k"].*.id
---
a = "%%{x}"
---
a = [for s in x : {a = s, b = "c"}]
---
a = merge({a = "b"}, {c = d})
---
a = true
---
a = !true
---
a = [true, null]
---
a = {(x) = 1, ("y") = 2, "${z}" = 3}
---
a = "a ? \"b\" : c"
---
a = [x, y ? "a" : "b", f("c")]
---
a = { b = y ? "a" : "b", c = "t" }
---
a = "${a}" == "b" ? "c" : "d"
---
a = f(true, false)
---
a = f(g("x"), [y])
---
a = x ? true : null
---
a = [for k in x : true]
---
a = x.y[0]
---
a = (x ? y : z)
---
a = [(x)]
---
a = f((x))
---
a = f(["x"], [y])
---
a = f(x...)
---
a = <<-EOT
    a
      b
    EOT
---
a = <<-EOT
    a

      b ${x}
  EOT
---
a = <<EOT
EOT
---
a = <<EOT
  "q" \n ${x}

  EOT
---
a {}
---
a "b" {}
---
a b {}
---
a "b" "c" {
  x = 1
}
a "b" "d" {
}
---
# c

// d
/* e
 f */
a = 1 # g
/* h */
b {
  # i
  c = 1 # j
  # k
}
# l
---
resource "a" "b" {
  x = 1
}
data "a" "b" {}
module "m" {

}
provider "p" {}
variable "v" {}
locals {
  a = 1
}
terraform {}
output "o" {}
---
a = x + 1
# c
b = 2
---
a = x + 1 # c
# d
b = 2
---
a = { # c
  # d
  b = 1 # e
  c = 2
}
---
a = (
  x
)
---
a = [
]
---
a = [
  1,
  2,
]
---
a = {
  b = 1,
  c = 2,
}
---
a = f(
  1,
  2,
)
---
a = x == null ? [] : [1]
---
a = "\"x\""
---
a = "\\"
---
a = "tab\tnew\nline"
---
a = "x\"${y}\""
---
a = { "b c" = 1, "d" : x }
---
a = { b = 1 }["b"]
---
a = [for x in y : x...]
---
a = "${x == "a" ? 1 : 2}"
---
a = -x
---
a = !(a && b)
---
a = a || b && c
---
a = x % 2 >= 1
---
a = a.b[*].c[0]
---
a = a.*.b.c
---
a = f().x
---
a = f()[0]
---
a = "a" 
---
"a" = 1
---
a = ["a", "b"]
---
a = { (var.a) = "b" }
---
a = f("a, b", "c")
---
a = "${f("x")}"
---
a = "${f("x")}-${g("y")}"
---
a = 1.50
---
a = 0.1
---
a = 12345678901234567890
---
a = true ? 1 : 2
---
terraform {
  backend "s3" {
    x = "y"
  }
}
---
dynamic "x" {
  for_each = var.l
  content {
    a = x.value
  }
}
---
a = [{ b = 1 }, { b = "c" }]
---
a = { b = [1, "x", y] }
---
a = { b = null, c = true }
---
a = jsonencode({
  Version = "2012"
  S = [{ E = "Allow", R = "*" }]
})
---
a = templatefile("x", { a = b, c = "d", e = [1] })
---
a = try(x.y, null)
---
a = x ? "a" : y
---
a = "a${x}" == "b"
---
a = format("%s-%d", x, 1)
---
a = [x, "y"]
---
a = "%{ if x }a%{ else }b%{ endif }"
---
a = {
  b = {
    # c
    d = 1
  }
}
