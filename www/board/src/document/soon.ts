// Work that is done once for everything that happens in one task of the page. Enters: a function. Leaves: nothing.

/** Runs `work` in the next task; at once also in a tab that is not seen, where a timer would wait. */
export function soon(work: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(null);
}
