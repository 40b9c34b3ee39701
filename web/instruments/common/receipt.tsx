/** The receipt of the shown run, with buttons to copy, download, compare and replay it. */
import { useMemo, useState } from 'preact/hooks';
import { findWholeReceipt, parseReceiptLine, RECEIPT_FORMAT } from '../../engine/receipt.ts';
import type { RunReceipt } from '../../engine/receipt.ts';
import { copyText } from '../../kit/copy-text.ts';
import { asTyped } from '../../kit/dom.ts';
import { download, saidSaved } from '../../kit/download.ts';
import { TermButton } from '../../kit/term-button.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { question } from '../../store/ask.ts';
import { useAsk, useInstrument } from '../component.tsx';
import { comparedLines, wrongPart } from './receipt-words.ts';
import type { Verdict } from './receipt-words.ts';
import { useReplay } from './replay.ts';
import type { Replay } from './replay.ts';

/** Maximum number of parameters for which pauses show a receipt, which hashes all weights. */
const QUICK = 10e6;

/** `heading`: the level of the heading. */
export function Receipt({ heading: Heading }: { readonly heading: 'h2' | 'h3' }) {
  const { t } = useInstrument().words;
  const receipt = useReceipt();
  const replay = useReplay();
  const { progress, outcome } = replay;
  return (
    <>
      <Heading>{t('receipt.title')}</Heading>
      <p class="lead">{t('receipt.lead')}</p>
      {receipt === null ? <p class="muted">{t('receipt.none')}</p> : null}
      <div class="receipt-parts">
        {receipt === null ? null : <Own key={receipt.line} receipt={receipt} replay={replay} />}
        <Other receipt={receipt} replay={replay} />
      </div>
      {progress === null ? null : (
        <div class="receipt-replay">
          <progress
            max={1}
            value={progress.steps > 0 ? progress.done / progress.steps : 0}
            aria-label={t('receipt.progress', progress)}
          />
          <button type="button" class="secondary" onClick={replay.cancel}>
            {t('receipt.cancel')}
          </button>
        </div>
      )}
      {outcome === null ? null : (
        <p class={outcome.bad ? 'error' : ''} role="status" data-part="receipt-finding">
          {outcome.text}
        </p>
      )}
    </>
  );
}

/**
 * The receipt of the run; null while the run trains, if the model is larger than `QUICK`, or if the
 * run has no receipt because it began with weights from a file.
 */
function useReceipt(): RunReceipt | null {
  const now = useInstrument().session();
  const { run = null, trains = false } = now ?? {};
  const isStill = run !== null && run.step > 0 && run.state !== 'running' && trains;
  const isQuick = (now?.current?.plan.parameters ?? 0) <= QUICK;
  const { value, step, isStale } = useAsk(isStill && isQuick ? question('receipt') : null, null);
  return isStale || step !== run?.step ? null : value;
}

interface PartProps<Receipt> {
  readonly receipt: Receipt;
  readonly replay: Replay;
}

function Own({ receipt: { line, json }, replay }: PartProps<RunReceipt>) {
  const { words } = useInstrument();
  const { t } = words;
  const [said, say] = useState('');
  return (
    <div class="receipt-own">
      <span class="field-label">
        <TermButton id="receipt" text={t('receipt.line')} />
      </span>
      <code class="receipt-line" data-part="receipt">
        {line}
      </code>
      <div class="buttons">
        <button
          type="button"
          class="secondary"
          onClick={() => {
            // The line can still be selected if the browser denies copying.
            void copyText(line).then((can) => say(can ? t('receipt.copied') : ''));
          }}
        >
          {t('receipt.copy')}
        </button>
        <button
          type="button"
          class="secondary"
          onClick={() => {
            const name = `${line}.json`;
            download(new Blob([json], { type: 'application/json' }), name);
            say(saidSaved(t('export.saved', { name }), words));
          }}
        >
          {t('receipt.download')}
        </button>
        <CheckButton json={json} replay={replay}>
          {t('receipt.check.own')}
        </CheckButton>
        <span class="note" role="status">
          {said}
        </span>
      </div>
    </div>
  );
}

/** A field for another receipt, to compare or replay. */
function Other({ receipt, replay }: PartProps<RunReceipt | null>) {
  const { t } = useInstrument().words;
  const id = useFreshId('receipt');
  const [pasted, setPasted] = useState('');
  // Memoised, because a pasted receipt may be long.
  const whole = useMemo(() => findWholeReceipt(pasted), [pasted]);
  const { text, bad } = useVerdict(pasted, whole, receipt);
  // The outcome of replaying the pasted receipt replaces the verdict.
  const isReplayed = whole !== null && replay.outcome?.json === whole;
  return (
    <div class="receipt-other">
      <label class="field-label" for={id}>
        {t('receipt.other')}
      </label>
      <textarea
        id={id}
        rows={2}
        ref={asTyped}
        onInput={({ currentTarget }) => {
          setPasted(currentTarget.value.trim());
          replay.forget();
        }}
      />
      <p class={`note${bad ? ' error' : ''}`} role="status" data-part="receipt-verdict">
        {isReplayed ? '' : text}
      </p>
      <div class="buttons">
        {whole === null ? null : (
          <CheckButton json={whole} replay={replay}>
            {t('receipt.check')}
          </CheckButton>
        )}
      </div>
    </div>
  );
}

function useVerdict(pasted: string, whole: string | null, receipt: RunReceipt | null): Verdict {
  const { words, session } = useInstrument();
  const { t } = words;
  const said = (text: string, bad = false): Verdict => ({ text, bad });
  if (pasted === '') return said(t('receipt.other.none'));
  if (whole !== null) return said(t('receipt.other.json'));
  if (pasted.includes(RECEIPT_FORMAT)) {
    return said(t('error.receipt', { name: wrongPart('JSON', words) }), true);
  }
  const other = parseReceiptLine(pasted);
  if (other === null) return said(t('receipt.other.unknown'), true);
  const own = receipt === null ? null : parseReceiptLine(receipt.line);
  if (own !== null) return comparedLines(own, other, words);
  const isRunning = session()?.run?.state === 'running';
  return said(t(isRunning ? 'receipt.other.running' : 'receipt.other.alone', { step: other.step }));
}

interface CheckButtonProps {
  readonly json: string;
  readonly replay: Replay;
  readonly children: string;
}

/** Starts a replay. During a replay the button keeps the focus and does nothing. */
function CheckButton({ json, replay, children }: CheckButtonProps) {
  return (
    <button
      type="button"
      class="secondary"
      aria-disabled={replay.progress !== null}
      onClick={() => replay.begin(json)}
    >
      {children}
    </button>
  );
}
