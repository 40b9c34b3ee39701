import { useEffect, useState } from 'preact/hooks';
import { idle } from './idle.ts';
import { loadable } from './loadable.ts';

/**
 * Loads code once `isWanted` is true, or when the page is idle, to have it offline. Null until
 * then.
 */
export function useLoaded<Code>(load: () => Promise<Code>, isWanted: boolean): Code | null {
  const [code, setCode] = useState<Code | null>(null);
  const [coming] = useState(() => loadable(load, (loaded) => setCode(() => loaded)));
  useEffect(() => {
    if (isWanted) coming.want();
    else void idle().then(() => coming.want());
  }, [isWanted]);
  useEffect(() => () => coming.cancel(), []);
  return code;
}
