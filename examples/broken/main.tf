# Ten independent mistakes. Each must be reported once, at its location.

locals {
  # 1. Strings require double quotes.
  region = 'eu-central-1'

  # 2. A comma is missing between two elements.
  zones = ["a" "b", "c"]

  # 3. A value is missing.
  network =

  # 4. The string is not closed.
  name = "storefront
  size = 3
}

resource "aws_vpc" "main" {
  # 5. Argument names must not be quoted.
  "cidr_block" = "10.0.0.0/16"

  tags = {
    # 6. An equals sign is missing between a key and its value.
    Ticket "OPS-1042"
    Name = local.name
  }
}

resource "aws_subnet" "main" {
  vpc_id = aws_vpc.main.id

  # 7. The argument is already set.
  vpc_id = aws_vpc.main.id

  # 8. The logical operators are `&&` and `||`.
  map_public_ip_on_launch = var.public & var.enabled
}

# 9. A block on one line can contain only one argument.
variable "size" { type = number, default = 3 }

output "address" {
  # 10. The interpolation is not closed.
  value = "http://${aws_instance.web.private_ip/"
}

# The rest is valid, and must be in the tree.
output "region" {
  value = local.region
}
