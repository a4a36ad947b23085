// Work that is done once for everything that happens in one task of the page. Enters: a function. Leaves: nothing.

// a channel that nothing refers to may be collected before its message is heard
const channels = new Set<MessageChannel>();

/** Runs `work` in the next task; at once also in a tab that is not seen, where a timer would wait. */
export function soon(work: () => void): void {
  const channel = new MessageChannel();
  const { port1, port2 } = channel;
  channels.add(channel);
  port1.onmessage = () => {
    port1.close();
    channels.delete(channel);
    work();
  };
  port2.postMessage(null);
}
