/** The run bar's large button for the next action, and the small buttons beside it. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Words } from '../../i18n/index.ts';
import { ICONS } from '../../kit/dom.ts';
import { Icon } from '../../kit/icon.tsx';
import { useFirstInstrument } from '../component.tsx';
import { useDeeds } from './run-bar.ts';
import type { Deed, RunBar } from './run-bar.ts';

/** Milliseconds after the end of a run during which a press was still meant as "Pause". */
const MEANT = 400;

interface ButtonsProps {
  readonly bar: RunBar;
  readonly main: RefObject<HTMLButtonElement | null>;
  /** Called when the large button is pressed while no run can start. */
  readonly onStuck: () => void;
}

export function Buttons({ bar, main, onStuck }: ButtonsProps) {
  const { words } = useFirstInstrument();
  const { t } = words;
  const { at, deed, trains, isStuck } = bar;
  const deeds = useDeeds();
  const isTurned = useTurned(bar);
  const clicked = useRef<Deed>('wait');
  const path = deed === 'pause' || deed === 'rewind' ? deed : 'start';
  const small = (
    name: 'step' | 'rewind' | 'seed',
    label: string,
    title: string,
    isDisabled: boolean,
  ) => (
    <button
      key={name}
      type="button"
      class="secondary"
      title={title}
      data-control={name}
      disabled={isDisabled}
      onClick={deeds[name]}
    >
      <Icon path={ICONS[name]} />
      <span class="button-text">{label}</span>
    </button>
  );
  const isIdle = at === 'loading' || at === 'blocked';
  const cannotStep = ['loading', 'finished', 'diverged'].includes(at);
  return (
    <div class="buttons" role="group" aria-label={t('run.title')}>
      <button
        ref={main}
        type="button"
        class={deed === 'extend' ? 'primary long' : 'primary'}
        data-control="main"
        title={deed === 'extend' && !bar.isFixed ? t('run.extend.help') : ''}
        disabled={at === 'loading' || (!trains && deed !== 'renew')}
        // A stuck button stays enabled: a press moves the focus to the message with the reason.
        aria-disabled={isStuck || isTurned}
        onClick={({ detail }) => {
          // The second click of a double click must not pause the run that the first one started.
          const isSame = deed === clicked.current;
          clicked.current = deed;
          if ((detail === 2 && !isSame) || isTurned) return;
          if (isStuck) onStuck();
          else deeds[deed]();
        }}
      >
        <span class="icon-box">
          <Icon path={ICONS[path]} isFilled={path !== 'rewind'} />
        </span>
        <span>{labelOf(deed, bar.extension, words)}</span>
      </button>
      {small('step', t('run.step'), t('run.step'), !trains || isStuck || cannotStep)}
      {/* The large button rewinds a diverged run, so the small one is omitted. */}
      {at === 'diverged'
        ? null
        : small('rewind', t('run.rewind'), t('run.rewind.help'), isIdle || bar.step === 0)}
      {small('seed', t('run.newSeed'), t('run.newSeed.help'), at === 'loading')}
    </div>
  );
}

function labelOf(deed: Deed, steps: number, { t }: Words): string {
  if (deed === 'wait') return t('run.loading');
  if (deed === 'extend') return t('run.extend', { steps });
  return t(deed === 'renew' ? 'run.restart' : `run.${deed}`);
}

/** Whether the run ended less than `MEANT` ago: a press was meant to pause it. */
function useTurned({ at, deed }: RunBar): boolean {
  const last = useRef(deed);
  const [isTurned, setTurned] = useState(false);
  const hasEnded = at === 'finished' || at === 'diverged';
  if (hasEnded && last.current === 'pause') setTurned(true);
  last.current = deed;
  useEffect(() => {
    if (!isTurned) return;
    const timer = setTimeout(() => setTurned(false), MEANT);
    return () => clearTimeout(timer);
  }, [isTurned]);
  return isTurned;
}
