/** What a status means, as one authored sentence with the provider's name and the number, never in the provider's words. */
import type { ProtocolError } from "../types.js";
import type { Said } from "./http_said.js";
/** The failure that `status` means, by what the body says where that is finer. */
export declare function refusalOf(status: number, name: string, said: Said): ProtocolError;
