rule "slow" {
  when   = event.milliseconds > 500 && event.path != "/export"
  report = "${event.path} took ${event.milliseconds / 1000} s"
}

rule "errors" {
  when   = event.status >= 500
  report = "${event.path} answered ${event.status} on ${join(", ", try(event.hosts, ["an unknown host"]))}"
}

rule "greedy" {
  when   = length([for x in range(1000) : [for y in range(1000) : x * y]]) > 0
  report = "This rule never gets here."
}
