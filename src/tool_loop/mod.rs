//! The loop machine: holds decoder, turn and document; one step in, one `Outcome` out. Nothing calls back.
//!
//! Enters: commands, events, bytes. Leaves: what to show (`updates`) and what to do (`effects`, each answered by
//! its id). It decides nothing: whatever may happen is asked of the reducer and of `commit`.

mod cards;
mod effects;
mod execution;
mod ids;
mod issuers;
mod outcome;
mod recording;
mod replay;
mod requests;
mod selection;
mod snapshot;
mod undo;

use std::cell::Cell;

use serde::Serialize;

use crate::document::store::DocumentStore;
use crate::protocol::call::TurnPhase;
use crate::protocol::command::{TurnCommand, TurnContext, TurnInput};
use crate::protocol::effect::{Effect, RunsOn};
use crate::protocol::error::Fault;
use crate::protocol::fields::{Fields, LARGEST_WHOLE};
use crate::protocol::ids::{CallId, EffectId};
use crate::protocol::json::Json;
use crate::protocol::message::Message;
use crate::protocol::text::echo;
use crate::protocol::update::{RefusalReason, Update};
use crate::tools::registry::ToolRegistry;
use crate::turn::TurnLimits;
use crate::turn::preview::proposed;
use crate::turn::reduce::{Change, Changes, reduce};
use crate::turn::settling::next_deadline_ms;
use crate::turn::state::{CONVERSATION_FULL, IdleOptions, OrchestrationMode, Prices, TurnState, idle_turn};

use cards::Cards;
use effects::OpenEffects;
use ids::CallIds;
use issuers::Issuers;
use outcome::Collector;
use recording::Recorder;
use snapshot::Untouched;
use undo::CommittedTurn;

pub use outcome::{Fed, Outcome};

/// What is said of an input that is as ambiguous as a title can be.
const AMBIGUOUS: &str = "this names its target by a title; give the id of what is meant";

/// How a loop is set up; every turn begins with these.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoopOptions {
    /// How much the model may do by itself.
    pub mode: OrchestrationMode,
    /// What one turn may spend.
    pub limits: TurnLimits,
    /// Who asks, where `submit` names nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<TurnContext>,
    /// The conversation so far.
    pub history: Vec<Message>,
    /// Names the conversation; part of every id that leaves the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// What tokens cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// The model's window in tokens; a longer history is cut to it, oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_input_tokens: Option<u64>,
    /// Keeps everything that goes into the loop, for `recording`.
    pub record_inputs: bool,
    /// Keeps every input the reducer is given in the current turn, for `traced_inputs`.
    #[serde(skip)]
    pub trace_turn: bool,
}

impl LoopOptions {
    /// Reads the options from plain JSON.
    pub fn decode(value: &Json) -> Result<LoopOptions, Fault> {
        let mut fields = Fields::of(value, "invalid_options", "")?;
        let IdleOptions { mode, limits, context, history, .. } = IdleOptions::read(&mut fields)?;
        let options = LoopOptions {
            mode,
            limits,
            context,
            history,
            conversation_id: fields.opt_string("conversationId")?,
            prices: fields.opt_json("prices").map(decode_prices).transpose()?,
            max_input_tokens: fields.opt_integer("maxInputTokens")?,
            record_inputs: fields.opt_bool("recordInputs")?.unwrap_or(false),
            trace_turn: false,
        };
        fields.finish()?;
        Ok(options)
    }

    /// Whether the conversation's id tells its turns from those of others.
    fn is_named(&self) -> bool {
        self.conversation_id.as_deref().is_some_and(|name| !name.is_empty())
    }
}

fn decode_prices(value: &Json) -> Result<Prices, Fault> {
    let mut fields = Fields::of(value, "invalid_options", "prices")?;
    let mut price = |key: &'static str| match fields.opt_number(key)? {
        Some(price) if price >= 0.0 => Ok(price),
        Some(price) => Err(fields.fault(key, format!("`{}` is not a price", Json::Number(price).to_text()))),
        None => Err(fields.fault(key, format!("`{key}` is missing"))),
    };
    let prices = Prices { input_micros_per_token: price("inputMicrosPerToken")?, output_micros_per_token: price("outputMicrosPerToken")? };
    fields.finish()?;
    Ok(prices)
}

/// One conversation of many turns.
pub struct ToolLoop {
    options: LoopOptions,
    /// The tools the next turn begins with.
    next_tools: ToolRegistry,
    /// The tools the current turn was begun with.
    tools: ToolRegistry,
    state: TurnState,
    turn_number: u64,
    open: OpenEffects,
    ids: CallIds,
    issuers: Issuers,
    store: Option<DocumentStore>,
    /// Tells this loop's turns from those of others on the store, where no conversation id does.
    writer: u64,
    /// The store's revision when this loop last looked: a larger one is somebody else's change.
    seen_revision: u64,
    /// The revision of the last change that the current turn did not make.
    foreign_revision: u64,
    committed: Vec<CommittedTurn>,
    cards: Cards,
    collector: Collector,
    changes: Changes,
    traced: Vec<TurnInput>,
    recorder: Option<Box<Recorder>>,
    /// The next deadline, once it was worked out for the state as it is: what a chunk costs must not depend on how many
    /// calls the turn holds.
    deadline: Cell<Option<Option<u64>>>,
    /// Set by a restore until the host does anything: taking up may go on by itself (a call that was cut off is
    /// answered, a reading runs), but what was laid down and taken up and laid down again is the same text.
    untouched: Option<Untouched>,
    /// Set by a restore until the host tells the time: what passed in between was nobody's.
    resting: bool,
}

impl ToolLoop {
    /// A loop in which nothing was asked yet. It shares the store with whoever else holds it.
    pub fn new(options: LoopOptions, tools: ToolRegistry, store: Option<DocumentStore>) -> Result<ToolLoop, Fault> {
        check_tools(&options, &tools, store.as_ref())?;
        let recorder = Recorder::of_new(&options, &tools, store.as_ref());
        let writer = writer_of(&options, store.as_ref(), None);
        let revision = store.as_ref().map_or(0, DocumentStore::revision);
        let state = idle_turn(idle_options(&options, 1, options.history.clone()), &tools);
        let ids = CallIds::of_history(&state.messages);
        Ok(ToolLoop {
            options,
            next_tools: tools.clone(),
            tools,
            state,
            turn_number: 0,
            open: OpenEffects::default(),
            ids,
            issuers: Issuers::default(),
            store,
            writer,
            seen_revision: revision,
            foreign_revision: revision,
            committed: Vec::new(),
            cards: Cards::default(),
            collector: Collector::default(),
            changes: Changes::new(),
            traced: Vec::new(),
            recorder,
            deadline: Cell::new(None),
            untouched: None,
            resting: false,
        })
    }

    /// One step: an event of the provider or a command of the host. `effect_id` names the effect this answers; it
    /// may be left out while exactly one open effect can be meant.
    pub fn dispatch(&mut self, input: TurnInput, effect_id: Option<&EffectId>) -> Outcome {
        let shown = self.shown_to(&input);
        self.touch();
        if let Some(recorder) = &mut self.recorder {
            recorder.dispatched(&input, effect_id);
        }
        match input {
            TurnInput::Event { event, now_ms } => {
                self.pass_time(now_ms);
                self.answer_request(event, now_ms, effect_id);
            }
            TurnInput::Command(mut command) => {
                // a new message sets waiting cards aside, whether or not their time was up: it must not be lost to a tick
                let supersedes = matches!(command, TurnCommand::Submit { .. }) && self.state.phase == TurnPhase::AwaitingApproval;
                if !supersedes {
                    self.pass_time(command.now_ms());
                }
                self.hold_to(&mut command, shown);
                self.command(command, effect_id);
            }
        }
        self.pump();
        self.take_outcome()
    }

    /// The tools of the next turn. What was approved in the current one for a tool that changed is shown again.
    pub fn set_tools(&mut self, tools: ToolRegistry) -> Result<Outcome, Fault> {
        check_tools(&self.options, &tools, self.store.as_ref())?;
        self.touch();
        if let Some(recorder) = &mut self.recorder {
            recorder.tools_set(&tools);
        }
        let mut changed = Vec::new();
        for tool in self.tools.tools() {
            let name = &tool.declaration().name;
            if tools.tool_digest(name) != Some(tool.digest()) {
                changed.push(name.clone());
            }
        }
        self.next_tools = tools;
        if self.state.is_live() && !changed.is_empty() {
            self.reduce(TurnCommand::ToolsChanged { tool_names: changed }.into(), "toolsChanged");
        }
        self.pump();
        Ok(self.take_outcome())
    }

    /// The effects that were not answered yet, for a host that lost track.
    #[must_use]
    pub fn pending(&self) -> Vec<Effect> {
        self.open.list()
    }

    /// The current turn.
    pub fn state(&mut self) -> &TurnState {
        self.notice_document();
        &self.state
    }

    /// The whole conversation.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.state.messages
    }

    /// The inputs the reducer was given in the current turn, where the loop traces it.
    #[must_use]
    pub fn traced_inputs(&self) -> &[TurnInput] {
        &self.traced
    }

    /// The idle state the current turn began with, for folding what was traced.
    #[must_use]
    pub fn begun_with(&self) -> TurnState {
        let before = usize::try_from(self.state.first_message).unwrap_or(usize::MAX);
        let history = self.state.messages.get(..before).unwrap_or(&self.state.messages).to_vec();
        idle_turn(idle_options(&self.options, self.turn_number.max(1), history), &self.tools)
    }

    /// The next moment at which a `tick` would do something, epoch milliseconds.
    #[must_use]
    pub fn next_deadline_ms(&self) -> Option<u64> {
        let deadline = self.deadline.get().unwrap_or_else(|| {
            let of_turn = next_deadline_ms(&self.state, &self.tools);
            let of_preview = self.open.preview.as_ref().map(|(_, open)| open.deadline_ms.min(LARGEST_WHOLE));
            of_turn.into_iter().chain(of_preview).min()
        });
        self.deadline.set(Some(deadline));
        deadline
    }

    /// The host does something: what others did to the document meanwhile comes first.
    fn touch(&mut self) {
        self.untouched = None;
        self.notice_change(false);
    }

    fn command(&mut self, command: TurnCommand, effect_id: Option<&EffectId>) {
        let name = command.name();
        match command {
            TurnCommand::Submit { text, now_ms, context } => self.submit(text, now_ms, context),
            TurnCommand::ApproveCall { call_id, edited_input, seen, now_ms, .. } => {
                let document_revision = self.foreign_revision;
                let edit = edited_input.as_ref().and_then(|input| proposed(&self.state, &call_id, input, &self.tools).ok());
                if edit.as_ref().is_some_and(|prepared| self.leaves_open(&call_id, &prepared.input)) {
                    let detail = Some(AMBIGUOUS.to_owned());
                    let (input, reason) = (name.to_owned(), RefusalReason::InvalidInput);
                    return self.update(Update::Refused { input, call_id: Some(call_id), reason, detail });
                }
                let preview = edit.and_then(|prepared| self.preview_edit(&call_id, &prepared)).map(Box::new);
                let id = call_id.clone();
                let command = TurnCommand::ApproveCall { call_id, edited_input, seen, preview, now_ms, document_revision };
                self.change_input(&id, command, name);
            }
            TurnCommand::SelectTarget { call_id, target_id, now_ms } => {
                let id = call_id.clone();
                self.change_input(&id, TurnCommand::SelectTarget { call_id, target_id, now_ms }, name);
            }
            TurnCommand::Previewed { call_id, outcome, now_ms, .. } => self.preview_answered(call_id, outcome, now_ms, effect_id),
            TurnCommand::ApproveBatch { call_ids, seen, now_ms, .. } => {
                let document_revision = self.foreign_revision;
                self.reduce(TurnCommand::ApproveBatch { call_ids, seen, now_ms, document_revision }.into(), name);
            }
            command @ (TurnCommand::DenyCall { .. } | TurnCommand::Cancel { .. } | TurnCommand::Tick { .. }) => {
                // a clock that ticks between turns asks for nothing
                if matches!(command, TurnCommand::Tick { .. }) && !self.state.is_live() {
                    return;
                }
                self.reduce(command.into(), name);
            }
            TurnCommand::DocumentEdited { document_revision } if self.store.is_none() => {
                self.foreign_revision = document_revision;
                if self.state.is_live() {
                    self.reduce(TurnCommand::DocumentEdited { document_revision }.into(), name);
                }
            }
            TurnCommand::CallSettled { call_id, outcome, history_step: _, now_ms } => {
                self.execution_settled(call_id, outcome, now_ms, effect_id)
            }
            TurnCommand::CallProgress { call_id, label, fraction } => {
                if self.open.execution(&call_id, effect_id).is_none() {
                    return self.collector.refuse(name, Some(call_id), RefusalReason::StaleEffect);
                }
                self.reduce(TurnCommand::CallProgress { call_id, label, fraction }.into(), name);
            }
            TurnCommand::UndoTurn { .. } => self.undo_turn(),
            // what only the loop may ask: a host that could start calls would be a second authority
            TurnCommand::StartCall { call_id, .. } => self.collector.refuse(name, Some(call_id), RefusalReason::WrongPhase),
            TurnCommand::DocumentEdited { .. }
            | TurnCommand::ToolsChanged { .. }
            | TurnCommand::Advance { .. }
            | TurnCommand::Resume { .. }
            | TurnCommand::Retry { .. }
            | TurnCommand::RedoTurn { .. } => self.collector.refuse(name, None, RefusalReason::WrongPhase),
        }
    }

    /// A decision that may put another input in the place of the call's.
    fn change_input(&mut self, call_id: &CallId, command: TurnCommand, name: &'static str) {
        let digest = |state: &TurnState| state.calls.find(call_id).map(|call| call.input_digest.clone());
        let before = digest(&self.state);
        self.reduce(command.into(), name);
        if digest(&self.state) != before {
            self.cards.input_changed(call_id);
        }
    }

    /// A new message: begins a turn, after superseding one that waits for the person.
    fn submit(&mut self, text: String, now_ms: u64, context: Option<TurnContext>) {
        if self.state.is_live() && self.state.phase != TurnPhase::AwaitingApproval {
            return self.collector.refuse("submit", None, RefusalReason::TurnLive);
        }
        if text.trim().is_empty() {
            return self.collector.refuse_with("submit", RefusalReason::InvalidInput, "the message is empty");
        }
        // asked before anything of the turn that stands is given up; cards that wait are answered in one message more
        if !self.state.has_room_for(if self.state.is_live() { 2 } else { 1 }) {
            return self.collector.refuse_with("submit", RefusalReason::InvalidInput, CONVERSATION_FULL);
        }
        let now_ms = now_ms.max(self.state.clock_ms);
        if self.state.is_live() {
            self.reduce(TurnCommand::Submit { text: text.clone(), now_ms, context: context.clone() }.into(), "submit");
        }
        self.resting = false;
        self.archive_turn();
        self.turn_number = self.turn_number.saturating_add(1);
        self.tools = self.next_tools.clone();
        let history = std::mem::take(&mut self.state.messages);
        self.ids.next_turn(self.turn_number, &self.state.calls);
        self.state = idle_turn(idle_options(&self.options, self.turn_number, history), &self.tools);
        self.traced.clear();
        self.reduce(TurnCommand::Submit { text, now_ms, context }.into(), "submit");
        if self.state.is_live() {
            let document_revision = self.foreign_revision;
            self.reduce(TurnCommand::DocumentEdited { document_revision }.into(), "documentEdited");
            self.open_request(1, None);
        }
    }

    /// Gives the reducer one input and translates what it changed.
    fn reduce(&mut self, input: TurnInput, name: &'static str) {
        for change in self.reduced(input) {
            self.collector.change(change, name, &self.state);
        }
    }

    /// The same for an input the loop itself refuses: the reducer's own refusal would be the second one.
    fn reduce_unrefused(&mut self, input: TurnInput, name: &'static str) {
        for change in self.reduced(input) {
            if !matches!(change, Change::Refused { .. }) {
                self.collector.change(change, name, &self.state);
            }
        }
    }

    fn reduced(&mut self, input: TurnInput) -> Vec<Change> {
        if self.options.trace_turn {
            self.traced.push(input.clone());
        }
        self.deadline.set(None);
        reduce(&mut self.state, input, &self.tools, &mut self.changes);
        self.changes.take()
    }

    /// Does what can be done without the host: starts calls, runs core tools, sends results on, closes what is over.
    fn pump(&mut self) {
        loop {
            match self.state.phase {
                TurnPhase::Executing => {
                    self.review_cards(None);
                    if self.state.phase != TurnPhase::Executing {
                        continue;
                    }
                    if self.start_next() {
                        continue;
                    }
                    if self.state.current_calls().any(|call| !call.status.is_final()) {
                        return self.abort_finished();
                    }
                    let now_ms = self.state.clock_ms;
                    self.reduce(TurnCommand::Advance { now_ms }.into(), "advance");
                    if self.state.phase == TurnPhase::Requesting {
                        self.open_request(1, None);
                    }
                }
                TurnPhase::Settled => {
                    self.follow_steps();
                    return self.abort_all();
                }
                TurnPhase::AwaitingApproval => {
                    self.review_cards(None);
                    if self.state.phase == TurnPhase::Executing {
                        continue;
                    }
                    return self.abort_finished();
                }
                _ => return self.abort_finished(),
            }
        }
    }

    /// Lets the reducer see that a deadline passed before it sees what came after it.
    fn pass_time(&mut self, now_ms: Option<u64>) {
        let Some(now_ms) = now_ms else { return };
        if std::mem::take(&mut self.resting) && self.state.is_live() {
            self.reduce(TurnCommand::Resume { now_ms }.into(), "resume");
            // what was asked when the turn was taken up has its full time from now
            if let Some((_, open)) = &mut self.open.preview {
                open.deadline_ms = now_ms.saturating_add(open.timeout_ms);
            }
            self.cards.resumed();
        }
        if self.next_deadline_ms().is_some_and(|deadline| now_ms >= deadline) {
            self.reduce(TurnCommand::Tick { now_ms }.into(), "tick");
            self.time_out_preview(now_ms);
            self.pump();
        }
    }

    fn take_outcome(&mut self) -> Outcome {
        let next_deadline_ms = self.next_deadline_ms();
        self.collector.take(next_deadline_ms)
    }

    fn emit(&mut self, effect: Effect) {
        self.collector.effect(effect);
    }

    fn update(&mut self, update: Update) {
        self.collector.update(update);
    }
}

/// What a loop cannot run its tools without.
fn check_tools(options: &LoopOptions, tools: &ToolRegistry, store: Option<&DocumentStore>) -> Result<(), Fault> {
    let runs_on = |place: RunsOn| tools.tools().any(|tool| tool.declaration().runs_on == place);
    let leaves_the_page = runs_on(RunsOn::Server) || tools.tools().any(|tool| tool.declaration().external);
    if leaves_the_page && options.conversation_id.as_deref().unwrap_or_default().is_empty() {
        let message = "a tool that is external or runs on the server needs a `conversationId` for its idempotency keys";
        return Err(Fault::at("invalid_options", "conversationId", message));
    }
    let Some(store) = store else {
        if runs_on(RunsOn::Core) {
            return Err(Fault::at("invalid_options", "document", "a core tool works on the document of the loop, and this loop has none"));
        }
        return Ok(());
    };
    let definition = store.definition();
    for tool in tools.tools() {
        let Some(target) = &tool.declaration().target else { continue };
        if !definition.sections().iter().any(|section| section.name == target.section) {
            let message = format!("tool `{}`: the document has no section `{}`", echo(&tool.declaration().name), echo(&target.section));
            return Err(Fault::at("invalid_options", "tools", message));
        }
    }
    Ok(())
}

/// The number that tells this loop's turns from others' on the store; none is needed where the turn ids do, unless it has one
/// because they did not.
fn writer_of(options: &LoopOptions, store: Option<&DocumentStore>, known: Option<u64>) -> u64 {
    let known = known.filter(|writer| *writer > 0);
    match store {
        Some(store) if known.is_some() || !options.is_named() => store.writer(known),
        _ => 0,
    }
}

fn idle_options(options: &LoopOptions, turn_number: u64, history: Vec<Message>) -> IdleOptions {
    let turn_id = match options.conversation_id.as_deref() {
        Some(conversation) if !conversation.is_empty() => format!("{conversation}.t{turn_number}"),
        _ => format!("t{turn_number}"),
    };
    IdleOptions {
        turn_id,
        mode: options.mode,
        limits: options.limits.clone(),
        context: options.context.clone(),
        history,
        prices: options.prices,
    }
}
