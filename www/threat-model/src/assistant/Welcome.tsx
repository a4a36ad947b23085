// What stands in the panel before anything was said: how it works, and requests to begin with. Enters: the requests.
// Leaves: the chosen one.

import { strings, type Suggestion } from "../strings/assistant.ts";
import { Icon } from "../Icon.tsx";

/** The empty panel. */
export function Welcome({ suggestions, choose }: { readonly suggestions: readonly Suggestion[]; readonly choose: (text: string) => void }) {
  return (
    <div className="welcome">
      <h3>{strings.panel.welcomeTitle}</h3>
      <p>{strings.panel.welcome}</p>
      <ul className="suggestions" aria-label={strings.composer.examples}>
        {suggestions.map((suggestion) => (
          <li key={suggestion.label}>
            <button type="button" className="suggestion" onClick={() => choose(suggestion.text)}>
              <span className="suggestion-label">{suggestion.label}</span>
              <span className="suggestion-hint">{suggestion.hint}</span>
              <Icon name="chevron" />
            </button>
          </li>
        ))}
      </ul>
      <p className="welcome-keys">{strings.panel.keys}</p>
    </div>
  );
}
