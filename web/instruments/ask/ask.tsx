/** Asks the model to continue a prompt, with sampling parameters set by the reader. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { SAMPLING_LIMITS } from '../../base/sampling-limits.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { DEFAULT_SAMPLE } from '../../engine/sampling.ts';
import { asTyped } from '../../kit/dom.ts';
import { Folds } from '../../kit/folds.ts';
import { drawChanges } from '../../kit/render.ts';
import { Slider } from '../../kit/slider.tsx';
import { TermButton } from '../../kit/term-button.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { messageOf } from '../../store/messages.ts';
import { shownSample } from '../../store/timeline.ts';
import { firstPanelWith, KeptFold, useFirstInstrument, Written } from '../component.tsx';
import { useRequestFields } from '../common/request-fields.ts';
import type { RequestFields } from '../common/request-fields.ts';
import { answerNote, madeHow } from './answer-note.ts';
import { FieldRow, ROWS } from './field-row.tsx';

export const createAsk = firstPanelWith(Ask);

/** Maximum of the temperature slider; higher temperatures yield little but noise. */
const HOTTEST = 2;

function Ask() {
  const { words, state, session, actions, kept, container } = useFirstInstrument();
  const { t } = words;
  const [promptId, noteId] = [useFreshId('prompt'), useFreshId('note')];
  const fields = useRequestFields();
  const answers = session()?.answers ?? null;
  const answer = answers?.last ?? null;
  const isBusy = answer?.busy ?? false;
  const error = answer?.error ? messageOf(answer.error, words) : '';
  const [note, how] = [useRef(''), useRef('')];
  // While another text is written, the notes stay, so that the content below does not move.
  if (!isBusy) {
    note.current = answerNote(answer, words);
    how.current = madeHow(answer, words);
  }
  const shown = note.current === '' ? 'visually-hidden' : 'note';
  const noteClass = error === '' ? shown : 'note error';
  /**
   * Sends a request. If it is null because a field is invalid, opens the settings and focuses that
   * field.
   */
  const ask = (request: PromptRequest | null, isAnother = false): void => {
    if (request !== null) {
      if (isAnother) answers?.another(request);
      else answers?.ask(request);
      return;
    }
    kept(Folds).isOpen('ask.settings').value = true;
    drawChanges();
    container.querySelector<HTMLElement>('.ask-fields [aria-invalid=true]')?.focus();
  };
  const onAnother = (): void => {
    const request = fields.request();
    if (request === null) return ask(null);
    ask(fields.type('seed', String((request.seed + 1) % SAMPLING_LIMITS.seed.max)), true);
  };
  const onWrite = (): void => {
    const request = fields.request();
    // The texts above have the seeds from 1 on: without a prompt, the first answer would repeat one.
    const repeats = request?.prompt === '' && request.seed === DEFAULT_SAMPLE.seed;
    const { texts } = shownSample(session(), state.lookedAt) ?? { texts: [] };
    const isFirst = answer === null && repeats;
    ask(isFirst ? fields.type('seed', String(texts.length + 1)) : request);
  };
  const onBack = (): void => {
    const before = answers?.back() ?? null;
    // The fields then show the request of the previous answer.
    if (before !== null) actions.onAskChange({ ...state.ask, ...before.request });
  };
  return (
    <>
      <h2>{t('ask.title')}</h2>
      <form
        class="ask"
        novalidate
        onSubmit={(event) => {
          event.preventDefault();
          // Stop replaces Ask in the same button, so that the button keeps the focus.
          if (isBusy) answers?.cancel();
          else onWrite();
        }}
      >
        <div class="ask-line">
          <label for={promptId}>{t('ask.prompt')}</label>
          <input
            id={promptId}
            ref={asTyped}
            type="text"
            dir="auto"
            placeholder={t('ask.placeholder')}
            aria-describedby={noteId}
            aria-invalid={error !== ''}
            value={fields.text('prompt')}
            onInput={({ currentTarget }) => fields.type('prompt', currentTarget.value)}
          />
          <button type="submit" class="secondary">
            <span>{t(isBusy ? 'ask.stop' : 'ask.button')}</span>
          </button>
        </div>
        <Heat fields={fields} onRequest={(request) => answers?.ask(request)} />
        {answer === null || answer.error !== null ? null : (
          <AnswerText prompt={answer.request.prompt} text={answer.text} isBusy={isBusy} />
        )}
        <div class="ask-after">
          <p id={noteId} class={noteClass} role="status">
            {error !== '' || how.current === '' ? null : (
              <span class="visually-hidden">{how.current} </span>
            )}
            {error === '' ? note.current : error}
          </p>
          <Others
            isAnswered={answer !== null && answer.error === null}
            canGoBack={answers?.hasPassed ?? false}
            onAnother={onAnother}
            onBack={onBack}
          />
        </div>
        <KeptFold name="ask.settings" kind="ask-settings" title={t('ask.settings')}>
          {() => (
            <div class="ask-fields">
              {ROWS.map((field) => (
                <FieldRow key={field.name} field={field} fields={fields} />
              ))}
              {how.current === '' ? null : <p class="note">{how.current}</p>}
            </div>
          )}
        </KeptFold>
      </form>
    </>
  );
}

interface HeatProps {
  readonly fields: RequestFields;
  /** Called for each position while the slider moves; the last request wins. */
  readonly onRequest: (request: PromptRequest) => void;
}

function Heat({ fields, onRequest }: HeatProps) {
  const { words, state } = useFirstInstrument();
  const { t, number } = words;
  const temperature = Number(fields.text('temperature'));
  return (
    <div class="ask-heat">
      <TermButton id="temperature" text={t('ask.temperature')} />
      <Slider
        label={t('ask.temperature')}
        description={t('ask.temperature.help')}
        // A slider cannot show a value beyond its maximum.
        max={Math.max(HOTTEST, state.ask.temperature)}
        step={0.05}
        value={temperature}
        onValue={(value) => {
          const request = fields.type('temperature', String(value));
          if (request !== null) onRequest(request);
        }}
      />
      <output>{number(temperature, 2)}</output>
    </div>
  );
}

interface AnswerTextProps {
  readonly prompt: string;
  readonly text: string;
  readonly isBusy: boolean;
}

/** The prompt and the answer. While a new answer is written, the height does not shrink. */
function AnswerText({ prompt, text, isBusy }: AnswerTextProps) {
  const box = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { style, offsetHeight } = box.current!;
    style.minHeight = isBusy ? `${String(offsetHeight)}px` : '';
  }, [isBusy]);
  return (
    <p ref={box} class="answer" translate={false} dir="auto">
      <span class="given">{prompt}</span>
      <Written text={text} isMarked={!isBusy} class="written" part="answer" />
    </p>
  );
}

interface OthersProps {
  readonly isAnswered: boolean;
  readonly canGoBack: boolean;
  readonly onAnother: () => void;
  readonly onBack: () => void;
}

/** Buttons that ask for another answer, and return to the previous one. */
function Others({ isAnswered, canGoBack, onAnother, onBack }: OthersProps) {
  const { t } = useFirstInstrument().words;
  const [another, back] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)];
  const hadFocus = back.current?.matches(':focus') ?? false;
  useLayoutEffect(() => {
    if (hadFocus && !canGoBack) another.current?.focus();
  });
  const link = { type: 'button', class: 'link', 'data-control': 'seed' } as const;
  return (
    <>
      {isAnswered ? (
        <button ref={another} {...link} onClick={onAnother}>
          {t('ask.another')}
        </button>
      ) : null}
      {canGoBack ? (
        <button ref={back} {...link} onClick={onBack}>
          {t('ask.back')}
        </button>
      ) : null}
    </>
  );
}
