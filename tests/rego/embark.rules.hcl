# Fifteen policies of EmbarkStudios/opa-policies, as rules in words of our own. Each has the name of the Rego rule that it stands for.
# The names of policies and what they allow are theirs. Their exceptions (`//` in a resource) are comments here.

locals {
  public        = ["allUsers", "allAuthenticatedUsers"]
  impersonation = ["roles/iam.serviceAccountTokenCreator", "roles/iam.serviceAccountUser"]
  ninety_days   = 90 * 24 * 60 * 60
}

rule "deny_non_uniform_level_access" {
  match     = "resource.google_storage_bucket.*"
  where     = self.uniform_bucket_level_access != null
  condition = try(tobool(self.uniform_bucket_level_access), false) == true
  message   = "The bucket has access lists of objects."
}

rule "deny_bucket_public_iam_member" {
  match     = "resource.google_storage_bucket_iam_member.*"
  condition = !contains(local.public, self.member)
  message   = "Everybody can read the bucket."
}

rule "deny_gke_alias_ip" {
  match     = "resource.google_container_cluster.*"
  condition = contains(item.set, "ip_allocation_policy")
  message   = "The cluster has no alias addresses."
}

rule "deny_compute_weak_ssl_policy" {
  match     = "resource.google_compute_ssl_policy.*"
  where     = self.profile != null
  condition = self.profile == "MODERN" || self.profile == "RESTRICTED"
  message   = "The profile allows weak encryption."
}

rule "deny_iap_public_member" {
  match     = "resource.google_iap_web_iam_member.*"
  condition = !contains(local.public, self.member)
  message   = "Everybody can use the application."
}

rule "deny_compute_firewall_unrestricted" {
  match     = "resource.google_compute_firewall.*"
  where     = contains(item.set, "allow") && self.source_ranges != null
  condition = !contains(self.source_ranges, "0.0.0.0/0")
  message   = "The firewall is open to every address."
}

rule "deny_impersonation_roles_org_member" {
  match     = "resource.google_organization_iam_member.*"
  condition = !contains(local.impersonation, self.role)
  message   = "The member can be any service account of the organization."
}

rule "deny_impersonation_roles_folder_member" {
  match     = "resource.google_folder_iam_member.*"
  condition = !contains(local.impersonation, self.role)
  message   = "The member can be any service account of the folder."
}

rule "deny_impersonation_roles_proj_member" {
  match     = "resource.google_project_iam_member.*"
  condition = !contains(local.impersonation, self.role)
  message   = "The member can be any service account of the project."
}

rule "deny_gke_releasechannel_disabled" {
  match     = "resource.google_container_cluster.*"
  condition = try(self.release_channel.channel, self.release_channel[0].channel, null) == "REGULAR"
  message   = "The cluster is not in the channel REGULAR."
}

rule "deny_gke_shielded_nodes" {
  match     = "resource.google_container_cluster.*"
  condition = self.enable_shielded_nodes != null && try(tobool(self.enable_shielded_nodes), true) != false
  message   = "The nodes of the cluster are not shielded."
}

rule "deny_kms_crypto_key_rotation_too_long" {
  match     = "resource.google_kms_crypto_key.*"
  condition = self.rotation_period != null && try(tonumber(trimsuffix(self.rotation_period, "s")) <= local.ninety_days, true)
  message   = "The key is not rotated every 90 days."
}

rule "deny_compute_project_metadata_ssh_keys" {
  match     = "resource.google_compute_project_metadata.*"
  condition = !contains(keys(try(self.metadata, null) == null ? {} : self.metadata), "ssh-keys")
  message   = "Keys of SSH are set for the whole project."
}

rule "deny_compute_project_metadata_item_ssh_keys" {
  match     = "resource.google_compute_project_metadata_item.*"
  condition = self.key != "ssh-keys"
  message   = "Keys of SSH are set for the whole project."
}

rule "deny_compute_network_auto_create_subnets" {
  match     = "resource.google_compute_network.*"
  condition = self.auto_create_subnetworks == false
  message   = "The network makes subnets by itself."
}

rule "deny_gke_legacy_abac" {
  match     = "resource.google_container_cluster.*"
  condition = try(tobool(self.enable_legacy_abac), false) != true
  message   = "The cluster uses the old kind of access control."
}

rule "deny_memorystore_redis_no_auth" {
  match     = "resource.google_redis_instance.*"
  condition = try(tobool(self.auth_enabled), false) == true
  message   = "Everybody in the network can use the instance."
}
