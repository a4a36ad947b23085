// Questions that would cost a walk over the document, answered from maps that are made once per section.
// Enters: the model. Leaves: entities by id, threats by target, flows by pair. Remembers a section as long as it lives.

import { byId } from "../by-id.ts";
import { SEVERITIES, isHandled, type Boundary, type Element_, type Flow, type Model, type Threat } from "../model.ts";
import { keyOf, refOf, type Key } from "./key.ts";

/** The threats on one target, in brief. */
export interface Badge {
  readonly count: number;
  /** The worst severity among those not handled; nothing where all are. */
  readonly worst: string | undefined;
}

type Entity = Element_ | Flow | Boundary | Threat;

const badges = new WeakMap<readonly Threat[], ReadonlyMap<Key, Badge>>();
const bends = new WeakMap<readonly Flow[], ReadonlyMap<string, number>>();

/** The entity a key names. */
export function entityOf(model: Model, key: Key): Entity | undefined {
  const { section, id } = refOf(key);
  return byId<Entity>(model[section], id);
}

/** What is drawn at a target about its threats. */
export function badgeOf(model: Model, key: Key): Badge | undefined {
  return remembered(badges, model.threats, () => countThreats(model.threats)).get(key);
}

/** How far a flow bows out, so that several between the same two elements stay apart. */
export function bendOf(model: Model, flow: Flow): number {
  return remembered(bends, model.data_flows, () => bendsOf(model.data_flows)).get(flow.id) ?? 0;
}

function remembered<K extends object, V>(memory: WeakMap<K, V>, key: K, make: () => V): V {
  let value = memory.get(key);
  if (value === undefined) {
    value = make();
    memory.set(key, value);
  }
  return value;
}

function countThreats(threats: readonly Threat[]): ReadonlyMap<Key, Badge> {
  const map = new Map<Key, Badge>();
  const rank = (severity: string | undefined) => (severity === undefined ? SEVERITIES.length : (SEVERITIES as readonly string[]).indexOf(severity));
  for (const threat of threats) {
    const own = isHandled(threat) ? undefined : threat.severity;
    for (const key of [threat.element && keyOf("elements", threat.element), threat.flow && keyOf("data_flows", threat.flow)]) {
      if (!key) continue;
      const before = map.get(key);
      map.set(key, { count: (before?.count ?? 0) + 1, worst: rank(own) < rank(before?.worst) ? own : before?.worst });
    }
  }
  return map;
}

// the second line between the same two elements bows out, the third further, each direction to its own side
function bendsOf(flows: readonly Flow[]): ReadonlyMap<string, number> {
  const pairs = new Map<string, Flow[]>();
  for (const flow of flows) {
    const pair = flow.from < flow.to ? `${flow.from}\n${flow.to}` : `${flow.to}\n${flow.from}`;
    const beside = pairs.get(pair);
    if (beside === undefined) pairs.set(pair, [flow]);
    else beside.push(flow);
  }
  const map = new Map<string, number>();
  for (const beside of pairs.values()) if (beside.length > 1) beside.forEach((flow, index) => map.set(flow.id, 40 * (index + 1)));
  return map;
}
