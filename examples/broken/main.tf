# Ten mistakes that have nothing to do with each other; each is to be reported once, at its place.

locals {
  # 1. Strings stand in double quotes.
  region = 'eu-central-1'

  # 2. A comma is missing between two elements.
  zones = ["a" "b", "c"]

  # 3. There is no value.
  network =

  # 4. The string is not closed.
  name = "storefront
  size = 3
}

resource "aws_vpc" "main" {
  # 5. Names of arguments are written without quotes.
  "cidr_block" = "10.0.0.0/16"

  tags = {
    # 6. There is no equals sign between a key and its value.
    Ticket "OPS-1042"
    Name = local.name
  }
}

resource "aws_subnet" "main" {
  vpc_id = aws_vpc.main.id

  # 7. The same argument again.
  vpc_id = aws_vpc.main.id

  # 8. Logical operators are doubled.
  map_public_ip_on_launch = var.public & var.enabled
}

# 9. A block on one line holds one argument.
variable "size" { type = number, default = 3 }

output "address" {
  # 10. The interpolation is not closed.
  value = "http://${aws_instance.web.private_ip/"
}

# Nothing is wrong from here on, and all of it is still to be found in the tree.
output "region" {
  value = local.region
}
