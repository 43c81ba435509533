//! `hcl schema` on the example language.

use crate::decode::service;
use crate::program::Folder;
use snapbox::str;

#[test]
fn markdown() {
    service()
        .hcl(&["schema", "service.hcldec", "--output", "markdown", "--title", "Services"])
        .success()
        .stdout_eq(str![[r##"
# Services

The contents of a service definition, and the value that it becomes.

| argument | type | required | default |
| --- | --- | --- | --- |
| `name` | `string` | yes | |
| `image` | `string` | yes | |
| `replicas` | `number` | | `1` |

| block | labels | number |
| --- | --- | --- |
| `listen` | | at least one |
| `check` | `name` | any number |
| `env` | | at most one |
| `resources` | | at most one |

## `listen`

The listeners, in order; at least one.

```hcl
listen {
  port     = …
  protocol = …
  tls { … }
}
```

| argument | type | required | default |
| --- | --- | --- | --- |
| `port` | `number` | yes | |
| `protocol` | `string` | | `"http"` |

| block | labels | number |
| --- | --- | --- |
| `tls` | | at most one |

## `listen` › `tls`

```hcl
tls {
  certificate = …
  versions    = …
}
```

| argument | type | required | default |
| --- | --- | --- | --- |
| `certificate` | `string` | yes | |
| `versions` | `set(string)` | | `["1.2", "1.3"]` |

## `check`

Checks by name.

```hcl
check "name" {
  path  = …
  every = …
}
```

| argument | type | required | default |
| --- | --- | --- | --- |
| `path` | `string` | | |
| `every` | `string` | | `"10s"` |

## `env`

Environment variables with any names.

```hcl
env {
  … = …
}
```

Arguments with any name, each of type `string`.

## `resources`

```hcl
resources {
  cpu    = …
  memory = …
}
```

| argument | type | required | default |
| --- | --- | --- | --- |
| `cpu` | `number` | | |
| `memory` | `string` | | |

## Variables

| variable | default |
| --- | --- |
| `registry` | `"registry.example.com"` |

## Functions

- `port(index)`

"##]]);
}

#[test]
fn json_schema() {
    let folder = service();
    folder.hcl(&["schema", "--spec", "service.hcldec"]).success().stdout_eq(str![[r##"
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "service",
  "description": "The contents of a service definition, and the value that it becomes.",
  "$defs": {
    "listen": {
      "title": "listen",
      "type": "object",
      "properties": {
        "//": {
          "description": "A comment."
        },
        "port": {
          "title": "port: number",
          "type": [
            "number",
            "string",
            "null"
          ]
        },
        "protocol": {
          "title": "protocol: string",
          "type": [
            "string",
            "number",
            "boolean",
            "null"
          ],
          "default": "http"
        },
        "tls": {
          "title": "tls: at most one",
          "if": {
            "type": "array"
          },
          "then": {
            "items": {
              "$ref": "#/$defs/listen.tls"
            },
            "maxItems": 1
          },
          "else": {
            "$ref": "#/$defs/listen.tls"
          }
        }
      },
      "required": [
        "port"
      ],
      "additionalProperties": false
    },
    "check": {
      "title": "check \"name\"",
      "type": "object",
      "properties": {
        "//": {
          "description": "A comment."
        },
        "path": {
          "title": "path: string",
          "type": [
            "string",
            "number",
            "boolean",
            "null"
          ]
        },
        "every": {
          "title": "every: string",
          "type": [
            "string",
            "number",
            "boolean",
            "null"
          ],
          "default": "10s"
        }
      },
      "additionalProperties": false
    },
    "check:name": {
      "title": "The label \"name\" of check \"name\"",
      "type": "object",
      "additionalProperties": {
        "if": {
          "type": "array"
        },
        "then": {
          "items": {
            "$ref": "#/$defs/check"
          }
        },
        "else": {
          "$ref": "#/$defs/check"
        }
      }
    },
    "env": {
      "type": "object",
      "properties": {
        "//": {
          "description": "A comment."
        }
      },
      "additionalProperties": {
        "type": [
          "string",
          "number",
          "boolean",
          "null"
        ]
      }
    },
    "resources": {
      "title": "resources",
      "type": "object",
      "properties": {
        "//": {
          "description": "A comment."
        },
        "cpu": {
          "title": "cpu: number",
          "type": [
            "number",
            "string",
            "null"
          ]
        },
        "memory": {
          "title": "memory: string",
          "type": [
            "string",
            "number",
            "boolean",
            "null"
          ]
        }
      },
      "additionalProperties": false
    },
    "part": {
      "type": "object",
      "properties": {
        "//": {
          "description": "A comment."
        },
        "name": {
          "title": "name: string",
          "type": [
            "string",
            "number",
            "boolean",
            "null"
          ]
        },
        "image": {
          "title": "image: string",
          "type": [
            "string",
            "number",
            "boolean",
            "null"
          ]
        },
        "replicas": {
          "title": "replicas: number",
          "type": [
            "number",
            "string",
            "null"
          ],
          "default": 1
        },
        "listen": {
          "title": "listen",
          "description": "The listeners, in order; at least one.",
          "if": {
            "type": "array"
          },
          "then": {
            "items": {
              "$ref": "#/$defs/listen"
            }
          },
          "else": {
            "$ref": "#/$defs/listen"
          }
        },
        "check": {
          "title": "check \"name\"",
          "description": "Checks by name.",
          "if": {
            "type": "array"
          },
          "then": {
            "items": {
              "$ref": "#/$defs/check:name"
            },
            "contains": {
              "minProperties": 1
            }
          },
          "else": {
            "allOf": [
              {
                "$ref": "#/$defs/check:name"
              },
              {
                "minProperties": 1
              }
            ]
          }
        },
        "env": {
          "title": "env",
          "description": "Environment variables with any names.",
          "if": {
            "type": "array"
          },
          "then": {
            "items": {
              "$ref": "#/$defs/env"
            }
          },
          "else": {
            "$ref": "#/$defs/env"
          }
        },
        "resources": {
          "title": "resources",
          "if": {
            "type": "array"
          },
          "then": {
            "items": {
              "$ref": "#/$defs/resources"
            }
          },
          "else": {
            "$ref": "#/$defs/resources"
          }
        }
      },
      "additionalProperties": false
    },
    "listen.tls": {
      "title": "tls",
      "type": "object",
      "properties": {
        "//": {
          "description": "A comment."
        },
        "certificate": {
          "title": "certificate: string",
          "type": [
            "string",
            "number",
            "boolean",
            "null"
          ]
        },
        "versions": {
          "title": "versions: set(string)",
          "type": [
            "array",
            "string",
            "null"
          ],
          "items": {
            "type": [
              "string",
              "number",
              "boolean",
              "null"
            ]
          },
          "pattern": "[$%]\\{",
          "default": [
            "1.2",
            "1.3"
          ]
        }
      },
      "required": [
        "certificate"
      ],
      "additionalProperties": false
    }
  },
  "type": [
    "object",
    "array"
  ],
  "properties": {
    "//": {
      "description": "A comment."
    },
    "name": {
      "title": "name: string",
      "type": [
        "string",
        "number",
        "boolean",
        "null"
      ]
    },
    "image": {
      "title": "image: string",
      "type": [
        "string",
        "number",
        "boolean",
        "null"
      ]
    },
    "replicas": {
      "title": "replicas: number",
      "type": [
        "number",
        "string",
        "null"
      ],
      "default": 1
    },
    "listen": {
      "title": "listen: at least one",
      "description": "The listeners, in order; at least one.",
      "if": {
        "type": "array"
      },
      "then": {
        "items": {
          "$ref": "#/$defs/listen"
        },
        "minItems": 1
      },
      "else": {
        "$ref": "#/$defs/listen"
      }
    },
    "check": {
      "title": "check \"name\": any number",
      "description": "Checks by name.",
      "if": {
        "type": "array"
      },
      "then": {
        "items": {
          "$ref": "#/$defs/check:name"
        },
        "contains": {
          "minProperties": 1
        }
      },
      "else": {
        "allOf": [
          {
            "$ref": "#/$defs/check:name"
          },
          {
            "minProperties": 1
          }
        ]
      }
    },
    "env": {
      "title": "env: at most one",
      "description": "Environment variables with any names.",
      "if": {
        "type": "array"
      },
      "then": {
        "items": {
          "$ref": "#/$defs/env"
        },
        "maxItems": 1
      },
      "else": {
        "$ref": "#/$defs/env"
      }
    },
    "resources": {
      "title": "resources: at most one",
      "if": {
        "type": "array"
      },
      "then": {
        "items": {
          "$ref": "#/$defs/resources"
        },
        "maxItems": 1
      },
      "else": {
        "$ref": "#/$defs/resources"
      }
    }
  },
  "required": [
    "name",
    "image",
    "listen"
  ],
  "additionalProperties": false,
  "items": {
    "$ref": "#/$defs/part"
  },
  "allOf": [
    {
      "title": "`name` is required",
      "contains": {
        "required": [
          "name"
        ]
      }
    },
    {
      "title": "`image` is required",
      "contains": {
        "required": [
          "image"
        ]
      }
    },
    {
      "title": "`listen` is required",
      "contains": {
        "required": [
          "listen"
        ]
      }
    }
  ]
}

"##]]);
}

/// Returns the JSON Schema of a spec file. It must contain every definition that it refers to.
fn schema_of(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    fn check(part: &serde_json::Value, definitions: &serde_json::Value) {
        if let Some(name) = part["$ref"].as_str() {
            assert!(definitions[name.strip_prefix("#/$defs/").unwrap()].is_object(), "{name}");
        }
        let parts = part.as_object().into_iter().flat_map(|object| object.values());
        parts.chain(part.as_array().into_iter().flatten()).for_each(|part| check(part, definitions));
    }

    let written = folder.command(&[&["schema", "--spec"], arguments].concat()).output().unwrap();
    let schema = serde_json::from_slice(&written.stdout).unwrap();
    check(&schema, &schema["$defs"]);
    schema
}

#[test]
fn json_schema_of_dynamic_blocks() {
    let schema = schema_of(&service(), &["service.hcldec", "--dynamic"]);
    let definitions = &schema["$defs"];
    assert_eq!(schema["properties"]["dynamic"]["else"]["allOf"][0]["$ref"], "#/$defs/dynamic");
    let blocks = definitions["dynamic"]["properties"].as_object().unwrap();
    assert_eq!(blocks.len(), 4);
    assert!(["listen", "check", "env", "resources"].iter().all(|&name| blocks[name].is_object()));
    let check = &definitions["dynamic.check"];
    assert_eq!(check["required"], serde_json::json!(["for_each", "content", "labels"]));
    assert_eq!(check["properties"]["content"]["else"]["$ref"], "#/$defs/check");
    assert!(definitions["listen.dynamic"]["properties"]["tls"].is_object());
    // A dynamic block may generate required blocks.
    assert_eq!(schema["required"], serde_json::json!(["name", "image"]));
}

#[test]
fn shared_block_contents_are_described_once() {
    let folder = service();
    let mut spec = "attr {\n  name = \"x\"\n}".to_owned();
    for _ in 0..40 {
        spec = format!("block_map {{\n  block_type = \"a/b\"\n  labels = [\"one\", \"two\"]\n  {spec}\n}}");
    }
    folder.write("deep.hcldec", &spec);
    for dynamic in [&["deep.hcldec"][..], &["deep.hcldec", "--dynamic"]] {
        let schema = schema_of(&folder, dynamic);
        assert!(schema["$defs"]["a_b.a_b"].is_object());
        assert!(schema.to_string().len() < 500_000);
    }
}

#[test]
fn errors() {
    let folder = service();
    folder.write("wrong.hcldec", "object {\n");
    folder.hcl(&["schema", "--spec", "wrong.hcldec"]).code(1).stdout_eq("");
    folder.hcl(&["schema", "--spec", "nowhere.hcldec"]).code(2).stdout_eq("");
}

#[test]
fn packed_schemas_of_providers_are_those_that_were_packed() {
    let schemas = r#"{ "provider_schemas": { "registry.terraform.io/hashicorp/local": { "resource_schemas": {
        "local_file": { "block": { "attributes": { "name": { "type": "string", "required": true } } } } } },
        "registry.terraform.io/hashicorp/other": {} } }"#;
    let lock = "provider \"registry.terraform.io/hashicorp/local\" {\n  version = \"2.5.1\"\n}\n";
    let files = [
        ("schemas.json", schemas),
        (".terraform.lock.hcl", lock),
        ("main.tf", "resource \"local_file\" \"a\" {\n  names = 1\n}\n"),
    ];
    let folder = Folder::with(&files);
    let written = folder.hcl(&["schema", "pack", "--cache", "cache", "schemas.json"]).success();
    let written = String::from_utf8(written.get_output().stdout.clone()).unwrap();
    let path = "cache/registry.terraform.io/hashicorp/local/2.5.1.hclschema";
    assert_eq!(written, format!("{path}\ncache/registry.terraform.io/hashicorp/other/unknown.hclschema\n"));
    let found = |schema: &str| {
        let found = folder.hcl(&["check", "--provider-schema", schema, "."]).code(1);
        String::from_utf8(found.get_output().stdout.clone()).unwrap()
    };
    assert_eq!(found(path), found("schemas.json"));
    assert!(found(path).contains("names"));
    // Without a spec file, there is nothing else to do.
    folder.hcl(&["schema"]).code(2);
}

#[test]
fn addresses_of_providers_do_not_lead_out_of_the_cache() {
    for address in ["../../hashicorp", "a/../../b", "a/b", "/a/b", "a/b/.."] {
        let text = format!("{{ \"provider_schemas\": {{ \"{address}\": {{}} }} }}");
        let folder = Folder::with(&[("schemas.json", &text)]);
        let error = folder.hcl(&["schema", "pack", "--cache", "cache", "schemas.json"]).code(2);
        let error = String::from_utf8(error.get_output().stderr.clone()).unwrap();
        assert!(error.contains("is not the address of a provider"), "{address}: {error}");
        assert!(!folder.path("cache").exists());
    }
}

#[test]
fn a_switch_has_a_part_for_each_label() {
    let spec = "block_tuple {\n  block_type = \"listener\"\n  object {\n    block_label \"kind\" { index = 0 }\n    attr \"port\" { type = number }\n    switch \"settings\" {\n      on = label(0)\n      case \"http\" {\n        # The path.\n        attr {\n          name     = \"path\"\n          type     = string\n          required = true\n        }\n      }\n      default {\n        literal { value = \"none\" }\n      }\n    }\n  }\n}\n";
    let main = "listener \"http\" {\n  port = 80\n  path = \"/\"\n}\nlistener \"x\" {\n}\n";
    let folder = Folder::with(&[("spec.hcldec", spec), ("main.hcl", main)]);
    folder.hcl(&["decode", "--spec", "spec.hcldec", "--compact", "main.hcl"]).success().stdout_eq(str![[
        r#"
[{"kind":"http","port":80,"settings":"/"},{"kind":"x","settings":"none"}]

"#
    ]]);
    folder.write("wrong.hcl", "listener \"tcp\" {\n  path = 1\n}\n");
    folder.hcl(&["decode", "--spec", "spec.hcldec", "wrong.hcl"]).code(1).stderr_eq(str![[r#"
error[unsupported-argument]: Unsupported argument
 --> wrong.hcl:2:3
  |
2 |   path = 1
  |   ^^^^
  |
  = note: An argument named `path` is not expected here.

"#]]);
    folder.hcl(&["schema", "--spec", "spec.hcldec", "--output", "markdown"]).success().stdout_eq(str![[
        r##"
# spec

| block | labels | number |
| --- | --- | --- |
| `listener` | `kind` | any number |

## `listener`

```hcl
listener "kind" {
  port = …
  path = …
}
```

| argument | type | required | default |
| --- | --- | --- | --- |
| `port` | `number` | | |

If the label `kind` is `http`:

| argument | type | required | default | description |
| --- | --- | --- | --- | --- |
| `path` | `string` | yes | | The path. |

If the label `kind` has another value, nothing else is accepted.

"##
    ]]);
    folder.hcl(&["schema", "--spec", "spec.hcldec", "--output", "rust"]).success().stdout_eq(str![[r#"
use hclkit::Decode;

#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Spec {
    #[hcl(block)]
    pub listener: Vec<Listener>,
}

#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Listener {
    #[hcl(label)]
    pub kind: String,
    pub port: Option<f64>,
    /// The path.
    pub path: Option<String>,
}

"#]]);
}
