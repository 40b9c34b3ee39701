/**
 * Report section on copied text: prompts that the model continues word for word and, if looked up,
 * matches of its newest texts with the training text.
 */
import { tableName } from '../../data/table-name.ts';
import { el, table } from '../../kit/dom.ts';
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
  const title = 'copied.title';
  const current = now?.current ?? null;
  if (now === null || current === null) return { title, parts: [] };
  const { prompts, documents } = current.info;
  const said = memorisedText({ points: current.data.history.memorised, prompts }, words);
  const memorised = said === '' ? [] : [el('p', {}, said)];
  const { newest = null, base = null } = found ?? {};
  if (newest === null) return { title, parts: memorised };
  const { t, number } = words;
  const parts = { newest, base, documents };
  const runs = newest.runs.flatMap((all, at) =>
    all.map(({ start, end, line, count }) => [
      newest.texts[at]?.slice(start, end) ?? '',
      t('copied.place', { line: number(line) }),
      count === 1 ? t('copied.once') : t('copied.often', { count: number(count) }),
    ]),
  );
  const baselines = found?.yardsticks ?? null;
  const own = baselines && ownLoss(now, baselines.heldOut);
  const losses = [
    ...(baselines?.yardsticks ?? []).map((one) => ({ ...one, name: tableName(one.order, words) })),
    ...(own ? [{ ...own, name: t('baseline.model') }] : []),
  ].sort((a, b) => b.nats - a.nats);
  const rows = losses.map(({ name, nats, bits }) => [name, number(nats, 4), number(bits, 4)]);
  const units = [t('loss.axis.loss'), t('loss.axis.bits')];
  const heads = [t('baseline.title'), ...units];
  const key = baselines?.heldOut === true ? 'baseline.held-out' : 'baseline.left-out';
  const lead = el('p', {}, t(key, { unit: units.join(', ') }));
  return {
    title,
    parts: [
      ...memorised,
      ...(base === null ? [] : [el('p', {}, saidOf(parts, words))]),
      el('p', { class: 'muted' }, baseText(parts, words)),
      ...runs.map((cells) => el('p', {}, cells.join(' · '))),
      ...(rows.length > 0 ? [lead, table('', heads, rows)] : []),
    ],
  };
};
