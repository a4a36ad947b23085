// What must compile for a user, and what must not: the inspector, its event, and a recording that is replayed for it.
import { DocumentStore, replay, type Session, type ToolDeclaration } from "countersign";
import { defineInspector, inspectorWords, type InspectedSession, type PastState, type TravelDetail } from "countersign/inspector";

export function inspected(session: Session, tools: ToolDeclaration[]): HTMLElement {
  defineInspector();
  const any: InspectedSession = session;
  const inspector = document.createElement("countersign-inspector");
  inspector.session = any;
  inspector.session = session;
  inspector.travel = (recording, until): PastState => {
    const store = new DocumentStore("threat-model", (JSON.parse(recording) as { document: null }).document);
    const loop = replay(recording, { tools, laterTools: [tools], document: store, until, context: { principal: "ann" } });
    return { state: loop.state(), document: store.read(), digest: loop.stateDigest() };
  };
  inspector.words = { title: "Werkzeug", travel: { now: "Jetzt" } };
  // @ts-expect-error there is no such word
  inspector.words = { titel: inspectorWords.title };
  // @ts-expect-error a moment has a digest
  inspector.travel = (recording, until) => ({ state: replay(recording, { tools, until }).state() });
  inspector.addEventListener("countersign-travel", ({ detail }) => {
    const told: TravelDetail = detail;
    return told?.inputs;
  });
  // @ts-expect-error tools are never taken from a recording
  replay(session.recording(), {});
  return inspector;
}
