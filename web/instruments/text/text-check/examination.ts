/** Examines each version of the text in slices, between which the page can draw. */
import { useEffect, useState } from 'preact/hooks';
import { yieldTask } from '../../../base/yield-task.ts';
import { useInstrument } from '../../component.tsx';
import { examine } from './examine.ts';
import type { Findings } from './examine.ts';
import { Treatment } from './treatment.ts';

/** Maximum milliseconds of a slice. */
const SLICE = 8;
/** Milliseconds without typing before the examination. */
const QUIET = 400;
/** Maximum length examined, in UTF-16 code units. */
export const EXAMINED = 4_000_000;

export interface Examined {
  readonly version: number;
  readonly findings: Findings;
  /** Whether the whole text was examined, not only its beginning. */
  readonly isWhole: boolean;
}

/** Examines `version`; nothing if null. Returns the newest result; null before the first. */
export function useExamination(version: number | null): Examined | null {
  const { state, actions, kept } = useInstrument();
  const [examined, setExamined] = useState<Examined | null>(null);
  useEffect(() => {
    if (version === null || examined?.version === version) return undefined;
    let isOver = false;
    const isOld = (): boolean => isOver || version !== state.version;
    const begin = async (): Promise<void> => {
      const text = await actions.readText(EXAMINED + 1).catch(() => '');
      const findings = await examineInSlices(text.slice(0, EXAMINED), isOld);
      if (findings === null) return;
      kept(Treatment).follow(text);
      setExamined({ version, findings, isWhole: text.length <= EXAMINED });
    };
    const timer = setTimeout(() => void begin(), examined === null ? 0 : QUIET);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [version]);
  return examined;
}

/** Runs an examination in slices; null if the text changed meanwhile. */
async function examineInSlices(text: string, isOld: () => boolean): Promise<Findings | null> {
  const examination = examine(text);
  for (;;) {
    const until = performance.now() + SLICE;
    let next = examination.next();
    while (next.done !== true && performance.now() < until) next = examination.next();
    if (isOld()) return null;
    if (next.done === true) return next.value;
    await yieldTask();
  }
}
