/** What every provider over HTTP shares: the key in a closure, one way to send, the secrets masked. Knows no wire format. */
import type { HttpProvider, ModelCapabilities, ProviderParams } from "../provider.js";
import type { Json, ProviderFormat } from "../types.js";
import { type ModelOwner } from "./models.js";
/** How a server is reached, whatever it speaks. */
export interface HttpOptions {
    /** The key, or how to get it, asked at each request. Leave it out where a server of your own adds it, or none is asked for. */
    apiKey?: string | undefined | (() => string | undefined | Promise<string | undefined>);
    /** More headers, those of a gateway for example. */
    headers?: Readonly<Record<string, string>>;
    /** Where the API is: an address, or a path of this page's own server; the provider's own address where nothing is said. */
    baseURL?: string;
    /** Sampling temperature. */
    temperature?: number;
    /** More members of the body. */
    extraBody?: Record<string, Json>;
    /** What the model can do, where it is not known or known wrongly; goes before what is known, member by member. */
    capabilities?: ModelCapabilities;
}
/** What a wire format says of itself. */
export interface HttpFormat {
    readonly name: string;
    readonly format: ProviderFormat;
    /** Whose models these are, where that is known. */
    readonly owner?: ModelOwner | undefined;
    /** The provider's own address, which asks for a key. */
    readonly ownURL: string;
    /** Headers of every request. */
    readonly headers: Readonly<Record<string, string>>;
    /** The header that carries the key. */
    authorize(key: string): Record<string, string>;
    /** What is told of the page beside its origin, which CORS tells anyway; nothing where nothing is said. */
    readonly referrerPolicy?: ReferrerPolicy;
}
/** The provider that speaks `wire` to the server of `options`. */
export declare function httpProvider(wire: HttpFormat, options: HttpOptions, params: ProviderParams, more?: Record<string, Json>): HttpProvider;
