/** A text being written: its tokens, editing buttons, candidates, and the cache. */
import { useMemo } from 'preact/hooks';
import { comingName } from '../../data/token-data.ts';
import { ICONS } from '../../kit/dom.ts';
import { Icon } from '../../kit/icon.tsx';
import { spokenLabels } from '../../kit/row-labels.ts';
import { SteadyText } from '../../kit/steady-text.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { shownPlan } from '../../store/training/shown-plan.ts';
import { KeptFold, useInstrument, Written } from '../component.tsx';
import { CachePicture } from './cache-picture.tsx';
import { ComingTokens } from './coming-tokens.tsx';
import { DiceStrip } from './dice-strip.tsx';
import { DiceForm } from './request-fields.tsx';
import type { RequestFields } from './request-fields.tsx';
import { boxesNote, pendingText, statusText, tokensOf, unseenTokens } from './sentences.ts';
import { TokenBoxes } from './token-boxes.tsx';
import { diceOf } from './writer.ts';
import { endOf } from './written-text.ts';
import type { WrittenText } from './written-text.ts';
import { WrittenTable } from './written-table.tsx';

export interface ResultProps {
  readonly text: WrittenText;
  readonly isPlaying: boolean;
  readonly fields: RequestFields;
  readonly onNext: () => void;
  readonly onPlay: (plays: boolean) => void;
  readonly onTake: (id: number) => void;
  readonly onUndo: () => void;
  /** Restarts the text. */
  readonly onAgain: () => void;
}

export function Result(props: ResultProps) {
  const { text, isPlaying, fields, onNext, onPlay, onTake, onUndo, onAgain } = props;
  const { words, state, session, isDark } = useInstrument();
  const { t, number } = words;
  const [statusId, mistakeId] = [useFreshId('write-status'), useFreshId('write-mistake')];
  const names = useMemo(() => spokenLabels(tokensOf(text), words, comingName), [text]);
  const guessing = shownPlan(session())?.randomLoss ?? 1;
  const dark = isDark();
  const dice = diceOf(state.ask);
  const diceKey = JSON.stringify(dice);
  const isWrong = fields.mistake !== '';
  const [end, isEmpty] = [endOf(text), text.tokens.length === 0];
  // While a number is invalid, its error message describes the disabled buttons.
  const waiting = {
    isDisabled: end !== '' || isWrong,
    describedBy: isWrong ? mistakeId : statusId,
  };
  const boxes = useMemo(
    () => <TokenBoxes text={text} names={names} guessing={guessing} isDark={dark} />,
    [text, guessing, dark],
  );
  const coming = useMemo(
    () => (
      <ComingTokens
        coming={text.now.coming}
        step={text.now.step}
        dice={dice}
        note={boxesNote(text, words)}
        onTake={onTake}
      />
    ),
    [text, diceKey],
  );
  const inside = useMemo(
    () => (
      <div class="write-inside">
        <DiceStrip last={text.tokens.at(-1) ?? null} coming={text.now.coming} dice={dice} />
        <KeptFold name="write.cache" kind="data cache-fold" title={t('write.cache')}>
          {() => <CachePicture text={text} />}
        </KeptFold>
        <KeptFold name="write.table" kind="data" title={t('write.table')}>
          {() => <WrittenTable text={text} names={names} />}
        </KeptFold>
      </div>
    ),
    [text, diceKey],
  );
  return (
    <div class="write-result">
      <div class="write-text" role="group" aria-label={t('write.text')}>
        <PlainText text={text} isPlaying={isPlaying} />
        {boxes}
      </div>
      {unseenTokens(text) > 0 ? <p class="note">{t('write.unseen')}</p> : null}
      <div class="write-line">
        <div class="buttons">
          <IconButton
            kind="primary"
            icon="step"
            title={t('write.next')}
            onPress={onNext}
            {...waiting}
          />
          <IconButton
            kind="secondary"
            icon={isPlaying ? 'pause' : 'start'}
            title={t(isPlaying ? 'write.pause' : 'write.play')}
            onPress={() => onPlay(!isPlaying)}
            {...waiting}
          />
          <IconButton
            kind="secondary"
            icon="rewind"
            title={t('write.undo')}
            onPress={onUndo}
            isDisabled={isEmpty}
          />
        </div>
        <button type="button" class="secondary" disabled={isEmpty} onClick={onAgain}>
          <span>{t('write.again')}</span>
        </button>
        {/* A steady height: the candidates below are pressed quickly and must not move. */}
        <SteadyText id={statusId} role="status" class="summary write-status">
          {/* Empty during playback, because screen readers would announce every token. */}
          {isPlaying && end === '' ? '' : statusText(text, names.at(-1) ?? '', words)}
        </SteadyText>
      </div>
      <div class="write-columns">
        {/* While a number is invalid, the candidates are those of the last valid numbers. */}
        <div class={isWrong ? 'write-coming stale' : 'write-coming'}>
          <div class="head-row">
            <h3>{t('write.coming')}</h3>
            <span class="stamp">{t('tokens.step', { step: number(text.now.step) })}</span>
          </div>
          <DiceForm fields={fields} onEnter={onNext} mistakeId={mistakeId} />
          {coming}
        </div>
        {inside}
      </div>
    </div>
  );
}

/** The text with marks of other instruments; visually hidden if no instrument marks texts. */
function PlainText({ text, isPlaying }: Pick<ResultProps, 'text' | 'isPlaying'>) {
  const { words, textMarks } = useInstrument();
  const given = text.now.prompt.map((token) => token.text).join('');
  const pending = pendingText(text, words);
  return (
    <p class={textMarks.marker === null ? 'visually-hidden' : ''}>
      <span class="given">{given + text.now.text === '' ? words.t('write.text.none') : given}</span>
      <Written class="written" text={text.now.text} isMarked={!isPlaying} />
      <span class="muted">{pending === '' ? '' : ` ${pending}`}</span>
    </p>
  );
}

interface IconButtonProps {
  readonly kind: 'primary' | 'secondary';
  readonly icon: keyof typeof ICONS;
  readonly title: string;
  readonly onPress: () => void;
  readonly isDisabled: boolean;
  readonly describedBy?: string;
}

function IconButton({ kind, icon, title, onPress, isDisabled, describedBy }: IconButtonProps) {
  return (
    <button
      type="button"
      class={kind}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onClick={onPress}
    >
      <span class="icon-box">
        <Icon path={ICONS[icon]} />
      </span>
      <span>{title}</span>
    </button>
  );
}
