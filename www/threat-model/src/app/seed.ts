// The document the page opens with: a small web shop. Enters nothing. Leaves: a whole threat model.

/** A small web shop, with an old export that nobody tidied up. */
export const seed = {
  version: "1.0",
  metadata: {
    title: "Web shop",
    author: "Shop team",
    created: "2026-03-02",
    modified: "2026-11-16",
    description: "How orders reach the shop, the payment provider and the warehouse.",
  },
  elements: [
    { id: "browser", type: "web_browser", name: "Shopper’s browser", trust_zone: "internet", position: { x: 20, y: 200 } },
    { id: "storefront", type: "web_server", name: "Storefront", trust_zone: "shop", technologies: ["Node"], position: { x: 320, y: 200 } },
    { id: "shop-api", type: "api_gateway", name: "Shop API", trust_zone: "shop", position: { x: 600, y: 200 } },
    { id: "checkout", type: "microservice", name: "Checkout", trust_zone: "shop", position: { x: 600, y: 372 } },
    { id: "product-db", type: "sql_database", name: "Product database", trust_zone: "data", position: { x: 900, y: 200 } },
    { id: "order-queue", type: "message_queue", name: "Order queue", trust_zone: "data", position: { x: 900, y: 372 } },
    { id: "payment", type: "external_entity", name: "Payment provider", trust_zone: "partner", position: { x: 320, y: 520 } },
    {
      id: "order-export",
      type: "background_worker",
      name: "Order export (old)",
      trust_zone: "shop",
      description: "Copies each day’s orders into a shared folder.",
      tags: ["2019"],
      position: { x: 1220, y: 286 },
    },
  ],
  data_flows: [
    { id: "flow-1", flow_number: 1, name: "Browse and buy", from: "browser", to: "storefront", protocol: "HTTPS", data: ["session", "basket"], authenticated: true },
    { id: "flow-2", flow_number: 2, name: "Catalogue", from: "storefront", to: "shop-api", protocol: "HTTPS", authenticated: true },
    { id: "flow-3", flow_number: 3, name: "Read products", from: "shop-api", to: "product-db", protocol: "SQL over TLS", authenticated: true },
    { id: "flow-4", flow_number: 4, name: "Place order", from: "shop-api", to: "checkout", protocol: "HTTPS", data: ["order"], authenticated: true },
    { id: "flow-5", flow_number: 5, name: "Charge card", from: "checkout", to: "payment", protocol: "HTTP", data: ["card token", "amount"], authenticated: false },
    { id: "flow-6", flow_number: 6, name: "Queue order", from: "checkout", to: "order-queue", protocol: "AMQP", data: ["order"], authenticated: true },
    { id: "flow-7", flow_number: 7, name: "Orders of the day", from: "order-queue", to: "order-export", protocol: "AMQP", authenticated: false },
    { id: "flow-8", flow_number: 8, name: "Product names", from: "product-db", to: "order-export", protocol: "SQL", authenticated: false },
  ],
  trust_boundaries: [
    { id: "boundary-1", name: "Shop network", contains: ["storefront", "shop-api", "checkout"] },
    { id: "boundary-2", name: "Data zone", contains: ["product-db", "order-queue"] },
  ],
  threats: [
    {
      id: "threat-1",
      title: "A stolen session is used to order",
      category: "Spoofing",
      flow: "flow-1",
      severity: "high",
      description: "Whoever holds the session cookie can order as the shopper.",
      mitigation: { status: "in_progress", description: "Short sessions, and asking again before paying." },
    },
    {
      id: "threat-2",
      title: "The amount is changed on its way",
      category: "Tampering",
      flow: "flow-5",
      severity: "critical",
      description: "The charge travels without protection between checkout and the provider.",
    },
    {
      id: "threat-3",
      title: "Exported orders are read by others",
      category: "Information Disclosure",
      element: "order-export",
      severity: "medium",
      description: "The shared folder is open to the whole office.",
    },
  ],
  diagrams: [{ id: "main-dfd", name: "Level 0 DFD" }],
};
