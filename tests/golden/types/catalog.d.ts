/** The component catalog of the threat model as data, read from the core once. */
/** What kind of part of a system a component is. */
export type ComponentCategory = "generic" | "annotations" | "services" | "databases" | "messaging" | "infrastructure" | "security" | "clients" | "networking" | "platform";
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
/** Every component type in the order of its declaration, deprecated ones too: the same frozen array each time. */
export declare function componentCatalog(): readonly CatalogComponent[];
