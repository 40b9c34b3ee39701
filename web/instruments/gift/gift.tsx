/** A greeting for readers of a link with lines of a card, which a run repeats. */
import { withControlSigns } from '../../data/attention-data.ts';
import { giftLines } from '../../store/address/gift.ts';
import type { RunData } from '../../store/training/run-data.ts';
import { panelWith, useInstrument } from '../component.tsx';

export const createGift = panelWith(Gift, 'always');

function Gift() {
  const { words, state, session } = useInstrument();
  const { t } = words;
  const lines = giftLines(state.gift);
  const run = session()?.run ?? null;
  if (lines.length === 0 || run === null) return null;
  let said = t('gift.start', { steps: run.steps });
  if (run.state === 'finished') {
    said = t(lines.every((line) => wrote(run, line)) ? 'gift.same' : 'gift.other');
  }
  return (
    <div class="gift" role="region" aria-label={t('gift.title')}>
      <h2>{t('gift.title')}</h2>
      <p>{t('gift.wrote')}</p>
      <ul translate={false}>
        {lines.map((line, at) => (
          <li key={at} class="written" dir="auto">
            {line}
          </li>
        ))}
      </ul>
      <p role="status">{said}</p>
    </div>
  );
}

/** Whether a line is part of a text that the run wrote. */
function wrote({ samples }: RunData, line: string): boolean {
  return samples.some(({ texts }) => texts.some((text) => withControlSigns(text).includes(line)));
}
