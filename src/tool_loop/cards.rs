//! What cards show: the effect of every call of the message that may still run, each after those before it, on a draft of
//! the document as it is. Told to the reducer, which decides what an approval of it is worth; decides nothing itself.

use crate::document::rehearsal::{Act, Draft, Left, Step};
use crate::protocol::call::{Awaiting, CallRecord, CallStatus, TurnPhase};
use crate::protocol::command::{Told, ToolOutcome, TurnCommand, TurnInput};
use crate::protocol::effect::Effect;
use crate::protocol::ids::{CallId, EffectId};
use crate::protocol::json::Json;
use crate::protocol::preview::{Preview, Stale, StaleCause};
use crate::protocol::update::RefusalReason;
use crate::tools::registry::{PreparedCall, Tool};
use crate::turn::TurnState;
use crate::turn::preview::{card, ended_as_shown, needs_selection, preview_of, proposed, shows_effect};

use super::ToolLoop;
use super::effects::OpenPreview;
use super::selection::act_of;

/// The most lines that tell what changed in the document meanwhile.
const STALE_LINES: usize = 6;
/// What a call is told to do that should have been rehearsed and was not; it never runs as that.
const NOT_WORKED_OUT: &str = "what this would do could not be worked out";
const TOOK_TOO_LONG: &str = "what this would do could not be worked out in time";

/// What is known of the cards of the message beside what the reducer knows.
#[derive(Default)]
pub(super) struct Cards {
    /// What they were told for.
    reviewed: Option<Reviewed>,
    /// How often a person changed an input.
    inputs: u64,
    /// How often a tool of the host was previewed.
    answered: u64,
    /// What tools of the host came to on the draft they were given.
    answers: Vec<Answer>,
    /// Until when tools of the host have to answer that were stopped to be asked again: the call, its input, the moment.
    stopped: Vec<(CallId, String, u64)>,
    shown: Vec<Shown>,
    rehearsed: Rehearsed,
}

/// Everything the previews of a message depend on.
#[derive(Clone, PartialEq, Eq)]
struct Reviewed {
    revision: u64,
    turn: u64,
    iteration: u32,
    open: Vec<usize>,
    inputs: u64,
    answered: u64,
}

/// The calls that were rehearsed last on a document: what is the same from the first call on is not worked out anew.
#[derive(Default)]
struct Rehearsed {
    /// The revision of the document, and the turn.
    on: (u64, u64),
    made: Vec<Made>,
    /// The call that was asked for behind them, and the document its answer stands on.
    asked: Option<(CallId, String, Json)>,
}

/// One call on what those before it made of the document.
struct Made {
    call_id: CallId,
    input_digest: String,
    by: u64,
    preview: Option<Preview>,
    left: Left,
}

/// By what a call was rehearsed: nothing, its tool in the core, or the answer of this number and one.
const BY_NOTHING: u64 = 0;
const BY_CORE: u64 = 1;

struct Answer {
    number: u64,
    call_id: CallId,
    input_digest: String,
    base: Json,
    outcome: ToolOutcome,
}

/// The effect a card was shown with first, or was approved for.
struct Shown {
    call_id: CallId,
    effect: String,
    /// The document before somebody else changed it, where somebody did since.
    edited_from: Option<u64>,
}

impl Shown {
    /// What was approved since is what the card is measured by from now on.
    fn measure_by(&mut self, call: &CallRecord) {
        if call.status == CallStatus::Approved
            && let Some(preview) = call.preview.as_ref().filter(|preview| preview.effect_digest != self.effect)
        {
            self.effect.clone_from(&preview.effect_digest);
            self.edited_from = None;
        }
    }
}

impl Cards {
    /// Somebody else changed the document, which was at this revision.
    pub(super) fn edited_from(&mut self, revision: u64, state: &TurnState) {
        for shown in &mut self.shown {
            if let Some(call) = state.calls.find(&shown.call_id) {
                shown.measure_by(call);
            }
            shown.edited_from.get_or_insert(revision);
        }
    }

    /// The person changed the input of the call: its card is another.
    pub(super) fn input_changed(&mut self, call_id: &CallId) {
        self.inputs = self.inputs.saturating_add(1);
        self.stopped.retain(|(stopped, ..)| stopped != call_id);
        self.shown.retain(|shown| shown.call_id != *call_id);
    }

    /// All that was asked has its full time again.
    pub(super) fn resumed(&mut self) {
        self.stopped.clear();
    }

    /// The tool of the call is asked for again, or for another before it: the time it has goes on.
    fn stop(&mut self, call: &CallRecord, open: &OpenPreview) {
        if call.awaiting == Some(Awaiting::Preview) && call.input_digest == open.input_digest {
            self.stopped.push((open.call_id.clone(), open.input_digest.clone(), open.deadline_ms));
        }
    }

    /// When a tool that was stopped has to have answered.
    fn deadline_of(&mut self, call_id: &CallId, input_digest: &str) -> Option<u64> {
        let place = self.stopped.iter().position(|(stopped, digest, _)| stopped == call_id && digest == input_digest)?;
        Some(self.stopped.remove(place).2)
    }

    fn answered(&mut self, call_id: CallId, input_digest: String, base: Json, outcome: ToolOutcome) {
        self.answers.retain(|answer| answer.call_id != call_id);
        self.answered = self.answered.saturating_add(1);
        self.answers.push(Answer { number: self.answered, call_id, input_digest, base, outcome });
    }

    fn answer(&self, call: &CallRecord) -> Option<&Answer> {
        self.answers.iter().find(|answer| answer.call_id == call.id && answer.input_digest == call.input_digest)
    }

    /// Why the card shows another effect than it did, where it does.
    fn stale(&mut self, call: &CallRecord, effect: &str, lines: &mut dyn FnMut(u64) -> Stale) -> Option<Stale> {
        let Some(shown) = self.shown.iter_mut().find(|shown| shown.call_id == call.id) else {
            self.shown.push(Shown { call_id: call.id.clone(), effect: effect.to_owned(), edited_from: None });
            return None;
        };
        shown.measure_by(call);
        if shown.effect == effect {
            shown.edited_from = None;
            return None;
        }
        Some(match shown.edited_from {
            Some(revision) => lines(revision),
            None => Stale { because: StaleCause::Calls, lines: Vec::new() },
        })
    }
}

/// The calls of the message, rehearsed in order.
#[derive(Default)]
struct Laid<'a> {
    calls: Vec<&'a CallRecord>,
    /// What each would do; nothing where nobody can say.
    previews: Vec<Option<Preview>>,
    /// What one of them would do with another input, where that was asked.
    edited: Option<Preview>,
    /// The call whose tool has to be asked first, with what its answer will stand on.
    asks: Option<(&'a CallRecord, Json)>,
    /// It and those behind it.
    held: Vec<&'a CallRecord>,
    /// How many of the calls were rehearsed just so before, and what is to be remembered of those behind them.
    same: usize,
    made: Vec<Made>,
}

impl ToolLoop {
    /// The effects that were on the cards an approval is for when the host last heard of them.
    pub(super) fn shown_to(&self, input: &TurnInput) -> Vec<Option<String>> {
        let ids = match input {
            TurnInput::Command(TurnCommand::ApproveCall { call_id, edited_input: None, seen: None, .. }) => std::slice::from_ref(call_id),
            TurnInput::Command(TurnCommand::ApproveBatch { call_ids, seen: None, .. }) => call_ids.as_slice(),
            _ => return Vec::new(),
        };
        self.effects(ids)
    }

    /// An approval that names no card is for those that were shown, not for what they became since without a word.
    pub(super) fn hold_to(&self, command: &mut TurnCommand, shown: Vec<Option<String>>) {
        match command {
            TurnCommand::ApproveCall { call_id, seen, .. } if !shown.is_empty() && self.effects(std::slice::from_ref(call_id)) != shown => {
                *seen = Some(shown.into_iter().next().flatten().unwrap_or_default());
            }
            TurnCommand::ApproveBatch { call_ids, seen, .. } if !shown.is_empty() && self.effects(call_ids) != shown => {
                let mut names = Vec::with_capacity(shown.len());
                for (call_id, shown) in call_ids.iter().zip(shown) {
                    let call = self.state.calls.find(call_id);
                    let without = |call: &CallRecord| call.preview.is_none().then(|| card(call, self.foreign_revision));
                    names.push(shown.or_else(|| call.and_then(without)).unwrap_or_default());
                }
                *seen = Some(names);
            }
            _ => {}
        }
    }

    fn effects(&self, ids: &[CallId]) -> Vec<Option<String>> {
        let mut effects = Vec::with_capacity(ids.len());
        for id in ids {
            let preview = self.state.calls.find(id).and_then(|call| call.preview.as_ref());
            effects.push(preview.map(|preview| preview.effect_digest.clone()));
        }
        effects
    }

    /// Brings the cards of the message up to the document as it is. Costs nothing where nothing of them changed.
    pub(super) fn review_cards(&mut self, now_ms: Option<u64>) {
        if !matches!(self.state.phase, TurnPhase::AwaitingApproval | TurnPhase::Executing) {
            return;
        }
        let now = self.to_review();
        if self.cards.reviewed.as_ref() == Some(&now) {
            return;
        }
        let state = &self.state;
        let is_open =
            |call_id: &CallId| state.calls.find(call_id).is_some_and(|call| call.iteration == now.iteration && !call.status.is_final());
        self.cards.answers.retain(|answer| is_open(&answer.call_id));
        self.cards.shown.retain(|shown| is_open(&shown.call_id));
        let waits = |call_id: &CallId| state.calls.find(call_id).is_some_and(|call| call.awaiting == Some(Awaiting::Preview));
        self.cards.stopped.retain(|(call_id, ..)| is_open(call_id) && waits(call_id));
        self.cards.reviewed = Some(now);
        let laid = self.lay_out(None);
        let (mut told, mut known) = (Vec::new(), Vec::new());
        for (call, preview) in laid.calls.iter().zip(laid.previews) {
            let tool = self.tools.find(&call.tool_name);
            if call.status == CallStatus::Running
                || !tool.is_some_and(|tool| tool.declaration().shows_effect() || tool.declaration().target.is_some())
            {
                continue;
            }
            let act = self.act(call, tool);
            let is_undecided = needs_selection(act.as_ref());
            if is_undecided || !tool.is_some_and(|tool| tool.declaration().shows_effect()) {
                if call.act != act {
                    let preview = call.preview.clone().filter(|_| !is_undecided);
                    told.push((call.id.clone(), Told { preview, stale: None, act }));
                }
                continue;
            }
            let preview = preview.unwrap_or_else(|| preview_of(call, &failed(NOT_WORKED_OUT)));
            known.push((call.id.clone(), Told { preview: Some(preview), stale: None, act }));
        }
        for call in &laid.held {
            let act = self.act(call, self.tools.find(&call.tool_name));
            let is_undecided = needs_selection(act.as_ref());
            let waits = !is_undecided && call.awaiting != Some(Awaiting::Preview) && (call.preview.is_some() || self.runs_on_draft(call));
            if waits || call.act != act {
                told.push((call.id.clone(), Told { act, ..Told::default() }));
            }
        }
        let (same, made, on) = (laid.same, laid.made, (self.revision(), self.turn_number));
        let is_whole = same + made.len() == laid.calls.len();
        let asked = laid.asks.as_ref().filter(|_| is_whole).map(|(call, base)| (call.id.clone(), call.input_digest.clone(), base.clone()));
        let asks = laid.asks.map(|(call, base)| (call.id.clone(), base));
        self.cards.rehearsed.made.truncate(same);
        self.cards.rehearsed.made.extend(made);
        (self.cards.rehearsed.on, self.cards.rehearsed.asked) = (on, asked);
        for (call_id, mut one) in known {
            let (Some(call), store) = (self.state.calls.find(&call_id), self.store.as_ref()) else { continue };
            let mut lines = |revision| Stale {
                because: StaleCause::Document,
                lines: store.map(|store| store.lines_since(revision, STALE_LINES)).unwrap_or_default(),
            };
            let effect = one.preview.as_ref().map(|preview| preview.effect_digest.as_str()).unwrap_or_default();
            one.stale = self.cards.stale(call, effect, &mut lines);
            if call.awaiting == Some(Awaiting::Preview) || call.preview != one.preview || call.stale != one.stale || call.act != one.act {
                told.push((call_id, one));
            }
        }
        for (call_id, told) in told {
            self.tell(call_id, told, now_ms);
        }
        self.ask_for(asks);
    }

    /// A call ended. Where it did what those behind it were shown to stand on, their cards stand as they are.
    pub(super) fn ended(&mut self, call_id: &CallId, base_revision: u64) {
        let (Some(place), Some(call)) = (self.state.calls.place(call_id), self.state.calls.find(call_id)) else { return };
        let revision = self.revision();
        if let Some(reviewed) = self.cards.reviewed.as_mut().filter(|reviewed| reviewed.revision == base_revision && ended_as_shown(call)) {
            reviewed.revision = revision;
            reviewed.open.retain(|open| *open != place);
        }
    }

    /// A call would do something else than was approved: it goes back to the person.
    pub(super) fn ask_again(&mut self, call_id: &CallId, preview: Option<Preview>) {
        self.cards.reviewed = None;
        self.review_cards(None);
        let Some(call) = self.state.calls.find(call_id).filter(|call| call.status == CallStatus::Approved) else { return };
        let preview = preview.unwrap_or_else(|| preview_of(call, &failed(NOT_WORKED_OUT)));
        let stale = Some(Stale { because: StaleCause::Calls, lines: Vec::new() });
        let told = Told { preview: Some(preview), stale, act: call.act.clone() };
        self.tell(call_id.clone(), told, None);
    }

    /// What another input of a call that waits would do, in the place of the one it has.
    pub(super) fn preview_edit(&self, call_id: &CallId, prepared: &PreparedCall) -> Option<Preview> {
        let call = self.state.calls.find(call_id)?;
        if call.iteration != self.state.iteration || !matches!(call.status, CallStatus::Pending | CallStatus::Approved) {
            return None;
        }
        let tool = self.tools.find(&call.tool_name)?;
        let core = tool.core().filter(|_| shows_effect(call, tool))?;
        let step = Step { act: Act::Core(&**core), input: &prepared.input, summary: &prepared.summary, template: template(tool) };
        self.lay_out(Some((call_id, step))).edited
    }

    /// Whether an input leaves to chance what a call that waits acts on, and no card would ask first.
    pub(super) fn leaves_open(&self, call_id: &CallId, input: &Json) -> bool {
        let Some(call) = self.state.calls.find(call_id).filter(|call| call.status == CallStatus::Pending) else { return false };
        let tool = self.tools.find(&call.tool_name).filter(|tool| !shows_effect(call, tool));
        let typed = CallRecord { input: input.clone(), act: None, ..call.clone() };
        needs_selection(self.act(&typed, tool).as_ref())
    }

    /// What a call that waits would do: as its card says, or with another input where its tool runs in the core. Changes nothing.
    pub fn preview(&mut self, call_id: &CallId, edited_input: Option<&Json>) -> Option<Preview> {
        self.notice_document();
        let Some(input) = edited_input else { return self.state.calls.find(call_id)?.preview.clone() };
        match self.propose(call_id, input) {
            Ok((_, preview)) => preview,
            Err(issues) => {
                let call = self.state.calls.find(call_id)?;
                Some(preview_of(call, &failed(&crate::protocol::text::join(&issues, "; "))))
            }
        }
    }

    /// The input as it would be approved, and what it would do where that can be told; or what is wrong with it, line by line.
    pub fn propose(&mut self, call_id: &CallId, input: &Json) -> Result<(PreparedCall, Option<Preview>), Vec<String>> {
        self.notice_document();
        let prepared = proposed(&self.state, call_id, input, &self.tools)?;
        let preview = self.preview_edit(call_id, &prepared);
        Ok((prepared, preview))
    }

    /// A host's answer to a `preview` effect.
    pub(super) fn preview_answered(&mut self, call_id: CallId, outcome: ToolOutcome, now_ms: Option<u64>, effect_id: Option<&EffectId>) {
        let is_open =
            self.open.preview.as_ref().is_some_and(|(id, open)| open.call_id == call_id && effect_id.is_none_or(|given| given == id));
        match is_open {
            true => self.answer_preview(outcome, now_ms),
            false => self.collector.refuse("previewed", Some(call_id), RefusalReason::StaleEffect),
        }
    }

    /// A tool that was asked what it would do had its time.
    pub(super) fn time_out_preview(&mut self, now_ms: u64) {
        let Some((id, _)) = self.open.preview.as_ref().filter(|(_, open)| open.deadline_ms <= now_ms) else { return };
        let id = id.clone();
        self.collector.stop(id);
        self.answer_preview(failed(TOOK_TOO_LONG), Some(now_ms));
    }

    fn answer_preview(&mut self, outcome: ToolOutcome, now_ms: Option<u64>) {
        let Some((_, open)) = self.open.preview.take() else { return };
        self.deadline.set(None);
        let OpenPreview { call_id, input_digest, base, .. } = open;
        self.cards.answered(call_id, input_digest, base, outcome);
        self.review_cards(now_ms);
    }

    fn tell(&mut self, call_id: CallId, told: Told, now_ms: Option<u64>) {
        let outcome = ToolOutcome::Unknown { detail: None };
        self.reduce(TurnCommand::Previewed { call_id, outcome, told: Some(Box::new(told)), now_ms }.into(), "previewed");
    }

    /// Asks a tool of the host what its call would do, where it is not asked exactly that already. However often it has to be
    /// asked again before it answers, the time it has is counted from the first.
    fn ask_for(&mut self, asks: Option<(CallId, Json)>) {
        let call = asks.as_ref().and_then(|(call_id, _)| self.state.calls.find(call_id)).filter(|call| call.status == CallStatus::Pending);
        if let Some((id, open)) = &self.open.preview {
            let same =
                |call: &CallRecord, base: &Json| open.call_id == call.id && open.input_digest == call.input_digest && open.base == *base;
            if asks.as_ref().zip(call).is_some_and(|((_, base), call)| same(call, base)) {
                return;
            }
            if let Some(call) = self.state.calls.find(&open.call_id) {
                self.cards.stop(call, open);
            }
            self.collector.stop(id.clone());
            self.open.preview = None;
            self.deadline.set(None);
        }
        let (Some((call_id, base)), Some(call)) = (asks, call) else { return };
        let Some(tool) = self.tools.find(&call.tool_name) else { return };
        let timeout_ms = tool.declaration().timeout_ms;
        let (tool_name, input, input_digest) = (call.tool_name.clone(), call.input.clone(), call.input_digest.clone());
        let now_ms = self.state.clock_ms;
        let deadline_ms = self.cards.deadline_of(&call_id, &input_digest).unwrap_or(now_ms.saturating_add(timeout_ms));
        if deadline_ms <= now_ms {
            self.cards.answered(call_id, input_digest, base, failed(TOOK_TOO_LONG));
            return self.review_cards(None);
        }
        let id = self.open.next_id(&self.state.turn_id);
        let document = if self.store.is_some() { base.clone() } else { Json::Null };
        let effect = Effect::Preview { id: id.clone(), call_id: call_id.clone(), tool_name, input, document, timeout_ms };
        self.open.preview = Some((id, OpenPreview { effect: effect.clone(), call_id, input_digest, base, timeout_ms, deadline_ms }));
        self.deadline.set(None);
        self.emit(effect);
    }

    fn to_review(&self) -> Reviewed {
        let (iteration, cards) = (self.state.iteration, &self.cards);
        Reviewed {
            revision: self.revision(),
            turn: self.turn_number,
            iteration,
            open: self.state.calls.places(&|call| call.iteration == iteration && !call.status.is_final()),
            inputs: cards.inputs,
            answered: cards.answered,
        }
    }

    fn revision(&self) -> u64 {
        self.store.as_ref().map_or(self.foreign_revision, |store| store.revision())
    }

    /// The calls of the message that may still change something, each on what those before it made of a draft: up to one of
    /// them, to see what it would do with another input, or to one whose tool has to be asked first.
    fn lay_out(&self, until: Option<(&CallId, Step<'_>)>) -> Laid<'_> {
        let mut laid = Laid::default();
        let mut all = Vec::new();
        for call in self.state.current_calls().filter(|call| !call.status.is_final()) {
            let Some(tool) = self.tools.find(&call.tool_name).filter(|tool| tool.declaration().effect == call.effect) else { continue };
            // what is meant is looked up in the document itself, which nobody may look at while there is a draft of it
            all.push((call, tool, shows_effect(call, tool) && !needs_selection(self.act(call, Some(tool)).as_ref())));
        }
        let rehearsed = &self.cards.rehearsed;
        let known = match self.store.is_some() && rehearsed.on == (self.revision(), self.turn_number) {
            true => rehearsed.made.as_slice(),
            false => &[],
        };
        let mut draft = None;
        // without a document an answer stands on the last change anybody told of, and the calls before
        let mut stands_on = vec![Json::from(self.foreign_revision as f64)];
        for (call, tool, shows) in all {
            let same = known.get(..laid.same).unwrap_or_default();
            if let Some((_, step)) = until.as_ref().filter(|(call_id, _)| **call_id == call.id) {
                laid.edited = self.drafted(&mut draft, same).filter(|_| laid.asks.is_none()).and_then(|draft| draft.preview(step));
                break;
            }
            if laid.asks.is_some() {
                laid.held.push(call);
                continue;
            }
            let answer = self.cards.answer(call).filter(|_| shows && tool.core().is_none());
            let by = match answer {
                Some(answer) => answer.number.saturating_add(1),
                None if shows && tool.core().is_some() => BY_CORE,
                None => BY_NOTHING,
            };
            let is_next = laid.same == laid.calls.len();
            let waits = shows && tool.core().is_none() && answer.is_none() && call.status != CallStatus::Running;
            let stood =
                |made: &&Made| is_next && !waits && made.by == by && made.call_id == call.id && made.input_digest == call.input_digest;
            if let Some(made) = known.get(laid.same).filter(stood) {
                laid.previews.push(made.preview.clone());
                laid.calls.push(call);
                laid.same += 1;
                continue;
            }
            let (mut act, mut by) = (Act::Unknown, BY_NOTHING);
            match tool.core() {
                _ if !shows => {}
                Some(core) => (act, by) = (Act::Core(&**core), BY_CORE),
                None => {
                    let asked = rehearsed.asked.as_ref().filter(|(call_id, input_digest, _)| {
                        is_next
                            && known.len() == laid.same
                            && !known.is_empty()
                            && (call_id, input_digest) == (&call.id, &call.input_digest)
                    });
                    let base = match asked {
                        Some((_, _, base)) => base.clone(),
                        None => self.drafted(&mut draft, same).map_or_else(|| Json::from(stands_on.clone()), Draft::document),
                    };
                    match answer.filter(|answer| answer.base == base) {
                        Some(answer) => (act, by) = (Act::Outcome(&answer.outcome), answer.number.saturating_add(1)),
                        // it runs: what it does is known when it is done
                        None if call.status == CallStatus::Running => {}
                        None => {
                            laid.asks = Some((call, base));
                            laid.held.push(call);
                            continue;
                        }
                    }
                }
            }
            let step = Step { act, input: &call.input, summary: &call.summary, template: template(tool) };
            let preview = match (self.drafted(&mut draft, same), act) {
                (Some(draft), _) => {
                    let done = draft.done();
                    let preview = draft.preview(&step);
                    laid.made.push(Made {
                        call_id: call.id.clone(),
                        input_digest: call.input_digest.clone(),
                        by,
                        preview: preview.clone(),
                        left: draft.left(done),
                    });
                    preview
                }
                (None, Act::Outcome(outcome)) => Some(preview_of(call, outcome)),
                (None, _) => None,
            };
            laid.previews.push(preview);
            laid.calls.push(call);
            stands_on.push(Json::from(call.id.as_str()));
            stands_on.push(Json::from(call.input_digest.as_str()));
        }
        if let (Some(store), Some(draft)) = (&self.store, draft) {
            store.end(draft);
        }
        laid
    }

    /// The draft with what is known made on it, begun when it is first needed; none without a document.
    fn drafted<'d>(&self, draft: &'d mut Option<Draft>, known: &[Made]) -> Option<&'d mut Draft> {
        if draft.is_none() {
            let mut begun = self.store.as_ref()?.draft();
            for made in known {
                begun.again(&made.left);
            }
            *draft = Some(begun);
        }
        draft.as_mut()
    }

    fn runs_on_draft(&self, call: &CallRecord) -> bool {
        self.tools.find(&call.tool_name).is_some_and(|tool| tool.declaration().preview)
    }

    /// What the words for its target come to, in the document as it is.
    fn act(&self, call: &CallRecord, tool: Option<&Tool>) -> Option<crate::protocol::act::ActRecord> {
        match (&self.store, tool.and_then(|tool| tool.declaration().target.as_ref())) {
            (Some(store), Some(target)) if matches!(call.status, CallStatus::Pending) => act_of(&self.state, call, target, store),
            _ => call.act.clone(),
        }
    }
}

fn template(tool: &Tool) -> Option<&str> {
    tool.declaration().summary.as_deref()
}

fn failed(why: &str) -> ToolOutcome {
    ToolOutcome::Error { result: why.to_owned(), code: None, detail: None }
}
