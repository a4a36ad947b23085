/** The options that turns, loops and sessions share. */
import type { Message, OrchestrationMode, TurnContext, TurnLimits } from "./types.js";
/** How a turn is run. */
export interface TurnOptions {
    /** How much the model may do by itself; `reviewed` where nothing is said. */
    mode?: OrchestrationMode;
    /** Ceilings other than the defaults. */
    limits?: Partial<TurnLimits>;
    /** Who asks, from the authenticated host. */
    context?: TurnContext;
    /** The conversation so far. */
    history?: Message[];
}
