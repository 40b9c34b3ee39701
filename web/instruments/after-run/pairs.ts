/** Losses of tables that count which token follows one or two others, to compare a run with. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { KeptTrace } from '../../store/training/kept-trace.ts';
import { LARGEST_TRACED_TEXT } from '../../store/training/text-trace.ts';
import { useInstrument } from '../component.tsx';
import { below } from './learned.ts';

/** Number of previous tokens that the largest table uses. */
const PAIR = 2;

/** The answer for one run; `loss` in nats, null if it cannot be known. */
interface Known {
  readonly run: string;
  readonly loss: number | null;
}

class LastPairs {
  readonly known = signal<Known | null>(null);
}

/**
 * First step from which the finished run with key `run` has a lower loss on held-out text than
 * the tables. Null until known, if it never is, or if `run` is empty.
 */
export function useBeaten(run: string): number | null {
  const { session, kept, startQuestions } = useInstrument();
  const { known } = kept(LastPairs);
  const now = session()?.current ?? null;
  const trace = kept(KeptTrace).of({ session, startQuestions });
  const size = now?.text?.content.size ?? Infinity;
  // Only held-out text is fair: a model may know its training text by heart.
  const isFair = run !== '' && now?.info.hasValidation === true;
  const isAsked = isFair && trace?.refusal === null && size <= LARGEST_TRACED_TEXT;
  useEffect(() => {
    if (!isAsked || known.peek()?.run === run) return;
    const none = { run, loss: null };
    known.value = none;
    trace
      .ask((trainer) => trainer.yardsticks())
      .then(
        ({ yardsticks }) => {
          if (known.peek() !== none) return;
          // The smaller tables are better if the text is random.
          const losses = yardsticks.filter(({ order }) => order <= PAIR).map(({ nats }) => nats);
          known.value = { run, loss: Math.min(...losses) };
        },
        // The sentence does without; the tab of copied text reports the error.
        () => undefined,
      );
  }, [run, isAsked]);
  const { value } = known;
  if (run === '' || value?.run !== run || value.loss === null || now === null) return null;
  return below(now.data.history, value.loss);
}
