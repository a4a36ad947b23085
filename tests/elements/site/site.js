// The page of the tests: the package's elements, and sessions made of plain records.
import * as elements from "/package/elements.js";
import * as fake from "/site/fake.js";

Object.assign(window, elements, fake);
window.place = document.getElementById("place");
window.events = [];
for (const name of ["countersign-decision", "countersign-preview", "countersign-send", "countersign-retry"]) {
  document.addEventListener(name, (event) => window.events.push({ name, detail: event.detail === null ? null : JSON.parse(JSON.stringify(event.detail)) }));
}
document.documentElement.dataset.ready = "";
