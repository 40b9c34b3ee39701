/** The folded part below the curve: zoom, unit, axes, smoothing, table, files, and their help. */
import { useRef } from 'preact/hooks';
import { fileName } from '../../base/file-name.ts';
import { knownUnit, SMOOTHINGS, unitKey } from '../../data/loss-data.ts';
import type { LossChoice } from '../../data/loss-data.ts';
import { keepInPlace } from '../../kit/dom.ts';
import { ExportRow } from '../../kit/export-row.tsx';
import { hint } from '../../kit/hint.ts';
import { Segments } from '../../kit/segments.tsx';
import { Slider } from '../../kit/slider.tsx';
import { TermButton } from '../../kit/term-button.tsx';
import { TickBox } from '../../kit/tick.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { KeptFold } from '../component.tsx';
import { LossTable } from './loss-table.tsx';
import { useShown } from './losses.ts';
import type { LossProps } from './losses.ts';

const TICKS = [
  ['logSteps', 'loss.log.steps'],
  ['logLoss', 'loss.log.loss'],
  ['beneath', 'loss.beneath'],
] as const;

/** Glossary entries, and catalogue keys of their labels on the chart. */
const TERMS = [
  { term: 'smoothed_loss', key: 'loss.smoothed' },
  { term: 'validation', key: 'loss.validation' },
  { term: 'random_guessing', key: 'loss.random' },
  { term: 'nat', key: 'loss.axis.loss' },
  { term: 'bits_per_character', key: 'loss.axis.bits' },
  { term: 'learning_rate', key: 'loss.rate' },
  { term: 'gradient_norm', key: 'loss.norm' },
] as const;

export function LossControls({ losses }: LossProps) {
  const { t } = losses.words;
  return (
    <>
      <Choices losses={losses} />
      <KeptFold name="loss.table" kind="data" title={t('loss.table')}>
        {() => <LossTable losses={losses} />}
      </KeptFold>
      <LossExport losses={losses} />
      <p class="note loss-terms">
        {TERMS.map(({ term, key }) => (
          <TermButton key={term} id={term} text={t(key)} />
        ))}
      </p>
      <p class="note">{t('loss.smoothing.help')}</p>
      <p class="note">{t('loss.bits.help')}</p>
      <p class="note">{hint(losses.words, 'loss.zoom.help')}</p>
    </>
  );
}

function Choices({ losses }: LossProps) {
  const { t, short } = losses.words;
  const { unit, smoothing, window, ...look } = losses.look.value;
  // Bits need tokens per character, which are unknown until the text is tokenized.
  const canCount = useShown(losses, () => {
    return knownUnit('bits', losses.data.value.tokensPerCharacter) === 'bits';
  });
  const box = useRef<HTMLDivElement>(null);
  const slider = useFreshId('smoothing');
  const choose = (change: Partial<LossChoice>): void => {
    if (box.current === null) return;
    // A choice may add charts above these controls, which would move away from the pointer.
    keepInPlace(box.current, () => {
      losses.choose(change);
      losses.plot.peek()?.settle();
    });
  };
  const strength = SMOOTHINGS.indexOf(smoothing);
  const zooms = [
    ['−', t('loss.zoom.out'), () => losses.plot.peek()?.zoom(2)],
    ['+', t('loss.zoom.in'), () => losses.plot.peek()?.zoom(0.5)],
    [t('loss.zoom.all'), t('loss.zoom.all.help'), () => losses.show(null)],
  ] as const;
  return (
    <div ref={box} class="loss-options">
      <div class="zooms" role="group" aria-label={t('loss.zoom')}>
        {zooms.map(([sign, title, press], at) => (
          <button
            key={title}
            type="button"
            class="zoom"
            aria-label={title}
            title={title}
            disabled={at === 2 && window === null}
            onClick={press}
          >
            {sign}
          </button>
        ))}
      </div>
      <Segments
        label={t('loss.unit')}
        values={['nats', 'bits'] as const}
        value={unit}
        textOf={(one) => t(unitKey(one))}
        isDisabled={(one) => one === 'bits' && !canCount}
        onValue={(one) => choose({ unit: one })}
      />
      <div class="loss-smoothing">
        <label for={slider}>{t('loss.smoothing')}</label>
        <Slider
          id={slider}
          max={SMOOTHINGS.length - 1}
          value={strength}
          valueText={t(strength === 0 ? 'loss.smoothing.none' : 'loss.smoothing.times', {
            times: short(smoothing),
          })}
          onValue={(at) => choose({ smoothing: SMOOTHINGS[at] ?? 1 })}
        />
      </div>
      {TICKS.map(([what, key]) => (
        <TickBox key={what} isOn={look[what]} onTick={(isOn) => choose({ [what]: isOn })}>
          <span>{t(key)}</span>
        </TickBox>
      ))}
    </div>
  );
}

function LossExport({ losses: { data, look, words } }: LossProps) {
  const { t } = words;
  return (
    <ExportRow
      words={words}
      what={t('export.what.loss')}
      name={() => fileName('loss', data.peek().file(), data.peek().history.length)}
      asSvg
      draw={async () => {
        const { lossPicture } = await import('../../kit/pictures/loss-picture.ts');
        const { length: step } = data.peek().history;
        const title = t('loss.picture', { step });
        return step === 0 ? null : lossPicture(data.peek(), look.peek(), { words, title });
      }}
      csv={async () => {
        const { lossCsv } = await import('../../store/training/loss-csv.ts');
        return lossCsv(data.peek().history, look.peek().smoothing);
      }}
    />
  );
}
