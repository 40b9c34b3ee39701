/**
 * Further differences between a twin and its original: settings changed during the original run,
 * which the twin has from its first step, and the file that the original continued.
 */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { Session } from '../../store/training/session.ts';
import { learnsAnew } from '../../store/training/wanted.ts';
import { useInstrument } from '../component.tsx';

export function Caution() {
  const { words, session } = useInstrument();
  const now = session();
  const text = now === null ? '' : cautionText(now, words);
  if (text === '') return null;
  return (
    <p class="note" data-part="twin-caution">
      {text}
    </p>
  );
}

function cautionText(now: Session, words: AllWords): string {
  const { t } = words;
  const { run, earlier, model } = now;
  // A twin repeats the shown run, which does not have the pending settings.
  const waits = now.pending().some((name) => name !== 'text') ? t('twin.caution.waits') : '';
  // A twin starts from the opened model only if the run began at step 0 with its weights.
  const without = model !== null && !learnsAnew(model);
  const chance = without ? t('twin.caution.chance', { name: model.name }) : '';
  const runs = [
    { name: t('twin.caution.this'), changed: run?.changed ?? [] },
    ...earlier.all
      .filter((one) => one.shown)
      .map((one) => ({
        name: t('twin.caution.other', { number: one.id + 1 }),
        changed: one.run.changed,
      })),
  ].filter(({ changed }) => changed.length > 0);
  if (runs.length === 0) return sentences([waits, chance], words);
  const said = runs.map(({ name, changed }) => {
    const names = changed.map((option) => words.find(`option.${option}`) ?? option);
    const list = names.join(t('list.separator'));
    return t('twin.caution', { run: name, count: names.length, list });
  });
  return sentences([waits, chance, ...said, t('twin.caution.why')], words);
}
