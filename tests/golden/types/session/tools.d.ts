/** The tools of a session: what is declared to the core and what runs it, changed together or not at all. */
import type { SessionTool } from "./options.js";
/** The session's registry of tools; a change counts from the next message on. */
export declare class SessionTools {
    #private;
    /** The tools as they are now. */
    list(): readonly SessionTool[];
    /** Adds a tool; a name that is taken is refused. */
    register(tool: SessionTool): void;
    /** Puts a tool in the place of the one of its name, or adds it. */
    replace(tool: SessionTool): void;
    /** Takes a tool away; says whether it was there. */
    remove(name: string): boolean;
    /** Takes all tools away. */
    clear(): void;
}
