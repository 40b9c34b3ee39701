/** The sentences under the text: what it is, how it will be read, what will be left out. */
import type { Words } from '../i18n/index.ts';
import { unheldText } from './held-out.ts';
import type { Session } from './session.ts';
import type { PageState } from './panels/panel.ts';
import { findSample } from './texts.ts';

/** Encodings by the names that programs give them. */
const ENCODINGS = {
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  gb18030: 'GBK (GB 18030)',
} as const;

export function explainPlan(
  text: Pick<PageState, 'source' | 'readOnly' | 'encoding'>,
  session: Session | null,
  words: Words,
): string[] {
  const { t } = words;
  const lines: string[] = [];
  const sample = findSample(text.source);
  if (sample !== undefined) lines.push(t(`text.about.${sample.id}`));
  if (text.encoding !== null) {
    lines.push(t('text.recoded', { encoding: ENCODINGS[text.encoding] }));
  }
  if (text.readOnly) lines.push(t('text.preview'));
  // A model that only writes learns nothing from it.
  if (session === null || session.plan === null || session.writesOnly) return lines;
  const { plan, table, recipe } = session;
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
  const unheld = unheldText({ plan, table, recipe }, words);
  if (unheld !== '') lines.push(unheld);
  return lines;
}
