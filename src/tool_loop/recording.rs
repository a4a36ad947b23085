//! Keeps everything that goes into a loop from outside, in order, so that `replay` rebuilds the same state.
//!
//! Enters: how the loop began, and each input as it comes. Leaves: JSON text. What the loop does by itself is not kept:
//! it does it again. Every input is written when it comes, so that one costs what it holds and nothing more.

use serde::Serialize;

use crate::document::journal::Journal;
use crate::document::store::DocumentStore;
use crate::protocol::command::TurnInput;
use crate::protocol::error::Fault;
use crate::protocol::event::ProviderFormat;
use crate::protocol::ids::EffectId;
use crate::protocol::json::write::{to_text, write_integer, write_string};
use crate::protocol::json::{Json, read};
use crate::tools::canonical::{canonical_json, sha256_hex};
use crate::tools::registry::ToolRegistry;

use super::{LoopOptions, ToolLoop};

/// The version this build writes and the only one it reads.
pub(super) const VERSION: u32 = 1;
/// The most text of inputs that is kept: a day's work of a person, and no more than a page can hold.
const LARGEST_BYTES: usize = 64 << 20;

/// What was put into one loop so far.
pub(super) struct Recorder {
    /// What stands before the document.
    beginning: String,
    /// The document as it was; its tree costs nothing while others hold it too.
    document: Option<Json>,
    inputs: String,
    is_full: bool,
    journal: Option<Journal>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Beginning<'a> {
    version: u32,
    tools: &'a str,
    options: &'a Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    snapshot: Option<&'a str>,
}

impl Recorder {
    /// Before the loop is made: making one leaves a trace in the store.
    pub(super) fn of(options: &Json, snapshot: Option<&str>, tools: &ToolRegistry, store: Option<&DocumentStore>) -> Recorder {
        let mut beginning = to_text(&Beginning { version: VERSION, tools: tools.digest(), options, snapshot });
        beginning.pop();
        if let Some(store) = store {
            beginning.push_str(r#","store":"#);
            beginning.push_str(&store.standing());
        }
        let (document, journal) = (store.map(DocumentStore::read), store.map(DocumentStore::follow));
        Recorder { beginning, document, inputs: String::new(), is_full: false, journal }
    }

    /// A loop that nobody restored, for one that is to be recorded.
    pub(super) fn of_new(options: &LoopOptions, tools: &ToolRegistry, store: Option<&DocumentStore>) -> Option<Box<Recorder>> {
        options.record_inputs.then(|| {
            let options = read::parse_around(&to_text(options), 1).unwrap_or_default();
            Box::new(Recorder::of(&options, None, tools, store))
        })
    }

    pub(super) fn dispatched(&mut self, input: &TurnInput, effect_id: Option<&EffectId>) {
        let Some(out) = self.entry("dispatch", 0) else { return };
        if let Some(effect_id) = effect_id {
            out.push_str(r#","effectId":"#);
            write_string(out, effect_id.as_str());
        }
        out.push_str(r#","input":"#);
        match input {
            TurnInput::Command(command) => out.push_str(&to_text(command)),
            TurnInput::Event { event, now_ms } => {
                out.push_str(&to_text(event));
                out.pop();
                push_time(out, *now_ms);
                out.push('}');
            }
        }
        out.push('}');
    }

    /// Bytes of an answer, or their end. Bytes that are no text by themselves are written in hexadecimal.
    pub(super) fn fed(&mut self, number: u64, chunk: Option<&[u8]>, now_ms: Option<u64>) {
        let kind = if chunk.is_some() { "feed" } else { "endStream" };
        let Some(out) = self.entry(kind, chunk.unwrap_or_default().len()) else { return };
        out.push_str(r#","request":"#);
        write_integer(out, false, number);
        push_time(out, now_ms);
        match chunk.map(std::str::from_utf8) {
            None => {}
            Some(Ok(text)) => {
                out.push_str(r#","text":"#);
                write_string(out, text);
            }
            Some(Err(_)) => {
                out.push_str(r#","bytes":""#);
                for byte in chunk.unwrap_or_default() {
                    out.extend([byte >> 4, byte & 15].map(|half| char::from_digit(u32::from(half), 16).unwrap_or('0')));
                }
                out.push('"');
            }
        }
        out.push('}');
    }

    pub(super) fn requested(&mut self, request_id: &EffectId, format: ProviderFormat, params: &Json) {
        let Some(out) = self.entry("request", 0) else { return };
        out.push_str(r#","id":"#);
        write_string(out, request_id.as_str());
        out.push_str(r#","format":"#);
        out.push_str(&to_text(&format));
        out.push_str(r#","params":"#);
        out.push_str(&params.to_text());
        out.push('}');
    }

    /// Tools are code as often as data: what is kept is only which they were.
    pub(super) fn tools_set(&mut self, tools: &ToolRegistry) {
        let Some(out) = self.entry("setTools", 0) else { return };
        out.push_str(r#","tools":"#);
        write_string(out, tools.digest());
        out.push('}');
    }

    /// Others changed the document, which now has this revision. The next input finds it so, or somebody only `looked`.
    pub(super) fn document_changed(&mut self, revision: u64, looked: bool) {
        let changes = self.journal.as_ref().and_then(Journal::take);
        self.is_full |= changes.is_none();
        let Some(out) = self.entry("document", 0) else { return };
        out.push_str(r#","revision":"#);
        write_integer(out, false, revision);
        if looked {
            out.push_str(r#","looked":true"#);
        }
        out.push_str(r#","changes":["#);
        out.push_str(&changes.unwrap_or_default());
        out.push_str("]}");
    }

    /// The last change was the loop's own.
    pub(super) fn own_change(&self) {
        if let Some(journal) = &self.journal {
            let _ = journal.take();
        }
    }

    /// Begins one more input; nothing where the recording is full.
    fn entry(&mut self, kind: &str, bytes: usize) -> Option<&mut String> {
        if self.is_full || self.inputs.len().saturating_add(bytes) > LARGEST_BYTES {
            // half of a recording leads nowhere, and its memory is the page's
            (self.is_full, self.inputs) = (true, String::new());
            return None;
        }
        let out = &mut self.inputs;
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(r#"{"type":""#);
        out.push_str(kind);
        out.push('"');
        Some(out)
    }

    fn text(&self) -> Result<String, Fault> {
        if self.is_full {
            return Err(Fault::new("recording_full", format!("more than {LARGEST_BYTES} bytes went into the loop")));
        }
        let document = self.document.as_ref().unwrap_or(&Json::Null).to_text();
        Ok([&self.beginning, r#","document":"#, &document, r#","inputs":["#, &self.inputs, "]}"].concat())
    }
}

fn push_time(out: &mut String, now_ms: Option<u64>) {
    if let Some(now_ms) = now_ms {
        out.push_str(r#","nowMs":"#);
        write_integer(out, false, now_ms);
    }
}

impl ToolLoop {
    /// Everything that went into this loop so far, as JSON text for `replay`; with `record_inputs` only.
    pub fn recording(&mut self) -> Result<String, Fault> {
        self.notice_document();
        match &self.recorder {
            Some(recorder) => recorder.text(),
            None => Err(Fault::new("not_recorded", "this loop was made without `recordInputs`").expecting("`recordInputs: true`")),
        }
    }

    /// SHA-256 over the canonical JSON of the turn's state and the digest of the document: equal digests, equal states.
    #[must_use]
    pub fn state_digest(&mut self) -> String {
        self.notice_document();
        let text = to_text(&self.state);
        let state = read::parse_around(&text, 16).unwrap_or_else(|_| Json::from(text));
        let document = self.store.as_ref().map_or(Json::Null, |store| Json::from(store.digest()));
        sha256_hex(canonical_json(&crate::json_object! { "state" => state, "document" => document }).as_bytes())
    }
}
