//! What the targets share: the laws, and an allocator that measures what a decoder holds.

#![allow(clippy::indexing_slicing, clippy::panic, reason = "a broken law is told by panicking")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use countersign::protocol::event::ProviderFormat;

#[path = "../../support/laws.rs"]
mod laws;

/// The laws of one decoder, and the bound of its memory.
pub fn decoder(format: ProviderFormat, data: &[u8]) {
    laws::any_cut_gives_the_same_lawful_events(format, data);
    let held = most_held_during(|| laws::read_and_forget(format, data));
    let allowed = laws::memory_allowed(data);
    assert!(held <= allowed, "{held} bytes were held at once for {} of input, {allowed} are allowed", data.len());
}

/// The law of the framing, through the decoder of every format.
pub fn splitter(data: &[u8]) {
    laws::only_the_frames_count(data);
    for format in laws::FORMATS {
        laws::any_cut_gives_the_same_lawful_events(format, data);
    }
}

/// The most bytes that were held at once while `work` ran, beyond what was held before.
fn most_held_during(work: impl FnOnce()) -> usize {
    let before = HELD.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    work();
    MOST.load(Ordering::Relaxed).saturating_sub(before)
}

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counting.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn taken(bytes: usize) {
    let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(held, Ordering::Relaxed);
}

// SAFETY: every call goes to the system's allocator as it came; beside it only numbers are kept.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promises are those that are asked for here.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // both may be there for a moment
        taken(size);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
