resource "aws_instance" "web" {
  count     = "${var.count}" # from the old days
  subnet_id = "${element("${var.subnets}", "${count.index}")}"

  tags = {
    Name           = "${var.name}-web"
    "${var.owner}" = "${"${var.team}"}"
  }
}
