// A button that is an icon: its name and its key stand in the tooltip. One that cannot act says why, and can still be
// reached.

import type { ReactNode } from "react";

import { Icon, type IconName } from "../Icon.tsx";
import { keyName } from "../strings/app.ts";

/** What a button shows and does. */
export interface ToolButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** What the tooltip says, where that is more than the label. */
  readonly tip?: string;
  readonly shortcut?: string | undefined;
  /** Why it cannot act now. */
  readonly why?: string | undefined;
  /** Whether what it switches is on; nothing where it switches nothing. */
  readonly isOn?: boolean;
  /** Whether its name stands beside the icon. */
  readonly isWide?: boolean;
  run(): void;
}

/** A button that is an icon. */
export function ToolButton({ icon, label, tip = label, shortcut, why, isOn, isWide = false, run }: ToolButtonProps): ReactNode {
  return (
    <button
      className={isWide ? "button quiet" : "icon-button"}
      type="button"
      aria-label={label}
      aria-disabled={why !== undefined || undefined}
      aria-pressed={isOn}
      data-tip={why ?? tip}
      data-key={shortcut === undefined ? undefined : keyName(shortcut)}
      onClick={() => {
        if (why === undefined) run();
      }}
    >
      <Icon name={icon} />
      {isWide && <span className="button-word">{label}</span>}
    </button>
  );
}
