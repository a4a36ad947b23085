//! Rebuilds a loop from a recording: the same tools, the same first document, the same inputs, the same state.
//!
//! Enters: the text of a recording, which is input and not proof. Leaves: a loop, or what does not fit. What a replayed
//! loop wants done is for looking at: it was done long ago, and its host answers nothing.

use crate::document::outcome::CommitOutcome;
use crate::document::store::DocumentStore;
use crate::protocol::command::{TurnInput, read_context};
use crate::protocol::error::Fault;
use crate::protocol::event::ProviderFormat;
use crate::protocol::fields::Fields;
use crate::protocol::ids::EffectId;
use crate::protocol::json::{Json, read};
use crate::tools::canonical::{canonical_json, sha256_hex};
use crate::tools::registry::ToolRegistry;

use super::recording::VERSION;
use super::{LoopOptions, ToolLoop};

/// How deep what came from outside stands inside a recording, at most: three levels for an input, two more for a change of the document.
const LEVELS: usize = 8;
const DAMAGED: &str = "invalid_recording";

impl ToolLoop {
    /// Plays a recording on a fresh store of its document. `options` holds `context` (who asked, where it is not to be the one that
    /// was recorded) and `until` (how many of the inputs are played; all where it is left out). `tools` are those the
    /// loop began with, and those it was given later.
    pub fn replay(recording: &str, options: &Json, tools: &[ToolRegistry], store: Option<DocumentStore>) -> Result<ToolLoop, Fault> {
        let mut fields = Fields::of(options, "invalid_options", "")?;
        let (context, until) = (fields.opt_json("context").cloned(), fields.opt_integer("until")?);
        let _ = read_context(&mut fields)?;
        fields.finish()?;
        let recorded = read::parse_around(recording, LEVELS).map_err(|flaw| Fault::new(DAMAGED, flaw.message()))?;
        let mut fields = Fields::of(&recorded, DAMAGED, "")?;
        let version: u32 = fields.read("version")?;
        if version != VERSION {
            let message = format!("this build reads version {VERSION}, the recording has version {version}");
            return Err(Fault::at("unsupported_recording", "version", message).expecting(VERSION.to_string()));
        }
        let (digest, mut begun, snapshot) = (fields.string("tools")?, fields.json("options")?, fields.opt_string("snapshot")?);
        let first = found(tools, &digest)?;
        take_up(fields.json("document")?, fields.opt_json("store"), store.as_ref())?;
        let inputs = fields.json("inputs")?;
        let inputs = inputs.as_array().ok_or_else(|| Fault::at(DAMAGED, "inputs", "the inputs are no list"))?;
        if let (Some(context), Some(begun)) = (context, begun.as_object_mut()) {
            begun.insert("context", context);
        }
        let damaged = |fault: Fault| fault.told_as(DAMAGED, "the loop did not begin like this: ");
        let mut replayed = match snapshot {
            Some(snapshot) => ToolLoop::restore(&snapshot, &begun, first, store),
            None => LoopOptions::decode(&begun).and_then(|options| ToolLoop::new(options, first, store)),
        }
        .map_err(damaged)?;
        let until = until.map_or(inputs.len(), |until| usize::try_from(until).unwrap_or(usize::MAX));
        for (at, input) in inputs.iter().take(until).enumerate() {
            replayed.play(input, tools).map_err(|fault| {
                if fault.code == "tools_mismatch" { fault } else { fault.told_as(DAMAGED, "") }.under(&format!("inputs[{at}]"))
            })?;
        }
        Ok(replayed)
    }

    /// One input; what it causes was seen by whoever recorded it.
    fn play(&mut self, input: &Json, tools: &[ToolRegistry]) -> Result<(), Fault> {
        let mut fields = Fields::of(input, DAMAGED, "")?;
        match fields.string("type")?.as_str() {
            "dispatch" => {
                let effect_id = fields.opt_string("effectId")?.map(EffectId::from);
                let input = TurnInput::decode(&fields.json("input")?).map_err(|fault| fault.under("input"))?;
                let _ = self.dispatch(input, effect_id.as_ref());
            }
            "feed" => {
                let (number, now_ms) = (fields.read("request")?, fields.opt_integer("nowMs")?);
                let _ = match fields.opt_string("text")? {
                    Some(text) => self.feed_numbered(number, text.as_bytes(), now_ms),
                    None => {
                        let bytes = fields.string("bytes")?;
                        let bytes = bytes_of(&bytes).ok_or_else(|| fields.fault("bytes", "these are no bytes in hexadecimal"))?;
                        self.feed_numbered(number, &bytes, now_ms)
                    }
                };
            }
            "endStream" => {
                let (number, now_ms) = (fields.read("request")?, fields.opt_integer("nowMs")?);
                self.decode(number, None, now_ms);
                let _ = self.take_outcome();
            }
            "request" => {
                let (id, format) = (EffectId::from(fields.string("id")?), ProviderFormat::parse(&fields.string("format")?)?);
                // what could not be built then cannot be built now
                let _ = self.request(&id, format, &fields.json("params")?);
            }
            "setTools" => {
                let _ = self.set_tools(found(tools, &fields.string("tools")?)?)?;
            }
            "document" => {
                let (revision, changes): (u64, Json) = (fields.read("revision")?, fields.json("changes")?);
                let store = self.store.clone().ok_or_else(|| Fault::new(DAMAGED, "this loop has no document"))?;
                for change in changes.as_array().unwrap_or_default() {
                    if let CommitOutcome::Refused { result, .. } = store.perform(change)? {
                        return Err(Fault::at(DAMAGED, "changes", result));
                    }
                }
                if store.revision() != revision {
                    return Err(fields.fault("revision", "the changes do not lead to this revision"));
                }
                // else the next input comes upon it, as it did then
                if fields.opt_bool("looked")? == Some(true) {
                    self.notice_document();
                }
            }
            other => return Err(fields.fault("type", format!("no input is called `{}`", crate::protocol::text::echo(other)))),
        }
        Ok(())
    }
}

/// The tools with this digest, among those that were given.
fn found(tools: &[ToolRegistry], digest: &str) -> Result<ToolRegistry, Fault> {
    let known = tools.iter().find(|tools| tools.digest() == digest).cloned();
    known.ok_or_else(|| Fault::at("tools_mismatch", "tools", "the loop was recorded with other tools than are given"))
}

/// The store stands where the recorded one stood.
fn take_up(document: Json, standing: Option<&Json>, store: Option<&DocumentStore>) -> Result<(), Fault> {
    let mismatch = |message: &str| Err(Fault::at("document_mismatch", "document", message));
    match (store, standing) {
        (None, None) => Ok(()),
        (Some(_), None) => mismatch("the recorded loop had no document"),
        (None, Some(_)) => mismatch("the recorded loop had a document, and none is given"),
        (Some(store), Some(_)) if sha256_hex(canonical_json(&document).as_bytes()) != store.digest() => {
            mismatch("the store does not hold the document the recording began with")
        }
        (Some(store), Some(_)) if store.revision() != 1 => mismatch("the store was used already; a replay needs one of its own"),
        (Some(store), Some(standing)) => store.stand(standing).map_err(|fault| fault.told_as(DAMAGED, "").under("store")),
    }
}

fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let half = |digit: &u8| char::from(*digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| if let [high, low] = pair { Some((half(high)? << 4) | half(low)?) } else { None }).collect()
}
