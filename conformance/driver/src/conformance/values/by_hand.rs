//! Requests of `convert` and `value-op` written by hand, for cases that random requests rarely cover.

use serde_json::{Value, json};

use super::operation;

pub(super) fn conversions() -> Vec<Value> {
    const NUMBERS: &str = "0 -0 +5 1e3 1E3 Inf -Inf +Inf inf infinity NaN 1p4 0x10 1_000 - 1. . .5 1e 1e+ 1e+5 1e400 \
        1e-400 1e99999 1e99999999999 1e9223372036854775808 1p99999999999 1.5p3 0e5 1e5.5 --1 +-1 0.1p-1 00012 1.50 \
        0e999999999999999999999 true True TRUE false 1 t yes on";
    /// Halfway to the float above they end in zeros, and may not be rounded up to what lies beyond.
    const BELOW_ROUND: [&str; 5] = [
        "489071798939994131857599505009041284050937684085708430665875611259919373502904798050163277989869244190372794426436533335263644810127493144273619330657371963",
        "7556708296110459761169923576249492932243339306359640458511263119834703546877886151239002279921988063699087774075777940963393759341064783027318773724844850675712",
        "7838413967187835155178757049511892477157161048606239260381777428177584422974865981758443788104839737823198377220269329165101404551715853133840312151842188288",
        "7867491949361122295861478301686039507899668726870811550851694365168639723155021341972386341684617733078453792176463625607049813752377938901021459958541516275712",
        "10021149118982214156333564008839970178757739149057577832276444271666501202500417949046920694022038488516267063365744376789661124939302733647288818474856312446084186112",
    ];
    let to = |text: &str, ty: &str| json!({ "value": { "string": text }, "type": ty });
    let texts = NUMBERS.split(' ').chain(["", " 1", "1 "]);
    let mut list: Vec<_> = texts.flat_map(|text| [to(text, "number"), to(text, "bool")]).collect();
    list.extend(BELOW_ROUND.map(|text| json!({ "value": { "number": text }, "type": "string" })));
    list.extend(unknown_sets());
    list.extend(attributes_that_do_not_fit());
    list
}

/// A set may shrink where its type gains optional attributes, unless nothing else is converted.
fn unknown_sets() -> Vec<Value> {
    let set = json!({ "unknown": ["set", ["object", { "a": "string" }]], "min_len": 2, "max_len": 2, "not_null": true });
    let to = json!(["set", ["object", { "a": "string" }, ["a"]]]);
    vec![
        json!({ "value": set, "type": to }),
        json!({ "value": { "tuple": [set] }, "type": ["tuple", [to]] }),
        json!({ "value": { "tuple": [set, { "number": "1" }] }, "type": ["tuple", [to, "string"]] }),
        json!({ "value": { "object": { "k": set } }, "type": ["map", to] }),
    ]
}

/// An optional attribute whose type no element of the map can have takes nothing of its types.
fn attributes_that_do_not_fit() -> Vec<Value> {
    let shapes =
        [json!(["list", "bool"]), json!(["set", "bool"]), json!(["map", "bool"]), json!(["tuple", ["bool"]])];
    let wanted = ["list", "set", "map"];
    let pairs = shapes.iter().flat_map(|shape| wanted.map(|to| (shape, to)));
    pairs
        .map(|(shape, to)| json!({ "value": { "null": ["map", shape] }, "type": ["object", { "k": [to, "any"] }, ["k"]] }))
        .collect()
}

pub(super) fn operations() -> Vec<Value> {
    let numbers = ["0", "-0", "1", "-1", "2", "3", "0.1", "0.2", "1e400", "-7", "7.5", "Inf", "-Inf"];
    let mut list = bounds_at_infinity();
    list.extend(extensions());
    list.extend(nil_in_extensions());
    list.extend(unknown_keys_in_extensions());
    for place in ["0", "9223372036854775807", "9223372036854775808"] {
        list.push(operation(
            "has-index",
            vec![json!({ "null": ["list", "string"] }), json!({ "number": place })],
        ));
    }
    for what in ["add", "subtract", "multiply", "divide", "modulo", "less", "equals"] {
        for a in numbers {
            for b in numbers {
                list.push(operation(what, vec![json!({ "number": a }), json!({ "number": b })]));
            }
        }
    }
    list
}

/// Refinements of an unknown value, as nil, as zero and as a float.
fn nil_in_extensions() -> Vec<Value> {
    let list = json!(["list", "string"]);
    let types = [("01", json!("bool")), ("02", json!("string")), ("05", list.clone()), ("06", list)];
    let told = ["c0", "00", "cb0000000000000000"];
    let each = types.iter().flat_map(|known| told.map(|told| (known, told)));
    each.map(|((key, ty), told)| {
        let body = format!("81{key}{told}");
        json!({ "do": "msgpack-in", "src": format!("c7{:02x}0c{body}", body.len() / 2), "type": ty })
    })
    .collect()
}

/// Keys that are not known in the refinements of an unknown value, and their values.
fn unknown_keys_in_extensions() -> Vec<Value> {
    let types = ["bool", "string", "number"].map(|ty| json!(ty));
    let types = [&types[..], &[json!(["list", "string"]), json!(["set", ["tuple", ["string"]]])]].concat();
    let told = ["c2", "05", "02", "c0", "a178", "920102", "81013c", "cb3ff0000000000000"];
    let rests = ["", "0502", "01c2", "3c05"];
    let each = types.iter().flat_map(|ty| told.iter().map(move |told| (ty, told)));
    let each = each.flat_map(|(ty, told)| rests.map(|rest| (ty, told, rest)));
    each.flat_map(|(ty, told, rest)| {
        [1, 2, 3].map(|count| {
            let body = format!("{:02x}3c{told}{rest}", 0x80 + count);
            json!({ "do": "msgpack-in", "src": format!("c7{:02x}0c{body}", body.len() / 2), "type": ty })
        })
    })
    .collect()
}

/// Bounds that hold for every number, and those that none or only an infinity keeps.
fn bounds_at_infinity() -> Vec<Value> {
    let mut list = Vec::new();
    for (bound, end) in [("min", "-Inf"), ("min", "Inf"), ("max", "-Inf"), ("max", "Inf")] {
        for (inclusive, not_null) in [(true, true), (false, true), (true, false), (false, false)] {
            let unknown = json!({ "unknown": "number", bound: [end, inclusive], "not_null": not_null });
            list.push(json!({ "do": "msgpack-out", "args": [unknown], "type": "number" }));
            for what in ["negate", "absolute", "same"] {
                list.push(operation(what, vec![unknown.clone()]));
            }
            let known = json!({ "number": "1" });
            for what in ["add", "multiply", "less", "less-or-equal", "equals"] {
                list.push(operation(what, vec![unknown.clone(), known.clone()]));
                list.push(operation(what, vec![known.clone(), unknown.clone()]));
            }
        }
    }
    list
}

/// Extensions of `MessagePack` of all types and lengths that could be mistaken for unknown values.
fn extensions() -> Vec<Value> {
    const TEXTS: &str = "c700ff c7000c c70100ff c7010c80 c7010c00 d40c00 d4ff00 d50000 c7020b8000 c7020c8000 c7020d8000 \
        c7020c8101 c7020cc080 c7030c8101c2 c703008101c2 c7040c8101c2c2 c7050c8101c20c d60c8101c2c2 c8000300ffffff \
        c80001ff00 c7040c81070182 c7050c820701 c70c0c d8ff00000000000000000000000000000000";
    let ask = |src: &str| {
        let types = [json!("string"), json!(["list", "bool"]), json!("any")];
        let typed = types.map(|ty| json!({ "do": "msgpack-in", "src": src, "type": ty }));
        [typed.to_vec(), vec![json!({ "do": "msgpack-implied", "src": src })]].concat()
    };
    TEXTS.split_whitespace().flat_map(ask).collect()
}
