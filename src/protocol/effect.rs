//! What the host is asked to do. Each effect has an id and is answered by that id, once.

use serde::Serialize;

use crate::words;

use super::ids::{CallId, EffectId};
use super::json::Json;

words! {
    /// Who runs a tool.
    pub enum RunsOn {
        /// The core itself.
        Core = "core",
        /// The host's own page.
        Client = "client",
        /// A server the host calls.
        Server = "server",
    }
}

words! {
    /// Which tools a request offers.
    pub enum OfferedTools {
        /// All tools of the turn.
        All = "all",
        /// None: the model can only speak.
        None = "none",
    }
}

/// One thing the host is asked to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Effect {
    /// Ask the provider: build the body with `request`, answer with `feed` and `endStream`, or with events.
    Request {
        /// Answers name it.
        id: EffectId,
        /// Which request of the turn it is, from 1.
        iteration: u32,
        /// Which attempt of it, from 1.
        attempt: u32,
        /// Not before this moment, epoch milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        not_before_ms: Option<u64>,
        /// Which tools it offers.
        tools: OfferedTools,
    },
    /// Run a tool and answer with `callSettled`.
    Execute {
        /// Answers name it.
        id: EffectId,
        /// The call.
        call_id: CallId,
        /// The tool.
        tool_name: String,
        /// The validated input: exactly what was approved.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        input: Json,
        /// Where it runs.
        runs_on: RunsOn,
        /// The same for every attempt of this one run, for servers that refuse doubles.
        idempotency_key: String,
        /// How long it may take, in milliseconds.
        timeout_ms: u64,
        /// The revision of the document the call starts from.
        document_revision: u64,
    },
    /// Run a tool on a draft and answer with `previewed`: nothing of it may stay.
    Preview {
        /// Answers name it.
        id: EffectId,
        /// The call.
        call_id: CallId,
        /// The tool.
        tool_name: String,
        /// The validated input.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        input: Json,
        /// The document as the calls before it would leave it; `null` where the loop has none.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        document: Json,
        /// How long it may take, in milliseconds.
        timeout_ms: u64,
    },
    /// Stop these; nothing they still say is heard.
    Abort {
        /// The effects to stop.
        ids: Vec<EffectId>,
    },
}
