/**
 * The dialog that makes a card: a choice of lines, a description of the training text, a preview,
 * and buttons that share the card. Only these buttons send anything.
 */
import './card.css';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fileName } from '../../base/file-name.ts';
import { CopyLink } from '../../kit/copy-link.tsx';
import { copyText } from '../../kit/copy-text.ts';
import { download, saidSaved } from '../../kit/download.ts';
import { canvasFile, pictureProblem } from '../../kit/export-picture.ts';
import { drawChanges } from '../../kit/render.ts';
import { useResize } from '../../kit/resize.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { withGift } from '../../store/address/gift.ts';
import { linkToPage } from '../../store/address/page-link.ts';
import type { SourceId } from '../../store/text/texts.ts';
import type { Session } from '../../store/training/session.ts';
import { withControlSigns } from '../../data/attention-data.ts';
import { useInstrument } from '../component.tsx';
import { MOST_LINES } from './card-lines.ts';
import type { CardLine } from './card-lines.ts';
import { cardPicture, cardText, stepOf } from './card-words.ts';
import { CARD_SIZE, drawCard } from './picture.ts';

export interface Card {
  readonly lines: readonly CardLine[];
  /** Indices of the initially chosen lines. */
  readonly preset: ReadonlySet<number>;
  /** Source and key of the training text. */
  readonly source: SourceId;
  readonly textKey: string;
  /** Number of parameters of the model. */
  readonly parameters: number;
  /** Whether the run began with a model from a file. */
  readonly isOpened: boolean;
  /** Name of the run in file names. */
  readonly run: string;
}

interface CardDialogProps {
  readonly card: Card;
  readonly onClose: () => void;
}

/** The reader's descriptions of texts, by text key, until the page is closed. */
class Phrases {
  readonly of = new Map<string, string>();
}

/** Maximum length of a description, in characters. */
const PHRASE_LIMIT = 60;

export function CardDialog({ card, onClose }: CardDialogProps) {
  const context = useInstrument();
  const { words, home, kept, state, session } = context;
  const { t } = words;
  const [titleId, fromId] = [useFreshId('card'), useFreshId('card-from')];
  const phrases = kept(Phrases).of;
  const [phrase, setPhrase] = useState(phrases.get(card.textKey) ?? t(`card.from.${card.source}`));
  const [chosen, setChosen] = useState(card.preset);
  const [note, setNote] = useState('');
  const [canShare] = useState(systemShares);
  const dialog = useRef<HTMLDialogElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const lines = card.lines
    .filter((_, at) => chosen.has(at))
    // A stable sort keeps the order of lines of one step.
    .sort((a, b) => a.step - b.step);
  const picture = cardPicture({ ...card, lines, phrase: phrase.trim(), home }, words);
  const text = cardText(picture);
  /**
   * The card as last drawn. The file is made before a press, because browsers allow sharing only
   * shortly after one.
   */
  const drawn = useRef({ text, name: '', file: Promise.resolve(new Blob()) });
  const draw = (): void => {
    drawCard(canvas.current!, picture);
    const name = `${fileName('card', card.run, stepOf(lines))}.png`;
    const file = canvasFile(canvas.current!);
    // A failure is reported when the reader shares or saves the file.
    file.catch(() => undefined);
    drawn.current = { text, name, file };
  };
  useLayoutEffect(() => {
    const { current } = dialog;
    current!.showModal();
    return () => current!.close();
  }, []);
  useLayoutEffect(draw, [JSON.stringify(picture)]);
  useResize(draw);

  /** Creates the handler of a button; it draws pending changes first. */
  const act = (share: () => Promise<string>) => (): void => {
    setNote('');
    drawChanges();
    share().then(setNote, (thrown: unknown) => setNote(pictureProblem(thrown, words)));
  };
  const fileNow = async (): Promise<File> => {
    const { file, name } = drawn.current;
    // The reader may have allowed canvas data since the card was drawn.
    const blob = await file.catch(() => canvasFile(canvas.current!));
    return new File([blob], name, { type: 'image/png' });
  };
  const share = async (): Promise<string> => {
    const now = drawn.current.text;
    const file = await fileNow();
    try {
      await navigator.share({ files: [file], text: now });
      return '';
    } catch (thrown) {
      if (thrown instanceof DOMException && thrown.name === 'AbortError') return '';
      download(file, file.name);
      return saidSaved(t('card.refused', { name: file.name }), words);
    }
  };
  const save = async (): Promise<string> => {
    const file = await fileNow();
    download(file, file.name);
    return saidSaved(t('export.saved', { name: file.name }), words);
  };
  const copy = async (): Promise<string> =>
    t((await copyText(drawn.current.text)) ? 'share.copied' : 'card.copy.by-hand');

  /** A link to the page, with the chosen lines if a run from it writes them again. */
  const link = async (): ReturnType<typeof linkToPage> => {
    const made = await linkToPage(context);
    const written = lines.map((line) => line.text);
    const repeats = written.length > 0 && writesAgain(session(), written);
    return made.why === '' && repeats ? { ...made, link: withGift(made.link, written) } : made;
  };

  const isEmpty = lines.length === 0;
  return (
    <dialog
      ref={dialog}
      class="card"
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // A press on the dialog element itself is a press on its backdrop.
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <div class="note-head">
        <h2 id={titleId}>{t('card.title')}</h2>
        <button
          type="button"
          class="note-close"
          aria-label={t('glossary.close')}
          onClick={() => dialog.current?.close()}
        >
          ×
        </button>
      </div>
      <div class="card-maker">
        <canvas ref={canvas} {...CARD_SIZE} role="img" aria-label={t('card.picture', { text })} />
        <div class="card-choices">
          <Lines
            lines={card.lines}
            chosen={chosen}
            onChosen={(now) => {
              setChosen(now);
              setNote('');
            }}
          />
          <label for={fromId} class="field-label">
            {t('card.from')}
          </label>
          <input
            id={fromId}
            type="text"
            maxLength={PHRASE_LIMIT}
            autocomplete="off"
            value={phrase}
            onInput={({ currentTarget: { value } }) => {
              phrases.set(card.textKey, value);
              setPhrase(value);
              setNote('');
            }}
          />
        </div>
        <div class="card-share">
          <div class="card-buttons">
            {canShare ? (
              <button type="button" class="primary" disabled={isEmpty} onClick={act(share)}>
                {t('card.share')}
              </button>
            ) : null}
            <button type="button" class="secondary" disabled={isEmpty} onClick={act(save)}>
              {t('card.save')}
            </button>
            <button type="button" class="secondary" disabled={isEmpty} onClick={act(copy)}>
              {t('card.copy')}
            </button>
          </div>
          <p class="note" role="status">
            {isEmpty ? t('card.lines.none') : note}
          </p>
          {home === null ? null : (
            <CopyLink
              words={words}
              look="link"
              isOwn={state.source === 'own'}
              version={state.version}
              onLink={link}
            />
          )}
        </div>
      </div>
    </dialog>
  );
}

/** Whether a run with the settings and the text of the page writes these lines of the shown run. */
function writesAgain(now: Session | null, lines: readonly string[]): boolean {
  const { current = null } = now ?? {};
  if (now === null || current === null || now.pending().length > 0) return false;
  const { model, data } = current;
  if (model !== null || data.changed.length > 0) return false;
  const texts = data.samples.flatMap((entry) => entry.texts.map(withControlSigns));
  return lines.every((line) => texts.some((text) => text.includes(line)));
}

interface LinesProps {
  readonly lines: readonly CardLine[];
  readonly chosen: ReadonlySet<number>;
  readonly onChosen: (chosen: ReadonlySet<number>) => void;
}

function Lines({ lines, chosen, onChosen }: LinesProps) {
  const { t, number } = useInstrument().words;
  return (
    <fieldset class="card-lines">
      <legend class="field-label">{t('card.lines')}</legend>
      <div class="card-list">
        {lines.map(({ text, given, isCut, step }, at) => (
          <label key={at} class="check">
            <input
              type="checkbox"
              checked={chosen.has(at)}
              disabled={chosen.size >= MOST_LINES && !chosen.has(at)}
              onChange={({ currentTarget }) => {
                const now = new Set(chosen);
                if (currentTarget.checked) now.add(at);
                else now.delete(at);
                onChosen(now);
              }}
            />
            <span class="card-line" translate={false} dir="auto">
              <span class="given">{given}</span>
              <span class="written">
                {text.slice(given.length)}
                {isCut ? '…' : null}
              </span>
            </span>
            <span class="stamp">{t('card.step', { step: number(step) })}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Whether the system can share a PNG file. */
function systemShares(): boolean {
  const { canShare } = navigator as Partial<Navigator>;
  const files = [new File([], 'card.png', { type: 'image/png' })];
  return canShare?.call(navigator, { files }) === true;
}
