// What is read after a deed is what came of it: after each click and key the page has drawn before the test goes on.

const LOCATOR = ["blur", "check", "click", "dblclick", "dispatchEvent", "fill", "focus", "hover", "press", "pressSequentially", "selectOption", "setInputFiles", "tap", "uncheck"];
const KEYBOARD = ["insertText", "press", "type"];
const MOUSE = ["click", "dblclick", "down", "move", "up", "wheel"];
// a page that stands still, behind a dialog or on its way to another one, is not waited for
const PATIENCE_MS = 1000;

const patched = new WeakSet();

/** From now on every deed on this page ends when the page has drawn what came of it. */
export function drawnAfterDeeds(page) {
  // the class is not exported; every locator has it
  const locators = Object.getPrototypeOf(page.locator("html"));
  if (!patched.has(locators)) patch(locators, LOCATOR, (locator) => locator.page());
  patched.add(locators);
  patch(page.keyboard, KEYBOARD, () => page);
  patch(page.mouse, MOUSE, () => page);
}

function patch(target, names, pageOf) {
  for (const name of names) {
    const deed = target[name];
    target[name] = async function (...given) {
      const done = await deed.apply(this, given);
      await drawn(pageOf(this));
      return done;
    };
  }
}

/** Waits for what is queued, two frames long. */
async function drawn(page) {
  let timer;
  const patience = new Promise((done) => (timer = setTimeout(done, PATIENCE_MS)));
  const frames = page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
  // a page that went elsewhere meanwhile has drawn nothing of it
  await Promise.race([frames.catch(() => {}), patience]);
  clearTimeout(timer);
}
