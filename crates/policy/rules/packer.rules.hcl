# Rules for templates of Packer.

rule "packer-required-plugin-version" {
  match     = "packer.required_plugins.*"
  condition = can(self.version)
  message   = "The plugin ${item.name} has no version."
  summary   = "Plugin without a version"
  docs      = "Another version can build another image."
}

test "packer-required-plugin-version: failing" {
  name   = "template.pkr.hcl"
  rules  = ["packer-required-plugin-version"]
  expect = ["packer-required-plugin-version"]
  source = <<-EOT
    packer {
      required_plugins {
        amazon = { source = "github.com/hashicorp/amazon" }
      }
    }
  EOT
}

test "packer-required-plugin-version: passing" {
  name   = "template.pkr.hcl"
  rules  = ["packer-required-plugin-version"]
  source = <<-EOT
    packer {
      required_plugins {
        amazon = { source = "github.com/hashicorp/amazon", version = "~> 1" }
      }
    }
  EOT
}

rule "packer-encrypt-boot" {
  match     = "source.amazon-ebs.*"
  condition = self.encrypt_boot == true
  message   = "The image is not encrypted."
  summary   = "Image that is not encrypted"
  severity  = "warning"
  docs      = "With encrypt_boot, snapshots of the image are encrypted."

  fix {
    title = "Encrypt the image"
    set   = { encrypt_boot = true }
  }
}

test "packer-encrypt-boot: failing" {
  name   = "template.pkr.hcl"
  rules  = ["packer-encrypt-boot"]
  expect = ["packer-encrypt-boot"]
  source = <<-EOT
    source "amazon-ebs" "a" {
      region = "eu-west-1"
    }
  EOT
}

test "packer-encrypt-boot: passing" {
  name   = "template.pkr.hcl"
  rules  = ["packer-encrypt-boot"]
  source = <<-EOT
    source "amazon-ebs" "a" {
      region       = "eu-west-1"
      encrypt_boot = true
    }
  EOT
}

rule "packer-no-ssh-password" {
  match     = "source.*.*"
  condition = self.ssh_password == null
  message   = "The password of the builder is in the template."
  summary   = "Password in a template"
  at        = "ssh_password"
  docs      = "Use a key that Packer makes, or a variable that is sensitive."
}

test "packer-no-ssh-password: failing" {
  name   = "template.pkr.hcl"
  rules  = ["packer-no-ssh-password"]
  expect = ["packer-no-ssh-password"]
  source = <<-EOT
    source "qemu" "a" {
      ssh_password = "x"
    }
  EOT
}

test "packer-no-ssh-password: passing" {
  name   = "template.pkr.hcl"
  rules  = ["packer-no-ssh-password"]
  source = <<-EOT
    source "qemu" "a" {
      ssh_username = "root"
    }
  EOT
}
