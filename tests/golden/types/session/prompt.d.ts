/** The system prompt of a request: the host's words, the rules that go with the document, and the document's part as it is now. */
import type { AdvertisedTool } from "../types.js";
import type { SessionOptions } from "./options.js";
/** Refuses a part that does not exist, and room that is none. */
export declare function requirePromptOptions({ promptDocument, promptDocumentBytes }: SessionOptions): void;
/** The prompt; what changes least comes first, for providers that cache what requests begin with. */
export declare function composed(options: SessionOptions, offered: readonly AdvertisedTool[]): string | undefined;
