/** Programs that open the model, each with a button that saves its files. */
import { useState } from 'preact/hooks';
import { fileName } from '../../../base/file-name.ts';
import type { CreatedTrainer } from '../../../engine/create.ts';
import { asError } from '../../../engine/errors.ts';
import { docsLang } from '../../../i18n/index.ts';
import type { AnyKey } from '../../../i18n/index.ts';
import { download, saidSaved } from '../../../kit/download.ts';
import { useFreshId } from '../../../kit/use-id.ts';
import type { Question } from '../../../store/ask.ts';
import { messageOf } from '../../../store/messages.ts';
import { shownFile } from '../../../store/training/shown-name.ts';
import { stepLookedAt } from '../../../store/timeline.ts';
import { useAsk, useInstrument } from '../../component.tsx';
import type { LaterContext } from '../../panel.ts';
import { FORMATS, offersOf, pack } from './pack.ts';
import type { Format, Offer } from './pack.ts';

const WEIGHT_BYTES = 4;
/** Maximum bytes of weights to copy just to show sizes, before the reader asks for files. */
const MOST_BYTES = 64 * 2 ** 20;

type Start = () => Promise<CreatedTrainer>;

export function FormatList({ start }: { readonly start: Start }) {
  const bytes = WEIGHT_BYTES * (useInstrument().session()?.current?.plan.parameters ?? 0);
  const { value } = useAsk(bytes <= MOST_BYTES ? offersQuestion(start) : null, null);
  return (
    <ul class="format-list">
      {FORMATS.map((format) => {
        const estimate = format === 'gguf-f16' ? bytes / 2 : bytes;
        return (
          <FormatItem
            key={format}
            format={format}
            start={start}
            offer={value?.[format] ?? estimate}
          />
        );
      })}
    </ul>
  );
}

function offersQuestion(start: Start): Question<Partial<Record<Format, Offer>>> {
  return {
    key: 'offers',
    isConstant: true,
    // Estimates are shown until sizes are known; an error is reported once the reader saves.
    ask: (model) => offersOf(model, start).catch(() => ({})),
  };
}

interface FormatItemProps {
  readonly format: Format;
  readonly offer: Offer;
  readonly start: Start;
}

function FormatItem({ format, offer, start }: FormatItemProps) {
  const context = useInstrument();
  const { words } = context;
  const { t } = words;
  const id = useFreshId('format');
  const [said, say] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError('');
    say(t('formats.busy'));
    try {
      say(await saveModel(format, start, context));
    } catch (thrown) {
      say('');
      setError(messageOf(asError(thrown), words));
    }
    setBusy(false);
  };
  const isOpen = typeof offer === 'number';
  return (
    <li>
      <div>
        <strong id={id}>{t(`formats.${format}` as AnyKey)}</strong>
        <span class="muted">{t(`formats.${format}.opens` as AnyKey)}</span>
      </div>
      {isOpen ? (
        <button
          type="button"
          class="secondary"
          aria-describedby={id}
          disabled={isBusy}
          onClick={() => void save()}
        >
          {t('formats.save', { size: words.bytes(offer) })}
        </button>
      ) : null}
      <p class="note">{isOpen ? '' : messageOf(offer, words)}</p>
      <p class="note" role="status">
        {said}
      </p>
      <p class="note error" role="alert">
        {error}
      </p>
    </li>
  );
}

/** Saves the shown model in the format of other programs. Returns the message to show. */
async function saveModel(
  format: Format,
  start: Start,
  { session, runs, words, state }: LaterContext,
): Promise<string> {
  const now = session();
  const current = now?.current ?? null;
  const run = now?.run ?? null;
  if (now === null || current === null || run === null) return '';
  const { history } = current.data;
  // The requested step, even while the engine is still computing it.
  const lookedAt = stepLookedAt(state.lookedAt, run);
  const step = lookedAt ?? now.lookedAt.step;
  const name = fileName(format, shownFile(now, runs), step);
  const isKept = now.lookedAt.firstStep !== null && step >= now.lookedAt.firstStep;
  // All files must be of one step: while the run trains, they are read from a kept step.
  const isPast = isKept && (lookedAt !== null || run.state === 'running');
  const model = isPast ? await now.lookedAt.modelAt(step) : now.lookedAt.model;
  const packed = {
    model,
    language: docsLang(words.lang),
    context: current.info.context,
    lossesAt: (step: number) => ({
      loss: history.lossAt(step),
      validation: history.at(step)?.validation,
    }),
  };
  const file = await pack(format, packed, name, start);
  download(file, `${name}.zip`);
  const size = words.bytes(file.size);
  return saidSaved(words.t('formats.saved', { name: `${name}.zip`, size }), words);
}
