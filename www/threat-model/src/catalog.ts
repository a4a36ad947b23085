// The component types a person can choose, and the shape each is drawn in. Enters: a type. Leaves: its category and
// shape; an unknown type is drawn rounded and never rewritten.

/** How an element is drawn. */
export type Shape = "rounded" | "database" | "rect" | "hexagon" | "text";

const TYPES: Readonly<Record<string, Readonly<Partial<Record<Shape, readonly string[]>>>>> = {
  generic: { rounded: ["generic"] },
  annotations: { text: ["text"] },
  services: { rounded: ["process", "web_server", "api_gateway", "microservice", "serverless_function", "background_worker"] },
  databases: { database: ["data_store", "sql_database", "nosql_database", "cache", "search_index", "object_storage", "file_storage", "data_lake", "backup_service"] },
  messaging: { rounded: ["message_queue", "event_bus", "stream_processor"] },
  infrastructure: { hexagon: ["load_balancer", "cdn", "dns", "proxy", "container"] },
  security: {
    rounded: ["auth_provider", "identity_provider", "firewall", "certificate_authority", "waf", "siem"],
    database: ["secret_manager", "key_management"],
  },
  clients: { rect: ["external_entity", "web_browser", "mobile_app", "desktop_app", "iot_device", "api_client", "cli_tool"] },
  networking: { hexagon: ["vpn_gateway", "service_mesh"], rounded: ["api_endpoint", "webhook"] },
  platform: { hexagon: ["kubernetes", "serverless_platform", "ci_cd_pipeline"], database: ["container_registry"] },
};

/** The types by category, in the order they are offered. */
export const CATALOG: readonly { readonly category: string; readonly types: readonly string[] }[] = Object.entries(TYPES).map(([category, shapes]) => ({
  category,
  types: Object.values(shapes).flat(),
}));

const SHAPES: ReadonlyMap<string, Shape> = new Map(
  Object.values(TYPES).flatMap((shapes) => Object.entries(shapes).flatMap(([shape, types]) => types.map((type): [string, Shape] => [type, shape as Shape]))),
);

/** The shape a type is drawn in. */
export function shapeOf(type: string): Shape {
  return SHAPES.get(type) ?? "rounded";
}
