/** The sentences under the text: what it is, how it will be read, what will be left out. */
import type { Plan } from '../engine/trainer.ts';
import type { Words } from '../i18n/index.ts';
import { findSample } from './texts.ts';

export function explainPlan(
  text: { readonly source: string; readonly readOnly: boolean },
  plan: Plan | null,
  words: Words,
): string[] {
  const { t } = words;
  const lines: string[] = [];
  const sample = findSample(text.source);
  if (sample !== undefined) lines.push(t(`text.about.${sample.id}`));
  if (text.readOnly) lines.push(t('text.preview'));
  if (plan === null) return lines;
  if (plan.documents > 0) lines.push(t('text.documents', { count: plan.documents }));
  else lines.push(t('text.stream'));
  if (plan.cutDocuments > 0) {
    const { cutDocuments: documents, cutTokens: tokens } = plan;
    // Where the tokens just fit, only the mark of the line's end is left out.
    lines.push(
      tokens > 0 ? t('text.cut', { documents, tokens }) : t('text.cut.end', { documents }),
    );
  }
  if (plan.invalidBytes > 0) lines.push(t('text.invalid', { count: plan.invalidBytes }));
  return lines;
}
