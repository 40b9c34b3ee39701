/** Step, loss, speed and time left of the run, and the choice of its pace. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { fairUnit, unitFactor, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import { paceAt } from '../../engine/schedule.ts';
import type { Pace } from '../../engine/trainer.ts';
import { UnitMark } from '../../kit/loss-unit.tsx';
import { TermButton } from '../../kit/term-button.tsx';
import { PACES, WATCHED } from '../../store/address/page-settings.ts';
import type { RunData } from '../../store/training/run-data.ts';
import { useFirstInstrument } from '../component.tsx';
import type { RunBar } from './run-bar.ts';

export function Figures({ bar }: { readonly bar: RunBar }) {
  const { words, state, actions, goTo } = useFirstInstrument();
  const { t, number, short } = words;
  const { now, run, at, lookedAt, step, steps } = bar;
  const { pace, lossChoice } = state;
  const tokensPerCharacter = now?.tokensPerCharacter ?? UNKNOWN_TOKENS;
  const lines = now?.earlier.all ?? [];
  const unit = fairUnit(lossChoice.unit, { tokensPerCharacter, lines });
  const nats =
    lookedAt === null
      ? run?.history.smoothedLast(lossChoice.smoothing)
      : run?.history.at(lookedAt, lossChoice.smoothing)?.smoothed;
  const loss = (nats ?? NaN) * unitFactor({ unit }, tokensPerCharacter.train);
  const stepText = number(lookedAt ?? step);
  const tokens = run?.tokensPerSecond ?? 0;
  const left = run === null ? NaN : secondsLeft(run, pace);
  const done = lookedAt === null ? t('run.done') : '–';
  const isOver = at === 'finished' || at === 'diverged';
  return (
    <div class="figures">
      {/* Phones show this button in place of the figures, so that no element moves. */}
      <button type="button" class="link run-bar-kept" onClick={() => goTo('notice')}>
        {t('run.kept')}
      </button>
      <dl class="facts">
        <Fact name="step">
          {steps > 0 ? t('run.of', { step: stepText, steps: number(steps) }) : stepText}
        </Fact>
        <Fact name="loss" unit={unit}>
          {Number.isNaN(loss) ? '–' : number(loss, 2)}
        </Fact>
        <Fact name="speed">{tokens > 0 ? short(tokens) : '–'}</Fact>
        <Fact name="left">
          {at === 'finished' ? done : Number.isNaN(left) ? '–' : words.duration(left)}
        </Fact>
      </dl>
      {/* A finished run has no speed. The control keeps its space, so that no figure moves. */}
      {pace === WATCHED ? (
        <button type="button" class="secondary" inert={isOver} onClick={() => actions.onPace(0)}>
          {t('run.pace.full')}
        </button>
      ) : (
        <label class="pace" data-control="pace" inert={isOver}>
          <span>{t('run.pace')}</span>
          <select
            title={t('run.pace.help')}
            value={typeof pace === 'number' ? pace : 0}
            onChange={({ currentTarget }) => actions.onPace(Number(currentTarget.value))}
          >
            {PACES.map((one) => (
              <option key={one} value={one}>
                {one === 0 ? t('run.pace.0') : t('run.pace.value', { steps: one })}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

interface FactProps {
  readonly name: 'step' | 'loss' | 'speed' | 'left';
  readonly unit?: LossUnit;
  readonly children: string;
}

function Fact({ name, unit, children }: FactProps) {
  const { words } = useFirstInstrument();
  const { t } = words;
  const label = t(`run.fact.${name}`);
  const box = useRef<HTMLDivElement>(null);
  const [isCutOff, setCutOff] = useState(false);
  useEffect(() => {
    // A phone may cut off a figure. The button of its term must then not receive the focus.
    if (name === 'left') return;
    const observer = new IntersectionObserver(
      (entries) => setCutOff(entries.at(-1)?.isIntersecting === false),
      { root: box.current!.parentElement },
    );
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} class={`fact fact-${name}`} style={{ visibility: isCutOff ? 'hidden' : '' }}>
      <dt>
        {name === 'loss' ? <TermButton id={name} text={label} /> : label}
        {unit === undefined ? null : (
          <>
            {' '}
            {/* The note of the term tells the usual unit: only another one is shown. */}
            {unit === 'nats' ? (
              <span class="visually-hidden">{t('run.unit.nats')}</span>
            ) : (
              <UnitMark unit={unit} words={words} />
            )}
          </>
        )}
      </dt>
      <dd data-part={name} title={name === 'loss' ? t('run.fact.loss.help') : undefined}>
        {children}
      </dd>
    </div>
  );
}

/** Seconds until the end of the run; NaN before its speed is known. */
function secondsLeft({ step, steps, stepsPerSecond }: RunData, pace: Pace): number {
  if (stepsPerSecond <= 0) return NaN;
  const bySpeed = Math.max(0, steps - step) / stepsPerSecond;
  // A run with a total time speeds up by plan, unless the machine is too slow for the plan.
  const isSlow = stepsPerSecond < paceAt(pace, { step, steps }) / 2;
  if (typeof pace === 'number' || isSlow) return bySpeed;
  return pace.seconds * (1 - Math.sqrt(Math.min(1, step / steps)));
}
