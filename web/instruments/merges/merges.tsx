/** Merges of the model's vocabulary, in order, and a text merged step by step. */
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { axisLabel, spokenLabel } from '../../data/attention-data.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { findOption, valueOf } from '../../engine/options.ts';
import type { Merge } from '../../engine/trainer.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { Question } from '../../store/ask.ts';
import { messageOf } from '../../store/messages.ts';
import { Finding } from '../common/finding.tsx';
import { panelWith, useAsk, useInstrument } from '../component.tsx';
import { MergeList } from './merge-list.tsx';
import { MergeWalk } from './merge-walk.tsx';

/** Merges per request. GPT-2 has 50,000. */
const PART = 5000;

class Choice {
  /** The tokenizer before word pieces were chosen here; null if they were not. */
  readonly before = signal<number | null>(null);
}

export const createMerges = panelWith(Merges);

function Merges() {
  const { words, lesson } = useInstrument();
  const { t } = words;
  const { merges, isLoading, error } = useMerges();
  const finding = useMemo(() => findingOf(merges, words), [merges, words]);
  let about = t(lesson.lock.has('settings') ? 'merges.none.locked' : 'merges.none');
  if (error !== null) about = messageOf(error, words);
  else if (isLoading) about = t('merges.loading', { count: merges.length });
  else if (merges.length > 0) about = t('merges.count', { count: merges.length });
  return (
    <>
      <Finding text={finding} />
      <p class="lead">{t('merges.lead')}</p>
      <p class={`note${error === null ? '' : ' error'}`} role="status" data-part="merges-note">
        {about}
      </p>
      <UsePieces isOffered={merges.length === 0 && !isLoading && error === null} />
      {merges.length > 0 ? (
        <div class="merges">
          <MergeWalk merges={merges} />
          <MergeList merges={merges} />
        </div>
      ) : null}
    </>
  );
}

/** The most frequent pair and the longest piece; empty without merges, or without their counts. */
function findingOf(merges: readonly Merge[], words: AllWords): string {
  const [first] = merges;
  if (first === undefined || first.occurrences === 0) return '';
  const length = ({ result }: Merge): number => axisLabel(result).length;
  const longest = merges.reduce((most, one) => (length(one) > length(most) ? one : most));
  return words.t('merges.finding', {
    left: spokenLabel(first.left, words),
    right: spokenLabel(first.right, words),
    count: first.occurrences,
    piece: spokenLabel(longest.result, words),
  });
}

interface ReadMerges {
  /** Merges read so far; those of the previous run stay until the first new ones are read. */
  readonly merges: readonly Merge[];
  readonly isLoading: boolean;
  readonly error: GlasshouseError | null;
}

/** Reads the merges of the shown run, a part at a time. */
function useMerges(): ReadMerges {
  const now = useInstrument().session();
  const count = now?.current?.info.merges ?? 0;
  const key = `${String(now?.run?.number ?? 0)}: ${String(count)}`;
  const [read, setRead] = useState<{ key: string; merges: readonly Merge[] }>({ key, merges: [] });
  const known = read.key === key ? read.merges : [];
  const isLoading = known.length < count;
  // Asks the trainer itself: copies of its model lack the counts of pairs.
  const part: Question<readonly Merge[]> | null =
    now !== null && isLoading
      ? {
          key: `merges ${String(known.length)}`,
          isConstant: true,
          ask: () => now.trainer.merges(known.length, PART),
        }
      : null;
  const { value, isStale, error } = useAsk(part, null);
  useEffect(() => {
    if (part !== null && value !== null && !isStale) setRead({ key, merges: [...known, ...value] });
  }, [value, isStale]);
  const isNew = known.length === 0 && count > 0;
  return { merges: isNew ? read.merges : known, isLoading, error: isLoading ? error : null };
}

/** A button that chooses word pieces as tokens, and then undoes this choice. */
function UsePieces({ isOffered }: { readonly isOffered: boolean }) {
  const { words, session, actions, lesson, kept } = useInstrument();
  const { t } = words;
  const button = useRef<HTMLButtonElement>(null);
  const now = session();
  const { before } = kept(Choice);
  const pieces = (now && findOption(now.table, 'tokenizer')?.choices.indexOf('bpe')) ?? -1;
  const tokens = now === null ? -1 : valueOf(now.table, now.recipe, 'tokenizer');
  const isChosen = before.value !== null && tokens === pieces;
  useEffect(() => {
    // The reader has chosen other tokens in the settings.
    if (tokens !== pieces) before.value = null;
  }, [tokens, pieces]);
  const press = (): void => {
    const previous = before.value;
    if (!isChosen && pieces >= 0) {
      actions.onOption('tokenizer', pieces);
      before.value = tokens;
    } else if (previous !== null) {
      before.value = null;
      actions.onOption('tokenizer', previous);
    }
  };
  // After a press the button stays until the model has changed.
  const isShown = isChosen || isOffered || button.current?.matches(':focus') === true;
  const when = now?.pending().includes('tokenizer') === true ? 'next' : 'now';
  return (
    <>
      {isShown && !lesson.lock.has('settings') ? (
        <button ref={button} type="button" class="secondary" onClick={press}>
          {t(isChosen ? 'merges.use.back' : 'merges.use')}
        </button>
      ) : null}
      <p class="note" role="status" data-part="merges-chosen">
        {isChosen ? t(`merges.chosen.${when}`) : ''}
      </p>
    </>
  );
}
