/** Twins: the shown run repeated with one change, beside the curve of the original. */
import { useRef } from 'preact/hooks';
import { TRACES } from '../../base/form.ts';
import { panelWith, useInstrument } from '../component.tsx';
import { Caution } from './caution.tsx';
import { Comparison, TwinFinding, useCompared } from './comparison.tsx';
import { ControlPart } from './control-part.tsx';
import { LeftOutPart } from './left-out-part.tsx';
import { Seeds } from './seeds.ts';
import { SeedsPart } from './seeds-part.tsx';
import { settingPair } from './setting-pair.ts';
import { TwinForm } from './twin-form.tsx';

export const createTwin = panelWith(Twin, 'open');

function Twin() {
  const { words } = useInstrument();
  const shown = useCompared();
  /** Whether to scroll the next picture of the curves into view. */
  const brings = useRef(false);
  const onBegin = (): void => {
    brings.current = true;
  };
  return (
    <>
      <TwinFinding shown={shown} />
      <p class="lead">{words.t('twin.lead')}</p>
      <TwinForm onBegin={onBegin}>
        <Caution />
      </TwinForm>
      <Comparison shown={shown} brings={brings} />
      {/* Embedded forms without the engine module for questions leave these experiments out. */}
      {TRACES ? (
        <>
          <SettingSeeds />
          <ControlPart onBegin={onBegin} />
          <LeftOutPart onBegin={onBegin} />
        </>
      ) : null}
    </>
  );
}

/** State of training again, with other seeds, the two runs that differ in a setting. */
class SettingState {
  readonly seeds = new Seeds();
}

function SettingSeeds() {
  const { words, session, runs, state, kept } = useInstrument();
  const now = session();
  const pair = now === null ? null : settingPair(now, runs, state.lossChoice, words);
  return <SeedsPart seeds={kept(SettingState).seeds} pair={pair} />;
}
