# Rules for resources of Google Cloud.

rule "google-bucket-uniform" {
  match     = "resource.google_storage_bucket.*"
  condition = self.uniform_bucket_level_access == true
  message   = "Objects of the bucket can have ACLs of their own."
  summary   = "Bucket with ACLs of objects"
  at        = "uniform_bucket_level_access"
  docs      = "With uniform access, only IAM says who can read a bucket."

  fix {
    title = "Set uniform_bucket_level_access to true"
    set   = { uniform_bucket_level_access = true }
  }
}

test "google-bucket-uniform: failing" {
  rules  = ["google-bucket-uniform"]
  expect = ["google-bucket-uniform"]
  source = <<-EOT
    resource "google_storage_bucket" "a" {
      uniform_bucket_level_access = false
    }
  EOT
  fixed  = <<-EOT
    resource "google_storage_bucket" "a" {
      uniform_bucket_level_access = true
    }
  EOT
}

test "google-bucket-uniform: passing" {
  rules  = ["google-bucket-uniform"]
  source = <<-EOT
    resource "google_storage_bucket" "a" {
      uniform_bucket_level_access = true
    }
  EOT
}

rule "google-bucket-public-prevention" {
  match     = "resource.google_storage_bucket.*"
  condition = self.public_access_prevention == "enforced"
  message   = "The bucket can be made public."
  summary   = "Public bucket"
  severity  = "warning"
  at        = "public_access_prevention"
  docs      = "With enforced, no IAM policy can make the bucket public."

  fix {
    title = "Set public_access_prevention to enforced"
    set   = { public_access_prevention = "enforced" }
  }
}

test "google-bucket-public-prevention: failing" {
  rules  = ["google-bucket-public-prevention"]
  expect = ["google-bucket-public-prevention"]
  source = <<-EOT
    resource "google_storage_bucket" "a" {
      public_access_prevention = "inherited"
    }
  EOT
  fixed  = <<-EOT
    resource "google_storage_bucket" "a" {
      public_access_prevention = "enforced"
    }
  EOT
}

test "google-bucket-public-prevention: passing" {
  rules  = ["google-bucket-public-prevention"]
  source = <<-EOT
    resource "google_storage_bucket" "a" {
      public_access_prevention = "enforced"
    }
  EOT
}

rule "google-firewall-open" {
  match     = "resource.google_compute_firewall.*"
  condition = self.direction == "EGRESS" || !contains(self.source_ranges == null ? [] : self.source_ranges, "0.0.0.0/0") || alltrue([for own in self.allow[*] : try(contains(["icmp", "icmpv6", "esp", "ah", "ipip", "1", "58"], lower(own.protocol)), false) || own.ports != null && alltrue([for port in own.ports == null ? [] : own.ports : contains(["80", "443"], tostring(port))])])
  message   = "A port other than 80 and 443 is open to the internet."
  summary   = "Firewall open to the internet"
  at        = "source_ranges"
  docs      = "Name the networks that need to connect."
}

test "google-firewall-open: ping" {
  rules  = ["google-firewall-open"]
  source = <<-EOT
    resource "google_compute_firewall" "a" {
      name          = "f"
      network       = "default"
      source_ranges = ["0.0.0.0/0"]
      
      allow {
        protocol = "icmp"
      }
    }
  EOT
}

test "google-firewall-open: failing" {
  rules  = ["google-firewall-open"]
  expect = ["google-firewall-open"]
  source = <<-EOT
    resource "google_compute_firewall" "a" {
      name          = "f"
      network       = "default"
      source_ranges = ["0.0.0.0/0"]
      
      allow {
        protocol = "tcp"
        ports    = ["22"]
      }
    }
  EOT
}

test "google-firewall-open: passing" {
  rules  = ["google-firewall-open"]
  source = <<-EOT
    resource "google_compute_firewall" "a" {
      name          = "f"
      network       = "default"
      source_ranges = ["0.0.0.0/0"]
      
      allow {
        protocol = "tcp"
        ports    = ["443"]
      }
    }
  EOT
}

rule "google-sql-public-ip" {
  match     = "resource.google_sql_database_instance.*"
  condition = alltrue([for settings in self.settings[*] : alltrue([for own in settings.ip_configuration[*] : own.ipv4_enabled == false])]) && length(self.settings[*].ip_configuration[*]) > 0
  message   = "The database has a public address."
  summary   = "Public database"
  docs      = "The default of ipv4_enabled is true. Use a private network."
}

test "google-sql-public-ip: failing" {
  rules  = ["google-sql-public-ip"]
  expect = ["google-sql-public-ip"]
  source = <<-EOT
    resource "google_sql_database_instance" "a" {
      settings {
        tier = "db-f1-micro"
      
        ip_configuration {
          ipv4_enabled = true
        }
      }
    }
  EOT
}

test "google-sql-public-ip: passing" {
  rules  = ["google-sql-public-ip"]
  source = <<-EOT
    resource "google_sql_database_instance" "a" {
      settings {
        tier = "db-f1-micro"
      
        ip_configuration {
          ipv4_enabled = false
        }
      }
    }
  EOT
}

rule "google-iam-public" {
  match     = ["resource.google_*_iam_member.*", "resource.google_*_iam_binding.*"]
  condition = !anytrue([for own in flatten([self.members == null ? [] : self.members, self.member == null ? "" : self.member]) : contains(["allUsers", "allAuthenticatedUsers"], own)])
  message   = "Everyone has the role ${self.role == null ? "" : self.role}."
  summary   = "Role for everyone"
  docs      = "allUsers and allAuthenticatedUsers are everyone, with or without an account of Google."
}

test "google-iam-public: a set" {
  rules  = ["google-iam-public"]
  expect = ["google-iam-public: google_folder_iam_binding.b"]
  source = <<-EOT
    resource "google_folder_iam_binding" "a" {
      role    = "roles/viewer"
      members = toset(["user:ann@example.com"])
    }

    resource "google_folder_iam_binding" "b" {
      role    = "roles/viewer"
      members = toset(["allUsers", "user:ann@example.com"])
    }
  EOT
}

test "google-iam-public: failing" {
  rules  = ["google-iam-public"]
  expect = ["google-iam-public"]
  source = <<-EOT
    resource "google_storage_bucket_iam_member" "a" {
      bucket = "b"
      role   = "roles/storage.objectViewer"
      member = "allUsers"
    }
  EOT
}

test "google-iam-public: passing" {
  rules  = ["google-iam-public"]
  source = <<-EOT
    resource "google_storage_bucket_iam_member" "a" {
      bucket = "b"
      role   = "roles/storage.objectViewer"
      member = "user:ann@example.com"
    }
  EOT
}

rule "google-gke-legacy-abac" {
  match     = "resource.google_container_cluster.*"
  condition = self.enable_legacy_abac == null || self.enable_legacy_abac == false
  message   = "The cluster grants rights by attributes, which bypasses RBAC."
  summary   = "Legacy authorization"
  at        = "enable_legacy_abac"
  docs      = "RBAC replaces it."

  fix {
    title = "Set enable_legacy_abac to false"
    set   = { enable_legacy_abac = false }
  }
}

test "google-gke-legacy-abac: failing" {
  rules  = ["google-gke-legacy-abac"]
  expect = ["google-gke-legacy-abac"]
  source = <<-EOT
    resource "google_container_cluster" "a" {
      enable_legacy_abac = true
    }
  EOT
  fixed  = <<-EOT
    resource "google_container_cluster" "a" {
      enable_legacy_abac = false
    }
  EOT
}

test "google-gke-legacy-abac: passing" {
  rules  = ["google-gke-legacy-abac"]
  source = <<-EOT
    resource "google_container_cluster" "a" {
      enable_legacy_abac = false
    }
  EOT
}

rule "google-primitive-role" {
  match     = ["resource.google_project_iam_member.*", "resource.google_project_iam_binding.*"]
  condition = !contains(["roles/owner", "roles/editor"], self.role)
  message   = "The role ${self.role} allows nearly everything."
  summary   = "Basic role"
  severity  = "warning"
  at        = "role"
  docs      = "The basic roles allow nearly everything in a project. Use predefined roles."
}

test "google-primitive-role: failing" {
  rules  = ["google-primitive-role"]
  expect = ["google-primitive-role"]
  source = <<-EOT
    resource "google_project_iam_member" "a" {
      project = "p"
      role    = "roles/editor"
      member  = "user:ann@example.com"
    }
  EOT
}

test "google-primitive-role: passing" {
  rules  = ["google-primitive-role"]
  source = <<-EOT
    resource "google_project_iam_member" "a" {
      project = "p"
      role    = "roles/viewer"
      member  = "user:ann@example.com"
    }
  EOT
}
