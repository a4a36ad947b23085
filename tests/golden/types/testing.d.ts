/** `countersign/testing`: a provider that follows a script, a clock that is moved by hand, and a record of what a session did. */
export { CountersignError } from "./error.js";
export { fakeClock, type FakeClock } from "./testing/clock.js";
export { scripted, type ScriptedCall, type ScriptedOptions, type ScriptedProvider, type ScriptedRequest, type ScriptedTurn, type Step } from "./testing/scripted.js";
export { recordTranscript, type Transcript, type TranscriptEntry } from "./testing/transcript.js";
