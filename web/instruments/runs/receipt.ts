/** The receipt of the run under way, and others to hold against it. */
import { asError, failure, ignore } from '../../engine/errors.ts';
import type { ErrorFacts } from '../../engine/errors.ts';
import {
  compareReceiptLines,
  findWholeReceipt,
  parseReceiptLine,
  RECEIPT_FORMAT,
} from '../../engine/receipt.ts';
import type { Finding, LineDifference, ReceiptLine, RunReceipt } from '../../engine/receipt.ts';
import { sentences } from '../../i18n/index.ts';
import { createReceiptBox } from './receipt-box.ts';
import { messageOf } from '../../store/messages.ts';
import { copyText } from '../../kit/copy-text.ts';
import { download } from '../../kit/download.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel } from '../panel.ts';

/** Parameters up to which a receipt is taken at every pause: its hash then takes milliseconds. */
const QUICK = 10e6;

/** The panel in its place: below the heading of a tab, or a panel by itself. */
export const receiptBelow =
  (heading: 'h2' | 'h3'): CreateLaterPanel =>
  (container, { words, session }) => {
    const { t } = words;
    let receipt: RunReceipt | null = null;
    /** Of which run and step the receipt is, or will be. */
    let taken = '';
    let copied = false;
    let pasted = '';
    /** What was found in it, once: it may be long. */
    let whole: string | null = null;
    let other: ReceiptLine | null = null;
    let progress: Finding | null = null;
    /** Of the newest replay, which may be cancelled before its text is on its way. */
    let replay = new AbortController();
    const NO_FINDING = { text: '', bad: false, pasted: '' };
    /** With what stood in the box, where that is what it was found of. */
    let finding = NO_FINDING;
    let destroyed = false;
    const view = createReceiptBox(container, {
      words,
      heading,
      onCopy: () => {
        if (receipt === null) return;
        void copy(receipt.line);
      },
      onDownload: () => {
        if (receipt === null) return;
        download(new Blob([receipt.json], { type: 'application/json' }), `${receipt.line}.json`);
      },
      onPaste: (text) => {
        pasted = text.trim();
        whole = findWholeReceipt(pasted);
        other = parseReceiptLine(pasted);
        finding = NO_FINDING;
        show();
      },
      onCheckOwn: () => void check(receipt?.json ?? ''),
      onCheckOther: () => void check(whole ?? '', pasted),
      onCancel: () => {
        replay.abort();
        session()?.trainer.cancelVerify().catch(ignore);
      },
    });

    async function copy(line: string): Promise<void> {
      // Where it is refused, the line can still be selected.
      if (!(await copyText(line))) return;
      copied = true;
      show();
    }

    /** Replays a receipt on the text of the run. */
    async function check(json: string, from = ''): Promise<void> {
      const now = session();
      const text = now?.current?.text ?? null;
      if (now === null || text === null || progress !== null) return;
      progress = { same: true, done: 0, steps: 0, difference: '', at: 0, expected: '', found: '' };
      finding = NO_FINDING;
      replay = new AbortController();
      const { signal } = replay;
      show();
      try {
        const verify = async (content: Blob): Promise<Finding> => {
          const bytes = new Uint8Array(await content.arrayBuffer());
          if (signal.aborted) throw failure('cancelled', 'it was cancelled');
          return now.trainer.verify(json, bytes, (far) => {
            progress = far;
            show();
          });
        };
        // Receipts from before files were decoded are of their bytes.
        const found = await verify(text.raw ?? text.content).catch((thrown: unknown) => {
          if (text.raw === undefined || asError(thrown).code === 'cancelled') throw thrown;
          return verify(text.content);
        });
        finding = { text: findingText(found), bad: !found.same, pasted: from };
      } catch (thrown) {
        const error = asError(thrown);
        finding = { text: failureText(error), bad: error.code !== 'cancelled', pasted: from };
      }
      progress = null;
      show();
    }

    function findingText({ same, steps, difference, at, expected, found }: Finding): string {
      if (same) return t('receipt.true', { steps });
      return t(`receipt.false.${difference === '' ? 'loss' : difference}`, { at, expected, found });
    }

    /** What is wrong with a receipt, which the engine names by the part of its JSON. */
    function wrongPart(part: string): string {
      return t(
        part === 'line' || part === 'JSON' ? `receipt.wrong.${part}` : 'receipt.wrong.part',
        {
          part,
        },
      );
    }

    function failureText(error: ErrorFacts): string {
      const isPart = error.code === 'receipt';
      return messageOf(isPart ? { ...error, subject: wrongPart(error.subject) } : error, words);
    }

    function verdict(): { text: string; bad: boolean; checkable: boolean } {
      const said = (text: string, bad = false) => ({ text, bad, checkable: false });
      if (pasted === '') return said(t('receipt.other.none'));
      if (whole !== null) {
        // What was found of it is all that there is to say.
        const text = finding.pasted === pasted ? '' : t('receipt.other.json');
        return { text, bad: false, checkable: true };
      }
      if (pasted.includes(RECEIPT_FORMAT)) {
        return said(t('error.receipt', { name: wrongPart('JSON') }), true);
      }
      if (other === null) return said(t('receipt.other.unknown'), true);
      const own = receipt === null ? null : parseReceiptLine(receipt.line);
      if (own !== null) return compared(own, other);
      const runs = session()?.run?.state === 'running';
      return said(t(runs ? 'receipt.other.running' : 'receipt.other.alone', { step: other.step }));
    }

    function compared(
      own: ReceiptLine,
      theirs: ReceiptLine,
    ): { text: string; bad: boolean; checkable: boolean } {
      const parts = compareReceiptLines(own, theirs);
      // Of the rest of the recipe, and of these, a line has but a hash.
      const legible = parts.filter((part) => part !== 'recipe');
      const isStep = legible.length === 1 && legible[0] === 'step';
      const said = (part: LineDifference): string => {
        const key = part === 'step' && parts.length === 1 ? 'sameStep' : part;
        // Seeds are copied, not read.
        const as = (line: ReceiptLine): string | number =>
          key === 'preset' ? line.preset : key === 'seed' ? String(line.seed) : line.step;
        return t(`receipt.differs.${key}`, { other: as(theirs), own: as(own) });
      };
      const lines = (legible.length === 0 ? parts : legible).map(said);
      if (isStep && parts.length > 1) lines.push(t('receipt.differs.horizon'));
      const text = lines.length === 0 ? t('receipt.same') : sentences(lines, words);
      return { text, bad: lines.length > 0, checkable: false };
    }

    /** Takes the receipt of a run that stands still, once for each place where it does. */
    function take(): void {
      const now = session();
      const run = now?.run ?? null;
      const still = run !== null && run.step > 0 && run.state !== 'running' && now?.trains === true;
      const key = still ? `${String(run.number)} ${String(run.step)}` : '';
      if (key === taken || now === null) return;
      taken = key;
      receipt = null;
      copied = false;
      if (key === '' || (now.current?.plan.parameters ?? 0) > QUICK) return;
      now.trainer.receipt().then(
        (made) => {
          if (taken !== key || destroyed) return;
          receipt = made;
          show();
        },
        () => {
          // Runs that began with weights from a file may have none.
        },
      );
    }

    function show(): void {
      if (destroyed) return;
      take();
      const { text, bad, checkable } = verdict();
      view.update({
        line: receipt?.line ?? '',
        copied,
        verdict: text,
        verdictIsBad: bad,
        checkable,
        progress,
        finding: finding.text,
        findingIsBad: finding.bad,
      });
    }

    const panel = panelOf(view, show);
    return {
      ...panel,
      destroy: () => {
        destroyed = true;
        panel.destroy();
      },
    };
  };
