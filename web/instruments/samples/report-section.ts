/** Report section of the texts written during training. */
import type { AllWords } from '../../i18n/index.ts';
import { el } from '../../kit/dom.ts';
import { hasBroken, hasCut, isCut, landmarks, writtenParts } from '../../kit/written.ts';
import type { SampleEntry } from '../../kit/written.ts';
import { shownTokenizer } from '../../store/training/session.ts';
import type { MakeSection } from '../panel.ts';

const SAMPLES_OF_A_STEP = 6;

export const samplesSection: MakeSection = ({ session, words }) => {
  const now = session();
  const hasPieces = shownTokenizer(now) !== 'char';
  const parts = sampleParts(landmarks(now?.run?.samples ?? []), hasPieces, words);
  return { title: 'report.samples', parts };
};

function sampleParts(entries: readonly SampleEntry[], hasPieces: boolean, words: AllWords): Node[] {
  if (entries.length === 0) return [el('p', { class: 'muted' }, words.t('report.none'))];
  const broken = hasPieces && hasBroken(entries);
  const note = [
    ...(hasCut(entries) ? [el('p', { class: 'muted' }, words.t('samples.cut'))] : []),
    ...(broken ? [el('p', { class: 'muted' }, words.t('samples.broken'))] : []),
  ];
  return note.concat(
    entries.flatMap((entry) => [
      el('p', { class: 'muted' }, words.t('samples.step', { step: words.number(entry.step) })),
      ...entry.texts
        .slice(0, SAMPLES_OF_A_STEP)
        .map((text, at) =>
          text === ''
            ? el('p', { class: 'muted' }, words.t('samples.nothing'))
            : el('p', { class: 'written' }, ...writtenParts(text, isCut(entry, at))),
        ),
    ]),
  );
}
