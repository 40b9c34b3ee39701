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
    const { cutDocuments: documents, cutCharacters: characters } = plan;
    lines.push(t('text.cut', { documents, characters }));
  }
  if (plan.invalidBytes > 0) lines.push(t('text.invalid', { count: plan.invalidBytes }));
  return lines;
}
