/** Replays receipts on the text of the shown run. */
import { useRef, useState } from 'preact/hooks';
import { asError, failure, ignore } from '../../engine/errors.ts';
import { receiptRuns } from '../../engine/receipt.ts';
import type { Finding } from '../../engine/receipt.ts';
import type { HeldText } from '../../store/text/engine-text.ts';
import type { Session } from '../../store/training/session.ts';
import { useInstrument } from '../component.tsx';
import { failureText, findingText } from './receipt-words.ts';

/** The result of a replay in words, or why it failed. */
export interface Outcome {
  readonly text: string;
  readonly bad: boolean;
  /** The replayed receipt. */
  readonly json: string;
}

/** Progress of a replay; 0 steps before the engine has begun. */
export type Progress = Pick<Finding, 'done' | 'steps'>;

export interface Replay {
  /** Progress of the replay; null without one. */
  readonly progress: Progress | null;
  /** Result of the last replay; null before the first replay and during one. */
  readonly outcome: Outcome | null;
  readonly begin: (json: string) => void;
  readonly cancel: () => void;
  readonly forget: () => void;
}

export function useReplay(): Replay {
  const { session, words } = useInstrument();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const abort = useRef(new AbortController());
  const now = session();
  const text = now?.current?.text ?? null;

  const replay = async (session: Session, text: HeldText, json: string): Promise<Outcome> => {
    const { signal } = abort.current;
    const verified = (content: Blob) => verify(session, json, content, signal, setProgress);
    try {
      // Receipts of earlier versions cover the bytes of a file, later ones its decoded text.
      const found = await verified(text.raw ?? text.content).catch((thrown: unknown) => {
        if (text.raw === undefined || asError(thrown).code === 'cancelled') throw thrown;
        return verified(text.content);
      });
      return { text: findingText(found, words), bad: !found.same, json };
    } catch (thrown) {
      const error = asError(thrown);
      return { text: failureText(error, words), bad: error.code !== 'cancelled', json };
    }
  };
  return {
    progress,
    outcome,
    begin(json) {
      if (now === null || text === null || progress !== null) return;
      abort.current = new AbortController();
      setProgress({ done: 0, steps: 0 });
      setOutcome(null);
      void replay(now, text, json).then((result) => {
        setOutcome(result);
        setProgress(null);
      });
    },
    cancel() {
      // `cancelVerify` has no effect until the texts have been sent to the engine.
      abort.current.abort();
      now?.trainer.cancelVerify().catch(ignore);
    },
    forget: () => setOutcome(null),
  };
}

async function verify(
  { trainer, text }: Session,
  json: string,
  content: Blob,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Finding> {
  // The receipt of a fork covers the texts of all its runs.
  const contents = isOfFork(json) ? [content, ...text.recent] : [content];
  const texts = await Promise.all(
    contents.map(async (one) => new Uint8Array(await one.arrayBuffer())),
  );
  if (signal.aborted) throw failure('cancelled', 'it was cancelled');
  return trainer.verify(json, texts, onProgress);
}

/** Whether a receipt contains another run's receipt. The replay reports an invalid receipt. */
function isOfFork(json: string): boolean {
  try {
    return receiptRuns({ json }).length > 1;
  } catch {
    return false;
  }
}
