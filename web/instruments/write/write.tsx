/**
 * Writes one token at a time: the growing text, candidates before and after the sampling
 * parameters, the last draw, and the KV cache. Until the first token is written, the candidates
 * follow the training.
 */
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { Model } from '../../engine/past-run.ts';
import type { GenerationState } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import { messageOf } from '../../store/messages.ts';
import { panelWith, useAsk, useInstrument } from '../component.tsx';
import { PromptForm, useRequestFields } from './request-fields.tsx';
import { Result } from './result.tsx';
import { beginningOf, diceOf, Writer } from './writer.ts';
import { begun, sameDice } from './written-text.ts';

/** Milliseconds between two tokens during playback. */
const BEAT = 450;

export const createWrite = panelWith(Write);

function Write() {
  const { words, state, session, kept, inSight } = useInstrument();
  const { t } = words;
  const now = session();
  const writer = kept(Writer);
  const text = writer.textOf(now);
  const [beginning, dice] = [beginningOf(now, state.ask), diceOf(state.ask)];
  const known = text.written.value;
  const isOutdated = !text.isOf(beginning, dice, now?.lookedAt.step ?? 0);
  const written = isOutdated ? null : known;
  const asked = beginning === null || written !== null ? null : text.preview(state.ask);
  const preview = useAsk(asked);
  const shown = useMemo(() => {
    if (written !== null || beginning === null) return written;
    return preview.value === null ? null : begun(preview.value, dice);
  }, [written, preview.value, beginning === null]);
  const fields = useRequestFields(() => {
    text.isPlaying.value = false;
  });
  const write = (change: ((model: Model) => Promise<GenerationState>) | null): void =>
    writer.write(session(), state.ask, change);
  const writeNext = (): void => {
    if ((shown?.now.coming ?? null) !== null) write((model) => model.nextToken());
  };

  useLayoutEffect(() => writer.pauseOther(text), [text]);
  useLayoutEffect(() => {
    if (isOutdated) text.discard();
  });
  const isWithOther = written !== null && !sameDice(written.dice, dice);
  useEffect(() => {
    if (isWithOther) write(null);
  }, [isWithOther, JSON.stringify(dice)]);
  const beats = text.isPlaying.value && inSight.value && text.calls.value === 0;
  useEffect(() => {
    const timer = beats ? setTimeout(writeNext, BEAT) : undefined;
    return () => clearTimeout(timer);
  }, [beats, known]);

  const error = text.error.value ?? (written === null ? preview.error : null);
  const mistake = error === null ? '' : messageOf(error, words);
  const old = error !== null && shown !== null ? t('tokens.before') : '';
  return (
    <>
      <p class="lead">{t('write.lead')}</p>
      <PromptForm fields={fields} onEnter={writeNext} mistake={sentences([mistake, old], words)} />
      {shown === null && error === null ? <p class="muted">{t('write.empty')}</p> : null}
      {shown === null ? null : (
        <Result
          text={shown}
          isPlaying={text.isPlaying.value}
          fields={fields}
          onNext={writeNext}
          onPlay={(plays) => {
            text.isPlaying.value = plays;
            if (plays) writeNext();
          }}
          onTake={(id) => {
            text.isPlaying.value = false;
            write((model) => model.takeToken(id));
          }}
          onUndo={() => {
            text.isPlaying.value = false;
            write((model) => model.undoToken());
          }}
          onAgain={() => text.discard()}
        />
      )}
    </>
  );
}
