//! `hcl schema` on the example language.

use crate::decode::service;
use snapbox::str;

#[test]
fn markdown() {
    service()
        .hcl(&["schema", "--spec", "service.hcldec", "--format", "markdown", "--title", "Services"])
        .success()
        .stdout_eq(str![[r##"
# Services

| argument | type | required | default |
| --- | --- | --- | --- |
| `name` | `string` | yes | |
| `image` | `string` | yes | |
| `replicas` | `number` | | `1` |

| block | labels | how many |
| --- | --- | --- |
| `listen` | | at least one |
| `check` | `name` | any number |
| `env` | | at most one |
| `resources` | | at most one |

## `listen`

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

| block | labels | how many |
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

```hcl
env {
  … = …
}
```

Arguments of any names, each of the type `string`.

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

"##]]);
}

#[test]
fn json_schema() {
    let folder = service();
    folder.hcl(&["schema", "--spec", "service.hcldec"]).success().stdout_eq(str![[r##"
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "service",
  "$defs": {
    "template": {
      "description": "An expression, such as \"${var.name}\".",
      "type": "string",
      "pattern": "[$%]\\{"
    }
  },
  "type": "object",
  "properties": {
    "//": {
      "description": "A comment."
    },
    "name": {
      "type": [
        "string",
        "number",
        "boolean",
        "null"
      ]
    },
    "image": {
      "type": [
        "string",
        "number",
        "boolean",
        "null"
      ]
    },
    "replicas": {
      "type": [
        "number",
        "string",
        "null"
      ],
      "default": 1
    },
    "listen": {
      "anyOf": [
        {
          "type": "object",
          "properties": {
            "//": {
              "description": "A comment."
            },
            "port": {
              "type": [
                "number",
                "string",
                "null"
              ]
            },
            "protocol": {
              "type": [
                "string",
                "number",
                "boolean",
                "null"
              ],
              "default": "http"
            },
            "tls": {
              "anyOf": [
                {
                  "type": "object",
                  "properties": {
                    "//": {
                      "description": "A comment."
                    },
                    "certificate": {
                      "type": [
                        "string",
                        "number",
                        "boolean",
                        "null"
                      ]
                    },
                    "versions": {
                      "anyOf": [
                        {
                          "type": "array",
                          "items": {
                            "type": [
                              "string",
                              "number",
                              "boolean",
                              "null"
                            ]
                          }
                        },
                        {
                          "$ref": "#/$defs/template"
                        },
                        {
                          "type": "null"
                        }
                      ],
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
                },
                {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "//": {
                        "description": "A comment."
                      },
                      "certificate": {
                        "type": [
                          "string",
                          "number",
                          "boolean",
                          "null"
                        ]
                      },
                      "versions": {
                        "anyOf": [
                          {
                            "type": "array",
                            "items": {
                              "type": [
                                "string",
                                "number",
                                "boolean",
                                "null"
                              ]
                            }
                          },
                          {
                            "$ref": "#/$defs/template"
                          },
                          {
                            "type": "null"
                          }
                        ],
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
                  },
                  "maxItems": 1
                }
              ]
            }
          },
          "required": [
            "port"
          ],
          "additionalProperties": false
        },
        {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "//": {
                "description": "A comment."
              },
              "port": {
                "type": [
                  "number",
                  "string",
                  "null"
                ]
              },
              "protocol": {
                "type": [
                  "string",
                  "number",
                  "boolean",
                  "null"
                ],
                "default": "http"
              },
              "tls": {
                "anyOf": [
                  {
                    "type": "object",
                    "properties": {
                      "//": {
                        "description": "A comment."
                      },
                      "certificate": {
                        "type": [
                          "string",
                          "number",
                          "boolean",
                          "null"
                        ]
                      },
                      "versions": {
                        "anyOf": [
                          {
                            "type": "array",
                            "items": {
                              "type": [
                                "string",
                                "number",
                                "boolean",
                                "null"
                              ]
                            }
                          },
                          {
                            "$ref": "#/$defs/template"
                          },
                          {
                            "type": "null"
                          }
                        ],
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
                  },
                  {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {
                        "//": {
                          "description": "A comment."
                        },
                        "certificate": {
                          "type": [
                            "string",
                            "number",
                            "boolean",
                            "null"
                          ]
                        },
                        "versions": {
                          "anyOf": [
                            {
                              "type": "array",
                              "items": {
                                "type": [
                                  "string",
                                  "number",
                                  "boolean",
                                  "null"
                                ]
                              }
                            },
                            {
                              "$ref": "#/$defs/template"
                            },
                            {
                              "type": "null"
                            }
                          ],
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
                    },
                    "maxItems": 1
                  }
                ]
              }
            },
            "required": [
              "port"
            ],
            "additionalProperties": false
          },
          "minItems": 1
        }
      ]
    },
    "check": {
      "anyOf": [
        {
          "description": "By the label \"name\".",
          "type": "object",
          "additionalProperties": {
            "anyOf": [
              {
                "type": "object",
                "properties": {
                  "//": {
                    "description": "A comment."
                  },
                  "path": {
                    "type": [
                      "string",
                      "number",
                      "boolean",
                      "null"
                    ]
                  },
                  "every": {
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
              {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "//": {
                      "description": "A comment."
                    },
                    "path": {
                      "type": [
                        "string",
                        "number",
                        "boolean",
                        "null"
                      ]
                    },
                    "every": {
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
                }
              }
            ]
          }
        },
        {
          "type": "array",
          "items": {
            "description": "By the label \"name\".",
            "type": "object",
            "additionalProperties": {
              "anyOf": [
                {
                  "type": "object",
                  "properties": {
                    "//": {
                      "description": "A comment."
                    },
                    "path": {
                      "type": [
                        "string",
                        "number",
                        "boolean",
                        "null"
                      ]
                    },
                    "every": {
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
                {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "//": {
                        "description": "A comment."
                      },
                      "path": {
                        "type": [
                          "string",
                          "number",
                          "boolean",
                          "null"
                        ]
                      },
                      "every": {
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
                  }
                }
              ]
            }
          }
        }
      ]
    },
    "env": {
      "anyOf": [
        {
          "type": "object",
          "additionalProperties": {
            "type": [
              "string",
              "number",
              "boolean",
              "null"
            ]
          }
        },
        {
          "type": "array",
          "items": {
            "type": "object",
            "additionalProperties": {
              "type": [
                "string",
                "number",
                "boolean",
                "null"
              ]
            }
          },
          "maxItems": 1
        }
      ]
    },
    "resources": {
      "anyOf": [
        {
          "type": "object",
          "properties": {
            "//": {
              "description": "A comment."
            },
            "cpu": {
              "type": [
                "number",
                "string",
                "null"
              ]
            },
            "memory": {
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
        {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "//": {
                "description": "A comment."
              },
              "cpu": {
                "type": [
                  "number",
                  "string",
                  "null"
                ]
              },
              "memory": {
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
          "maxItems": 1
        }
      ]
    }
  },
  "required": [
    "name",
    "image",
    "listen"
  ],
  "additionalProperties": false
}

"##]]);
    let dynamic = folder.command(&["schema", "--spec", "service.hcldec", "--dynamic"]).output().unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&dynamic.stdout).unwrap();
    assert!(schema["properties"]["dynamic"].is_object());
}

#[test]
fn mistakes() {
    let folder = service();
    folder.write("wrong.hcldec", "object {\n");
    folder.hcl(&["schema", "--spec", "wrong.hcldec"]).code(1).stdout_eq("");
    folder.hcl(&["schema", "--spec", "nowhere.hcldec"]).code(2).stdout_eq("");
}
