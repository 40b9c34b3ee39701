/** Sentences below the text: its kind, how it will be read, and how much will be left out. */
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { valueOf } from '../../engine/options.ts';
import { readingsOf } from '../../store/text/left-out.ts';
import { unheldText } from '../../store/training/held-out.ts';
import type { Planned } from '../../store/training/held-out.ts';
import type { Session } from '../../store/training/session.ts';
import type { PageState } from '../../store/page-state.ts';
import { findSample } from '../../store/text/texts.ts';

/** The validation share, and how much of the training part the planned steps read. */
function readingText(planned: Planned, { t, percent }: Words): string {
  const { plan, table, recipe } = planned;
  const steps = valueOf(table, recipe, 'steps');
  const readings = readingsOf(planned);
  const read =
    readings < 1
      ? t('text.reads.part', { steps, share: percent(readings) })
      : t('text.reads', { steps, readings });
  const share = percent(valueOf(table, recipe, 'validation'));
  return plan.hasValidation ? t('text.reads.heldOut', { share, read }) : read;
}

export function explainPlan(
  text: Pick<PageState, 'source' | 'readOnly' | 'version'>,
  session: Session | null,
  words: Words,
): string[] {
  const { t } = words;
  const lines: string[] = [];
  const sample = findSample(text.source);
  if (sample !== undefined) lines.push(t(`text.about.${sample.id}`));
  // The first text may not be loaded yet.
  if (text.readOnly && text.version > 0) lines.push(t('text.preview'));
  // A model that only generates does not learn the text, so no plan is explained.
  if (session === null || session.plan === null || session.writesOnly) return lines;
  const { plan, table, recipe } = session;
  const how =
    plan.documents > 0 ? t('text.documents', { count: plan.documents }) : t('text.stream');
  // The description of a sample text already says how it is split, so `how` is left out.
  const read = readingText({ plan, table, recipe }, words);
  lines.push(sample === undefined ? sentences([how, read], words) : read);
  if (plan.cutDocuments > 0) {
    const { cutDocuments: documents, cutTokens: tokens } = plan;
    // If the tokens just fit, only the end mark is left out.
    lines.push(
      tokens > 0 ? t('text.cut', { documents, tokens }) : t('text.cut.end', { documents }),
    );
  }
  if (plan.invalidBytes > 0) lines.push(t('text.invalid', { count: plan.invalidBytes }));
  const unheld = unheldText({ plan, table, recipe }, words);
  if (unheld !== '') lines.push(unheld);
  return lines;
}
