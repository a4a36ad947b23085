/** The tools of a session: what is declared to the core and what runs it, changed together or not at all. */

import { CountersignError } from "../error.js";
import { isRunnable, type Tool } from "../tool.js";
import type { SessionTool } from "./options.js";

/** The session's registry of tools; a change counts from the next message on. */
export class SessionTools {
  readonly #changed: (tools: readonly SessionTool[]) => void;
  #tools: ReadonlyMap<string, SessionTool>;

  /** @internal */
  constructor(tools: readonly SessionTool[], changed: (tools: readonly SessionTool[]) => void) {
    this.#changed = changed;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** The tools as they are now. */
  list(): readonly SessionTool[] {
    return [...this.#tools.values()];
  }

  /** Adds a tool; a name that is taken is refused. */
  register(tool: SessionTool): void {
    if (this.#tools.has(tool.name)) {
      throw new CountersignError("invalid_tool", `a tool named \`${tool.name}\` is registered already`, { path: "tool.name", expected: "another name, or `replace`" });
    }
    this.#set(new Map([...this.#tools, [tool.name, tool]]));
  }

  /** Puts a tool in the place of the one of its name, or adds it. */
  replace(tool: SessionTool): void {
    this.#set(new Map([...this.#tools, [tool.name, tool]]));
  }

  /** Takes a tool away; says whether it was there. */
  remove(name: string): boolean {
    if (!this.#tools.has(name)) return false;
    this.#set(new Map([...this.#tools].filter(([other]) => other !== name)));
    return true;
  }

  /** Takes all tools away. */
  clear(): void {
    this.#set(new Map());
  }

  /** @internal What runs each tool, as it is now. */
  runnable(): ReadonlyMap<string, Tool> {
    return new Map([...this.#tools].flatMap(([name, tool]): [string, Tool][] => (isRunnable(tool) ? [[name, tool]] : [])));
  }

  #set(tools: ReadonlyMap<string, SessionTool>): void {
    const before = this.#tools;
    // whoever is told that something changed finds the new ones; where the core refuses them nothing changed
    this.#tools = tools;
    try {
      this.#changed([...tools.values()]);
    } catch (thrown) {
      this.#tools = before;
      throw thrown;
    }
  }
}
