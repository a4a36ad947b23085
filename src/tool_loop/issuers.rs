//! Which model was asked for each part of a conversation, so that opaque state goes back to its issuer alone.
//!
//! A format is not enough to tell an issuer: Anthropic checks that a thinking block can be read by the model it is sent
//! to, OpenAI cannot decrypt the reasoning of another model, and Gemini calls a thought signature of another model
//! corrupted: the whole request is refused for it, and so is every later one. Only changes are kept, one for each switch.

use serde::Serialize;

use crate::from_json;
use crate::protocol::error::Fault;
use crate::protocol::event::ProviderFormat;
use crate::protocol::message::{ContentBlock, Message, Role};

/// From this message on, another model was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Issuer {
    from: u64,
    /// Nothing where the host brought events of its own: nobody knows whose they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<ProviderFormat>,
    /// The model as it was asked for; what a server calls itself says less.
    model: String,
}

from_json! {
    Issuer {
        from: "from",
        format: "format",
        model: "model",
    }
}

/// The changes of a conversation, in its order. Before the first of them nothing is known, and everything is kept.
#[derive(Debug, Default)]
pub(super) struct Issuers {
    changes: Vec<Issuer>,
}

impl Issuers {
    /// The changes a snapshot tells of a conversation of so many messages.
    pub(super) fn restored(changes: Option<Vec<Issuer>>, messages: usize) -> Result<Issuers, Fault> {
        let changes = changes.unwrap_or_default();
        let mut next = 0;
        for change in &changes {
            if change.from < next || change.from > count(messages) {
                return Err(Fault::at("invalid_snapshot", "issuers", "the changes of the model are not in the order of the messages"));
            }
            next = change.from.saturating_add(1);
        }
        Ok(Issuers { changes })
    }

    /// What a snapshot keeps.
    pub(super) fn kept(&self) -> Option<Vec<Issuer>> {
        (!self.changes.is_empty()).then(|| self.changes.clone())
    }

    /// What comes behind so many messages is this model's.
    pub(super) fn note(&mut self, messages: usize, format: Option<ProviderFormat>, model: &str) {
        let from = count(messages);
        // a change after which nothing came
        while self.changes.last().is_some_and(|last| last.from >= from) {
            self.changes.pop();
        }
        let is_known = match self.changes.last() {
            Some(last) => last.format == format && last.model == model,
            // what was before is nobody's either
            None => format.is_none(),
        };
        if !is_known {
            self.changes.push(Issuer { from, format, model: model.to_owned() });
        }
    }

    /// Takes the state that others issued out of `messages`, which are those of the conversation from its first on: it
    /// is not sent, and so it is not counted either.
    pub(super) fn strip(&self, messages: &mut [Message], format: ProviderFormat, model: &str) {
        for message in messages.iter_mut() {
            message.content.retain(|block| !matches!(block, ContentBlock::ProviderState { provider, .. } if *provider != format));
        }
        for (at, change) in self.changes.iter().enumerate() {
            if change.format.is_none() || (change.format == Some(format) && change.model == model) {
                continue;
            }
            // what was laid down may be shorter
            let end = self.changes.get(at + 1).map_or(messages.len(), |next| place(next.from).min(messages.len()));
            forget(messages.get_mut(place(change.from)..end).unwrap_or_default());
        }
    }
}

/// Takes the state out of the turns before the current one, where what stood before them was left out. Newer models of
/// Anthropic refuse a thinking block before which anything changed; one of an earlier turn may always be left out. Others
/// do not look at what stood before, and some want their state back in every later turn.
pub(super) fn forget_earlier_turns(messages: &mut [Message], format: ProviderFormat) {
    let asks =
        |message: &Message| message.role == Role::User && message.content.iter().any(|block| matches!(block, ContentBlock::Text { .. }));
    if format == ProviderFormat::Anthropic
        && let Some(current) = messages.iter().rposition(asks)
    {
        forget(messages.get_mut(..current).unwrap_or_default());
    }
}

fn forget(messages: &mut [Message]) {
    for message in messages {
        message.content.retain(|block| !matches!(block, ContentBlock::ProviderState { .. }));
    }
}

fn count(messages: usize) -> u64 {
    u64::try_from(messages).unwrap_or(u64::MAX)
}

fn place(from: u64) -> usize {
    usize::try_from(from).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_object;

    const CHAT: Option<ProviderFormat> = Some(ProviderFormat::OpenaiChat);

    fn answer(n: u32) -> Message {
        let state = ContentBlock::ProviderState { provider: ProviderFormat::OpenaiChat, value: json_object! { "n" => n }, call_id: None };
        Message { role: Role::Assistant, content: vec![state, ContentBlock::Text { text: "a".to_owned() }] }
    }

    fn left(issuers: &Issuers, messages: usize, model: &str) -> Vec<usize> {
        let mut messages: Vec<Message> = (0..messages).map(|n| answer(u32::try_from(n).unwrap())).collect();
        issuers.strip(&mut messages, ProviderFormat::OpenaiChat, model);
        (0..messages.len()).filter(|at| messages[*at].content.len() == 2).collect()
    }

    #[test]
    fn s5_state_goes_to_the_model_it_was_asked_of() {
        let mut issuers = Issuers::default();
        issuers.note(2, CHAT, "a");
        issuers.note(4, CHAT, "a");
        issuers.note(5, CHAT, "b");
        issuers.note(7, CHAT, "a");
        assert_eq!(issuers.changes.len(), 3, "one for each switch");
        // 0 and 1 were given: nobody knows whose they are
        assert_eq!(left(&issuers, 8, "a"), [0, 1, 2, 3, 4, 7]);
        assert_eq!(left(&issuers, 8, "b"), [0, 1, 5, 6]);
        assert_eq!(left(&issuers, 8, "c"), [0, 1]);
        assert_eq!(left(&issuers, 6, "a"), [0, 1, 2, 3, 4], "a history that was laid down shorter");
    }

    #[test]
    fn s5_a_switch_that_nothing_came_of_leaves_no_trace() {
        let mut issuers = Issuers::default();
        issuers.note(1, CHAT, "a");
        issuers.note(3, CHAT, "b");
        issuers.note(3, CHAT, "a");
        assert_eq!(issuers.changes.len(), 1);
        issuers.note(3, CHAT, "b");
        issuers.note(2, CHAT, "c");
        assert_eq!(left(&issuers, 4, "c"), [0, 2, 3]);
    }

    #[test]
    fn s5_events_of_the_hosts_own_are_nobodys() {
        let mut issuers = Issuers::default();
        issuers.note(1, None, "");
        assert_eq!(issuers.kept(), None);
        issuers.note(1, CHAT, "a");
        issuers.note(2, None, "");
        issuers.note(3, CHAT, "b");
        assert_eq!(left(&issuers, 4, "b"), [0, 2, 3]);
    }

    #[test]
    fn s2_changes_that_cannot_be_are_refused() {
        let change = |from| Issuer { from, format: CHAT, model: "m".to_owned() };
        for (froms, messages) in [(vec![3], 2), (vec![1, 1], 4), (vec![2, 1], 4)] {
            let fault = Issuers::restored(Some(froms.into_iter().map(change).collect()), messages).unwrap_err();
            assert_eq!(fault.code, "invalid_snapshot");
        }
        assert!(Issuers::restored(Some(vec![change(0), change(4)]), 4).is_ok());
    }
}
