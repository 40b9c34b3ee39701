/** Content locked by a lesson: it can be read but not changed. Component form of locked.ts. */
import type { ComponentChildren } from 'preact';
import { ICONS } from './dom.ts';
import { Icon } from './icon.tsx';
import { useFreshId } from './use-id.ts';

export interface LockedPartProps {
  /** Notice that the content is locked; empty if it is not. */
  readonly text: string;
  readonly children: ComponentChildren;
}

export function LockedPart({ text, children }: LockedPartProps) {
  const id = useFreshId('locked');
  if (text === '') return <>{children}</>;
  return (
    <>
      <p class="note lock-note">
        <Icon path={ICONS.lock} />
        <span id={id}>{text}</span>
      </p>
      <fieldset class="locked" disabled aria-describedby={id}>
        {children}
      </fieldset>
    </>
  );
}
