/** The receipt of the run under way, and others to hold against it. */
import { asError, failure, ignore } from '../../engine/errors.ts';
import {
  findWholeReceipt,
  parseReceiptLine,
  receiptRuns,
  RECEIPT_FORMAT,
} from '../../engine/receipt.ts';
import type { Finding, ReceiptLine, RunReceipt } from '../../engine/receipt.ts';
import { createReceiptBox } from './view.ts';
import { comparedLines, failureText, findingText, wrongPart } from './receipt-words.ts';
import type { Verdict } from './receipt-words.ts';
import { copyText } from '../../kit/copy-text.ts';
import { download } from '../../kit/download.ts';
import type { Session } from '../../store/training/session.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';

/** Parameters up to which a receipt is taken at every pause: its hash then takes milliseconds. */
const QUICK = 10e6;

/** What a replay has found, or why it failed; and what stood in the box, if that was replayed. */
const NO_FINDING = { text: '', bad: false, pasted: '' };

/** The panel in its place: below the heading of a tab, or a panel by itself. */
export const receiptBelow =
  (heading: 'h2' | 'h3'): CreateLaterPanel =>
  (container, context) =>
    new ReceiptPanel(container, context, heading);

class ReceiptPanel implements Panel {
  readonly #context: LaterContext;
  readonly #view: ReturnType<typeof createReceiptBox>;
  #receipt: RunReceipt | null = null;
  /** Of which run and step the receipt is, or will be. */
  #taken = '';
  #copied = false;
  #pasted = '';
  /** What was found in it, once: it may be long. */
  #whole: string | null = null;
  #other: ReceiptLine | null = null;
  #progress: Finding | null = null;
  /** Of the newest replay, which may be cancelled before its text is on its way. */
  #replay = new AbortController();
  #finding = NO_FINDING;
  #destroyed = false;

  constructor(container: HTMLElement, context: LaterContext, heading: 'h2' | 'h3') {
    this.#context = context;
    this.#view = createReceiptBox(container, {
      words: context.words,
      heading,
      onCopy: () => void this.#copy(),
      onDownload: () => {
        this.#download();
      },
      onPaste: (text) => {
        this.#paste(text);
      },
      onCheckOwn: () => void this.#check(this.#receipt?.json ?? ''),
      onCheckOther: () => void this.#check(this.#whole ?? '', this.#pasted),
      onCancel: () => {
        this.#replay.abort();
        context.session()?.trainer.cancelVerify().catch(ignore);
      },
    });
  }

  update(): void {
    if (this.#destroyed) return;
    this.#take();
    const { text, bad, checkable } = this.#verdict();
    this.#view.update({
      line: this.#receipt?.line ?? '',
      copied: this.#copied,
      verdict: text,
      verdictIsBad: bad,
      checkable,
      progress: this.#progress,
      finding: this.#finding.text,
      findingIsBad: this.#finding.bad,
    });
  }

  resize(): void {
    this.#view.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#view.destroy();
  }

  // ---- The receipt of the run -------------------------------------------------------------------

  /** Takes the receipt of a run that stands still, once for each place where it does. */
  #take(): void {
    const now = this.#context.session();
    const run = now?.run ?? null;
    const still = run !== null && run.step > 0 && run.state !== 'running' && now?.trains === true;
    const key = still ? `${String(run.number)} ${String(run.step)}` : '';
    if (key === this.#taken || now === null) return;
    this.#taken = key;
    this.#receipt = null;
    this.#copied = false;
    if (key === '' || (now.current?.plan.parameters ?? 0) > QUICK) return;
    now.trainer.receipt().then(
      (made) => {
        if (this.#taken !== key || this.#destroyed) return;
        this.#receipt = made;
        this.update();
      },
      () => {
        // Runs that began with weights from a file may have none.
      },
    );
  }

  async #copy(): Promise<void> {
    // Where it is refused, the line can still be selected.
    if (this.#receipt === null || !(await copyText(this.#receipt.line))) return;
    this.#copied = true;
    this.update();
  }

  #download(): void {
    if (this.#receipt === null) return;
    const { line, json } = this.#receipt;
    download(new Blob([json], { type: 'application/json' }), `${line}.json`);
  }

  // ---- Another ----------------------------------------------------------------------------------

  #paste(text: string): void {
    this.#pasted = text.trim();
    this.#whole = findWholeReceipt(this.#pasted);
    this.#other = parseReceiptLine(this.#pasted);
    this.#finding = NO_FINDING;
    this.update();
  }

  #verdict(): Verdict {
    const { words, session } = this.#context;
    const { t } = words;
    const said = (text: string, bad = false): Verdict => ({ text, bad, checkable: false });
    if (this.#pasted === '') return said(t('receipt.other.none'));
    if (this.#whole !== null) {
      // What was found of it is all that there is to say.
      const text = this.#finding.pasted === this.#pasted ? '' : t('receipt.other.json');
      return { text, bad: false, checkable: true };
    }
    if (this.#pasted.includes(RECEIPT_FORMAT)) {
      return said(t('error.receipt', { name: wrongPart('JSON', words) }), true);
    }
    const other = this.#other;
    if (other === null) return said(t('receipt.other.unknown'), true);
    const own = this.#receipt === null ? null : parseReceiptLine(this.#receipt.line);
    if (own !== null) return comparedLines(own, other, words);
    const runs = session()?.run?.state === 'running';
    return said(t(runs ? 'receipt.other.running' : 'receipt.other.alone', { step: other.step }));
  }

  // ---- Replaying --------------------------------------------------------------------------------

  /** Replays a receipt on the text of the run; `pasted` is what stood in the box. */
  async #check(json: string, pasted = ''): Promise<void> {
    const { session, words } = this.#context;
    const now = session();
    const text = now?.current?.text ?? null;
    if (now === null || text === null || this.#progress !== null) return;
    this.#progress = {
      same: true,
      done: 0,
      steps: 0,
      difference: '',
      at: 0,
      expected: '',
      found: '',
    };
    this.#finding = NO_FINDING;
    this.#replay = new AbortController();
    const { signal } = this.#replay;
    this.update();
    try {
      // Receipts from before files were decoded are of their bytes.
      const found = await this.#verify(now, json, text.raw ?? text.content, signal).catch(
        (thrown: unknown) => {
          if (text.raw === undefined || asError(thrown).code === 'cancelled') throw thrown;
          return this.#verify(now, json, text.content, signal);
        },
      );
      this.#finding = { text: findingText(found, words), bad: !found.same, pasted };
    } catch (thrown) {
      const error = asError(thrown);
      this.#finding = { text: failureText(error, words), bad: error.code !== 'cancelled', pasted };
    }
    this.#progress = null;
    this.update();
  }

  async #verify(
    { trainer, recentTexts }: Session,
    json: string,
    content: Blob,
    signal: AbortSignal,
  ): Promise<Finding> {
    // That of a fork is of the texts of all runs in it.
    const contents = isOfFork(json) ? [content, ...recentTexts] : [content];
    const texts = await Promise.all(
      contents.map(async (one) => new Uint8Array(await one.arrayBuffer())),
    );
    if (signal.aborted) throw failure('cancelled', 'it was cancelled');
    return trainer.verify(json, texts, (far) => {
      this.#progress = far;
      this.update();
    });
  }
}

/** Whether a receipt has that of another run in it. What is none is told when it is checked. */
function isOfFork(json: string): boolean {
  try {
    return receiptRuns({ json }).length > 1;
  } catch {
    return false;
  }
}
