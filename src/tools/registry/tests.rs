use proptest::prelude::*;

use super::*;
use crate::protocol::command::ToolOutcome;
use crate::tools::schema::tests::any_json;

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn tool(text: &str) -> ToolDeclaration {
    ToolDeclaration::decode(&json(text)).unwrap()
}

fn registry(tools: &[&str]) -> ToolRegistry {
    ToolRegistry::new(tools.iter().map(|text| tool(text)).collect(), &[]).unwrap()
}

fn fault(tools: &[&str]) -> Fault {
    ToolRegistry::new(tools.iter().map(|text| tool(text)).collect(), &[Arc::new(Stamp)]).unwrap_err()
}

fn issues(registry: &ToolRegistry, name: &str, raw: &Json) -> Vec<String> {
    match registry.prepare(name, raw) {
        Err(PrepareError::Issues(lines)) => lines,
        other => panic!("{other:?}"),
    }
}

const CONNECT: &str = r#"{"name":"connect","description":"d","summary":"Connect {from} to {to}","inputSchema":{"type":"object",
    "properties":{"from":{"type":"string"},"to":{"type":"string"},"n":{"type":"number"}},"required":["from"],"additionalProperties":false}}"#;
const OPEN: &str = r#"{"name":"open","description":"d","effect":"read","inputSchema":{"type":"object"}}"#;

/// A shipped tool that folds the spelling of its input.
struct Stamp;

const STAMP: &str = r#"{"name":"stamp","description":"d","runsOn":"core","destructive":true,"requires":["edit"],
    "inputSchema":{"type":"object","properties":{"level":{"type":"string"}},"required":["level"]}}"#;

impl CoreTool for Stamp {
    fn declaration(&self) -> ToolDeclaration {
        tool(STAMP)
    }

    fn normalize(&self, mut input: Json) -> Result<Json, Vec<String>> {
        let level = input.get("level").and_then(Json::as_str).unwrap_or_default().to_lowercase();
        if level == "none" {
            return Err((0..20).map(|n| format!("level: no {}", "x".repeat(n * 40))).collect());
        }
        if let Some(object) = input.as_object_mut() {
            object.insert("level", level);
        }
        Ok(input)
    }

    fn summary(&self, input: &Json) -> Option<String> {
        Some(format!("Stamp {}\u{202E}", input.get("level")?.as_str()?))
    }

    fn run(&self, _: &Json, _: &Json) -> ToolOutcome {
        ToolOutcome::Unknown { detail: None }
    }
}

#[test]
fn g1_contradictions_are_refused_and_name_the_tool() {
    let with = |members: &str| format!(r#"{{"name":"t","description":"d","inputSchema":{{"type":"object"}},{members}}}"#);
    for (members, path, words) in [
        (r#""effect":"read","destructive":true"#, "tools[1].destructive", "read tool destroys nothing"),
        (r#""needsApproval":false"#, "tools[1].needsApproval", "may only tighten"),
        (r#""runsOn":"core""#, "tools[1].runsOn", "no tool of this name runs in the core"),
        (r#""summary":"{a""#, "tools[1].summary", "never closed"),
        (r#""outputSchema":{"type":"x"}"#, "tools[1].outputSchema.type", "unknown type"),
    ] {
        let fault = fault(&[OPEN, &with(members)]);
        assert_eq!(fault.path, path);
        assert!(fault.message.contains(words) && fault.message.contains("`t`"), "{fault}");
    }
    for members in [
        r#""effect":"read","needsApproval":false"#,
        r#""effect":"read","needsApproval":true"#,
        r#""effect":"read","external":true"#,
        r#""destructive":true,"needsApproval":true"#,
    ] {
        registry(&[&with(members)]);
    }
    assert!(tool(OPEN).runs_unasked() && !tool(CONNECT).runs_unasked(), "what says nothing asks");
}

#[test]
fn names_and_schemas_are_checked_at_registration() {
    let named = |name: &str| format!(r#"{{"name":"{name}","description":"d","inputSchema":{{"type":"object"}}}}"#);
    for name in ["", "a b", "a.b", "é", "a/b", "submit_turn_plan", "__proto__", &"a".repeat(65), "\\u202ea"] {
        let fault = fault(&[&named(name)]);
        assert_eq!((fault.code, fault.path.as_str()), ("invalid_tool", "tools[0].name"), "{name}");
        assert!(!fault.message.contains('\u{202E}'));
    }
    for name in ["a", "A-b_9", &"a".repeat(64), "constructor", "toString"] {
        registry(&[&named(name)]);
    }
    let duplicate = fault(&[OPEN, CONNECT, OPEN]);
    assert_eq!((duplicate.code, duplicate.path.as_str()), ("duplicate_tool", "tools[2].name"));
    for (schema, path) in [
        ("true", "tools[0].inputSchema"),
        ("false", "tools[0].inputSchema"),
        (r#"{"type":"array"}"#, "tools[0].inputSchema.type"),
        (r#"{"type":["string","null"]}"#, "tools[0].inputSchema.type"),
        (r#"{"properties":{"a":{"unevaluatedItems":true}}}"#, "tools[0].inputSchema.properties.a.unevaluatedItems"),
    ] {
        let fault = fault(&[&format!(r#"{{"name":"t","description":"d","inputSchema":{schema}}}"#)]);
        assert_eq!((fault.code, fault.path.as_str()), ("invalid_schema", path));
        assert!(fault.message.starts_with("tool `t`: "), "{fault}");
    }
    let mut built = tool(OPEN);
    built.input_schema = crate::json_object! { "type" => "object", "minProperties" => f64::NAN };
    assert_eq!(ToolRegistry::new(vec![built], &[]).unwrap_err().code, "invalid_schema");
    for schema in ["{}", r#"{"type":["object","null"]}"#] {
        registry(&[&format!(r#"{{"name":"t","description":"d","inputSchema":{schema}}}"#)]);
    }
}

#[test]
fn g1_a_shipped_tool_can_be_tightened_never_loosened() {
    let core: [Arc<dyn CoreTool>; 1] = [Arc::new(Stamp)];
    type Change = fn(&mut ToolDeclaration);
    let altered = |change: Change| {
        let mut declaration = tool(STAMP);
        change(&mut declaration);
        ToolRegistry::new(vec![declaration], &core)
    };
    let loosened: [(Change, &str); 7] = [
        (|tool| tool.destructive = false, "destructive"),
        (|tool| (tool.effect, tool.destructive) = (ToolEffect::Read, false), "effect"),
        (|tool| tool.external = true, "external"),
        (|tool| tool.idempotent = true, "idempotent"),
        (|tool| tool.parallel_safe = true, "parallelSafe"),
        (|tool| tool.requires = vec!["other".to_owned()], "requires"),
        (|tool| tool.input_schema = json(r#"{"type":"object"}"#), "inputSchema"),
    ];
    for (change, member) in loosened {
        let fault = altered(change).unwrap_err();
        assert_eq!((fault.code, fault.path.as_str()), ("invalid_tool", format!("tools[0].{member}").as_str()));
    }
    let tightened: [Change; 5] = [
        |_| {},
        |tool| tool.description = "other words".to_owned(),
        |tool| tool.needs_approval = Some(true),
        |tool| (tool.max_calls_per_turn, tool.max_input_bytes) = (Some(1), Some(10)),
        |tool| tool.requires.push("more".to_owned()),
    ];
    for change in tightened {
        assert!(altered(change).unwrap().find("stamp").unwrap().core().is_some());
    }
    // without `runsOn: core` the host runs its own tool, which shares nothing but the name
    assert!(altered(|tool| tool.runs_on = RunsOn::Client).unwrap().find("stamp").unwrap().core().is_none());
}

#[test]
fn g2_only_the_exact_name_finds_a_tool() {
    let tools = registry(&[CONNECT, OPEN]);
    assert_eq!(tools.find("connect").map(|tool| tool.declaration().name.as_str()), Some("connect"));
    for name in [
        "constructor",
        "__proto__",
        "toString",
        "",
        " connect",
        "connect ",
        "connect\n",
        "Connect",
        "CONNECT",
        "c\u{43E}nnect",
        "connect\u{200B}",
        "ｃonnect",
        "connec",
        "connect\0",
    ] {
        assert!(tools.find(name).is_none(), "{name:?}");
        assert_eq!(tools.prepare(name, &json("{}")), Err(PrepareError::UnknownTool), "{name:?}");
        assert_eq!(tools.tool_digest(name), None);
    }
}

#[test]
fn prepare_gives_the_validated_value_with_digest_and_summary() {
    let tools = registry(&[CONNECT, OPEN]);
    let call = tools.prepare("connect", &json(r#"{"to":"b","from":"a"}"#)).unwrap();
    assert_eq!((call.tool_name.as_str(), call.summary.as_str()), ("connect", "Connect a to b"));
    assert_eq!(call.input_digest, input_digest("connect", &call.input));
    let spelled = tools.prepare("connect", &json(r#"{"from":"a","to":"b"}"#)).unwrap();
    assert_eq!(call.input_digest, spelled.input_digest);
    assert_eq!(tools.prepare("open", &json(r#"{"at":1.0,"x":["y"]}"#)).unwrap().summary, "open at: 1, x: [\"y\"]");
    assert_eq!(
        issues(&tools, "connect", &json(r#"{"zz":1,"to":2}"#)),
        ["from: is required but missing", "to: must be string, got number", "input: unknown key `zz`; allowed are `from`, `to`, `n`"]
    );
}

#[test]
fn a6_an_edited_input_is_prepared_like_any_other() {
    let tools = registry(&[CONNECT]);
    let first = tools.prepare("connect", &json(r#"{"from":"a","to":"b"}"#)).unwrap();
    let edited = tools.prepare("connect", &json(r#"{"from":"a","to":"c"}"#)).unwrap();
    assert_ne!(first.input_digest, edited.input_digest);
    assert_eq!(edited.summary, "Connect a to c");
    assert_eq!(issues(&tools, "connect", &json(r#"{"from":1}"#)), ["from: must be string, got number"]);
}

#[test]
fn proto_keys_are_refused_before_anything_else_and_every_one_is_named() {
    let tools = registry(&[CONNECT]);
    let raw = json(r#"{"from":1,"a":{"__proto__":{"admin":true}},"b":[0,{"__proto__":1}],"__proto__":{}}"#);
    let lines = issues(&tools, "connect", &raw);
    assert_eq!(lines.len(), 3);
    for path in ["__proto__: ", "a.__proto__: ", "b[1].__proto__: "] {
        assert!(lines.iter().any(|line| line.starts_with(path)), "{path}: {lines:?}");
    }
    let many = Json::from((0..20).map(|_| json(r#"{"__proto__":1}"#)).collect::<Vec<_>>());
    let lines = issues(&tools, "connect", &many);
    assert_eq!((lines.len(), lines.last().map(String::as_str)), (9, Some("and 12 more")));
}

#[test]
fn l8_numbers_depth_and_size_of_an_input_are_bounded() {
    let tools = registry(&[OPEN, r#"{"name":"small","description":"d","inputSchema":{"type":"object"},"maxInputBytes":10}"#]);
    assert_eq!(issues(&tools, "open", &json("[1]")), ["input: must be object, got array"]);
    assert_eq!(issues(&tools, "open", &json(r#"{"n":[9007199254740993]}"#)), ["n[0]: is an integer outside ±(2^53-1)"]);
    let nan = crate::json_object! { "n" => f64::NAN };
    assert_eq!(issues(&tools, "open", &nan), ["n: must be a finite number"]);
    let deep = |levels: usize| json(&format!("{{\"a\":{}{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1)));
    assert!(tools.prepare("open", &deep(64)).is_ok());
    assert_eq!(issues(&tools, "open", &deep(65)), ["input: nests deeper than 64 levels"]);
    assert!(tools.prepare("small", &json(r#"{ "a" : 1.0 }"#)).is_ok());
    assert_eq!(issues(&tools, "small", &json(r#"{"a":"123456"}"#)), ["input: is 14 bytes long, more than the 10 this tool takes"]);
}

#[test]
fn e4_a_core_tool_is_shown_as_what_will_run() {
    let core: [Arc<dyn CoreTool>; 1] = [Arc::new(Stamp)];
    let tools = ToolRegistry::new(vec![tool(STAMP)], &core).unwrap();
    let call = tools.prepare("stamp", &json(r#"{"level":"HIGH"}"#)).unwrap();
    assert_eq!(call.input, json(r#"{"level":"high"}"#));
    assert_eq!(call.summary, "Stamp high\\u{202E}");
    assert_eq!(call.input_digest, input_digest("stamp", &json(r#"{"level":"high"}"#)));
    let lines = issues(&tools, "stamp", &json(r#"{"level":"none"}"#));
    assert!(lines.len() == 9 && lines.iter().all(|line| line.chars().count() <= 200));
    let mut declared = tool(STAMP);
    declared.summary = Some("Level {level}".to_owned());
    let tools = ToolRegistry::new(vec![declared], &core).unwrap();
    assert_eq!(tools.prepare("stamp", &json(r#"{"level":"HIGH"}"#)).unwrap().summary, "Level high");
}

#[test]
fn g3_digests_change_with_any_part_of_any_declaration() {
    let tools = registry(&[CONNECT, OPEN]);
    assert_eq!(tools.digest(), registry(&[CONNECT, OPEN]).digest());
    assert_eq!(tools.clone().digest(), tools.digest());
    assert_ne!(tools.digest(), registry(&[OPEN, CONNECT]).digest());
    let changed = registry(&[&CONNECT.replace("\"n\":{\"type\":\"number\"}", "\"n\":{\"type\":\"string\"}"), OPEN]);
    assert_ne!(tools.digest(), changed.digest());
    assert_ne!(tools.tool_digest("connect"), changed.tool_digest("connect"));
    assert_eq!(tools.tool_digest("open"), changed.tool_digest("open"));
    assert_eq!(tools.digest().len(), 64);
    assert_eq!((tools.len(), registry(&[]).is_empty()), (2, true));
    let names: Vec<_> = tools.list().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["connect", "open"]);
}

#[test]
fn g4_results_are_checked_against_the_output_schema() {
    let tools = registry(&[
        OPEN,
        r#"{"name":"count","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["n"]}}"#,
    ]);
    let count = tools.find("count").unwrap();
    assert_eq!(count.check_output(&json("[]")), ["output: must be object, got array"]);
    assert_eq!(count.check_output(&json("{}")), ["n: is required but missing"]);
    assert!(count.check_output(&json(r#"{"n":1}"#)).is_empty());
    assert!(tools.find("open").unwrap().check_output(&Json::Null).is_empty());
}

proptest! {
    #[test]
    fn e2_any_input_is_prepared_or_refused(raw in any_json(), name in "[a-z]{0,8}") {
        let tools = registry(&[CONNECT, OPEN]);
        for name in ["connect", "open", name.as_str()] {
            match tools.prepare(name, &raw) {
                Ok(call) => {
                    // nothing that was not given runs, and the card's line is bounded and visible
                    prop_assert_eq!(&call.input, &raw);
                    prop_assert!(call.summary.chars().count() <= 200);
                    prop_assert!(!call.summary.chars().any(crate::protocol::text::is_invisible));
                    prop_assert_eq!(tools.prepare(name, &call.input), Ok(call));
                }
                Err(PrepareError::Issues(lines)) => prop_assert!(!lines.is_empty() && lines.len() <= 9),
                Err(PrepareError::UnknownTool) => prop_assert!(tools.find(name).is_none()),
            }
        }
    }

    #[test]
    fn e2_any_declaration_is_registered_or_refused(schema in any_json(), summary in "[a-c{}. ]{0,8}") {
        let mut declaration = tool(OPEN);
        declaration.input_schema = schema;
        declaration.summary = Some(summary);
        if let Err(fault) = ToolRegistry::new(vec![declaration], &[]) {
            prop_assert!(fault.path.starts_with("tools[0]"));
        }
    }
}
