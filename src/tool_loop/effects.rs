//! The effects that wait for an answer. An id is given once and never again.

use crate::protocol::effect::Effect;
use crate::protocol::event::ProviderFormat;
use crate::protocol::ids::{CallId, EffectId};
use crate::protocol::json::Json;
use crate::providers::{Decoder, WireNames};

/// A request that is open.
pub(super) struct OpenRequest {
    /// The number inside its id: names the request as exactly as the id does, and is compared at once.
    pub(super) number: u64,
    pub(super) effect: Effect,
    pub(super) attempt: u32,
    /// Known once the host built the body.
    pub(super) format: Option<ProviderFormat>,
    pub(super) decoder: Option<Box<Decoder>>,
    /// The tools that the body calls by another name than their own.
    pub(super) names: WireNames,
}

/// A tool that runs in the host.
pub(super) struct OpenExecution {
    pub(super) effect: Effect,
    pub(super) call_id: CallId,
    /// The document the call was given.
    pub(super) base_revision: u64,
}

/// A tool of the host that is asked what a call would do.
pub(super) struct OpenPreview {
    pub(super) effect: Effect,
    pub(super) call_id: CallId,
    pub(super) input_digest: String,
    /// The draft it was given.
    pub(super) document: Json,
    pub(super) timeout_ms: u64,
    pub(super) deadline_ms: u64,
}

#[derive(Default)]
pub(super) struct OpenEffects {
    pub(super) last_number: u64,
    pub(super) request: Option<(EffectId, OpenRequest)>,
    pub(super) executions: Vec<(EffectId, OpenExecution)>,
    /// One at a time: what the next would stand on is not known before.
    pub(super) preview: Option<(EffectId, OpenPreview)>,
}

impl OpenEffects {
    pub(super) fn next_id(&mut self, turn_id: &str) -> EffectId {
        self.last_number = self.last_number.saturating_add(1);
        EffectId::from(format!("{turn_id}.e{}", self.last_number))
    }

    /// The open request that `id` names; without an id the one that is open.
    pub(super) fn request(&mut self, id: Option<&EffectId>) -> Option<&mut OpenRequest> {
        let (open_id, request) = self.request.as_mut()?;
        (id.is_none() || id == Some(open_id)).then_some(request)
    }

    /// The open request of this number.
    pub(super) fn numbered(&mut self, number: u64) -> Option<&mut OpenRequest> {
        self.request.as_mut().map(|(_, request)| request).filter(|request| request.number == number)
    }

    /// The open execution of a call; an id must be its own.
    pub(super) fn execution(&self, call_id: &CallId, id: Option<&EffectId>) -> Option<&OpenExecution> {
        let (open_id, execution) = self.executions.iter().find(|(_, execution)| execution.call_id == *call_id)?;
        (id.is_none() || id == Some(open_id)).then_some(execution)
    }

    pub(super) fn close_execution(&mut self, call_id: &CallId) {
        self.executions.retain(|(_, execution)| execution.call_id != *call_id);
    }

    /// Takes out the ids of all executions that `wanted` picks.
    pub(super) fn close_executions(&mut self, wanted: &dyn Fn(&CallId) -> bool) -> Vec<EffectId> {
        let mut closed = Vec::new();
        self.executions.retain(|(id, execution)| {
            let close = wanted(&execution.call_id);
            if close {
                closed.push(id.clone());
            }
            !close
        });
        closed
    }

    pub(super) fn list(&self) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Some((_, request)) = &self.request {
            effects.push(request.effect.clone());
        }
        if let Some((_, preview)) = &self.preview {
            effects.push(preview.effect.clone());
        }
        for (_, execution) in &self.executions {
            effects.push(execution.effect.clone());
        }
        effects
    }
}
