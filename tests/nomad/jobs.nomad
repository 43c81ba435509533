Jobs, their variables, and names that the client defines. The answers are those of Nomad's package `jobspec2`, recorded by `cargo
xtask conformance --nomad --bless`.

=== variables and locals
--- job.nomad.hcl
variable "image" {
  type    = string
  default = "redis:7"
}

variable "count" {
  default = 2
}

variables {
  region = "eu"
}

locals {
  tag   = "v${var.count}"
  label = "${local.tag}-${var.region}"
}

job "cache" {
  datacenters = ["dc1"]

  meta {
    tag   = local.tag
    label = local.label
  }

  group "web" {
    count = var.count

    meta {
      n = var.count + 1
    }

    task "redis" {
      driver = "docker"

      config {
        image = var.image
        ports = ["db", local.tag]
      }

      env {
        COUNT = var.count
        BIG   = 12345678901234567890
        FLAG  = true
      }
    }
  }
}
--- nomad
{
  "groups": [
    {
      "count": 2,
      "meta": {
        "n": "3"
      },
      "name": "web",
      "tasks": [
        {
          "config": {
            "image": "redis:7",
            "ports": [
              "db",
              "v2"
            ]
          },
          "driver": "docker",
          "env": {
            "BIG": "12345678901234567890",
            "COUNT": "2",
            "FLAG": "true"
          },
          "name": "redis"
        }
      ]
    }
  ],
  "meta": {
    "label": "v2-eu",
    "tag": "v2"
  },
  "name": "cache"
}

=== values of options
--- job.nomad.hcl
variable "a" {
  type = string
}

variable "n" {
  type    = number
  default = 1
}

variable "l" {
  type    = list(string)
  default = []
}

variable "untyped" {
  default = "x"
}

job "j" {
  meta {
    a = var.a
    n = var.n + 1
    l = join("-", var.l)
    u = var.untyped
  }
}
--- options
var a=hello
var n=5
var l=["x", "y"]
var untyped=7
--- nomad
{
  "meta": {
    "a": "hello",
    "l": "x-y",
    "n": "6",
    "u": "7"
  },
  "name": "j"
}

=== values of the environment
--- job.nomad.hcl
variable "a" {
  type = string
}

variable "n" {
  type    = number
  default = 1
}

variable "l" {
  type    = list(string)
  default = []
}

variable "untyped" {
  default = "x"
}

job "j" {
  meta {
    a = var.a
    n = var.n + 1
    l = join("-", var.l)
    u = var.untyped
  }
}
--- options
env NOMAD_VAR_a=from-env
env NOMAD_VAR_n=3
--- nomad
{
  "meta": {
    "a": "from-env",
    "l": "",
    "n": "4",
    "u": "x"
  },
  "name": "j"
}

=== options win over the environment
--- job.nomad.hcl
variable "a" {
  type = string
}

variable "n" {
  type    = number
  default = 1
}

variable "l" {
  type    = list(string)
  default = []
}

variable "untyped" {
  default = "x"
}

job "j" {
  meta {
    a = var.a
    n = var.n + 1
    l = join("-", var.l)
    u = var.untyped
  }
}
--- options
env NOMAD_VAR_a=env
var a=option
--- nomad
{
  "meta": {
    "a": "option",
    "l": "",
    "n": "2",
    "u": "x"
  },
  "name": "j"
}

=== a missing value
--- job.nomad.hcl
variable "a" {
  type = string
}

variable "n" {
  type    = number
  default = 1
}

variable "l" {
  type    = list(string)
  default = []
}

variable "untyped" {
  default = "x"
}

job "j" {
  meta {
    a = var.a
    n = var.n + 1
    l = join("-", var.l)
    u = var.untyped
  }
}
--- nomad
{
  "error": "<nil>: Unset variable \"a\"; A used variable must be set or have a default value; see https://developer.hashicorp.com/nomad/docs/job-specification/hcl2/variables for details."
}

=== a value of another type
--- job.nomad.hcl
variable "a" {
  type = string
}

variable "n" {
  type    = number
  default = 1
}

variable "l" {
  type    = list(string)
  default = []
}

variable "untyped" {
  default = "x"
}

job "j" {
  meta {
    a = var.a
    n = var.n + 1
    l = join("-", var.l)
    u = var.untyped
  }
}
--- options
var a=x
var n=many
--- nomad
{
  "error": ":0,0-0: Invalid argument value for -var variable; The received arg value for n is not compatible with the variable's type constraint: a number is required."
}

=== an unknown option
--- job.nomad.hcl
variable "a" {
  type = string
}

variable "n" {
  type    = number
  default = 1
}

variable "l" {
  type    = list(string)
  default = []
}

variable "untyped" {
  default = "x"
}

job "j" {
  meta {
    a = var.a
    n = var.n + 1
    l = join("-", var.l)
    u = var.untyped
  }
}
--- options
var a=x
var nosuch=1
--- nomad
{
  "error": "<nil>: Undefined -var variable; A \"nosuch\" variable was passed in the command line but was not found in known variables. To declare variable \"nosuch\", place this block in your job file"
}

=== an unknown environment variable
--- job.nomad.hcl
variable "a" {
  type = string
}

variable "n" {
  type    = number
  default = 1
}

variable "l" {
  type    = list(string)
  default = []
}

variable "untyped" {
  default = "x"
}

job "j" {
  meta {
    a = var.a
    n = var.n + 1
    l = join("-", var.l)
    u = var.untyped
  }
}
--- options
var a=x
env NOMAD_VAR_nosuch=1
--- nomad
{
  "meta": {
    "a": "x",
    "l": "",
    "n": "2",
    "u": "x"
  },
  "name": "j"
}

=== names of the client
--- job.nomad.hcl
locals {
  prefix = "p"
}

job "j" {
  meta {
    a = "${attr.kernel.name}"
    b = attr.kernel.name
    c = "${local.prefix}-${NOMAD_ALLOC_ID}-${meta.rack}"
    d = "${ node.class }"
    e = "${upper(node.class)}"
    f = env["HOME"]
    g = "${env["HOME"]}"
    h = "${  attr.unique.hostname}"
    i = "$${attr.x}"
    j = join(",", [node.datacenter, "x"])
    k = "${node.unique.id == "a" ? 1 : 2}"
    l = attr.cpu.numcores
    m = "${attr.a[0].b}"
  }

  group "g" {
    task "t" {
      driver = "exec"

      config {
        command = "/bin/${attr.os.name}"
        args    = ["${NOMAD_PORT_http}", "--x=${NOMAD_TASK_DIR}/a"]
      }

      env {
        ADDR = "${NOMAD_ADDR_http}"
      }
    }
  }
}
--- nomad
{
  "groups": [
    {
      "name": "g",
      "tasks": [
        {
          "config": {
            "args": [
              "${NOMAD_PORT_http}",
              "--x=${NOMAD_TASK_DIR}/a"
            ],
            "command": "/bin/${attr.os.name}"
          },
          "driver": "exec",
          "env": {
            "ADDR": "${NOMAD_ADDR_http}"
          },
          "name": "t"
        }
      ]
    }
  ],
  "meta": {
    "a": "${attr.kernel.name}",
    "b": "${attr.kernel.name}",
    "c": "p-${NOMAD_ALLOC_ID}-${meta.rack}",
    "d": "${ node.class }",
    "e": "${NODE.CLASS}",
    "f": "${env[\"HOME\"]}",
    "g": "${env[\"HOME\"]}",
    "h": "${  attr.unique.hostname}",
    "i": "${attr.x}",
    "j": "${node.datacenter},x",
    "k": "2",
    "l": "${attr.cpu.numcores}",
    "m": "${attr.a[0].b}"
  },
  "name": "j"
}

=== dynamic blocks
--- job.nomad.hcl
variable "names" {
  type    = list(string)
  default = ["a", "b"]
}

job "j" {
  group "g" {
    dynamic "task" {
      for_each = var.names
      labels   = [task.value]

      content {
        driver = "exec"

        env {
          NAME = "${task.key}:${task.value}"
        }
      }
    }
  }
}
--- nomad
{
  "groups": [
    {
      "name": "g",
      "tasks": [
        {
          "driver": "exec",
          "env": {
            "NAME": "0:a"
          },
          "name": "a"
        },
        {
          "driver": "exec",
          "env": {
            "NAME": "1:b"
          },
          "name": "b"
        }
      ]
    }
  ],
  "name": "j"
}

=== services
--- job.nomad.hcl
job "j" {
  group "g" {
    task "t" {
      driver = "exec"

      dynamic "service" {
        for_each = toset(["a"])
        content {
          name = service.value
        }
      }
    }
  }
}
--- nomad
{
  "error": "job.nomad.hcl:7,20-25: Call to unknown function; There is no function named \"toset\"."
}

=== several services
--- job.nomad.hcl
job "j" {
  group "g" {
    task "t" {
      driver = "exec"

      dynamic "service" {
        for_each = ["a", "b"]
        iterator = it

        content {
          name = "${it.value}-svc"
        }
      }
    }
  }
}
--- nomad
{
  "groups": [
    {
      "name": "g",
      "tasks": [
        {
          "driver": "exec",
          "name": "t",
          "services": [
            "a-svc",
            "b-svc"
          ]
        }
      ]
    }
  ],
  "name": "j"
}

=== heredocs and templates
--- job.nomad.hcl
locals {
  hosts = ["a", "b"]
}

job "j" {
  meta {
    text = <<EOF
x {{ env "A" }}
%{ for h in local.hosts ~}
${h}
%{ endfor ~}
EOF
    flush = <<-EOT
      one
        two
    EOT
    picked = { for i, h in local.hosts : h => i }["b"]
    splat  = join(",", local.hosts[*])
  }
}
--- nomad
{
  "meta": {
    "flush": "one\n  two\n",
    "picked": "1",
    "splat": "a,b",
    "text": "x {{ env \"A\" }}\na\nb\n"
  },
  "name": "j"
}

=== unknown local
--- job.nomad.hcl
job "j" {
  meta {
    a = local.nosuch
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,14-21: Unsupported attribute; This object does not have an attribute named \"nosuch\"."
}

=== unknown variable
--- job.nomad.hcl
job "j" {
  meta {
    a = var.nosuch
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,12-19: Unsupported attribute; This object does not have an attribute named \"nosuch\"."
}

=== locals that refer to each other
--- job.nomad.hcl
locals {
  a = local.b
  b = local.a
}

job "j" {
  meta {
    a = local.a
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,12-14: Unsupported attribute; This object does not have an attribute named \"a\"."
}

=== a local of the client
--- job.nomad.hcl
locals {
  a = "${attr.x}-1"
}

job "j" {
  meta {
    a = upper(local.a)
  }
}
--- nomad
{
  "meta": {
    "a": "${ATTR.X}-1"
  },
  "name": "j"
}

=== validation holds
--- job.nomad.hcl
variable "n" {
  type    = number
  default = 3

  validation {
    condition     = var.n > 2
    error_message = "It must be more than 2."
  }
}

job "j" {
  meta {
    n = var.n
  }
}
--- nomad
{
  "meta": {
    "n": "3"
  },
  "name": "j"
}

=== validation fails
--- job.nomad.hcl
variable "n" {
  type    = number
  default = 3

  validation {
    condition     = var.n > 2
    error_message = "It must be more than 2."
  }
}

job "j" {
  meta {
    n = var.n
  }
}
--- options
var n=1
--- nomad
{
  "error": ":0,0-0: Invalid value for cmd variable; It must be more than 2."
}

=== a default that does not fit
--- job.nomad.hcl
variable "n" {
  type    = number
  default = "many"
}

job "j" {}
--- nomad
{
  "error": "job.nomad.hcl:3,13-19: Invalid default value for variable; This default value is not compatible with the variable's type constraint: a number is required."
}

=== a default with a reference
--- job.nomad.hcl
variable "a" {
  default = "x"
}

variable "b" {
  default = var.a
}

job "j" {}
--- nomad
{
  "error": "job.nomad.hcl:6,13-16: Variables not allowed; Variables may not be used here."
}

=== a default with a function
--- job.nomad.hcl
variable "a" {
  default = upper("x")
}

job "j" {}
--- nomad
{
  "error": "job.nomad.hcl:2,13-23: Function calls not allowed; Functions may not be called here."
}

=== an optional attribute in a type
--- job.nomad.hcl
variable "a" {
  type    = object({ x = optional(string) })
  default = {}
}

job "j" {}
--- nomad
{
  "error": "job.nomad.hcl:2,26-34: Invalid type specification; Optional attribute modifier is only for type constraints, not for exact types."
}

=== the type any
--- job.nomad.hcl
variable "a" {
  type    = any
  default = "x"
}

job "j" {
  meta {
    a = var.a
  }
}
--- nomad
{
  "error": "job.nomad.hcl:2,13-16: Invalid type specification; The keyword \"any\" cannot be used in this type specification: an exact type is required."
}

=== the same variable twice
--- job.nomad.hcl
variable "a" {
  default = 1
}

variable "a" {
  default = 2
}

job "j" {}
--- nomad
{
  "error": "<nil>: Duplicate variable; Duplicate a variable definition found."
}

=== a division by zero
--- job.nomad.hcl
job "j" {
  meta {
    a = 1 / 0
  }
}
--- nomad
{
  "meta": {
    "a": "+Inf"
  },
  "name": "j"
}

=== an unknown block
--- job.nomad.hcl
nosuch {}

job "j" {}
--- nomad
{
  "error": "job.nomad.hcl:1,1-7: Unsupported block type; Blocks of type \"nosuch\" are not expected here."
}

=== no job
--- job.nomad.hcl
locals {
  a = 1
}
--- nomad
{
  "error": "<nil>: Missing job block; A job block is required"
}

=== blocks in config
--- job.nomad.hcl
variable "v" {
  default = "data"
}

job "j" {
  group "g" {
    task "t" {
      driver = "docker"

      config {
        image = "x"

        mount {
          type   = "bind"
          source = var.v
        }

        labels {
          a = "1"
        }
      }
    }
  }
}
--- nomad
{
  "groups": [
    {
      "name": "g",
      "tasks": [
        {
          "config": {
            "image": "x",
            "labels": [
              {
                "a": "1"
              }
            ],
            "mount": [
              {
                "source": "data",
                "type": "bind"
              }
            ]
          },
          "driver": "docker",
          "name": "t"
        }
      ]
    }
  ],
  "name": "j"
}

=== env and meta as attributes
--- job.nomad.hcl
variable "v" {
  default = { A = "x" }
}

job "j" {
  meta = { k = "v" }

  group "g" {
    task "t" {
      driver = "exec"
      env    = var.v
    }
  }
}
--- nomad
{
  "groups": [
    {
      "name": "g",
      "tasks": [
        {
          "driver": "exec",
          "env": {
            "A": "x"
          },
          "name": "t"
        }
      ]
    }
  ],
  "meta": {
    "k": "v"
  },
  "name": "j"
}

=== a name with blanks and slashes
--- job.nomad.hcl
job "hello world/1.2" {
  group "g 1/2" {
    task "t.1 x" {
      driver = "d"
    }
  }
}
--- nomad
{
  "groups": [
    {
      "name": "g 1/2",
      "tasks": [
        {
          "driver": "d",
          "name": "t.1 x"
        }
      ]
    }
  ],
  "name": "hello world/1.2"
}

=== a name that begins with a digit
--- job.nomad.hcl
job "1password:x" {
  group "g" {
    task "t" {
      driver = "d"
    }
  }
}
--- nomad
{
  "groups": [
    {
      "name": "g",
      "tasks": [
        {
          "driver": "d",
          "name": "t"
        }
      ]
    }
  ],
  "name": "1password:x"
}

=== dynamic blocks in config are not expanded
--- job.nomad.hcl
job "j" {
  group "g" {
    dynamic "task" {
      for_each = ["a"]
      labels = [task.value]
      content {
        driver = "docker"
        config {
          image = task.value
          dynamic "x" {
            for_each = ["z"]
            content { 
             y = task.value 
            }
          }
          mount {
            dynamic "k" {
              for_each = nope.x
              content {
                z = k.value
              }
            }
          }
        }
      }
    }
  }
}
--- nomad
{
  "groups": [
    {
      "name": "g",
      "tasks": [
        {
          "config": {
            "dynamic": [
              {
                "x": [
                  {
                    "content": [
                      {
                        "y": "a"
                      }
                    ],
                    "for_each": [
                      "z"
                    ]
                  }
                ]
              }
            ],
            "image": "a",
            "mount": [
              {
                "dynamic": [
                  {
                    "k": [
                      {
                        "content": [
                          {
                            "z": "${k.value}"
                          }
                        ],
                        "for_each": "${nope.x}"
                      }
                    ]
                  }
                ]
              }
            ]
          },
          "driver": "docker",
          "name": "a"
        }
      ]
    }
  ],
  "name": "j"
}

=== dynamic blocks in config of a task
--- job.nomad.hcl
job "hello world/1.2" {
  group "g 1/2" {
    count = 2
    task "t.1 x" {
      driver = "docker"
      config {
        image = "a"
        dynamic "mount" {
          for_each = ["a", "b"]
          content {
            type = mount.value
          }
        }
      }
    }
  }
}
--- nomad
{
  "groups": [
    {
      "count": 2,
      "name": "g 1/2",
      "tasks": [
        {
          "config": {
            "dynamic": [
              {
                "mount": [
                  {
                    "content": [
                      {
                        "type": "${mount.value}"
                      }
                    ],
                    "for_each": [
                      "a",
                      "b"
                    ]
                  }
                ]
              }
            ],
            "image": "a"
          },
          "driver": "docker",
          "name": "t.1 x"
        }
      ]
    }
  ],
  "name": "hello world/1.2"
}
