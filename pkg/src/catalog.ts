/** The component catalog of the threat model as data, read from the core once. */

import { componentCatalog as catalogJson } from "#threat-model";

import { guarded } from "./error.js";
import { deepFreeze, fromJson } from "./json.js";
import { engine } from "./load.js";

/** What kind of part of a system a component is. */
export type ComponentCategory =
  | "generic" | "annotations" | "services" | "databases" | "messaging" | "infrastructure" | "security" | "clients" | "networking" | "platform";

/** Who offers a component or a variant of it. */
export type ComponentProvider = "generic" | "aws" | "azure" | "gcp" | "cloudflare" | "kubernetes" | "oss";

/** One product or service that stands for a component. */
export interface ComponentVariant {
  /** What stands in an element's `subtype`. */
  readonly id: string;
  /** Its name. */
  readonly label: string;
  /** Who offers it. */
  readonly provider: ComponentProvider;
  /** Its icon. */
  readonly iconId: string;
}

/** One type an element can have. Ids are permanent; everything else may change. */
export interface CatalogComponent {
  /** What stands in an element's `type`. */
  readonly id: string;
  /** Its name. */
  readonly label: string;
  /** Older ids it is found by. */
  readonly aliases: readonly string[];
  /** Where it is listed. */
  readonly category: ComponentCategory;
  /** Who offers it. */
  readonly provider: ComponentProvider;
  /** Its icon where an element names none. */
  readonly iconId: string;
  /** How it is drawn. */
  readonly shape: "rounded" | "database" | "rect" | "hexagon" | "text";
  /** What it is in a threat analysis. */
  readonly strideRole: "service" | "store" | "actor" | "none";
  /** Words it is found by. */
  readonly keywords: readonly string[];
  /** What is known of it in particular. */
  readonly variants: readonly ComponentVariant[];
  /** Whether new elements should use it. */
  readonly status: "active" | "deprecated";
}

type Written<T> = Omit<T, "iconId"> & { icon_id: string };
type WrittenComponent = Omit<Written<CatalogComponent>, "strideRole" | "variants"> & { stride_role: CatalogComponent["strideRole"]; variants: Written<ComponentVariant>[] };

let catalog: readonly CatalogComponent[] | undefined;

/** Every component type in the order of its declaration, deprecated ones too: the same frozen array each time. */
export function componentCatalog(): readonly CatalogComponent[] {
  engine();
  catalog ??= deepFreeze(
    fromJson<WrittenComponent[]>(guarded(() => catalogJson())).map(({ icon_id: iconId, stride_role: strideRole, variants, ...rest }) => ({
      ...rest,
      iconId,
      strideRole,
      variants: variants.map(({ icon_id, ...variant }) => ({ ...variant, iconId: icon_id })),
    })),
  );
  return catalog;
}
