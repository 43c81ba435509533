The functions of Nomad. The answers are those of its package `jobspec2`, recorded by `cargo xtask conformance --nomad --bless`.

=== abs to chunklist
--- job.nomad.hcl
job "j" {
  meta {
    abs_0 = jsonencode(abs(-3))
    abs_1 = jsonencode(abs(-1.5))
    base64decode_0 = jsonencode(base64decode("aGk="))
    base64encode_0 = jsonencode(base64encode("hällo"))
    basename_0 = jsonencode(basename("/a/b.txt"))
    can_0 = jsonencode(can(parseint("z", 10)))
    ceil_0 = jsonencode(ceil(1.2))
    ceil_1 = jsonencode(ceil(-1.8))
    chomp_0 = jsonencode(chomp("a\n\n"))
    chunklist_0 = jsonencode(chunklist(["a", "b", "c"], 2))
    chunklist_1 = jsonencode(chunklist([1, 2], 0))
  }
}
--- nomad
{
  "meta": {
    "abs_0": "3",
    "abs_1": "1.5",
    "base64decode_0": "\"hi\"",
    "base64encode_0": "\"aMOkbGxv\"",
    "basename_0": "\"b.txt\"",
    "can_0": "false",
    "ceil_0": "2",
    "ceil_1": "-1",
    "chomp_0": "\"a\"",
    "chunklist_0": "[[\"a\",\"b\"],[\"c\"]]",
    "chunklist_1": "[[1,2]]"
  },
  "name": "j"
}

=== cidrhost to concat
--- job.nomad.hcl
job "j" {
  meta {
    cidrhost_0 = jsonencode(cidrhost("10.1.0.0/16", 5))
    cidrhost_1 = jsonencode(cidrhost("fd00::/64", -1))
    cidrnetmask_0 = jsonencode(cidrnetmask("10.1.2.0/23"))
    cidrsubnet_0 = jsonencode(cidrsubnet("10.0.0.0/8", 8, 3))
    cidrsubnets_0 = jsonencode(cidrsubnets("10.0.0.0/16", 4, 4, 8))
    coalesce_0 = jsonencode(coalesce(null, "a", "b"))
    coalesce_1 = jsonencode(coalesce("", "b"))
    coalesce_2 = jsonencode(coalesce(1, "b"))
    coalescelist_0 = jsonencode(coalescelist([], ["x"]))
    compact_0 = jsonencode(compact(["a", "", "b"]))
    concat_0 = jsonencode(concat([1], ["a"], []))
  }
}
--- nomad
{
  "meta": {
    "cidrhost_0": "\"10.1.0.5\"",
    "cidrhost_1": "\"fd00::ffff:ffff:ffff:ffff\"",
    "cidrnetmask_0": "\"255.255.254.0\"",
    "cidrsubnet_0": "\"10.3.0.0/16\"",
    "cidrsubnets_0": "[\"10.0.0.0/20\",\"10.0.16.0/20\",\"10.0.32.0/24\"]",
    "coalesce_0": "\"a\"",
    "coalesce_1": "\"\"",
    "coalesce_2": "\"1\"",
    "coalescelist_0": "[\"x\"]",
    "compact_0": "[\"a\",\"b\"]",
    "concat_0": "[1,\"a\"]"
  },
  "name": "j"
}

=== contains to floor
--- job.nomad.hcl
job "j" {
  meta {
    contains_0 = jsonencode(contains(["a", "b"], "a"))
    contains_1 = jsonencode(contains([1, 2], 3))
    convert_0 = jsonencode(convert("5", number))
    convert_1 = jsonencode(convert(["a"], set(string)))
    csvdecode_0 = jsonencode(csvdecode("a,b\n1,2\n3,4"))
    dirname_0 = jsonencode(dirname("/a/b.txt"))
    distinct_0 = jsonencode(distinct(["b", "a", "b"]))
    element_0 = jsonencode(element(["a", "b"], 3))
    element_1 = jsonencode(element([1, "b"], 0))
    flatten_0 = jsonencode(flatten([[1, [2]], [3]]))
    floor_0 = jsonencode(floor(-1.2))
  }
}
--- nomad
{
  "meta": {
    "contains_0": "true",
    "contains_1": "false",
    "convert_0": "5",
    "convert_1": "[\"a\"]",
    "csvdecode_0": "[{\"a\":\"1\",\"b\":\"2\"},{\"a\":\"3\",\"b\":\"4\"}]",
    "dirname_0": "\"/a\"",
    "distinct_0": "[\"b\",\"a\"]",
    "element_0": "\"b\"",
    "element_1": "1",
    "flatten_0": "[1,2,3]",
    "floor_0": "-2"
  },
  "name": "j"
}

=== format to jsonencode
--- job.nomad.hcl
job "j" {
  meta {
    format_0 = jsonencode(format("%s-%05d-%v", "a", 42, [1]))
    format_1 = jsonencode(format("%q %.2f %x %#v", "a", 1.5, 255, true))
    formatdate_0 = jsonencode(formatdate("YYYY-MM-DD'T'hh:mm", "2020-02-03T04:05:06Z"))
    formatlist_0 = jsonencode(formatlist("%s=%s", ["a", "b"], "c"))
    indent_0 = jsonencode(indent(2, "a\nb"))
    index_0 = jsonencode(index(["a", "b"], 1))
    index_1 = jsonencode(index({ a = 1 }, "a"))
    join_0 = jsonencode(join("-", ["a", "b"]))
    join_1 = jsonencode(join(",", ["a"], ["b", "c"]))
    jsondecode_0 = jsonencode(jsondecode("{\"a\": [1, null, true]}"))
    jsonencode_0 = jsonencode(jsonencode({ b = 1, a = ["x", null] }))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:9,26-32: Error in function call; Call to function \"index\" failed: collection must be a list, a map or a tuple."
}

=== keys to merge
--- job.nomad.hcl
job "j" {
  meta {
    keys_0 = jsonencode(keys({ b = 1, a = 2 }))
    length_0 = jsonencode(length(["a", "b"]))
    length_1 = jsonencode(length([]))
    log_0 = jsonencode(log(8, 2))
    lookup_0 = jsonencode(lookup({ a = "x" }, "a", "d"))
    lookup_1 = jsonencode(lookup({ a = "x" }, "b", "d"))
    lower_0 = jsonencode(lower("ÄBC"))
    max_0 = jsonencode(max(1, 5, 3))
    md5_0 = jsonencode(md5("hello"))
    merge_0 = jsonencode(merge({ a = 1 }, { b = "x" }, { a = 2 }))
  }
}
--- nomad
{
  "meta": {
    "keys_0": "[\"a\",\"b\"]",
    "length_0": "2",
    "length_1": "0",
    "log_0": "3",
    "lookup_0": "\"x\"",
    "lookup_1": "\"d\"",
    "lower_0": "\"äbc\"",
    "max_0": "5",
    "md5_0": "\"5d41402abc4b2a76b9719d911017c592\"",
    "merge_0": "{\"a\":2,\"b\":\"x\"}"
  },
  "name": "j"
}

=== min to reverse
--- job.nomad.hcl
job "j" {
  meta {
    min_0 = jsonencode(min(4, 2))
    parseint_0 = jsonencode(parseint("ff", 16))
    pathexpand_0 = jsonencode(pathexpand("/a"))
    pow_0 = jsonencode(pow(2, 10))
    pow_1 = jsonencode(pow(2, -1))
    range_0 = jsonencode(range(3))
    range_1 = jsonencode(range(1, 10, 4))
    regex_replace_0 = jsonencode(regex_replace("a1b22", "[0-9]+", "<$0>"))
    regex_replace_1 = jsonencode(regex_replace("ab", "(?P<x>a)", "${x}x"))
    replace_0 = jsonencode(replace("a.b.a", "a", "x"))
    reverse_0 = jsonencode(reverse("abc"))
  }
}
--- nomad
{
  "meta": {
    "min_0": "2",
    "parseint_0": "255",
    "pathexpand_0": "\"/a\"",
    "pow_0": "1024",
    "pow_1": "0.5",
    "range_0": "[0,1,2]",
    "range_1": "[1,5,9]",
    "regex_replace_0": "\"a\\u003c1\\u003eb\\u003c22\\u003e\"",
    "regex_replace_1": "\"axb\"",
    "replace_0": "\"x.b.x\"",
    "reverse_0": "\"cba\""
  },
  "name": "j"
}

=== setintersection to slice
--- job.nomad.hcl
job "j" {
  meta {
    setintersection_0 = jsonencode(setintersection(["a", "b"], ["b", "c"]))
    setproduct_0 = jsonencode(setproduct(["a"], ["x", "y"]))
    setunion_0 = jsonencode(setunion(["a"], ["b", "a"]))
    sha1_0 = jsonencode(sha1("a"))
    sha256_0 = jsonencode(sha256("a"))
    sha512_0 = jsonencode(sha512("a"))
    signum_0 = jsonencode(signum(-7))
    slice_0 = jsonencode(slice(["a", "b", "c"], 1, 3))
  }
}
--- nomad
{
  "meta": {
    "setintersection_0": "[\"b\"]",
    "setproduct_0": "[[\"a\",\"x\"],[\"a\",\"y\"]]",
    "setunion_0": "[\"a\",\"b\"]",
    "sha1_0": "\"86f7e437faa5a7fce15d1ddcb9eaeaea377667b8\"",
    "sha256_0": "\"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\"",
    "sha512_0": "\"1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f5302860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a75\"",
    "signum_0": "-1",
    "slice_0": "[\"b\",\"c\"]"
  },
  "name": "j"
}

=== sort to trim
--- job.nomad.hcl
job "j" {
  meta {
    sort_0 = jsonencode(sort(["b", "a", "C"]))
    split_0 = jsonencode(split(",", "a,b,"))
    strlen_0 = jsonencode(strlen("häl"))
    strlen_1 = jsonencode(strlen(uuidv4()))
    strrev_0 = jsonencode(strrev("añb"))
    substr_0 = jsonencode(substr(bcrypt("x", 5), 0, 7))
    substr_1 = jsonencode(substr("hello", -3, 2))
    substr_2 = jsonencode(substr("hello", 1, -1))
    timeadd_0 = jsonencode(timeadd("2020-01-01T00:00:00Z", "1h30m"))
    title_0 = jsonencode(title("hello world"))
    trim_0 = jsonencode(trim("xxaxx", "x"))
  }
}
--- nomad
{
  "meta": {
    "sort_0": "[\"C\",\"a\",\"b\"]",
    "split_0": "[\"a\",\"b\",\"\"]",
    "strlen_0": "3",
    "strlen_1": "36",
    "strrev_0": "\"bña\"",
    "substr_0": "\"$2a$05$\"",
    "substr_1": "\"ll\"",
    "substr_2": "\"ello\"",
    "timeadd_0": "\"2020-01-01T01:30:00Z\"",
    "title_0": "\"Hello World\"",
    "trim_0": "\"a\""
  },
  "name": "j"
}

=== trimprefix to values
--- job.nomad.hcl
job "j" {
  meta {
    trimprefix_0 = jsonencode(trimprefix("foobar", "foo"))
    trimspace_0 = jsonencode(trimspace("  a "))
    trimsuffix_0 = jsonencode(trimsuffix("foobar", "bar"))
    try_0 = jsonencode(try(jsondecode("{"), "bad"))
    upper_0 = jsonencode(upper("straße"))
    urlencode_0 = jsonencode(urlencode("a b&c=d/é"))
    uuidv5_0 = jsonencode(uuidv5("dns", "example.com"))
    uuidv5_1 = jsonencode(uuidv5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "x"))
    values_0 = jsonencode(values({ b = 1, a = 2 }))
  }
}
--- nomad
{
  "meta": {
    "trimprefix_0": "\"bar\"",
    "trimspace_0": "\"a\"",
    "trimsuffix_0": "\"foo\"",
    "try_0": "\"bad\"",
    "upper_0": "\"STRAßE\"",
    "urlencode_0": "\"a+b%26c%3Dd%2F%C3%A9\"",
    "uuidv5_0": "\"cfbff0d1-9375-5685-968c-48ce8b15ae17\"",
    "uuidv5_1": "\"05b16a01-46c6-56dd-bd6e-c6dfb4a1427a\"",
    "values_0": "[2,1]"
  },
  "name": "j"
}

=== yamldecode to zipmap
--- job.nomad.hcl
job "j" {
  meta {
    yamldecode_0 = jsonencode(yamldecode("a: [1, true, null]\nb: x"))
    yamlencode_0 = jsonencode(yamlencode({ a = ["x", 1], b = null }))
    zipmap_0 = jsonencode(zipmap(["a", "b"], [1, 2]))
    zipmap_1 = jsonencode(zipmap(["a"], ["x"]))
  }
}
--- nomad
{
  "meta": {
    "yamldecode_0": "{\"a\":[1,true,null],\"b\":\"x\"}",
    "yamlencode_0": "\"\\\"a\\\":\\n- \\\"x\\\"\\n- 1\\n\\\"b\\\": null\\n\"",
    "zipmap_0": "{\"a\":1,\"b\":2}",
    "zipmap_1": "{\"a\":\"x\"}"
  },
  "name": "j"
}

=== error 1
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(length("abc"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-27: Error in function call; Call to function \"length\" failed: collection must be a list, a map or a tuple."
}

=== error 2
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(length({ a = 1 }))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-27: Error in function call; Call to function \"length\" failed: collection must be a list, a map or a tuple."
}

=== error 3
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(reverse([1]))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,28-29: Invalid function argument; Invalid value for \"str\" parameter: string required."
}

=== error 4
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(upper(["a"]))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,26-27: Invalid function argument; Invalid value for \"str\" parameter: string required."
}

=== error 5
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(cidrhost("10.1.0.0/33", 5))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-29: Error in function call; Call to function \"cidrhost\" failed: invalid CIDR expression: invalid CIDR address: 10.1.0.0/33."
}

=== error 6
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(element([], 0))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-28: Error in function call; Call to function \"element\" failed: cannot use element function with an empty list."
}

=== error 7
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(parseint("z", 10))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,30-31: Invalid function argument; Invalid value for \"number\" parameter: cannot parse \"z\" as a base 10 integer."
}

=== error 8
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(index(["a"], 4))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-26: Error in function call; Call to function \"index\" failed: key must be between 0 and 1 inclusive."
}

=== error 9
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(lookup({ a = 1 }, "b"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,41-42: Not enough function arguments; Function \"lookup\" expects 3 argument(s). Missing value for \"default\"."
}

=== error 10
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(slice(["a"], 1, 5))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,36-37: Invalid function argument; Invalid value for \"end_index\" parameter: end index must not be greater than the length of the list."
}

=== error 11
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(timeadd("x", "1h"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-28: Error in function call; Call to function \"timeadd\" failed: not a valid RFC3339 timestamp: cannot use \"x\" as year."
}

=== error 12
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(setproduct())
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-31: Error in function call; Call to function \"setproduct\" failed: at least two arguments are required."
}

=== error 13
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(zipmap(["a", "b"], [1]))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-27: Error in function call; Call to function \"zipmap\" failed: number of keys (2) does not match number of values (1)."
}

=== error 14
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(base64decode("%"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-33: Error in function call; Call to function \"base64decode\" failed: failed to decode base64 data '%'."
}

=== error 15
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(chunklist(["a"], -1))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-30: Error in function call; Call to function \"chunklist\" failed: the size argument must be positive."
}

=== error 16
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(formatdate("YYYY", "x"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,40-41: Invalid function argument; Invalid value for \"time\" parameter: not a valid RFC3339 timestamp: cannot use \"x\" as year."
}

=== error 17
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(nosuch("a"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-26: Call to unknown function; There is no function named \"nosuch\"."
}

=== error 18
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(alltrue([true]))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-27: Call to unknown function; There is no function named \"alltrue\"."
}

=== error 19
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(startswith("a", "b"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-30: Call to unknown function; There is no function named \"startswith\"."
}

=== error 20
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(timestamp())
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-29: Call to unknown function; There is no function named \"timestamp\"."
}

=== error 21
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(templatefile("x", {}))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-32: Call to unknown function; There is no function named \"templatefile\"."
}

=== error 22
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(env("HOME"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-23: Call to unknown function; There is no function named \"env\"."
}

=== error 23
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(csvdecode("a,b\n1"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-30: Error in function call; Call to function \"csvdecode\" failed: CSV parse error on line 2: wrong number of fields."
}

=== error 24
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(regex("a", "b"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-25: Call to unknown function; There is no function named \"regex\"."
}

=== error 25
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(jsondecode("{"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-31: Error in function call; Call to function \"jsondecode\" failed: EOF."
}

=== error 26
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(yamldecode("a: ["))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-31: Error in function call; Call to function \"yamldecode\" failed: on line 1, column 1: did not find expected node content."
}

=== error 27
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(uuidv5("nosuch", "x"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-27: Error in function call; Call to function \"uuidv5\" failed: uuidv5() doesn't support namespace nosuch (invalid UUID length: 6)."
}

=== error 29
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(range(1, 5, 0))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-26: Error in function call; Call to function \"range\" failed: more than 1024 values were generated; either decrease the difference between start and end or use a smaller step."
}

=== error 30
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(coalesce())
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-29: Error in function call; Call to function \"coalesce\" failed: all arguments must have the same type."
}

=== error 31
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(coalescelist([]))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-33: Error in function call; Call to function \"coalescelist\" failed: no non-null arguments."
}

=== error 32
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(max())
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-24: Error in function call; Call to function \"max\" failed: must pass at least one number."
}

=== error 33
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(rsadecrypt("x", "y"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,20-31: Error in function call; Call to function \"rsadecrypt\" failed: failed to decode input \"x\": cipher text must be base64-encoded."
}

=== error 34
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(substr("a"))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,30-31: Not enough function arguments; Function \"substr\" expects 3 argument(s). Missing value for \"offset\"."
}

=== error 35
--- job.nomad.hcl
job "j" {
  meta {
    a = jsonencode(convert("a", number))
  }
}
--- nomad
{
  "error": "job.nomad.hcl:3,29-30: Invalid function argument; Invalid value for \"value\" parameter: a number is required."
}
