//! The inputs: files of a list, and generated text of any size, which is the same in every run.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// The texts of the listed files, with one path on each line of the list.
///
/// # Errors
/// The list or one of its files cannot be read, or a file is not UTF-8.
pub fn read_list(list: &Path) -> io::Result<Vec<String>> {
    fs::read_to_string(list)?.lines().map(fs::read_to_string).collect()
}

/// Text of at least `size` bytes that looks like a large configuration: blocks with attributes, nested blocks, lists,
/// objects, templates, heredocs, `for` expressions, operations, conditionals, calls, comments.
pub fn generate(size: usize) -> String {
    let mut made = Made { text: String::with_capacity(size + 4_096), dice: 0x2545_f491_4f6c_dd1d, number: 0 };
    while made.text.len() < size {
        made.number += 1;
        match made.below(10) {
            0..=2 => made.instance(),
            3 => made.policy(),
            4 | 5 => made.rules(),
            6 => made.locals(),
            7 => made.variable(),
            8 => made.script(),
            _ => made.output(),
        }
        made.text.push('\n');
    }
    made.text
}

/// `count` blocks of the language of `inputs/services.hcldec`, about 270 bytes each, numbered from `from`.
pub fn services(from: u32, count: u32) -> String {
    let mut made = Made { text: String::new(), dice: 0x2545_f491_4f6c_dd1d ^ u64::from(from), number: from };
    for _ in 0..count {
        made.service();
        made.number += 1;
    }
    made.text
}

const NAMES: [&str; 12] = [
    "web",
    "worker",
    "database",
    "cache",
    "queue",
    "gateway",
    "scheduler",
    "metrics",
    "storage",
    "frontend",
    "billing",
    "search",
];
const ZONES: [&str; 4] = ["eu-central-1a", "eu-central-1b", "eu-west-1a", "us-east-1c"];
const SIZES: [&str; 4] = ["t4g.small", "m7g.large", "c7g.2xlarge", "r6i.xlarge"];

struct Made {
    text: String,
    dice: u64,
    number: u32,
}

impl Made {
    /// A number that looks random (xorshift).
    fn below(&mut self, limit: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice >> 11) as usize % limit
    }

    fn any(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(text);
    }

    fn instance(&mut self) {
        let (n, name, size) = (self.number, self.any(&NAMES), self.any(&SIZES));
        let (zone, disk) = (self.any(&ZONES), 10 + self.below(90));
        self.put(format_args!(
            r#"# Machines of the {name} service, number {n} of the list.
resource "aws_instance" "{name}_{n}" {{
  count                  = var.environment == "production" ? {} : 1
  ami                    = data.aws_ami.debian.id
  instance_type          = "{size}"
  availability_zone      = "{zone}"
  subnet_id              = element(aws_subnet.private[*].id, count.index)
  vpc_security_group_ids = [aws_security_group.{name}.id, var.shared_security_group]
  monitoring             = {}

  root_block_device {{
    volume_size = {disk}
    volume_type = "gp3"
    encrypted   = true
  }}

  tags = merge(local.tags, {{
    Name    = "${{var.project}}-{name}-${{count.index + 1}}"
    Service = "{name}"
    Order   = {n}
  }})

  lifecycle {{
    create_before_destroy = true
    ignore_changes        = [ami, user_data]
  }}
}}
"#,
            self.number % 7 + 1,
            n.is_multiple_of(2),
        ));
    }

    fn service(&mut self) {
        let (n, name, zone) = (self.number, self.any(&NAMES), self.any(&ZONES));
        let (port, memory) = (self.below(65_535), 64 << self.below(6));
        self.put(format_args!(
            r#"service "{name}-{n}" {{
  port    = {port}
  weight  = {}.{}
  tags    = ["{name}", "{zone}", "tier-{}"]
  enabled = {}

  limits {{
    cpu    = {}
    memory = "{memory} MiB"
  }}

  check {{
    path  = "/healthz"
    every = 10
  }}
  check {{
    path = "/ready/{name}"
  }}
}}

"#,
            port / 1000,
            port % 100,
            n % 4,
            n.is_multiple_of(3),
            n % 8 + 1,
        ));
    }

    fn policy(&mut self) {
        let (n, name) = (self.number, self.any(&NAMES));
        self.put(format_args!(
            r#"data "aws_iam_policy_document" "{name}_{n}" {{
  statement {{
    sid       = "Read{n}"
    effect    = "Allow"
    actions   = ["s3:GetObject", "s3:ListBucket", "s3:GetObjectVersion"]
    resources = [aws_s3_bucket.{name}.arn, "${{aws_s3_bucket.{name}.arn}}/*"]

    condition {{
      test     = "StringEquals"
      variable = "aws:SourceVpce"
      values   = [for endpoint in aws_vpc_endpoint.all : endpoint.id if endpoint.state == "available"]
    }}
  }}
}}
"#
        ));
    }

    fn rules(&mut self) {
        let (n, name, count) = (self.number, self.any(&NAMES), 2 + self.below(8));
        self.put(format_args!(
            "resource \"aws_security_group\" \"{name}_{n}\" {{\n  name        = \"{name}-{n}\"\n  description = \"Access to {name}\"\n  vpc_id      = module.network.vpc_id\n"
        ));
        for _ in 0..count {
            let (port, net) = (self.below(65_535), self.below(255));
            self.put(format_args!(
                "\n  ingress {{\n    from_port   = {port}\n    to_port     = {port}\n    protocol    = \"tcp\"\n    cidr_blocks = [\"10.{net}.0.0/16\", var.office_network] // the office too\n  }}\n"
            ));
        }
        self.text.push_str("}\n");
    }

    fn locals(&mut self) {
        let (n, count) = (self.number, 3 + self.below(20));
        self.put(format_args!("locals {{\n  ports_{n} = {{\n"));
        for index in 0..count {
            let (name, port) = (self.any(&NAMES), self.below(65_535));
            self.put(format_args!("    {name}_{index} = {port}\n"));
        }
        self.put(format_args!("  }}\n\n  weights_{n} = ["));
        for _ in 0..count {
            let weight = self.below(10_000);
            self.put(format_args!("{weight}, {}.{}, ", weight / 100, weight % 100));
        }
        self.put(format_args!(
            "]\n\n  by_port_{n} = {{ for name, port in local.ports_{n} : port => upper(name)... if port > 1024 && port < 32 * 1024 }}\n  total_{n}   = (sum(local.weights_{n}) + {n}) / max(length(local.weights_{n}), 1) - 0.5\n}}\n"
        ));
    }

    fn variable(&mut self) {
        let (n, name) = (self.number, self.any(&NAMES));
        self.put(format_args!(
            r#"variable "{name}_settings_{n}" {{
  description = "How {name} is set up: the number of replicas, what it \"announces\", and its limits"

  type = object({{
    replicas = number
    labels   = map(string)
    limits   = optional(list(object({{ name = string, value = number }})), [])
  }})

  default = {{
    replicas = {}
    labels   = {{ "app.kubernetes.io/name" = "{name}", tier = "backend" }}
  }}

  validation {{
    condition     = var.{name}_settings_{n}.replicas > 0 || !var.enabled
    error_message = "There must be at least one replica."
  }}
}}
"#,
            n % 9 + 1
        ));
    }

    fn script(&mut self) {
        let (n, name, count) = (self.number, self.any(&NAMES), 2 + self.below(12));
        self.put(format_args!(
            "resource \"null_resource\" \"setup_{name}_{n}\" {{\n  triggers = {{ version = var.versions[\"{name}\"] }}\n\n  provisioner \"remote-exec\" {{\n    script = <<-EOT\n      #!/bin/sh\n      set -eu\n"
        ));
        for _ in 0..count {
            let (file, size) = (self.any(&NAMES), self.below(4_096));
            self.put(format_args!(
                "      install -m 0644 /srv/{file}/config.yaml \"$HOME/{file}-{size}.yaml\"\n      echo \"limit: ${{min({size}, var.limit)}} for $${{USER}}\" >> /etc/{file}.conf\n"
            ));
        }
        self.text.push_str(
            "      %{ if var.debug ~}\n      journalctl --follow\n      %{ endif ~}\n    EOT\n  }\n}\n",
        );
    }

    fn output(&mut self) {
        let (n, name) = (self.number, self.any(&NAMES));
        self.put(format_args!(
            "/* Read by the next layer. */\noutput \"{name}_addresses_{n}\" {{\n  value     = aws_instance.{name}.*.private_ip\n  sensitive = false\n}}\n"
        ));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_made_is_valid_and_always_the_same() {
        let text = super::generate(300_000);
        assert!(text.len() < 305_000);
        let document = hclkit_syntax::parse(text.clone());
        assert!(document.diagnostics().is_empty(), "{:#?}", document.diagnostics().first());
        assert_eq!(text, super::generate(300_000));
    }
}
