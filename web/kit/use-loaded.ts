import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { idle } from './idle.ts';
import { loadable } from './loadable.ts';

/**
 * Loads code once `isWanted` is true, or when the page is idle, to have it offline. Null until
 * then.
 */
export function useLoaded<Code>(load: () => Promise<Code>, isWanted: boolean): Code | null {
  const [code, setCode] = useState<Code | null>(null);
  const [coming] = useState(() => loadable(load, (loaded) => setCode(() => loaded)));
  // Not after the frame: a panel that the reader goes to should be whole by then.
  useLayoutEffect(() => {
    if (isWanted) coming.want();
    else void idle().then(() => coming.want());
  }, [isWanted]);
  useEffect(() => () => coming.cancel(), []);
  return code;
}
