# Rules for resources of Azure.

rule "azure-storage-https" {
  match     = "resource.azurerm_storage_account.*"
  condition = self.https_traffic_only_enabled == null || self.https_traffic_only_enabled == true
  message   = "The account accepts HTTP without encryption."
  summary   = "Storage account without TLS"
  at        = "https_traffic_only_enabled"
  docs      = "Without it, data and keys travel in the clear."

  fix {
    title = "Set https_traffic_only_enabled to true"
    set   = { https_traffic_only_enabled = true }
  }
}

test "azure-storage-https: failing" {
  rules  = ["azure-storage-https"]
  expect = ["azure-storage-https"]
  source = <<-EOT
    resource "azurerm_storage_account" "a" {
      https_traffic_only_enabled = false
    }
  EOT
  fixed  = <<-EOT
    resource "azurerm_storage_account" "a" {
      https_traffic_only_enabled = true
    }
  EOT
}

test "azure-storage-https: passing" {
  rules  = ["azure-storage-https"]
  source = <<-EOT
    resource "azurerm_storage_account" "a" {
      https_traffic_only_enabled = true
    }
  EOT
}

rule "azure-storage-tls" {
  match     = "resource.azurerm_storage_account.*"
  condition = self.min_tls_version == null || self.min_tls_version == "TLS1_2"
  message   = "The account accepts TLS ${self.min_tls_version}."
  summary   = "Old TLS"
  at        = "min_tls_version"
  docs      = "TLS 1.0 and 1.1 are broken; Azure turns them off."

  fix {
    title = "Set min_tls_version to TLS1_2"
    set   = { min_tls_version = "TLS1_2" }
  }
}

test "azure-storage-tls: failing" {
  rules  = ["azure-storage-tls"]
  expect = ["azure-storage-tls"]
  source = <<-EOT
    resource "azurerm_storage_account" "a" {
      min_tls_version = "TLS1_0"
    }
  EOT
  fixed  = <<-EOT
    resource "azurerm_storage_account" "a" {
      min_tls_version = "TLS1_2"
    }
  EOT
}

test "azure-storage-tls: passing" {
  rules  = ["azure-storage-tls"]
  source = <<-EOT
    resource "azurerm_storage_account" "a" {
      min_tls_version = "TLS1_2"
    }
  EOT
}

rule "azure-storage-public-blobs" {
  match     = "resource.azurerm_storage_account.*"
  condition = self.allow_nested_items_to_be_public == false
  message   = "Containers of the account can be public."
  summary   = "Public blobs"
  at        = "allow_nested_items_to_be_public"
  docs      = "The default of the provider is true: each container can be made public."

  fix {
    title = "Set allow_nested_items_to_be_public to false"
    set   = { allow_nested_items_to_be_public = false }
  }
}

test "azure-storage-public-blobs: failing" {
  rules  = ["azure-storage-public-blobs"]
  expect = ["azure-storage-public-blobs"]
  source = <<-EOT
    resource "azurerm_storage_account" "a" {
      allow_nested_items_to_be_public = true
    }
  EOT
  fixed  = <<-EOT
    resource "azurerm_storage_account" "a" {
      allow_nested_items_to_be_public = false
    }
  EOT
}

test "azure-storage-public-blobs: passing" {
  rules  = ["azure-storage-public-blobs"]
  source = <<-EOT
    resource "azurerm_storage_account" "a" {
      allow_nested_items_to_be_public = false
    }
  EOT
}

rule "azure-key-vault-purge" {
  match     = "resource.azurerm_key_vault.*"
  condition = self.purge_protection_enabled == true
  message   = "The vault can be purged at once."
  summary   = "Vault without purge protection"
  at        = "purge_protection_enabled"
  docs      = "With purge protection, deleted secrets and keys can be restored."

  fix {
    title = "Set purge_protection_enabled to true"
    set   = { purge_protection_enabled = true }
  }
}

test "azure-key-vault-purge: failing" {
  rules  = ["azure-key-vault-purge"]
  expect = ["azure-key-vault-purge"]
  source = <<-EOT
    resource "azurerm_key_vault" "a" {
      purge_protection_enabled = false
    }
  EOT
  fixed  = <<-EOT
    resource "azurerm_key_vault" "a" {
      purge_protection_enabled = true
    }
  EOT
}

test "azure-key-vault-purge: passing" {
  rules  = ["azure-key-vault-purge"]
  source = <<-EOT
    resource "azurerm_key_vault" "a" {
      purge_protection_enabled = true
    }
  EOT
}

rule "azure-sql-public" {
  match     = "resource.azurerm_mssql_server.*"
  condition = self.public_network_access_enabled == false
  message   = "The server accepts connections from public networks."
  summary   = "Public database server"
  at        = "public_network_access_enabled"
  docs      = "The default is true. Use a private endpoint."

  fix {
    title = "Set public_network_access_enabled to false"
    set   = { public_network_access_enabled = false }
  }
}

test "azure-sql-public: failing" {
  rules  = ["azure-sql-public"]
  expect = ["azure-sql-public"]
  source = <<-EOT
    resource "azurerm_mssql_server" "a" {
      public_network_access_enabled = true
    }
  EOT
  fixed  = <<-EOT
    resource "azurerm_mssql_server" "a" {
      public_network_access_enabled = false
    }
  EOT
}

test "azure-sql-public: passing" {
  rules  = ["azure-sql-public"]
  source = <<-EOT
    resource "azurerm_mssql_server" "a" {
      public_network_access_enabled = false
    }
  EOT
}

rule "azure-vm-password" {
  match     = "resource.azurerm_linux_virtual_machine.*"
  condition = self.disable_password_authentication == null || self.disable_password_authentication == true
  message   = "The machine accepts passwords."
  summary   = "Login with a password"
  at        = "disable_password_authentication"
  docs      = "Keys cannot be guessed."

  fix {
    title = "Set disable_password_authentication to true"
    set   = { disable_password_authentication = true }
  }
}

test "azure-vm-password: failing" {
  rules  = ["azure-vm-password"]
  expect = ["azure-vm-password"]
  source = <<-EOT
    resource "azurerm_linux_virtual_machine" "a" {
      disable_password_authentication = false
    }
  EOT
  fixed  = <<-EOT
    resource "azurerm_linux_virtual_machine" "a" {
      disable_password_authentication = true
    }
  EOT
}

test "azure-vm-password: passing" {
  rules  = ["azure-vm-password"]
  source = <<-EOT
    resource "azurerm_linux_virtual_machine" "a" {
      disable_password_authentication = true
    }
  EOT
}

rule "azure-app-https" {
  match     = "resource.azurerm_linux_web_app.*"
  condition = self.https_only == true
  message   = "The app answers HTTP without redirecting to HTTPS."
  summary   = "App without HTTPS"
  at        = "https_only"
  docs      = "With https_only, HTTP requests are redirected."

  fix {
    title = "Set https_only to true"
    set   = { https_only = true }
  }
}

test "azure-app-https: failing" {
  rules  = ["azure-app-https"]
  expect = ["azure-app-https"]
  source = <<-EOT
    resource "azurerm_linux_web_app" "a" {
      https_only = false
    }
  EOT
  fixed  = <<-EOT
    resource "azurerm_linux_web_app" "a" {
      https_only = true
    }
  EOT
}

test "azure-app-https: passing" {
  rules  = ["azure-app-https"]
  source = <<-EOT
    resource "azurerm_linux_web_app" "a" {
      https_only = true
    }
  EOT
}

rule "azure-nsg-open" {
  match     = "resource.azurerm_network_security_rule.*"
  condition = self.direction != "Inbound" || self.access != "Allow" || !contains(["*", "0.0.0.0/0", "Internet"], self.source_address_prefix == null ? "" : self.source_address_prefix) || contains(["80", "443"], tostring(self.destination_port_range == null ? "" : self.destination_port_range))
  message   = "A port other than 80 and 443 is open to the internet."
  summary   = "Network rule open to the internet"
  at        = "source_address_prefix"
  docs      = "Name the networks that need to connect."
}

test "azure-nsg-open: failing" {
  rules  = ["azure-nsg-open"]
  expect = ["azure-nsg-open"]
  source = <<-EOT
    resource "azurerm_network_security_rule" "a" {
      direction              = "Inbound"
      access                 = "Allow"
      source_address_prefix  = "*"
      destination_port_range = "22"
    }
  EOT
}

test "azure-nsg-open: passing" {
  rules  = ["azure-nsg-open"]
  source = <<-EOT
    resource "azurerm_network_security_rule" "a" {
      direction              = "Inbound"
      access                 = "Allow"
      source_address_prefix  = "10.0.0.0/8"
      destination_port_range = "22"
    }
  EOT
}
