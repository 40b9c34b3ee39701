/**
 * Report section on copied text: prompts that the model continues word for word and, if looked up,
 * matches of its newest texts with the training text.
 */
import { tableName } from '../../data/table-name.ts';
import { PlainTable } from '../../kit/data-table.tsx';
import { Paragraphs } from '../../kit/note.tsx';
import { KeptTrace } from '../../store/training/kept-trace.ts';
import type { MakeSection } from '../panel.ts';
import { CopiedState } from './state.ts';
import { memorisedText } from './memorised.ts';
import { ownLoss } from './own-loss.ts';
import { baseText, saidOf } from './sentences.ts';

export const copiedSection: MakeSection = (context) => {
  const { kept, session, words } = context;
  const found = kept(CopiedState).of(kept(KeptTrace).of(context)?.key ?? null);
  const now = session();
  const current = now?.current ?? null;
  if (now === null || current === null) return null;
  const { prompts, documents } = current.info;
  const said = memorisedText({ points: current.data.history.memorised, prompts }, words);
  const title = 'copied.title';
  const { newest = null, base = null } = found ?? {};
  if (newest === null) return said === '' ? null : { title, body: <p>{said}</p> };
  const { t, number } = words;
  const parts = { newest, base, documents };
  const runs = newest.runs.flatMap((all, at) =>
    all.map(({ start, end, line, count }) => {
      const place = t('copied.place', { line: number(line) });
      const often = count === 1 ? t('copied.once') : t('copied.often', { count: number(count) });
      return `${newest.texts[at]?.slice(start, end) ?? ''} · ${place} · ${often}`;
    }),
  );
  const baselines = found?.yardsticks ?? null;
  const own = baselines && ownLoss(now, baselines.heldOut);
  const losses = [
    ...(baselines?.yardsticks ?? []).map((one) => ({ ...one, name: tableName(one.order, words) })),
    ...(own ? [{ ...own, name: t('baseline.model') }] : []),
  ].sort((a, b) => b.nats - a.nats);
  const rows = losses.map(({ name, nats, bits }) => [name, number(nats, 4), number(bits, 4)]);
  const units = [t('loss.axis.loss'), t('loss.axis.bits')];
  const key = baselines?.heldOut === true ? 'baseline.held-out' : 'baseline.left-out';
  const body = (
    <>
      <Paragraphs texts={[said, base === null ? '' : saidOf(parts, words)]} />
      <p class="muted">{baseText(parts, words)}</p>
      <Paragraphs texts={runs} />
      {rows.length === 0 ? null : (
        <>
          <p>{t(key, { unit: units.join(', ') })}</p>
          <PlainTable caption="" heads={[t('baseline.title'), ...units]} rows={rows} />
        </>
      )}
    </>
  );
  return { title, body };
};
