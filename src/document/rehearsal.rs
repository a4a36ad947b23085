//! What calls would do, one after the other, on a draft of the document.
//!
//! Enters: tools and inputs, or what a host's tool came to. Leaves: for each what it changes, judged as a commit judges it.
//! Nothing of it stays. Costs what is touched, where a change is made entity by entity; else one look at the whole document.

use std::rc::Rc;

use crate::protocol::command::ToolOutcome;
use crate::protocol::json::Json;
use crate::protocol::patch::JsonPatch;
use crate::protocol::preview::{Preview, PreviewLine};
use crate::protocol::text::{cap, join, visible};
use crate::tools::canonical::sha256_hex;
use crate::tools::core_tool::CoreTool;
use crate::tools::summary::{Template, bounded_line};

use super::definition::Definition;
use super::diff::diff_by;
use super::edit::Edit;
use super::effect::Effect;
use super::fault::Faults;
use super::live::{Live, Tried};
use super::naming::Naming;
use super::outcome::CommitOutcome;
use super::patch::parts;
use super::sight::Lent;
use super::store::{Change, DocumentStore, check_change, names};

/// The most lines of one preview.
pub(crate) const LINES: usize = 200;
/// The largest patch that is handed out, in bytes of JSON text, more or less.
const PATCH_BYTES: usize = 65_536;
/// The longest words of a refusal, in code points.
const ERROR: usize = 2048;

/// One call of a message, as it is rehearsed.
#[derive(Clone, Copy)]
pub enum Act<'a> {
    /// A shipped tool.
    Core(&'a dyn CoreTool),
    /// What a tool of the host came to on a draft.
    Outcome(&'a ToolOutcome),
    /// Nobody can say what it does: the draft stays as it is, and there is no preview.
    Unknown,
}

/// A call that would be made.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// What is done.
    pub act: Act<'a>,
    /// The checked input.
    pub input: &'a Json,
    /// The card's line of the input alone.
    pub summary: &'a str,
    /// The template of that line, where its declaration has one.
    pub template: Option<&'a str>,
}

impl DocumentStore {
    /// What the steps would do, each to what those before it made of the document; one that is refused makes nothing of it. The
    /// document, its history and all that is known of it stay as they are. No tool and no rule may call back in.
    #[must_use]
    pub fn rehearse(&self, steps: &[Step<'_>]) -> Vec<Option<Preview>> {
        let mut draft = self.draft();
        let mut previews = Vec::with_capacity(steps.len());
        for step in steps {
            previews.push(draft.preview(step));
        }
        self.end(draft);
        previews
    }

    /// What one step would do, told in at most so many lines; the rest are counted.
    pub(crate) fn weigh(&self, step: &Step<'_>, most: usize) -> Option<Preview> {
        let mut draft = self.draft();
        let preview = draft.told(step, most);
        self.end(draft);
        preview
    }

    /// The document after the steps.
    #[must_use]
    pub fn drafted(&self, steps: &[Step<'_>]) -> Json {
        let mut draft = self.draft();
        for step in steps {
            // what is refused leaves the draft as it was
            let _ = draft.make(step);
        }
        let document = draft.document();
        self.end(draft);
        document
    }

    /// What changed since a revision, at most so many lines; none where that is no longer known.
    #[must_use]
    pub fn lines_since(&self, revision: u64, most: usize) -> Vec<PreviewLine> {
        let definition = self.definition();
        let mut lines = Vec::new();
        if let Some(effect) = self.effect_since(revision) {
            self.lend(&mut |sight| lines = effect.told(definition.sections(), most, sight).lines);
        }
        lines
    }
}

/// What a step left behind in a draft: enough to make it once more without asking anybody.
pub(crate) struct Left {
    edits: Vec<Edit>,
    /// The document itself, where it took the place of the one the draft began as.
    whole: Option<Json>,
    faults: Option<Rc<Faults>>,
    effort: u64,
}

/// A document that is changed for a moment.
pub(crate) struct Draft {
    definition: Rc<dyn Definition>,
    id_keys: Rc<[String]>,
    live: Live,
    /// What was changed until a whole document took its place.
    began: Option<Live>,
    /// What was done to the document it began as.
    edits: Vec<Edit>,
}

impl Draft {
    pub(super) fn new(definition: Rc<dyn Definition>, id_keys: Rc<[String]>, live: Live) -> Draft {
        Draft { definition, id_keys, live, began: None, edits: Vec::new() }
    }

    /// Takes everything back.
    pub(super) fn end(self, lender: &mut Live) {
        lender.take_back(self.definition.sections(), self.began.unwrap_or(self.live), &self.edits);
    }

    /// The document as it is now: what a tool of the host is given to be previewed on.
    pub(crate) fn document(&mut self) -> Json {
        self.live.document(self.definition.sections()).clone()
    }

    /// How many edits were made so far.
    pub(crate) fn done(&self) -> usize {
        self.edits.len()
    }

    /// What was done since so many edits.
    pub(crate) fn left(&self, since: usize) -> Left {
        let edits = self.edits.get(since..).unwrap_or_default().to_vec();
        let whole = self.began.is_some().then(|| self.live.document(self.definition.sections()).clone());
        Left { edits, whole, faults: self.live.faults.clone(), effort: self.live.effort }
    }

    /// Makes once more what a step made of this very document.
    pub(crate) fn again(&mut self, left: &Left) {
        for edit in &left.edits {
            self.live.make(self.definition.sections(), edit);
        }
        self.edits.extend_from_slice(&left.edits);
        if let Some(document) = &left.whole {
            let old = std::mem::replace(&mut self.live, Live::new(self.definition.sections(), document.clone(), Faults::new(), None));
            self.began.get_or_insert(old);
        }
        (self.live.faults, self.live.effort) = (left.faults.clone(), left.effort);
    }

    /// Makes the step, and says what it changes; nothing where nobody knows.
    pub(crate) fn preview(&mut self, step: &Step<'_>) -> Option<Preview> {
        self.told(step, LINES)
    }

    fn told(&mut self, step: &Step<'_>, most: usize) -> Option<Preview> {
        let template = step.template.and_then(|source| Template::parse(source, &Json::Null).ok());
        let mut titles: Vec<(String, String)> = Vec::new();
        let card = match step.act {
            Act::Core(tool) => tool.card(&self.sight(), step.input),
            _ => None,
        };
        if let (None, Some(template)) = (&card, &template) {
            let sight = self.sight();
            let naming = self.naming(&sight);
            template.line_named(step.input, &mut |id| {
                titles.extend(naming.name_of(id).map(|title| (id.to_owned(), title)));
                None
            });
        }
        let made = self.make(step)?;
        let title = match (card, template) {
            (Some(card), _) => bounded_line(&card),
            (None, Some(template)) => {
                let sight = self.sight();
                let naming = self.naming(&sight);
                template.line_named(step.input, &mut |id| {
                    // what went or is another has the title it had
                    let known = titles.iter().find(|(known, _)| known == id).map(|(_, title)| title.clone());
                    known.or_else(|| naming.name_of(id))
                })
            }
            (None, None) => bounded_line(step.summary),
        };
        let (effect, patch, error) = match made {
            Ok(Some((effect, patch))) => (effect, patch, None),
            Ok(None) => (Effect::default(), JsonPatch::new(), None),
            Err(refused) => (Effect::default(), JsonPatch::new(), Some(words(&refused))),
        };
        let mut told = effect.told(self.definition.sections(), most, &self.sight());
        if error.is_some() {
            // what is refused is another thing than what changes nothing
            told.digest = sha256_hex(b"null");
        }
        let patch = if is_short(&patch) { patch } else { JsonPatch::new() };
        Some(Preview { title, patch, effect_digest: told.digest, lines: told.lines, counts: told.counts, hidden_lines: told.hidden, error })
    }

    /// Makes what the step comes to, as a commit would; nothing where nobody knows what that is.
    fn make(&mut self, step: &Step<'_>) -> Option<Result<Option<(Effect, JsonPatch)>, CommitOutcome>> {
        let own;
        let outcome = match step.act {
            Act::Core(tool) => {
                own = tool.run_on(&self.sight(), step.input);
                &own
            }
            Act::Outcome(outcome) => outcome,
            Act::Unknown => return None,
        };
        Some(match Change::proposed(outcome) {
            Ok(Some(change)) => self.change(&change),
            Ok(None) => Ok(None),
            Err(refused) => Err(refused),
        })
    }

    fn change(&mut self, change: &Change) -> Result<Option<(Effect, JsonPatch)>, CommitOutcome> {
        let definition = Rc::clone(&self.definition);
        let (sections, id_keys) = (definition.sections(), names(&self.id_keys));
        if let Change::Patch(patch) = change
            && let Some(tried) = self.live.try_patch(&*definition, &id_keys, patch)
        {
            let Tried::Changed { edits, patch } = tried else { return Ok(None) };
            let effect = self.live.index().and_then(|index| Effect::of_edits(&edits, sections, index));
            let effect = effect.unwrap_or_else(|| self.effect_on_whole(&edits));
            if self.began.is_none() {
                self.edits.extend(edits);
            }
            return Ok(Some((effect, patch)));
        }
        let earlier = self.live.faults(&*definition);
        let before = self.live.document(sections).clone();
        let Some(next) = check_change(&*definition, &id_keys, &before, &earlier, change)? else { return Ok(None) };
        let after = next.document.clone();
        let patch = diff_by(&before, &after, &id_keys);
        let old = std::mem::replace(&mut self.live, Live::new(sections, next.document, next.faults, next.index));
        // what comes of later drafts is let go of
        self.began.get_or_insert(old);
        Ok(Some((Effect::between(&before, &after, sections), patch)))
    }

    /// What edits that were made came to, told from the whole document.
    fn effect_on_whole(&mut self, edits: &[Edit]) -> Effect {
        let sections = self.definition.sections();
        let after = self.live.document(sections).clone();
        for edit in edits.iter().rev() {
            self.live.make(sections, &edit.inverse());
        }
        let before = self.live.document(sections).clone();
        for edit in edits {
            self.live.make(sections, edit);
        }
        Effect::between(&before, &after, sections)
    }

    /// What things are called as they are now.
    fn naming<'d>(&'d self, sight: &'d Lent<'d>) -> Naming<'d> {
        Naming::new(self.definition.sections(), sight, &[])
    }

    fn sight(&self) -> Lent<'_> {
        Lent::live(&self.live, self.definition.sections())
    }
}

/// A refusal as a person reads it: lines stay lines, and whatever else cannot be seen is shown.
fn words(refused: &CommitOutcome) -> String {
    let CommitOutcome::Refused { result, .. } = refused else { return String::new() };
    let lines: Vec<String> = result.split('\n').map(visible).collect();
    cap(&join(&lines, "\n"), ERROR)
}

fn is_short(patch: &JsonPatch) -> bool {
    let mut left = PATCH_BYTES;
    patch.iter().all(|operation| {
        let (path, value) = parts(operation);
        take(&mut left, path.len() + 32) && fits(value, &mut left)
    })
}

/// Whether the text of a value is no longer than what is left; looks no further than that.
fn fits(value: &Json, left: &mut usize) -> bool {
    match value {
        Json::String(text) => take(left, text.len() + 3),
        Json::Array(items) => take(left, 2) && items.iter().all(|item| fits(item, left)),
        Json::Object(object) => take(left, 2) && object.iter().all(|(key, item)| take(left, key.len() + 4) && fits(item, left)),
        _ => take(left, 6),
    }
}

fn take(left: &mut usize, bytes: usize) -> bool {
    left.checked_sub(bytes).map(|rest| *left = rest).is_some()
}
