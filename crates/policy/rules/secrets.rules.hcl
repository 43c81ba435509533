# Secrets in files: what anyone who can read the repository can use. Messages do not have them.

locals {
  # The forms of keys and tokens that their services document.
  tokens = join("|", [
    "(AKIA|ASIA)[A-Z0-9]{16}",
    "gh[pousr]_[A-Za-z0-9]{36}",
    "github_pat_[A-Za-z0-9_]{22}",
    "glpat-[A-Za-z0-9_-]{20}",
    "xox[abprs]-[A-Za-z0-9-]{10}",
    "AIza[A-Za-z0-9_-]{35}",
    "[rs]k_live_[A-Za-z0-9]{24}",
    "npm_[A-Za-z0-9]{36}",
    "hv[sb]\\.[A-Za-z0-9_-]{24}",
  ])
}

# Whether a text is a secret, and not empty, the place of one, or a text to be replaced.
function "is_secret" {
  params = [text]
  result = can(regex("^[^<{$/][^\\s]{3,}$", text)) && !can(regex("^(?i:(arn|projects|https?|vault|ssm|secrets?|env)[:/]|x{4,}|\\*+$|[a-z0-9_-]*_(password|secret|token|key)$|[^/]*/.*(password|secret|token|key)$|changeme|default$|example|dummy|fake$|placeholder|redacted|todo|test$|none$|null$|true$|false$)", text))
}

rule "secrets-token" {
  match     = "..*"
  where     = item.constant && can(regex("^", self))
  condition = !can(regex("(^|[^A-Za-z0-9])(${local.tokens})", self))
  message   = "The value contains a key or a token of a service."
  summary   = "Key or token in a file"
  docs      = "Whoever can read the file can use it, also in older commits. Revoke it, and read the new one from a store of secrets or a sensitive variable."
}

test "secrets-token: failing" {
  rules  = ["secrets-token"]
  expect = ["secrets-token", "secrets-token"]
  source = <<-EOT
    provider "aws" {
      access_key = "AKIAIOSFODNN7EXAMPLE"
    }

    provider "github" {
      headers = ["Authorization: $${"ghp"}_0123456789abcdefghijklmnopqrstuvwxyz"]
    }
  EOT
}

test "secrets-token: passing" {
  rules  = ["secrets-token"]
  source = <<-EOT
    variable "token" {
      sensitive = true
    }

    provider "github" {
      token = var.token
    }

    locals {
      role = "arn:aws:iam::123456789012:role/AKIA"
      text = "ghp_ is how tokens begin"
    }
  EOT
}

rule "secrets-private-key" {
  match     = "..*"
  where     = item.constant && can(regex("^", self))
  condition = !can(regex("-----BEGIN ([A-Z]+ )*PRIVATE KEY( BLOCK)?-----", self))
  message   = "The value contains a private key."
  summary   = "Private key in a file"
  docs      = "Whoever can read the file can use the key, also in older commits. Replace it, and read the new one from a store of secrets or a sensitive variable."
}

test "secrets-private-key: failing" {
  rules  = ["secrets-private-key"]
  expect = ["secrets-private-key"]
  source = <<-EOT
    resource "aws_key" "a" {
      body = "-----BEGIN RSA $${"PRIVATE"} KEY-----\n..."
    }
  EOT
}

test "secrets-private-key: passing" {
  rules  = ["secrets-private-key"]
  source = <<-EOT
    resource "aws_key" "a" {
      body   = file("key.pem")
      public = "-----BEGIN PUBLIC KEY-----\n..."
    }
  EOT
}

rule "secrets-url" {
  match     = "..*"
  where     = item.constant && can(regex("^", self))
  condition = !can(regex("(?i)\\b[a-z][a-z0-9+.-]*://[^/?#:@\\s]*:[^/?#@\\s<{$*]{3,}@[^\\s]", self))
  message   = "The value contains a URL with a password."
  summary   = "Password in a URL"
  docs      = "Whoever can read the file can use the password, also in older commits. Change it, and build the URL from a sensitive variable."
}

test "secrets-url: failing" {
  rules  = ["secrets-url"]
  expect = ["secrets-url"]
  source = <<-EOT
    locals {
      url = "postgres://app:$${"hunter"}2@db.example.com/app"
    }
  EOT
}

test "secrets-url: passing" {
  rules  = ["secrets-url"]
  source = <<-EOT
    variable "password" {
      sensitive = true
    }

    locals {
      url    = "postgres://app:$${var.password}@db.example.com/app"
      source = "git::ssh://git@example.com:22/a@b.git"
      port   = "https://example.com:443/a@b"
    }
  EOT
}

rule "secrets-argument" {
  match     = ["..*password", "..*passwd", "..secret_key", "..aws_secret_key", "..client_secret", "..api_key", "..*_api_key", "..auth_token", "..private_token"]
  where     = item.constant && can(regex("^", self))
  condition = !is_secret(self)
  message   = "The value of ${item.path} is written in the file."
  summary   = "Password in a file"
  docs      = "Whoever can read the file can use it, also in older commits. Change it, and read the new one from a store of secrets or a sensitive variable without a default."
}

test "secrets-argument: failing" {
  rules  = ["secrets-argument"]
  expect = ["secrets-argument", "secrets-argument"]
  source = <<-EOT
    resource "aws_db_instance" "main" {
      password = "correct-horse"
    }

    provider "x" {
      auth {
        client_secret = "battery"
      }
    }
  EOT
}

test "secrets-argument: passing" {
  rules  = ["secrets-argument"]
  source = <<-EOT
    resource "aws_db_instance" "main" {
      password                    = var.password
      manage_master_user_password = true
    }

    locals {
      admin_password = random_password.admin.result
      api_key        = "arn:aws:ssm:eu-central-1:123456789012:parameter/key"
      user_password  = "<the password>"
    }
  EOT
}

rule "secrets-default" {
  match     = "variable.*"
  where     = can(regex("(?i)(^|_)(password|passwd|secret_key|client_secret|api_key|access_token|auth_token|private_key|private_token)$", item.name)) && can(regex("^", self.default))
  condition = !is_secret(self.default)
  message   = "The default of var.${item.name} is written in the file."
  at        = "default"
  summary   = "Secret as a default"
  docs      = "Whoever can read the file can use it, and a caller that forgets the variable gets it. Remove the default, and set sensitive."
}

test "secrets-default: failing" {
  rules  = ["secrets-default"]
  expect = ["secrets-default"]
  source = <<-EOT
    variable "db_password" {
      default   = "correct-horse"
      sensitive = true
    }
  EOT
}

test "secrets-default: passing" {
  rules  = ["secrets-default"]
  source = <<-EOT
    variable "db_password" {
      default = ""
    }

    variable "password_length" {
      default = "twenty"
    }

    variable "admin_password" {
      default = "admin/db_password"
    }

    variable "api_key" {
      type      = string
      sensitive = true
    }
  EOT
}
