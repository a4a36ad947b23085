//! What a card shows is what a rehearsal from the first call on says, whatever was decided, typed and edited before.

use super::*;
use countersign::document::patch::apply;
use countersign::document::rehearsal::{Act, Step};
use countersign::document::store::Change;
use countersign::protocol::call::CallRecord;
use countersign::protocol::command::TurnInput;
use countersign::protocol::effect::Effect;
use countersign::protocol::ids::EffectId;
use countersign::protocol::json::write::to_text;
use countersign::protocol::patch::decode_patch;
use countersign::protocol::preview::Preview;
use countersign::tool_loop::{LoopOptions, Outcome, ToolLoop};
use countersign::tools::declaration::ToolDeclaration;
use documents::MINIMAL;

/// A tool of the host that is asked what it would do.
const DESCRIBE: &str = r#"{"name":"describe","description":"d","inputSchema":{"type":"object"},"effect":"mutate","preview":true}"#;
const CALLS: [(&str, &str); 9] = [
    ("add_element", r#"{"element":{"type":"cache","name":"Cache"}}"#),
    ("describe", r#"{"text":"first"}"#),
    ("add_element", r#"{"element":{"type":"process","name":"Worker"}}"#),
    ("add_data_flow", r#"{"data_flow":{"from":"kiosk","to":"comp-1"}}"#),
    ("describe", r#"{"text":"second","whole":true}"#),
    ("update_element", r#"{"id":"comp-2","updates":{"name":"Other"}}"#),
    ("delete_element", r#"{"id":"comp-1"}"#),
    ("describe", r#"{"text":"third"}"#),
    ("add_element", r#"{"element":{"type":"process","name":"Last"}}"#),
];

struct Review {
    store: DocumentStore,
    tools: ToolRegistry,
    tool_loop: ToolLoop,
}

fn dispatch(tool_loop: &mut ToolLoop, input: &str, effect: Option<&EffectId>) -> Outcome {
    tool_loop.dispatch(TurnInput::decode(&json(input)).unwrap(), effect)
}

/// A patch, or the whole document as it would be.
fn described(input: &Json, document: &Json) -> String {
    let text = input.get("text").cloned().unwrap_or_default().to_text();
    let patch = format!(r#"[{{"op":"replace","path":"/elements/0/description","value":{text}}}]"#);
    if input.get("whole").is_none() {
        return format!(r#"{{"status":"ok","result":"ok","patch":{patch}}}"#);
    }
    let whole = apply(document, &decode_patch(&json(&patch)).unwrap()).unwrap();
    format!(r#"{{"status":"ok","result":"ok","document":{}}}"#, to_text(&whole))
}

impl Review {
    fn new() -> Review {
        let core = graph_action_tools();
        let mut declarations: Vec<ToolDeclaration> = core.iter().map(|tool| tool.declaration()).collect();
        declarations.push(ToolDeclaration::decode(&json(DESCRIBE)).unwrap());
        let tools = ToolRegistry::new(declarations, &core).unwrap();
        let store = open(&json(MINIMAL)).unwrap();
        let mut tool_loop = ToolLoop::new(LoopOptions::default(), tools.clone(), Some(store.clone())).unwrap();
        let outcome = dispatch(&mut tool_loop, r#"{"type":"submit","text":"x","nowMs":1}"#, None);
        let Some(Effect::Request { id, .. }) = outcome.effects.first() else { panic!("nothing was asked of a model") };
        let _ = dispatch(&mut tool_loop, r#"{"type":"message_start","model":"m"}"#, Some(id));
        for (at, (name, input)) in CALLS.iter().enumerate() {
            let call = format!(r#"{{"type":"tool_call_complete","id":"c{at}","name":"{name}","input":{input}}}"#);
            let _ = dispatch(&mut tool_loop, &call, Some(id));
        }
        let outcome = dispatch(&mut tool_loop, r#"{"type":"message_stop","stopReason":"tool_use"}"#, Some(id));
        let mut review = Review { store, tools, tool_loop };
        review.answered(outcome, "the end of the message");
        review
    }

    fn tell(&mut self, input: &str) {
        let outcome = dispatch(&mut self.tool_loop, input, None);
        self.answered(outcome, input);
    }

    /// Answers the host's tool while it is asked; then every card is what a rehearsal of all of them says.
    fn answered(&mut self, mut outcome: Outcome, told: &str) {
        while let Some(Effect::Preview { id, call_id, input, document, .. }) =
            outcome.effects.iter().find(|effect| matches!(effect, Effect::Preview { .. }))
        {
            let before: Vec<CallRecord> = self.open().into_iter().take_while(|call| call.id != *call_id).collect();
            assert_eq!(*document, self.rehearse(&before).1, "{call_id} is asked on what the calls before it make, after {told}");
            let answer = format!(r#"{{"type":"previewed","callId":"{call_id}","outcome":{}}}"#, described(input, document));
            outcome = dispatch(&mut self.tool_loop, &answer, Some(id));
        }
        let open = self.open();
        for (call, preview) in open.iter().zip(self.rehearse(&open).0) {
            assert_eq!(call.preview, preview, "{} after {told}", call.id);
            assert!(preview.is_some());
        }
    }

    fn open(&mut self) -> Vec<CallRecord> {
        self.tool_loop.state().current_calls().filter(|call| !call.status.is_final()).cloned().collect()
    }

    fn rehearse(&self, calls: &[CallRecord]) -> (Vec<Option<Preview>>, Json) {
        let mut answers = Vec::new();
        for call in calls {
            let document = self.store.drafted(&self.steps(calls, &answers));
            answers.push(ToolOutcome::decode(&json(&described(&call.input, &document))).unwrap());
        }
        let steps = self.steps(calls, &answers);
        (self.store.rehearse(&steps), self.store.drafted(&steps))
    }

    /// Those calls that there is an answer for, in order.
    fn steps<'a>(&'a self, calls: &'a [CallRecord], answers: &'a [ToolOutcome]) -> Vec<Step<'a>> {
        let mut steps = Vec::new();
        for (call, answer) in calls.iter().zip(answers) {
            let tool = self.tools.find(&call.tool_name).unwrap();
            let act = tool.core().map_or(Act::Outcome(answer), |core| Act::Core(&**core));
            steps.push(Step { act, input: &call.input, summary: &call.summary, template: tool.declaration().summary.as_deref() });
        }
        steps
    }
}

#[test]
fn c4_c5_a_card_shows_what_a_rehearsal_from_the_first_call_on_says_whatever_was_decided_before() {
    let deny = |at: usize| format!(r#"{{"type":"denyCall","callId":"c{at}","nowMs":2}}"#);
    let edit = |at: usize, input: &str| format!(r#"{{"type":"approveCall","callId":"c{at}","editedInput":{input},"nowMs":2}}"#);
    let decisions = [
        deny(8),
        edit(3, r#"{"data_flow":{"from":"comp-1","to":"kiosk"}}"#),
        edit(4, r#"{"text":"typed"}"#),
        deny(2),
        edit(0, r#"{"element":{"type":"process","name":"Typed"}}"#),
        deny(0),
        deny(7),
        deny(1),
    ];
    let changes = [
        r#"[{"op":"replace","path":"/elements/0/name","value":"By a person"}]"#,
        r#"[{"op":"add","path":"/elements/-","value":{"id":"comp-1","type":"process","name":"Between"}}]"#,
    ];
    for first in 0..decisions.len() {
        for edited_at in 0..decisions.len() {
            let mut review = Review::new();
            for at in 0..decisions.len() {
                review.tell(&decisions[(first + at) % decisions.len()]);
                if at == edited_at {
                    let change = Change::decode(&json(changes[first % 2])).unwrap();
                    assert!(matches!(review.store.edit(&change, "e"), CommitOutcome::Committed { .. }));
                    review.tell(r#"{"type":"tick","nowMs":3}"#);
                }
            }
        }
    }
}
