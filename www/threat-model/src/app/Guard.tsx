// Catches what goes wrong while the page is drawn, so that the document does not go with it. Enters: a part of the page.
// Leaves: that part, or a sentence with what can be done: save, try again, reload.

import { Component, type ReactNode } from "react";

import { appStrings } from "../strings/app.ts";

const words = appStrings.guard;

/** What a guard is given. */
export interface GuardProps {
  /** What is said in place of the part that failed. */
  readonly says: string;
  readonly className: string;
  readonly save: () => void;
  /** What else is shown then. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the page that may fail by itself. */
export class Guard extends Component<GuardProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    const { says, className, save, beside, children } = this.props;
    if (!this.state.failed) return children;
    return (
      <>
        <div className={`guard ${className}`} role="alert">
          <p>{says}</p>
          <div className="guard-actions">
            <button type="button" className="button primary" onClick={save}>{words.save}</button>
            <button type="button" className="button" onClick={() => this.setState({ failed: false })}>{words.again}</button>
            <button type="button" className="button quiet" onClick={() => location.reload()}>{words.reload}</button>
          </div>
        </div>
        {beside}
      </>
    );
  }
}
