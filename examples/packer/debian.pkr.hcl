# A Debian image with the application on it, for two clouds at once.

packer {
  required_version = ">= 1.9.0"

  required_plugins {
    amazon = {
      version = "~> 1.3"
      source  = "github.com/hashicorp/amazon"
    }
    googlecompute = {
      version = "~> 1.1"
      source  = "github.com/hashicorp/googlecompute"
    }
  }
}

variable "version" {
  type        = string
  description = "Version of the application"
}

variable "regions" {
  type    = list(string)
  default = ["eu-central-1", "eu-west-1"]
}

locals {
  stamp = formatdate("YYYYMMDD-hhmm", timestamp())
  image = "app-${replace(var.version, ".", "-")}-${local.stamp}"
  steps = ["base", "application", "harden"]
}

data "amazon-ami" "debian" {
  filters = {
    name                = "debian-12-amd64-*"
    virtualization-type = "hvm"
  }
  owners      = ["136693071363"]
  most_recent = true
}

source "amazon-ebs" "app" {
  ami_name      = local.image
  ami_regions   = var.regions
  instance_type = "t3.medium"
  source_ami    = data.amazon-ami.debian.id
  ssh_username  = "admin"

  launch_block_device_mappings {
    device_name           = "/dev/xvda"
    volume_size           = 12
    delete_on_termination = true
  }
}

source "googlecompute" "app" {
  project_id              = "acme-images"
  image_name              = lower(local.image)
  source_image_family     = "debian-12"
  zone                    = "europe-west3-a"
  ssh_username            = "packer"
  disable_default_service = !contains(var.regions, "eu-west-1")
}

build {
  name    = "app"
  sources = ["source.amazon-ebs.app", "source.googlecompute.app"]

  provisioner "shell" {
    inline = [
      "cloud-init status --wait",
      "sudo apt-get update",
      "sudo apt-get install --yes --no-install-recommends ca-certificates jq",
    ]
    environment_vars = ["VERSION=${var.version}", "DEBIAN_FRONTEND=noninteractive"]
  }

  dynamic "provisioner" {
    labels   = ["shell"]
    for_each = local.steps

    content {
      script = "${path.root}/scripts/${provisioner.key}-${provisioner.value}.sh"
    }
  }

  provisioner "file" {
    destination = "/tmp/app.service"
    content     = <<-UNIT
      [Unit]
      Description=The application, version ${var.version}

      [Service]
      ExecStart=/opt/app/bin/app --home $${HOME} --log %%h/app.log
    UNIT
  }

  post-processor "manifest" {
    output     = "manifest.json"
    strip_path = true
  }
}
