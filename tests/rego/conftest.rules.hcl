# The policies of conftest's example for HCL 2, as rules in words of our own.

rule "alb_http" {
  match     = "resource.aws_alb_listener.*"
  condition = self.protocol != "HTTP"
  message   = "The listener ${item.name} is not encrypted. Use HTTPS."
}

rule "open_ingress" {
  match     = "resource.aws_security_group_rule.*"
  where     = self.type == "ingress"
  condition = alltrue([for range in coalesce(self.cidr_blocks, []) : !strcontains(range, "0.0.0.0/0")])
  message   = "The rule ${item.name} lets every address in."
}

rule "unencrypted_disk" {
  match     = "resource.azurerm_managed_disk.*"
  where     = contains(item.set, "encryption_settings")
  condition = try(self.encryption_settings[0].enabled, self.encryption_settings.enabled, null) == true
  message   = "The disk ${item.name} is not encrypted."
}

rule "required_tags" {
  match     = "resource.*.*"
  where     = startswith(item.labels[0], "aws_")
  condition = alltrue([for tag in ["environment", "owner"] : try(self.tags[tag], false) != false])
  message   = "${item.address} lacks a tag: environment or owner."
}
