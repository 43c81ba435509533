packer {
  required_plugins {
    amazon = {
      version = "~> 1.3"
      source  = "github.com/hashicorp/amazon"
    }
  }
}

source "amazon-ebs" "web" {
  ami_name = "web-${formatdate("YYYYMMDD", timestamp())}"
}

source "docker" "web" {
  image  = "debian:12"
  commit = true
}

build {
  sources = ["source.amazon-ebs.web", "source.docker.api"]

  provisioner "shell" {
    inline = ["apt-get update"]
  }
}
