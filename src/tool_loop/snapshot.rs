//! Save and restore: versioned JSON in which no grant survives and nothing is believed that can be checked.

use serde::Serialize;

use crate::document::store::DocumentStore;
use crate::from_json;
use crate::protocol::call::TurnPhase;
use crate::protocol::command::{TurnContext, read_context};
use crate::protocol::error::Fault;
use crate::protocol::fields::Fields;
use crate::protocol::from_json::{FromJson, member, object_of};
use crate::protocol::json::Json;
use crate::tools::registry::ToolRegistry;
use crate::turn::TurnState;
use crate::turn::rest::{laid_down, taken_up};
use crate::turn::state::LARGEST_COUNT;

use super::ids::CallIds;
use super::issuers::{Issuer, Issuers};
use super::recording::Recorder;
use super::{LoopOptions, ToolLoop, idle_options};

/// The version this build writes and the only one it reads.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Snapshot {
    version: u32,
    conversation_id: Option<String>,
    turn_number: u64,
    /// Tells the turns of this loop from those of others on its store; 0 where the conversation's id does.
    writer: u64,
    /// Effect ids are never used again, not even after a restore.
    last_effect: u64,
    max_input_tokens: Option<u64>,
    /// SHA-256 of the document, so that a host can tell whether it is the one that was left.
    document_digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issuers: Option<Vec<Issuer>>,
    state: TurnState,
}

from_json! {
    Snapshot {
        version: "version",
        conversation_id: "conversationId",
        turn_number: "turnNumber",
        writer: "writer",
        last_effect: "lastEffect",
        max_input_tokens: "maxInputTokens",
        document_digest: "documentDigest",
        issuers: "issuers",
        state: "state",
    }
}

/// What a restore was given, for as long as the host has not done anything with it.
pub(super) struct Untouched {
    last_effect: u64,
    state: TurnState,
}

impl ToolLoop {
    /// The conversation as JSON text, with the state a restore would give; the loop itself is left untouched.
    #[must_use]
    pub fn snapshot(&self) -> String {
        let snapshot = Snapshot {
            version: VERSION,
            conversation_id: self.options.conversation_id.clone(),
            turn_number: self.turn_number,
            writer: self.writer,
            last_effect: self.untouched.as_ref().map_or(self.open.last_number, |left| left.last_effect),
            max_input_tokens: self.options.max_input_tokens,
            document_digest: self.store.as_ref().map(DocumentStore::digest),
            issuers: self.issuers.kept(),
            state: self.untouched.as_ref().map_or_else(|| laid_down(&self.state), |left| left.state.clone()),
        };
        crate::protocol::json::write::to_text(&snapshot)
    }

    /// A loop from a snapshot. Who asks is told anew; calls that waited ask again, with the same id and input, and
    /// `pending` lists what the host has to do.
    pub fn restore(snapshot: &str, options: &Json, tools: ToolRegistry, store: Option<DocumentStore>) -> Result<ToolLoop, Fault> {
        let (context, record_inputs) = decode_options(options)?;
        // what is recorded begins before the loop does
        let recorder = record_inputs.then(|| Box::new(Recorder::of(options, Some(snapshot), &tools, store.as_ref())));
        let snapshot = read(snapshot)?;
        let resting = snapshot.state;
        if snapshot.last_effect > LARGEST_COUNT || snapshot.turn_number > LARGEST_COUNT {
            return Err(Fault::at("invalid_snapshot", "lastEffect", "no conversation ever counted that far"));
        }
        let issuers = Issuers::restored(snapshot.issuers, resting.messages.len())?;
        let left = Untouched { last_effect: snapshot.last_effect, state: laid_down(&resting) };
        let options = LoopOptions {
            mode: resting.mode,
            limits: resting.limits.clone(),
            context: context.clone(),
            history: Vec::new(),
            conversation_id: snapshot.conversation_id,
            prices: resting.prices,
            max_input_tokens: snapshot.max_input_tokens,
            ..LoopOptions::default()
        };
        let mut restored = ToolLoop::new(options, tools, store)?;
        let expected = idle_options(&restored.options, snapshot.turn_number.max(1), Vec::new()).turn_id;
        if resting.turn_id != expected {
            return Err(Fault::at("invalid_snapshot", "state.turnId", "the turn does not belong to this conversation"));
        }
        restored.recorder = recorder;
        restored.turn_number = snapshot.turn_number;
        restored.issuers = issuers;
        // a number alone cannot tell one store from another: it is kept only on the document that was left, or beside a name
        let is_same = snapshot.document_digest.is_some() && snapshot.document_digest == restored.store.as_ref().map(DocumentStore::digest);
        if is_same || restored.options.is_named() {
            restored.writer = super::writer_of(&restored.options, restored.store.as_ref(), Some(snapshot.writer));
        }
        let asks = matches!(resting.phase, TurnPhase::Requesting | TurnPhase::Streaming);
        restored.open.last_number = snapshot.last_effect;
        restored.deadline.set(None);
        restored.state = taken_up(resting, context, restored.foreign_revision, &restored.tools)?;
        let before = usize::try_from(restored.state.first_message).unwrap_or(usize::MAX).min(restored.state.messages.len());
        let (earlier, _) = restored.state.messages.split_at(before);
        restored.ids = CallIds::of_turn(restored.turn_number, earlier, &restored.state.calls);
        restored.remember_commit();
        if asks {
            restored.open_request(1, None);
        }
        restored.pump();
        // what this caused is in `state` and `pending`; there is no call to return it from
        let _ = restored.take_outcome();
        restored.resting = true;
        restored.untouched = Some(left);
        Ok(restored)
    }
}

fn decode_options(options: &Json) -> Result<(Option<TurnContext>, bool), Fault> {
    let mut fields = Fields::of(options, "invalid_options", "")?;
    let context = read_context(&mut fields)?;
    let record_inputs = fields.opt_bool("recordInputs")?.unwrap_or(false);
    fields.finish()?;
    Ok((context, record_inputs))
}

fn read(text: &str) -> Result<Snapshot, Fault> {
    let damaged = |fault: Fault| fault.told_as("invalid_snapshot", "the snapshot cannot be read: ");
    let value = Json::parse(text).map_err(|error| damaged(Fault::new("invalid_snapshot", error)))?;
    let version: u32 = object_of(&value).and_then(|object| member(object, "version")).map_err(damaged)?;
    if version != VERSION {
        let message = format!("this build reads version {VERSION}, the snapshot has version {version}");
        return Err(Fault::at("unsupported_snapshot", "version", message).expecting(VERSION.to_string()));
    }
    Snapshot::from_json(&value).map_err(damaged)
}
