/** The receipt of the run under way, and others to hold against it. */
import { asError, failure } from '../../engine/errors.ts';
import { compareReceiptLines, parseReceiptLine } from '../../engine/receipt.ts';
import type { Finding, RunReceipt } from '../../engine/receipt.ts';
import { createReceiptBox } from '../../views/receipt-box.ts';
import { messageOf } from '../messages.ts';
import { download } from '../../views/download.ts';
import { panelOf } from './panel.ts';
import type { CreateLaterPanel } from './panel.ts';

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
    let progress: Finding | null = null;
    /** Of the newest replay, which may be cancelled before its text is on its way. */
    let replay = new AbortController();
    let finding = { text: '', bad: false };
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
        finding = { text: '', bad: false };
        show();
      },
      onCheckOwn: () => void check(receipt?.json ?? ''),
      onCheckOther: () => void check(pasted),
      onCancel: () => {
        replay.abort();
        void session()?.trainer.cancelVerify();
      },
    });

    async function copy(line: string): Promise<void> {
      try {
        await navigator.clipboard.writeText(line);
        copied = true;
        show();
      } catch {
        // Refused, or not there, as in some frames: the line can still be selected.
      }
    }

    /** Replays a receipt on the text of the run. */
    async function check(json: string): Promise<void> {
      const now = session();
      const text = now?.runText ?? null;
      if (now === null || text === null || progress !== null) return;
      progress = { same: true, done: 0, steps: 0, difference: '', at: 0, expected: '', found: '' };
      finding = { text: '', bad: false };
      replay = new AbortController();
      const { signal } = replay;
      show();
      try {
        const bytes = new Uint8Array(await text.content.arrayBuffer());
        if (signal.aborted) throw failure('cancelled', 'it was cancelled');
        const found = await now.trainer.verify(json, bytes, (far) => {
          progress = far;
          show();
        });
        finding = { text: findingText(found), bad: !found.same };
      } catch (thrown) {
        const error = asError(thrown);
        finding = { text: messageOf(error, words), bad: error.code !== 'cancelled' };
      }
      progress = null;
      show();
    }

    function findingText({ same, steps, difference, at, expected, found }: Finding): string {
      if (same) return t('receipt.true', { steps });
      return t(`receipt.false.${difference === '' ? 'loss' : difference}`, { at, expected, found });
    }

    function verdict(): { text: string; bad: boolean; checkable: boolean } {
      if (pasted === '') return { text: t('receipt.other.none'), bad: false, checkable: false };
      if (pasted.startsWith('{')) {
        return { text: t('receipt.other.json'), bad: false, checkable: true };
      }
      const other = parseReceiptLine(pasted);
      const own = receipt === null ? null : parseReceiptLine(receipt.line);
      if (other === null) return { text: t('receipt.other.unknown'), bad: true, checkable: false };
      if (own === null) return { text: t('receipt.none'), bad: false, checkable: false };
      const difference = compareReceiptLines(own, other);
      const text =
        difference === 'same'
          ? t('receipt.same')
          : t(`receipt.differs.${difference}`, { other: other.step, own: own.step });
      return { text, bad: difference !== 'same', checkable: false };
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
      if (key === '' || (now.runPlan?.parameters ?? 0) > QUICK) return;
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
