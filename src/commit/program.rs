//! Random programs of commits, edits, undo and redo against a model that is too simple to be wrong.

use std::rc::Rc;

use proptest::prelude::*;

use super::*;
use crate::document::definition::DocumentDefinition;
use crate::document::outcome::{ChangeSource, TurnStanding};
use crate::document::patch::apply;
use crate::document::store::StoreOptions;
use crate::protocol::command::ToolResult;
use crate::protocol::json::Json;

#[derive(Clone, Debug)]
enum Act {
    Commit(u8, u8),
    Edit(u8),
    Undo,
    Redo,
    UndoTurn(u8),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0u8..3, 0u8..4).prop_map(|(turn, value)| Act::Commit(turn, value)),
        2 => (0u8..4).prop_map(Act::Edit),
        2 => Just(Act::Undo),
        1 => Just(Act::Redo),
        1 => (0u8..3).prop_map(Act::UndoTurn),
    ]
}

/// A step: who made it (a turn or nobody), what was before, what came of it.
type Step = (Option<u8>, Json, Json);

#[derive(Default)]
struct Model {
    done: Vec<Step>,
    undone: Vec<Step>,
    lost: Vec<u8>,
}

impl Model {
    fn change(&mut self, turn: Option<u8>, before: Json, after: Json, cap: usize) {
        self.undone.clear();
        match self.done.last_mut() {
            Some(step) if turn.is_some() && step.0 == turn => step.2 = after,
            _ => self.done.push((turn, before, after)),
        }
        if self.done.len() > cap {
            self.lost.extend(self.done.remove(0).0);
        }
    }

    fn standing(&self, turn: u8) -> TurnStanding {
        let own = self.done.iter().filter(|step| step.0 == Some(turn)).count();
        match self.done.last() {
            _ if self.lost.contains(&turn) => TurnStanding::Superseded,
            _ if own == 0 => TurnStanding::AlreadyUndone,
            Some(step) if own == 1 && step.0 == Some(turn) => TurnStanding::Undoable,
            _ => TurnStanding::Superseded,
        }
    }
}

fn document(value: u8) -> Json {
    Json::parse(&format!(r#"{{"cards":[{{"id":"a","n":{value}}}]}}"#)).unwrap()
}

proptest! {
    #[test]
    fn c3_any_program_keeps_one_step_a_turn_and_undo_exact(acts in prop::collection::vec(act(), 0..60), cap in 1usize..6) {
        let definition = DocumentDefinition::decode(&Json::parse(r#"{"kind":"k","sections":[{"name":"cards","path":"/cards"}]}"#).unwrap()).unwrap();
        let store = DocumentStore::new(Rc::new(definition), &document(9), StoreOptions { history: cap, sandbox: false }).unwrap();
        let mut model = Model::default();
        let mut revision = 1;
        for act in acts {
            let before = store.read();
            let (outcome, expected) = match act {
                Act::Commit(turn, value) => {
                    let next = document(value);
                    let tool = ToolOutcome::Ok { result: ToolResult::Text(String::new()), document: Some(next.clone()), patch: None };
                    let outcome = commit(&store, &TurnKey::from(turn.to_string().as_str()), "l", BaseRevision(store.revision()), ToolEffect::Mutate, &tool);
                    if next != before {
                        model.change(Some(turn), before.clone(), next.clone(), cap);
                    }
                    (outcome, next)
                }
                Act::Edit(value) => {
                    let next = document(value);
                    let outcome = store.edit(&Change::Document(next.clone()), "l");
                    if next != before {
                        model.change(None, before.clone(), next.clone(), cap);
                    }
                    (outcome, next)
                }
                Act::UndoTurn(turn) if model.standing(turn) != TurnStanding::Undoable => (store.undo_turn(&TurnKey::from(turn.to_string().as_str())), before.clone()),
                Act::Undo | Act::UndoTurn(_) => {
                    let outcome = match act {
                        Act::UndoTurn(turn) => store.undo_turn(&TurnKey::from(turn.to_string().as_str())),
                        _ => store.undo(),
                    };
                    let step = model.done.pop();
                    model.undone.extend(step.clone());
                    (outcome, step.map_or_else(|| before.clone(), |step| step.1))
                }
                Act::Redo => {
                    let outcome = store.redo();
                    let step = model.undone.pop();
                    model.done.extend(step.clone());
                    (outcome, step.map_or_else(|| before.clone(), |step| step.2))
                }
            };
            prop_assert_eq!(store.read(), expected);
            match outcome {
                CommitOutcome::Committed { revision: now, patch } => {
                    revision += 1;
                    prop_assert_eq!(now, revision);
                    prop_assert_eq!(apply(&before, &patch).unwrap(), store.read());
                }
                _ => prop_assert!(store.read().same_tree(&before)),
            }
            prop_assert_eq!(store.revision(), revision);
            let history = store.history();
            prop_assert!(history.len() <= cap && history.len() == model.done.len());
            prop_assert!(history.windows(2).all(|pair| pair[0].id < pair[1].id && (pair[0].source == ChangeSource::User || pair[0].turn_id != pair[1].turn_id)));
            for turn in 0..3 {
                prop_assert_eq!(store.turn_standing(&TurnKey::from(turn.to_string().as_str())), model.standing(turn));
            }
        }
    }
}
