run "plan" {
  command = plan

  assert {
    condition     = output.replicas == 3
    error_message = "The number of replicas must be known while planning."
  }
  assert {
    condition     = output.greeting == "Hello from PRODUCTION!"
    error_message = "The template must see the variable."
  }
}

run "apply" {
  assert {
    condition     = output.image == "registry.example.com/shop:2.4.1"
    error_message = "The image must have the release."
  }
  assert {
    condition     = output.listeners == { "8080" = "http", "9090" = "metrics" }
    error_message = "There must be two listeners."
  }
  assert {
    condition     = output.limits == { cpu = 0.5, memory = "512Mi" } && output.price == 37.5
    error_message = "Expressions must be evaluated."
  }
  assert {
    condition     = output.ports == tolist(["8080", "9090"]) && output.debug == 1
    error_message = "The query must find two ports."
  }
}

run "development" {
  command = plan

  variables {
    environment = "development"
  }

  assert {
    condition     = output.replicas == 1
    error_message = "There must be one replica in development."
  }
}
