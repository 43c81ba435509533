# SYNTAX TEST "source.hcl" "names, text and numbers"

# comment
# <------- comment.line.number-sign.hcl
resource "aws_instance" "web" {
# <-------- entity.name.type.hcl
#        ^^^^^^^^^^^^^^ variable.other.enummember.hcl
#                             ^ punctuation.section.block.begin.hcl
  count = 3
# ^^^^^ variable.other.property.hcl
#       ^ keyword.operator.assignment.hcl
#         ^ constant.numeric.hcl
  name  = "a-${upper(var.name)}\n$${x}"
#         ^ string.quoted.double.hcl
#            ^^ punctuation.section.interpolation.begin.hcl
#              ^^^^^ support.function.hcl
#                    ^^^ variable.other.readwrite.hcl
#                        ^^^^ variable.other.member.hcl
#                              ^^ constant.character.escape.hcl
#                                ^^^ constant.character.escape.hcl
  tags = { for key, own in local.all : key => own if own != null }
#          ^^^ keyword.control.hcl
#                       ^^ keyword.control.hcl
#                                          ^^ keyword.operator.hcl
#                                                           ^^^^ constant.language.hcl
  text = <<-EOT
#        ^^^ keyword.operator.heredoc.hcl
    one ${two} %{ if three }four%{ endif }
#   ^^^ string.unquoted.heredoc.hcl
#         ^^^ variable.other.readwrite.hcl
#                 ^^ keyword.control.hcl
  EOT
# ^^^ keyword.control.heredoc.hcl
  last = provider::a::b(true) // end
#        ^^^^^^^^^^^^^^ support.function.hcl
#                       ^^^^ constant.language.hcl
#                             ^^ comment.line.double-slash.hcl
}
# <- punctuation.section.block.end.hcl
locals {
# <------ entity.name.type.hcl
  a = [
    1, # one
#      ^ comment.line.number-sign.hcl
    "x",
#   ^^^ string.quoted.double.hcl
  ]
  b = {
    key = 1
#   ^^^ variable.other.property.hcl
  }
}
