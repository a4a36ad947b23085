//! Calls run: core tools here and now, the others in the host; what they change is committed, then told to the reducer.

use crate::commit::{BaseRevision, commit};
use crate::document::outcome::{CommitOutcome, CommitRefusal};
use crate::document::rehearsal::{Act, LINES, Step};
use crate::protocol::call::{Awaiting, CallErrorCode, CallRecord, CallStatus};
use crate::protocol::command::{ToolOutcome, TurnCommand};
use crate::protocol::effect::{Effect, RunsOn};
use crate::protocol::ids::{CallId, EffectId};
use crate::protocol::json::Json;
use crate::protocol::preview::Preview;
use crate::protocol::update::{RefusalReason, Update};
use crate::tools::canonical::sha256_hex;
use crate::turn::executing::next_to_start;
use crate::turn::outcome::checked;
use crate::turn::preview::shows_effect;

use super::ToolLoop;
use super::effects::OpenExecution;

/// What is said where a tool of the host did not do what it showed.
const OTHER_EFFECT: &str = "the tool made another change than the one that was approved; nothing was changed";

impl ToolLoop {
    /// Asks for the next approved call to start; says whether anything moved.
    pub(super) fn start_next(&mut self) -> bool {
        let Some(call_id) = next_to_start(&self.state, &self.tools).cloned() else { return false };
        let made = match self.make_granted(&call_id) {
            Ok(_) if self.is_unseen(&call_id) => {
                self.ask_again(&call_id, None);
                return true;
            }
            Ok(made) => made,
            Err(preview) => {
                self.ask_again(&call_id, preview.map(|preview| *preview));
                return true;
            }
        };
        let (now_ms, document_revision) = (self.state.clock_ms, self.foreign_revision);
        self.reduce(TurnCommand::StartCall { call_id: call_id.clone(), now_ms, document_revision }.into(), "startCall");
        match self.state.calls.find(&call_id).map(|call| call.status) {
            Some(CallStatus::Running) => {
                self.run(&call_id, made);
                true
            }
            // back to the person: something moved, and the phase with it
            Some(CallStatus::Pending) => true,
            _ => false,
        }
    }

    /// Runs a core tool whose effect was approved, on the document as it is, and keeps what it came to: that is what is
    /// committed. Fails with what it would do where that is something else.
    fn make_granted(&self, call_id: &CallId) -> Result<Option<ToolOutcome>, Option<Box<Preview>>> {
        let (Some(call), Some(store), Some(effect)) = (self.state.calls.find(call_id), &self.store, self.granted_effect(call_id)) else {
            return Ok(None);
        };
        let Some(core) = self.tools.find(&call.tool_name).and_then(|tool| tool.core()) else { return Ok(None) };
        let outcome = store.run(&**core, &call.input);
        // the lines are for a card that asks again
        match self.effect_on_document(call, &outcome, 0).is_some_and(|made| made.effect_digest == effect) {
            true => Ok(Some(outcome)),
            false => Err(self.effect_on_document(call, &outcome, LINES).map(Box::new)),
        }
    }

    /// Whether the call shows its effect and was approved without one.
    fn is_unseen(&self, call_id: &CallId) -> bool {
        let Some(call) = self.state.calls.find(call_id).filter(|_| self.granted_effect(call_id).is_none()) else { return false };
        self.tools.find(&call.tool_name).is_some_and(|tool| shows_effect(call, tool))
    }

    /// The effect that the newest approval of the call is for.
    fn granted_effect(&self, call_id: &CallId) -> Option<&str> {
        self.state.grants.iter().rev().find(|grant| grant.call_id == *call_id)?.effect_digest.as_deref()
    }

    fn effect_on_document(&self, call: &CallRecord, outcome: &ToolOutcome, most_lines: usize) -> Option<Preview> {
        let step = Step { act: Act::Outcome(outcome), input: &call.input, summary: &call.summary, template: None };
        self.store.as_ref()?.weigh(&step, most_lines)
    }

    /// What a tool of the host came to, where that is what was approved; where nothing was shown, anything is.
    fn granted(&self, call: &CallRecord, outcome: ToolOutcome, base_revision: u64) -> ToolOutcome {
        let (Some(effect), Some(store), ToolOutcome::Ok { .. }) = (self.granted_effect(&call.id), &self.store, &outcome) else {
            return outcome;
        };
        // a document that changed under the call is refused as that
        if store.revision() != base_revision {
            return outcome;
        }
        let refused = |result: String, code| ToolOutcome::Error { result, code: Some(code), detail: None };
        match (self.effect_on_document(call, &outcome, 0), &call.preview) {
            (Some(Preview { error: Some(error), .. }), _) => refused(error, CallErrorCode::InvalidDocument),
            (Some(made), _) if made.effect_digest == effect => outcome,
            // what could not say what it does was approved to do nothing
            (Some(_), Some(Preview { error: Some(_), .. })) if !changes(&outcome) => outcome,
            _ => refused(OTHER_EFFECT.to_owned(), CallErrorCode::ExecutionFailed),
        }
    }

    fn run(&mut self, call_id: &CallId, made: Option<ToolOutcome>) {
        let Some(call) = self.state.calls.find(call_id) else { return };
        let Some(tool) = self.tools.find(&call.tool_name) else { return };
        let base_revision = self.store.as_ref().map_or(0, |store| store.revision());
        if let Some(core) = tool.core() {
            let outcome = match &self.store {
                _ if made.is_some() => made.unwrap_or_else(|| core.run(&Json::Null, &call.input)),
                Some(store) => store.run(&**core, &call.input),
                None => core.run(&Json::Null, &call.input),
            };
            return self.settle(call_id.clone(), outcome, None, base_revision);
        }
        let declaration = tool.declaration();
        let key = format!("{}\n{}\n{}\n{}", self.state.turn_id, call.id, call.tool_name, call.input_digest);
        let (tool_name, input, runs_on, timeout_ms) =
            (call.tool_name.clone(), call.input.clone(), declaration.runs_on, declaration.timeout_ms);
        let id = self.open.next_id(&self.state.turn_id);
        let effect = Effect::Execute {
            id: id.clone(),
            call_id: call_id.clone(),
            tool_name,
            input,
            runs_on: if runs_on == RunsOn::Server { RunsOn::Server } else { RunsOn::Client },
            idempotency_key: sha256_hex(key.as_bytes()),
            timeout_ms,
            document_revision: base_revision,
        };
        self.open.executions.push((id, OpenExecution { effect: effect.clone(), call_id: call_id.clone(), base_revision }));
        self.emit(effect);
    }

    /// A host's answer to an `execute` effect; anything else is recorded and changes nothing.
    pub(super) fn execution_settled(&mut self, call_id: CallId, outcome: ToolOutcome, now_ms: Option<u64>, effect_id: Option<&EffectId>) {
        let Some(execution) = self.open.execution(&call_id, effect_id) else {
            // the reducer records what was tried; where the call does run, the effect named is what does not match
            let running = self.state.calls.find(&call_id).is_some_and(|call| call.status == CallStatus::Running);
            let named = match effect_id {
                Some(effect_id) if running => CallId::from(effect_id.as_str()),
                _ => call_id.clone(),
            };
            self.reduce_unrefused(TurnCommand::CallSettled { call_id: named, outcome, history_step: None, now_ms }.into(), "callSettled");
            return self.collector.refuse("callSettled", Some(call_id), RefusalReason::StaleEffect);
        };
        let base_revision = execution.base_revision;
        self.open.close_execution(&call_id);
        self.settle(call_id, outcome, now_ms, base_revision);
    }

    /// Checks, commits, and only then tells the reducer: it never hears of a change that is not in the document.
    fn settle(&mut self, call_id: CallId, outcome: ToolOutcome, now_ms: Option<u64>, base_revision: u64) {
        let Some(call) = self.state.calls.find(&call_id).filter(|call| call.status == CallStatus::Running) else { return };
        let Some(tool) = self.tools.find(&call.tool_name) else { return };
        let effect = tool.declaration().effect;
        let label = call.summary.clone();
        let mut outcome = checked(outcome, tool);
        if tool.declaration().preview {
            outcome = self.granted(call, outcome, base_revision);
        }
        let mut history_step = None;
        let changes = changes(&outcome);
        let turn = if changes { self.key_to_commit() } else { self.turn_key() };
        let outcome = match outcome {
            ToolOutcome::Ok { result, document, patch } => {
                let proposed = ToolOutcome::Ok { result: result.clone(), document, patch };
                let committed = match (&self.store, changes) {
                    (_, false) => CommitOutcome::Unchanged,
                    (Some(store), true) => commit(store, &turn, &label, BaseRevision(base_revision), effect, &proposed),
                    (None, true) => {
                        CommitOutcome::refused(CommitRefusal::ToolError, "the tool returned a document, but this conversation has none")
                    }
                };
                match committed {
                    CommitOutcome::Committed { revision, patch } => {
                        history_step = self.store.as_ref().and_then(|store| store.last_step());
                        self.committed_now(revision);
                        self.update(Update::Document { revision, patch: patch.clone() });
                        ToolOutcome::Ok { result, document: None, patch: Some(patch) }
                    }
                    CommitOutcome::Unchanged => ToolOutcome::Ok { result, document: None, patch: Some(Vec::new()) },
                    CommitOutcome::Refused { refusal, result } => {
                        ToolOutcome::Error { result, code: Some(refusal_code(refusal)), detail: None }
                    }
                }
            }
            other => other,
        };
        let ended = call_id.clone();
        self.reduce(TurnCommand::CallSettled { call_id, outcome, history_step, now_ms }.into(), "callSettled");
        self.ended(&ended, base_revision);
    }

    /// The turn is over: whatever is still open is stopped.
    pub(super) fn abort_all(&mut self) {
        let mut ids = self.open.close_executions(&|_| true);
        if let Some((request, _)) = self.open.request.take() {
            ids.insert(0, request);
        }
        if let Some((preview, _)) = self.open.preview.take() {
            self.deadline.set(None);
            ids.push(preview);
        }
        self.abort(ids);
    }

    /// Stops what runs for calls that are done (their time was up).
    pub(super) fn abort_finished(&mut self) {
        let calls = &self.state.calls;
        let mut finished = self.open.close_executions(&|call_id| calls.find(call_id).is_none_or(|call| call.status != CallStatus::Running));
        // of a turn that another took the place of, or a call that is decided
        let waits = |call_id: &CallId| calls.find(call_id).is_some_and(|call| call.awaiting == Some(Awaiting::Preview));
        if let Some((id, _)) = self.open.preview.take_if(|(_, open)| !waits(&open.call_id)) {
            self.deadline.set(None);
            finished.push(id);
        }
        self.abort(finished);
    }

    fn abort(&mut self, ids: Vec<EffectId>) {
        if !ids.is_empty() {
            self.emit(Effect::Abort { ids });
        }
    }
}

/// Whether a tool gave back anything that could change the document.
fn changes(outcome: &ToolOutcome) -> bool {
    let ToolOutcome::Ok { document, patch, .. } = outcome else { return false };
    document.is_some() || patch.as_ref().is_some_and(|patch| !patch.is_empty())
}

fn refusal_code(refusal: CommitRefusal) -> CallErrorCode {
    match refusal {
        CommitRefusal::ToolError => CallErrorCode::ExecutionFailed,
        CommitRefusal::ReadToolMutated => CallErrorCode::ReadToolMutated,
        CommitRefusal::DocumentChanged => CallErrorCode::DocumentChanged,
        CommitRefusal::InvalidDocument => CallErrorCode::InvalidDocument,
    }
}
