//! Which entity stands where in a list, without numbering them all: numbers in runs of bounded length.
//! To tell a place, or to make room at one, costs a walk along the runs, not along the entities.

/// The most numbers of one run; it is cut in two then.
const RUN: usize = 1024;
/// How long runs are made where a list is filled from the front.
const FILL: usize = 512;

/// The numbers of one list, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    runs: Vec<Run>,
    last_key: u32,
    len: usize,
}

#[derive(Clone, Debug)]
struct Run {
    // what its numbers remember it by, wherever it stands
    key: u32,
    numbers: Vec<u32>,
}

impl Order {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All of them, in order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().flat_map(|run| run.numbers.iter().copied())
    }

    /// Shows the numbers from `place` on, in order, until `look` has seen enough.
    pub(super) fn walk(&self, place: usize, look: &mut dyn FnMut(u32) -> bool) {
        let (at, offset) = self.locate(place);
        let mut rest = self.runs.get(at).and_then(|run| run.numbers.get(offset..)).unwrap_or_default();
        let mut runs = self.runs.get(at..).unwrap_or_default();
        while let [_, others @ ..] = runs {
            if !rest.iter().all(|number| look(*number)) {
                return;
            }
            runs = others;
            rest = others.first().map_or(&[], |run| &run.numbers);
        }
    }

    /// Puts `number` at `place`, and tells `remember` in which run every number stands that came to another.
    pub(super) fn insert(&mut self, place: usize, number: u32, remember: &mut dyn FnMut(u32, u32)) {
        let (mut at, mut offset) = self.locate(place);
        if self.runs.get(at).is_none_or(|run| offset == run.numbers.len() && offset >= FILL) {
            // behind a run that is long enough another begins
            at = (at + 1).min(self.runs.len());
            offset = 0;
            let key = self.next_key();
            self.runs.insert(at, Run { key, numbers: Vec::new() });
        }
        let Some(run) = self.runs.get_mut(at) else { return };
        run.numbers.insert(offset.min(run.numbers.len()), number);
        remember(number, run.key);
        self.len += 1;
        if run.numbers.len() > RUN {
            let numbers = run.numbers.split_off(RUN / 2);
            let key = self.next_key();
            for number in &numbers {
                remember(*number, key);
            }
            self.runs.insert(at + 1, Run { key, numbers });
        }
    }

    /// Takes out the number at `place`.
    pub(super) fn remove(&mut self, place: usize) -> Option<u32> {
        let (at, offset) = self.locate(place);
        let run = self.runs.get_mut(at)?;
        if offset >= run.numbers.len() {
            return None;
        }
        let number = run.numbers.remove(offset);
        self.len -= 1;
        if run.numbers.is_empty() {
            self.runs.remove(at);
        }
        Some(number)
    }

    /// The number at `place`.
    pub(super) fn at(&self, place: usize) -> Option<u32> {
        let (at, offset) = self.locate(place);
        self.runs.get(at)?.numbers.get(offset).copied()
    }

    /// Where `number` stands, which was put into the run `key`.
    pub(super) fn place(&self, number: u32, key: u32) -> Option<usize> {
        let mut before = 0;
        for run in &self.runs {
            if run.key == key {
                return run.numbers.iter().position(|other| *other == number).map(|offset| before + offset);
            }
            before += run.numbers.len();
        }
        None
    }

    /// The run that holds `place` and how far into it; the end of the last run for every place behind.
    fn locate(&self, place: usize) -> (usize, usize) {
        // what is added or looked for at the end is found there
        if place >= self.len {
            let last = self.runs.len().saturating_sub(1);
            return (last, self.runs.get(last).map_or(0, |run| run.numbers.len()));
        }
        let mut rest = place;
        for (at, run) in self.runs.iter().enumerate() {
            if rest < run.numbers.len() {
                return (at, rest);
            }
            rest -= run.numbers.len();
        }
        (self.runs.len(), 0)
    }

    fn next_key(&mut self) -> u32 {
        self.last_key = self.last_key.wrapping_add(1);
        self.last_key
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_number_is_found_where_a_plain_list_has_it(acts in prop::collection::vec((0usize..6, 0usize..4000), 0..400), filled in 0u32..3000) {
            let (mut order, mut plain, mut keys) = (Order::default(), Vec::new(), Vec::<u32>::new());
            for act in (0..filled).map(|_| (5, usize::MAX)).chain(acts) {
                let place = act.1.min(plain.len());
                if act.0 < 2 {
                    let there = place < plain.len();
                    prop_assert_eq!(order.remove(place), there.then(|| plain.remove(place)));
                } else {
                    let number = u32::try_from(keys.len()).unwrap();
                    keys.push(0);
                    plain.insert(place, number);
                    order.insert(place, number, &mut |number, key| keys[number as usize] = key);
                }
            }
            prop_assert_eq!(order.len, plain.len());
            for (place, number) in plain.iter().enumerate() {
                prop_assert_eq!(order.at(place), Some(*number));
                prop_assert_eq!(order.place(*number, keys[*number as usize]), Some(place));
            }
            for place in [0, 1, plain.len() / 2, plain.len()] {
                let mut walked = Vec::new();
                order.walk(place, &mut |number| {
                    walked.push(number);
                    walked.len() < 700
                });
                let expected: Vec<u32> = plain.iter().skip(place).take(700).copied().collect();
                prop_assert_eq!(walked, expected);
            }
            prop_assert!(order.runs.iter().all(|run| !run.numbers.is_empty() && run.numbers.len() <= RUN));
        }
    }
}
