/** The merges of the model's vocabulary, read a part at a time. */
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { findOption, valueOf } from '../../engine/options.ts';
import type { Merge } from '../../engine/trainer.ts';
import { createMergesPanel } from './view.ts';
import type { MergeWalkPlace, MergesPanelData } from './view.ts';
import { messageOf } from '../../store/messages.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel } from '../panel.ts';

/** Merges that are asked for at a time. GPT-2 has 50,000 of them. */
const PART = 5000;

/** What is merged step by step, and what was chosen here. */
class MergesState implements MergeWalkPlace {
  /** Of the page until another is typed. */
  text = '';
  at = 0;
  /** What were tokens before word pieces were chosen here; null while they are not. */
  before: number | null = null;
}

export const createMerges: CreateLaterPanel = (container, context) => {
  const { words, state, actions, lesson, session } = context;
  const look = context.kept(MergesState);
  if (look.text === '') look.text = state.probe;
  const view = createMergesPanel(container, {
    words,
    walk: look,
    onUse: lesson.lock.has('settings') ? null : usePieces,
    onBack: takeBack,
  });
  /** The run whose merges are shown, and how many it has: the run is known a moment earlier. */
  let shown = '';
  let merges: readonly Merge[] | null = null;
  let loading = false;
  let error: GlasshouseError | null = null;
  let destroyed = false;

  /** The number of word pieces among the kinds of tokens; -1 where they cannot be chosen. */
  function pieces(): number {
    const { table } = session() ?? {};
    return (table && findOption(table, 'tokenizer')?.choices.indexOf('bpe')) ?? -1;
  }

  function usePieces(): void {
    const now = session();
    if (now === null || pieces() < 0) return;
    look.before = valueOf(now.table, now.recipe, 'tokenizer');
    actions.onOption('tokenizer', pieces());
  }

  function takeBack(): void {
    if (look.before !== null) actions.onOption('tokenizer', look.before);
    look.before = null;
  }

  /** Chosen here, and still so: a run that is under way goes on without them. */
  function chosen(): MergesPanelData['chosen'] {
    const now = session();
    if (now === null || look.before === null) return 'no';
    if (valueOf(now.table, now.recipe, 'tokenizer') !== pieces()) look.before = null;
    if (look.before === null) return 'no';
    return now.pending().includes('tokenizer') ? 'next' : 'now';
  }

  function show(): void {
    const said = error === null ? '' : messageOf(error, words);
    view.update({ merges, loading, error: said, chosen: chosen() });
  }

  /** Reads all merges of the run that is shown, until another one is. */
  async function read(key: string, count: number): Promise<void> {
    const stale = (): boolean => destroyed || key !== shown;
    const { trainer } = session() ?? {};
    const all: Merge[] = [];
    while (trainer !== undefined && all.length < count) {
      const part = await trainer.merges(all.length, PART);
      if (stale()) return;
      if (part.length === 0) break;
      all.push(...part);
      merges = [...all];
      loading = all.length < count;
      show();
    }
  }

  const panel = panelOf(view, () => {
    const now = session();
    const count = now?.current?.info.merges ?? 0;
    const wanted = `${String(now?.run?.number ?? 0)}: ${String(count)}`;
    if (wanted === shown) {
      show();
      return;
    }
    shown = wanted;
    error = null;
    if (count === 0) merges = null;
    loading = count > 0;
    show();
    read(wanted, count).catch((thrown: unknown) => {
      if (wanted !== shown || destroyed) return;
      error = asError(thrown);
      loading = false;
      show();
    });
  });
  show();
  return {
    ...panel,
    destroy: () => {
      destroyed = true;
      panel.destroy();
    },
  };
};
