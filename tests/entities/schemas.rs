//! What the tools tell a model to send, told from the document's schema.

use super::*;

fn input_of(definition: &Json, tool: &str) -> Json {
    let tools = entity_tools(&defined(definition));
    tools.iter().map(|tool| tool.declaration()).find(|declared| declared.name == tool).unwrap().input_schema
}

#[test]
fn the_input_schemas_say_what_an_entity_may_hold() {
    let input = input_of(&flowchart("definition"), "add_entity");
    assert_eq!(input.get("required").unwrap().to_text(), r#"["kind","fields"]"#);
    assert_eq!(input.get("additionalProperties"), Some(&Json::from(false)));
    let members = input.get("properties").unwrap();
    assert_eq!(members.get("kind").unwrap().to_text(), r#"{"type":"string","enum":["nodes","edges","lanes","comments"]}"#);
    let branches = members.get("fields").and_then(|fields| fields.get("anyOf")).and_then(Json::as_array).unwrap();
    assert_eq!(branches.len(), 4);
    assert_eq!(branches[0].get("required").unwrap().to_text(), r#"["label","shape","lane"]"#);
    assert!(branches[0].get("properties").unwrap().get("id").is_none());
    assert_eq!(
        branches[0].get("description").and_then(Json::as_str).unwrap(),
        "for `nodes`; `lane` names one of `lanes`; `parent` names one of `nodes`"
    );
    assert!(branches[3].get("properties").unwrap().get("key").is_none());
    // shared parts come along, those that are used and no others
    assert_eq!(input.get("$defs").and_then(Json::as_object).unwrap().keys().map(|key| &**key).collect::<Vec<_>>(), ["point"]);
    let update = input_of(&flowchart("definition"), "update_entity");
    let branches = update.get("properties").unwrap().get("set").unwrap().get("anyOf").and_then(Json::as_array).unwrap();
    assert!(branches.iter().all(|branch| branch.get("required").is_none()));
    for (tool, required) in
        [("delete_entity", r#"["kind","id"]"#), ("move_entity", r#"["kind","id"]"#), ("update_entity", r#"["kind","id"]"#)]
    {
        assert_eq!(input_of(&flowchart("definition"), tool).get("required").unwrap().to_text(), required);
    }
}

#[test]
fn what_cannot_be_told_of_one_entity_is_left_open() {
    let definition = |items: &str, more: &str| {
        json(&format!(
            r#"{{"kind":"k","schema":{{"type":"object","properties":{{"a":{{"type":"array","items":{items}}}}}{more}}},"sections":[{{"name":"a","path":"/a"}}]}}"#
        ))
    };
    let fields = |items: &str, more: &str| {
        let input = input_of(&definition(items, more), "add_entity");
        assert!(ToolRegistry::new(vec![countersign::tools::declaration::ToolDeclaration::new("x", "d", input.clone())], &[]).is_ok());
        input.get("properties").unwrap().get("fields").unwrap().to_text()
    };
    let open = r#"{"type":"object","description":"for `a`"}"#;
    assert_eq!(
        input_of(&json(r#"{"kind":"k","sections":[{"name":"a","path":"/a"}]}"#), "add_entity")
            .get("properties")
            .unwrap()
            .get("fields")
            .unwrap()
            .to_text(),
        open
    );
    assert_eq!(fields("true", ""), open);
    // a part with a name of its own, or a place that is nowhere else, cannot be carried along
    assert_eq!(fields(r##"{"properties":{"x":{"$ref":"#/properties/a"}}}"##, ""), open);
    assert_eq!(fields(r##"{"properties":{"x":{"$ref":"#/$defs/b"}}}"##, r#","$defs":{"b":{"$anchor":"c"}}"#), open);
    // a chain of parts of any length is no depth
    let chain: Vec<String> =
        (0..5000).map(|n| format!(r##""d{n}":{{"properties":{{"n":{{"$ref":"#/$defs/d{}"}}}}}}"##, (n + 1) % 5000)).collect();
    assert_eq!(fields(r##"{"properties":{"x":{"$ref":"#/$defs/d0"}}}"##, &format!(r#","$defs":{{{}}}"#, chain.join(","))), open);
    // what other keywords say of the members is the commit's to check
    let text = fields(
        r#"{"properties":{"id":{},"x":{"type":"string"}},"additionalProperties":false,"required":["id"],"allOf":[{"required":["id"]}]}"#,
        "",
    );
    assert_eq!(text, r#"{"properties":{"x":{"type":"string"}},"type":"object","description":"for `a`"}"#);
}

#[test]
fn e2_whatever_a_host_declares_the_input_is_checked() {
    let desk = Desk::chart();
    let loose: Vec<_> = desk
        .tools
        .iter()
        .map(|tool| countersign::tools::declaration::ToolDeclaration { input_schema: json(r#"{"type":"object"}"#), ..tool.declaration() })
        .collect();
    let registry = ToolRegistry::new(loose, &desk.tools).unwrap();
    for (tool, input, issue) in [
        ("add_entity", r#"{"kind":"nodes"}"#, "fields: is missing"),
        ("add_entity", r#"{"kind":7,"fields":[]}"#, "kind: expected a text"),
        ("add_entity", r#"{"kind":"nodes","fields":{},"id":"x"}"#, "input: unknown key `id`"),
        ("update_entity", r#"{"kind":"nodes","id":"x","clear":[1]}"#, "clear: expected a list of names"),
        ("move_entity", r#"{"kind":"nodes","id":"x","before":null}"#, "before: expected a text"),
    ] {
        let Err(PrepareError::Issues(issues)) = registry.prepare(tool, &json(input)) else { panic!("{tool} {input}") };
        assert!(issues.iter().any(|line| line.starts_with(issue)), "{issues:?}");
    }
    // tightened, never loosened
    let mut declared = desk.tools[2].declaration();
    declared.destructive = false;
    assert!(ToolRegistry::new(vec![declared], &desk.tools).is_err());
}
