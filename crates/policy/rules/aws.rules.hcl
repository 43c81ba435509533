# Rules for resources of AWS.

rule "aws-s3-public-acl" {
  match     = "resource.aws_s3_bucket*.*"
  condition = self.acl == null || !startswith(self.acl, "public-")
  message   = "The bucket can be read by everyone: its ACL is ${self.acl}."
  summary   = "Public S3 bucket"
  at        = "acl"
  docs      = "An ACL that begins with public- lets everyone read, and possibly write, the objects of a bucket. Use private, and a policy for those who need access."

  fix {
    title = "Make the bucket private"
    set   = { acl = "private" }
  }
}

test "aws-s3-public-acl: failing" {
  rules  = ["aws-s3-public-acl"]
  expect = ["aws-s3-public-acl"]
  source = <<-EOT
    resource "aws_s3_bucket_acl" "a" {
      bucket = "b"
      acl    = "public-read"
    }
  EOT
  fixed  = <<-EOT
    resource "aws_s3_bucket_acl" "a" {
      bucket = "b"
      acl    = "private"
    }
  EOT
}

test "aws-s3-public-acl: passing" {
  rules  = ["aws-s3-public-acl"]
  source = <<-EOT
    resource "aws_s3_bucket_acl" "a" {
      bucket = "b"
      acl    = "private"
    }
  EOT
}

rule "aws-s3-public-access-block" {
  match     = "resource.aws_s3_bucket_public_access_block.*"
  condition = alltrue([for own in [self.block_public_acls, self.block_public_policy, self.ignore_public_acls, self.restrict_public_buckets] : own == null ? false : own])
  message   = "Not all kinds of public access are blocked."
  summary   = "Public access to S3 is not blocked"
  docs      = "All four settings of a public access block default to false. Only together they keep a bucket private, whatever its ACL and policy say."

  fix {
    title = "Block all public access"
    set   = { block_public_acls = true, block_public_policy = true, ignore_public_acls = true, restrict_public_buckets = true }
  }
}

test "aws-s3-public-access-block: failing" {
  rules  = ["aws-s3-public-access-block"]
  expect = ["aws-s3-public-access-block"]
  source = <<-EOT
    resource "aws_s3_bucket_public_access_block" "a" {
      bucket            = "b"
      block_public_acls = true
    }
  EOT
}

test "aws-s3-public-access-block: passing" {
  rules  = ["aws-s3-public-access-block"]
  source = <<-EOT
    resource "aws_s3_bucket_public_access_block" "a" {
      bucket                  = "b"
      block_public_acls       = true
      block_public_policy     = true
      ignore_public_acls      = true
      restrict_public_buckets = true
    }
  EOT
}

rule "aws-sg-open-ingress" {
  match     = ["resource.aws_security_group.*", "resource.aws_default_security_group.*"]
  condition = alltrue([for own in self.ingress[*] : !contains(own.cidr_blocks == null ? [] : own.cidr_blocks, "0.0.0.0/0") || contains([80, 443], own.from_port)])
  message   = "A port other than 80 and 443 is open to the internet."
  summary   = "Security group open to the internet"
  docs      = "An ingress rule for 0.0.0.0/0 lets every address connect. Name the networks that need it."
}

test "aws-sg-open-ingress: failing" {
  rules  = ["aws-sg-open-ingress"]
  expect = ["aws-sg-open-ingress"]
  source = <<-EOT
    resource "aws_security_group" "a" {
      ingress {
        from_port   = 22
        to_port     = 22
        protocol    = "tcp"
        cidr_blocks = ["0.0.0.0/0"]
      }
    }
  EOT
}

test "aws-sg-open-ingress: passing" {
  rules  = ["aws-sg-open-ingress"]
  source = <<-EOT
    resource "aws_security_group" "a" {
      ingress {
        from_port   = 22
        to_port     = 22
        protocol    = "tcp"
        cidr_blocks = ["10.0.0.0/8"]
      }
      ingress {
        from_port   = 443
        to_port     = 443
        protocol    = "tcp"
        cidr_blocks = ["0.0.0.0/0"]
      }
    }
  EOT
}

rule "aws-sg-rule-open" {
  match     = "resource.aws_security_group_rule.*"
  where     = !contains(["icmp", "icmpv6", "1", "58"], self.protocol)
  condition = self.type != "ingress" || !contains(self.cidr_blocks == null ? [] : self.cidr_blocks, "0.0.0.0/0") || contains([80, 443], self.from_port)
  message   = "A port other than 80 and 443 is open to the internet."
  summary   = "Security group rule open to the internet"
  at        = "cidr_blocks"
  docs      = "An ingress rule for 0.0.0.0/0 lets every address connect. Name the networks that need it."
}

test "aws-sg-rule-open: ICMP has no ports" {
  rules  = ["aws-sg-rule-open"]
  source = <<-EOT
    resource "aws_security_group_rule" "a" {
      type              = "ingress"
      protocol          = "icmp"
      from_port         = 8
      to_port           = 0
      cidr_blocks       = ["0.0.0.0/0"]
      security_group_id = "sg-1"
    }
  EOT
}

test "aws-sg-rule-open: failing" {
  rules  = ["aws-sg-rule-open"]
  expect = ["aws-sg-rule-open"]
  source = <<-EOT
    resource "aws_security_group_rule" "a" {
      type        = "ingress"
      from_port   = 3389
      to_port     = 3389
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  EOT
}

test "aws-sg-rule-open: passing" {
  rules  = ["aws-sg-rule-open"]
  source = <<-EOT
    resource "aws_security_group_rule" "a" {
      type        = "egress"
      from_port   = 0
      to_port     = 0
      protocol    = "-1"
      cidr_blocks = ["0.0.0.0/0"]
    }
  EOT
}

rule "aws-sg-ingress-rule-open" {
  match     = "resource.aws_vpc_security_group_ingress_rule.*"
  condition = self.cidr_ipv4 != "0.0.0.0/0" || self.from_port == null ? self.cidr_ipv4 != "0.0.0.0/0" : contains([80, 443], self.from_port)
  message   = "A port other than 80 and 443 is open to the internet."
  summary   = "Ingress rule open to the internet"
  at        = "cidr_ipv4"
  docs      = "An ingress rule for 0.0.0.0/0 lets every address connect. Name the networks that need it."
}

test "aws-sg-ingress-rule-open: failing" {
  rules  = ["aws-sg-ingress-rule-open"]
  expect = ["aws-sg-ingress-rule-open"]
  source = <<-EOT
    resource "aws_vpc_security_group_ingress_rule" "a" {
      from_port   = 22
      to_port     = 22
      ip_protocol = "tcp"
      cidr_ipv4   = "0.0.0.0/0"
    }
  EOT
}

test "aws-sg-ingress-rule-open: passing" {
  rules  = ["aws-sg-ingress-rule-open"]
  source = <<-EOT
    resource "aws_vpc_security_group_ingress_rule" "a" {
      from_port   = 443
      to_port     = 443
      ip_protocol = "tcp"
      cidr_ipv4   = "0.0.0.0/0"
    }
  EOT
}

rule "aws-ebs-encrypted" {
  match     = "resource.aws_ebs_volume.*"
  condition = self.encrypted == true
  message   = "The volume is not encrypted."
  summary   = "Volume that is not encrypted"
  at        = "encrypted"
  docs      = "A volume is encrypted only if encrypted is true, or if the account encrypts all volumes by default."

  fix {
    title = "Set encrypted to true"
    set   = { encrypted = true }
  }
}

test "aws-ebs-encrypted: failing" {
  rules  = ["aws-ebs-encrypted"]
  expect = ["aws-ebs-encrypted"]
  source = <<-EOT
    resource "aws_ebs_volume" "a" {
      encrypted = false
    }
  EOT
  fixed  = <<-EOT
    resource "aws_ebs_volume" "a" {
      encrypted = true
    }
  EOT
}

test "aws-ebs-encrypted: passing" {
  rules  = ["aws-ebs-encrypted"]
  source = <<-EOT
    resource "aws_ebs_volume" "a" {
      encrypted = true
    }
  EOT
}

rule "aws-rds-encrypted" {
  match     = "resource.aws_db_instance.*"
  condition = self.storage_encrypted == true
  message   = "The storage of the database is not encrypted."
  summary   = "Database that is not encrypted"
  at        = "storage_encrypted"
  docs      = "The storage of a database is encrypted only if storage_encrypted is true, and it cannot be changed later."

  fix {
    title = "Set storage_encrypted to true"
    set   = { storage_encrypted = true }
  }
}

test "aws-rds-encrypted: failing" {
  rules  = ["aws-rds-encrypted"]
  expect = ["aws-rds-encrypted"]
  source = <<-EOT
    resource "aws_db_instance" "a" {
      storage_encrypted = false
    }
  EOT
  fixed  = <<-EOT
    resource "aws_db_instance" "a" {
      storage_encrypted = true
    }
  EOT
}

test "aws-rds-encrypted: passing" {
  rules  = ["aws-rds-encrypted"]
  source = <<-EOT
    resource "aws_db_instance" "a" {
      storage_encrypted = true
    }
  EOT
}

rule "aws-rds-public" {
  match     = "resource.aws_db_instance.*"
  condition = self.publicly_accessible == null || self.publicly_accessible == false
  message   = "The database has a public address."
  summary   = "Public database"
  at        = "publicly_accessible"
  docs      = "A database with publicly_accessible has an address that the internet can reach. Use a private network."

  fix {
    title = "Set publicly_accessible to false"
    set   = { publicly_accessible = false }
  }
}

test "aws-rds-public: failing" {
  rules  = ["aws-rds-public"]
  expect = ["aws-rds-public"]
  source = <<-EOT
    resource "aws_db_instance" "a" {
      publicly_accessible = true
    }
  EOT
  fixed  = <<-EOT
    resource "aws_db_instance" "a" {
      publicly_accessible = false
    }
  EOT
}

test "aws-rds-public: passing" {
  rules  = ["aws-rds-public"]
  source = <<-EOT
    resource "aws_db_instance" "a" {
      publicly_accessible = false
    }
  EOT
}

rule "aws-rds-deletion-protection" {
  match     = "resource.aws_db_instance.*"
  condition = self.deletion_protection == true
  message   = "The database can be deleted by an apply."
  summary   = "Database without deletion protection"
  severity  = "warning"
  at        = "deletion_protection"
  docs      = "With deletion_protection, a database is deleted only after that is turned off."

  fix {
    title = "Set deletion_protection to true"
    set   = { deletion_protection = true }
  }
}

test "aws-rds-deletion-protection: failing" {
  rules  = ["aws-rds-deletion-protection"]
  expect = ["aws-rds-deletion-protection"]
  source = <<-EOT
    resource "aws_db_instance" "a" {
      deletion_protection = false
    }
  EOT
  fixed  = <<-EOT
    resource "aws_db_instance" "a" {
      deletion_protection = true
    }
  EOT
}

test "aws-rds-deletion-protection: passing" {
  rules  = ["aws-rds-deletion-protection"]
  source = <<-EOT
    resource "aws_db_instance" "a" {
      deletion_protection = true
    }
  EOT
}

rule "aws-kms-rotation" {
  match     = "resource.aws_kms_key.*"
  where     = coalesce(self.customer_master_key_spec, "SYMMETRIC_DEFAULT") == "SYMMETRIC_DEFAULT" && coalesce(self.key_usage, "ENCRYPT_DECRYPT") == "ENCRYPT_DECRYPT" && self.custom_key_store_id == null
  condition = self.enable_key_rotation == true
  message   = "The key is not rotated."
  summary   = "Key that is not rotated"
  at        = "enable_key_rotation"
  docs      = "With enable_key_rotation, AWS makes new key material every year. It cannot for asymmetric keys, keys of HMAC and keys in a store of your own."

  fix {
    title = "Set enable_key_rotation to true"
    set   = { enable_key_rotation = true }
  }
}

test "aws-kms-rotation: keys that cannot be rotated" {
  rules  = ["aws-kms-rotation"]
  source = <<-EOT
    resource "aws_kms_key" "signing" {
      key_usage                = "SIGN_VERIFY"
      customer_master_key_spec = "RSA_4096"
    }

    resource "aws_kms_key" "hmac" {
      key_usage                = "GENERATE_VERIFY_MAC"
      customer_master_key_spec = "HMAC_256"
    }
  EOT
}

test "aws-kms-rotation: failing" {
  rules  = ["aws-kms-rotation"]
  expect = ["aws-kms-rotation"]
  source = <<-EOT
    resource "aws_kms_key" "a" {
      enable_key_rotation = false
    }
  EOT
  fixed  = <<-EOT
    resource "aws_kms_key" "a" {
      enable_key_rotation = true
    }
  EOT
}

test "aws-kms-rotation: passing" {
  rules  = ["aws-kms-rotation"]
  source = <<-EOT
    resource "aws_kms_key" "a" {
      enable_key_rotation = true
    }
  EOT
}

rule "aws-efs-encrypted" {
  match     = "resource.aws_efs_file_system.*"
  condition = self.encrypted == true
  message   = "The file system is not encrypted."
  summary   = "File system that is not encrypted"
  at        = "encrypted"
  docs      = "A file system is encrypted only if encrypted is true, and it cannot be changed later."

  fix {
    title = "Set encrypted to true"
    set   = { encrypted = true }
  }
}

test "aws-efs-encrypted: failing" {
  rules  = ["aws-efs-encrypted"]
  expect = ["aws-efs-encrypted"]
  source = <<-EOT
    resource "aws_efs_file_system" "a" {
      encrypted = false
    }
  EOT
  fixed  = <<-EOT
    resource "aws_efs_file_system" "a" {
      encrypted = true
    }
  EOT
}

test "aws-efs-encrypted: passing" {
  rules  = ["aws-efs-encrypted"]
  source = <<-EOT
    resource "aws_efs_file_system" "a" {
      encrypted = true
    }
  EOT
}

rule "aws-ecr-immutable-tags" {
  match     = "resource.aws_ecr_repository.*"
  condition = self.image_tag_mutability == "IMMUTABLE"
  message   = "The tags of images can be overwritten."
  summary   = "Mutable image tags"
  severity  = "warning"
  at        = "image_tag_mutability"
  docs      = "With immutable tags, a tag always names the same image."

  fix {
    title = "Set image_tag_mutability to IMMUTABLE"
    set   = { image_tag_mutability = "IMMUTABLE" }
  }
}

test "aws-ecr-immutable-tags: failing" {
  rules  = ["aws-ecr-immutable-tags"]
  expect = ["aws-ecr-immutable-tags"]
  source = <<-EOT
    resource "aws_ecr_repository" "a" {
      image_tag_mutability = "MUTABLE"
    }
  EOT
  fixed  = <<-EOT
    resource "aws_ecr_repository" "a" {
      image_tag_mutability = "IMMUTABLE"
    }
  EOT
}

test "aws-ecr-immutable-tags: passing" {
  rules  = ["aws-ecr-immutable-tags"]
  source = <<-EOT
    resource "aws_ecr_repository" "a" {
      image_tag_mutability = "IMMUTABLE"
    }
  EOT
}

rule "aws-cloudtrail-multi-region" {
  match     = "resource.aws_cloudtrail.*"
  condition = self.is_multi_region_trail == true
  message   = "The trail records only one region."
  summary   = "Trail of one region"
  at        = "is_multi_region_trail"
  docs      = "A trail of one region misses what happens in others."

  fix {
    title = "Set is_multi_region_trail to true"
    set   = { is_multi_region_trail = true }
  }
}

test "aws-cloudtrail-multi-region: failing" {
  rules  = ["aws-cloudtrail-multi-region"]
  expect = ["aws-cloudtrail-multi-region"]
  source = <<-EOT
    resource "aws_cloudtrail" "a" {
      is_multi_region_trail = false
    }
  EOT
  fixed  = <<-EOT
    resource "aws_cloudtrail" "a" {
      is_multi_region_trail = true
    }
  EOT
}

test "aws-cloudtrail-multi-region: passing" {
  rules  = ["aws-cloudtrail-multi-region"]
  source = <<-EOT
    resource "aws_cloudtrail" "a" {
      is_multi_region_trail = true
    }
  EOT
}

rule "aws-lb-drop-invalid-headers" {
  match     = "resource.aws_lb.*"
  where     = self.load_balancer_type == null || self.load_balancer_type == "application"
  condition = self.drop_invalid_header_fields == true
  message   = "The load balancer forwards invalid headers."
  summary   = "Invalid headers are forwarded"
  severity  = "warning"
  at        = "drop_invalid_header_fields"
  docs      = "Dropping invalid headers protects against request smuggling."

  fix {
    title = "Set drop_invalid_header_fields to true"
    set   = { drop_invalid_header_fields = true }
  }
}

test "aws-lb-drop-invalid-headers: network" {
  rules  = ["aws-lb-drop-invalid-headers"]
  source = <<-EOT
    resource "aws_lb" "a" {
      load_balancer_type = "network"
    }
  EOT
}

test "aws-lb-drop-invalid-headers: failing" {
  rules  = ["aws-lb-drop-invalid-headers"]
  expect = ["aws-lb-drop-invalid-headers"]
  source = <<-EOT
    resource "aws_lb" "a" {
      drop_invalid_header_fields = false
    }
  EOT
  fixed  = <<-EOT
    resource "aws_lb" "a" {
      drop_invalid_header_fields = true
    }
  EOT
}

test "aws-lb-drop-invalid-headers: passing" {
  rules  = ["aws-lb-drop-invalid-headers"]
  source = <<-EOT
    resource "aws_lb" "a" {
      drop_invalid_header_fields = true
    }
  EOT
}

rule "aws-imdsv2" {
  match     = ["resource.aws_instance.*", "resource.aws_launch_template.*"]
  condition = length(self.metadata_options[*]) > 0 && alltrue([for own in self.metadata_options[*] : own.http_tokens == "required"])
  message   = "The metadata service accepts requests without a token."
  summary   = "Version 1 of the metadata service"
  docs      = "With http_tokens = required, a program that can be made to send a request does not give away the credentials of the instance."
}

test "aws-imdsv2: failing" {
  rules  = ["aws-imdsv2"]
  expect = ["aws-imdsv2"]
  source = <<-EOT
    resource "aws_instance" "a" {
      ami = "ami-1"
    }
  EOT
}

test "aws-imdsv2: passing" {
  rules  = ["aws-imdsv2"]
  source = <<-EOT
    resource "aws_instance" "a" {
      ami = "ami-1"
      
      metadata_options {
        http_tokens = "required"
      }
    }
  EOT
}

rule "aws-iam-star-action" {
  match     = ["resource.aws_iam_policy.*", "resource.aws_iam_role_policy.*", "resource.aws_iam_user_policy.*"]
  condition = alltrue([for own in flatten([try(jsondecode(self.policy).Statement, [])]) : try(own.Effect, "Allow") != "Allow" || !contains(flatten([try(own.Action, [])]), "*")])
  message   = "The policy allows all actions."
  summary   = "Policy that allows everything"
  at        = "policy"
  docs      = "A statement with the action * allows everything that AWS has, also what it will have. Name the actions."
}

test "aws-iam-star-action: failing" {
  rules  = ["aws-iam-star-action"]
  expect = ["aws-iam-star-action"]
  source = <<-EOT
    resource "aws_iam_policy" "a" {
      name   = "p"
      policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] })
    }
  EOT
}

test "aws-iam-star-action: passing" {
  rules  = ["aws-iam-star-action"]
  source = <<-EOT
    resource "aws_iam_policy" "a" {
      name   = "p"
      policy = jsonencode({ Statement = [{ Effect = "Allow", Action = ["s3:GetObject"], Resource = "*" }] })
    }
  EOT
}

rule "aws-no-access-key-in-provider" {
  match     = "provider.aws"
  condition = self.access_key == null && self.secret_key == null
  message   = "The provider has credentials in its configuration."
  summary   = "Credentials in a provider"
  docs      = "Credentials in files end in version control. Use the environment, a profile or a role."
}

test "aws-no-access-key-in-provider: failing" {
  rules  = ["aws-no-access-key-in-provider"]
  expect = ["aws-no-access-key-in-provider"]
  source = <<-EOT
    provider "aws" {
      region     = "eu-west-1"
      access_key = "AKIAIOSFODNN7EXAMPLE"
    }
  EOT
}

test "aws-no-access-key-in-provider: passing" {
  rules  = ["aws-no-access-key-in-provider"]
  source = <<-EOT
    provider "aws" {
      region = "eu-west-1"
    }
  EOT
}

rule "aws-lambda-runtime" {
  match     = "resource.aws_lambda_function.*"
  condition = self.runtime == null || !contains(["nodejs12.x", "nodejs14.x", "nodejs16.x", "python3.6", "python3.7", "python3.8", "go1.x", "ruby2.7", "dotnetcore3.1", "java8"], self.runtime)
  message   = "The runtime ${self.runtime} is no longer supported."
  summary   = "Runtime without support"
  at        = "runtime"
  docs      = "Functions with these runtimes get no fixes, and can no longer be created or updated."
}

test "aws-lambda-runtime: failing" {
  rules  = ["aws-lambda-runtime"]
  expect = ["aws-lambda-runtime"]
  source = <<-EOT
    resource "aws_lambda_function" "a" {
      runtime = "python3.7"
    }
  EOT
}

test "aws-lambda-runtime: passing" {
  rules  = ["aws-lambda-runtime"]
  source = <<-EOT
    resource "aws_lambda_function" "a" {
      runtime = "python3.12"
    }
  EOT
}
