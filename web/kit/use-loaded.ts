import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { idle } from './idle.ts';
import { loadable } from './loadable.ts';

/**
 * Loads code once `isWanted` is true, or when the page is idle, for use without a network. Returns
 * null until the code is loaded.
 */
export function useLoaded<Code>(load: () => Promise<Code>, isWanted: boolean): Code | null {
  const [code, setCode] = useState<Code | null>(null);
  const [coming] = useState(() => loadable(load, (loaded) => setCode(() => loaded)));
  // Before the frame, unlike `useEffect`: a panel that the reader goes to should be complete then.
  useLayoutEffect(() => {
    if (isWanted) coming.want();
    else void idle().then(() => coming.want());
  }, [isWanted]);
  useEffect(() => () => coming.cancel(), []);
  return code;
}
