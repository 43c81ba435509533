# The policy of conftest's example for HCL 1 that reads source, as a rule in words of our own. Where no provider is configured, the policy
# fails, too; a rule is about something that is there.

rule "project_of_provider" {
  match     = "provider.google"
  condition = self.project == "instrumenta"
  message   = "The provider is not for the project instrumenta."
}
