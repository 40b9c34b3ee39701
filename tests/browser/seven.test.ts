/**
 * Long: tests everything that a person can do on the page, in every engine, by role and name, so
 * that no engine lacks a feature. Each test starts with a freshly opened page. engines.test.ts is
 * the short version; other files test details in Chromium.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../long.ts';
import { eventually } from './driver.ts';
import { describeInEngines } from './engines/index.ts';
import type { BrowserEngine, DrivenPage, Role } from './engines/index.ts';
import { siteUrl } from './harness.ts';

/** Steps of a run: enough to learn some of the names, in little time. */
const STEPS = 150;

const stories = (engine: BrowserEngine): void => {
  let page: DrivenPage;
  beforeAll(async () => {
    page = await engine.launch();
  });
  afterAll(() => page.close());

  const inState = (state: string): Promise<unknown> =>
    page.waitFor((s) => document.querySelector(`#run[data-state="${s}"]`) !== null, state);

  let opened = 0;
  /** Opens a fresh page; a new query string forces a reload. */
  async function open(hash = ''): Promise<void> {
    opened += 1;
    await page.goto(siteUrl(`?${String(opened)}#${hash}`));
    await inState('ready');
  }

  async function train(): Promise<void> {
    await page.click('button', 'Start');
    await inState('finished');
  }

  /** Scrolls to the tabs, because offscreen panels do not update. */
  const look = (): Promise<void> =>
    page.evaluate(() => {
      document.querySelector('#closer')?.scrollIntoView();
    });

  /** Waits until the text of the page, or of an element, matches; returns the match. */
  async function read(pattern: RegExp, selector = 'body'): Promise<RegExpExecArray> {
    const text = await eventually(
      () =>
        page.evaluate(
          (where) => document.querySelector<HTMLElement>(where)?.innerText ?? '',
          selector,
        ),
      (shown) => pattern.test(shown),
    );
    return pattern.exec(text)!;
  }

  /** Waits for a visible element whose accessible name matches; returns the full name. */
  async function nameLike(pattern: RegExp): Promise<string> {
    const names = await eventually(
      () =>
        page.evaluate(
          (source) =>
            Array.from(document.querySelectorAll<HTMLElement>('[aria-label], button'))
              .filter((one) => one.checkVisibility({ visibilityProperty: true }))
              .map((one) => one.getAttribute('aria-label') ?? one.innerText)
              .filter((name) => new RegExp(source).test(name)),
          pattern.source,
        ),
      ([name = '']) => name !== '',
    );
    return names[0]!;
  }

  /** Looks up the name for each attempt, because numbers in names change. */
  const clickLike = (role: Role, pattern: RegExp): Promise<void> =>
    page.click(role, () => nameLike(pattern));

  /** Counts the distinct colours of a canvas and hashes its pixels. */
  const canvas = (selector: string): Promise<{ colours: number; print: number }> =>
    page.evaluate((where) => {
      const shown = document.querySelector<HTMLCanvasElement>(where);
      const pixels = shown?.getContext('2d')?.getImageData(0, 0, shown.width, shown.height).data;
      const words = new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0));
      let print = 0;
      for (const word of words) print = (Math.imul(print, 31) + word) | 0;
      return { colours: new Set(words).size, print };
    }, selector);

  test('first minute: the tour leads along while the loss falls and samples and attention change', async () => {
    await open(`text=names&steps=${String(STEPS)}`);
    const map = '#attention .attention-canvas';
    const untrained = await eventually(
      () => canvas(map),
      ({ colours }) => colours > 3,
    );
    await page.click('button', 'Take a tour');
    await read(/Start here/);
    await page.click('button', 'Start');
    await inState('finished');
    await read(/Compare the oldest line with the newest/);
    await page.click('button', 'Next');
    await read(/The loss: how wrong it is/);
    await read(
      /The dotted line at 3\.30 nats per token is the loss of random guessing among 27 tokens/,
    );
    await page.click('button', 'Next');
    await read(/Choose a head, then a cell of its map/);
    await page.click('button', 'End the tour');

    const [, first, last] = await read(/the loss has gone from (\d\.\d+) to (\d\.\d+)/, '#loss');
    expect(Number(first)).toBeGreaterThan(3);
    expect(Number(last)).toBeLessThan(2.8);
    const samples = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.samples .written'), (one) => one.textContent),
    );
    expect(samples.length).toBeGreaterThan(1);
    expect(samples[0]).not.toBe(samples.at(-1));
    await eventually(
      () => canvas(map),
      ({ print }) => print !== untrained.print,
    );
    // A term opens a note with a formula and a link to the documentation.
    await page.click('button', 'Zoom, units, table, files');
    await page.click('button', 'Guessing');
    await read(/ln V|logarithm/, '.term-note');
    const link = await page.evaluate(
      () => document.querySelector<HTMLAnchorElement>('.term-note a')?.href ?? '',
    );
    expect(link).toMatch(/\/docs\/en\/[\w-]+\.html#/);
    await expect
      .poll(() => page.evaluate((url) => fetch(url).then((answer) => answer.text()), link))
      .toContain('<h1');
    expect(await page.problems()).toEqual([]);
  });

  test('text check: it finds repeated lines, mends them at one press, and takes that back', async () => {
    await open();
    const lines = ['anna', 'bella', 'anna', 'carla', 'bella', 'dora', 'elsa', 'anna', 'fina'];
    await page.fill('textbox', 'The text to learn', `${lines.join('\n')}\n`);
    await page.click('button', 'Check the text');
    await read(/Lines that repeat an earlier one: 3/);
    const text = (): Promise<string> =>
      page.evaluate(
        () => document.querySelector<HTMLTextAreaElement>('#text textarea')?.value ?? '',
      );
    await page.click('button', 'Remove repeats');
    await eventually(text, (now) => now.trim() === [...new Set(lines)].join('\n'));
    await page.waitFor(() => document.querySelector('[data-finding=duplicates].look') === null);
    await page.click('button', 'Undo “Remove repeats”');
    await eventually(text, (now) => now.trim() === lines.join('\n'));
    expect(await page.problems()).toEqual([]);
  });

  test('loss: zoom, a step read out by keys, bits per character, curves beneath, and a twin', async () => {
    await open('text=names&steps=60&validation=0.1&view=twin');
    await train();
    const summary = '[data-part=loss-summary]';
    await read(/^After 60 steps/, summary);
    await page.focus('application', await nameLike(/^The loss curve/));
    await page.press('ArrowLeft');
    const [, nats] = await read(
      /Step 60: loss ([\d.]+).*Validation .*Learning rate .*norm/,
      summary,
    );
    await page.press('Escape');
    await read(/^After 60 steps/, summary);
    await page.click('button', 'Zoom, units, table, files');
    await page.click('button', 'Zoom in');
    await page.click('button', 'Show all steps');
    // Arrow keys follow the drawn range, which takes a frame to update.
    await page.waitFor(() => document.querySelector('.zooms button:disabled') !== null);
    await page.click('radio', 'bits per character');
    await page.click('checkbox', 'Loss logarithmic');
    await page.click('checkbox', 'Also show learning rate and gradient norm');
    await page.waitFor(() => document.querySelectorAll('.loss-small canvas').length === 2);
    await page.focus('application', await nameLike(/^The loss curve/));
    await page.press('ArrowLeft');
    const [, bits] = await read(/Step 60: loss ([\d.]+).*bits per character/, summary);
    // Tokens are characters here, so bits per character are nats / ln 2.
    expect(Number(bits)).toBeCloseTo(Number(nats) / Math.LN2, 2);

    await page.choose('Change', 'Activation');
    await page.click('button', 'Train the twin');
    await look();
    await read(/All runs at step 60/);
    await inState('finished');
    const losses = await eventually(
      () =>
        page.evaluate(() =>
          Array.from(
            document.querySelectorAll('.tab-twin tbody td:first-of-type'),
            (cell) => cell.textContent,
          ),
        ),
      (found) => found.length === 2,
    );
    expect(losses[0]).toMatch(/^\d\.\d+$/);
    expect(losses[0]).not.toBe(losses[1]);
    expect(await page.problems()).toEqual([]);
  });

  test('attention: all heads, one of them large as map and arcs, its habit, and a look back', async () => {
    await open(`text=names&steps=${String(STEPS)}`);
    await train();
    await page.waitFor(
      (last) =>
        document.querySelector('#run input[type=range]')?.getAttribute('aria-valuetext') ===
        `step ${String(last)}`,
      STEPS,
    );
    await clickLike('radio', /^Layer 2, head 1/);
    await read(/Layer\s2, head\s1/, '#attention');
    await page.focus(
      'application',
      await nameLike(/^Layer 2, head 1.*Arrow keys move from cell to cell/),
    );
    await page.press('ArrowUp');
    await read(/ \(row \d+\) looks at .* with weight \d\.\d+/, '#attention');
    await page.click('button', 'More about this head');
    await page.click('button', 'Arcs');
    await page.focus('application', await nameLike(/looks most at/));
    await page.press('Home');
    await read(
      /The beginning \(row 1\) looks most at: the beginning \(row 1\) 1\.00\./,
      '#attention',
    );
    await page.press('ArrowDown');
    await read(/“e” \(row 2\) looks most at/, '#attention');
    const habit = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.habits tbody tr:has(td)'), (row) =>
        Array.from(row.querySelectorAll('td'), (cell) => Number(cell.textContent)),
      ),
    );
    // Uniform attention gives the previous token the mean of 1/2, 1/3 ... 1/11 = 0.2; an untrained
    // model is almost uniform.
    const [before, , , , spread] = habit;
    expect(before?.[2]).toBe(0.2);
    expect(Math.abs(before![1]! - 0.2)).toBeLessThan(0.02);
    // Trained attention is less spread out than untrained.
    expect(spread![0]).toBeLessThan(spread![1]!);
    await page.focus('slider', 'Look back');
    await page.press('Home');
    await page.waitFor(
      () =>
        document.querySelector('#run input[type=range]')?.getAttribute('aria-valuetext') ===
        'step 0',
    );
    expect(await page.problems()).toEqual([]);
  });

  test('tokens: losses in colour, candidates of one, writing by dice, the cache, and bytes', async () => {
    await open(`text=names&steps=${String(STEPS)}&view=tokens`);
    await train();
    await look();
    const [, mean] = await read(/Mean loss\s+([\d.]+) nats/);
    expect(Number(mean)).toBeLessThan(3.2);
    await clickLike('radio', /^“b”, loss/);
    await read(/Token 7: “b”/);
    const shares = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.token-detail tbody tr'), (row) =>
        parseFloat(/([\d.]+)%/.exec(row.textContent)?.[1] ?? 'NaN'),
      ),
    );
    expect(shares.length).toBeGreaterThan(4);
    expect(shares[0]).toBeGreaterThanOrEqual(shares[1]!);
    expect(shares[0]).toBeGreaterThan(100 / 27);

    await page.click('tab', 'Write with dice');
    await page.click('button', 'What shades and figures mean');
    await read(/can be drawn: 27\./);
    await page.fill('textbox', 'Top-k', '3');
    await read(/can be drawn: 3\./);
    for (const written of [1, 2]) {
      await page.click('button', 'Next token');
      await page.waitFor(
        (count) => document.querySelectorAll('.written-tokens .piece:not(.given)').length === count,
        written,
      );
    }
    await read(/The dice showed 0\.\d+\./);
    await clickLike('button', /^The KV cache/);
    await read(/[23] of 32 positions are filled/);
    await read(/the cache saved [\d.]+% of the work/);

    await open(`text=moby&view=tokens&scored=${encodeURIComponent('a猫.')}`);
    // The tab's strings and content load together, so its text field shows that it is ready.
    await page.waitFor(() => document.querySelector('#closer textarea') !== null);
    await look();
    await nameLike(/^byte E7/);
    await read(/E7[^]*8C[^]*AB/, '.byte-group');
    expect(await page.problems()).toEqual([]);
  });

  test('copied: what stands in the text, beside what chance gives, and the best table token by token', async () => {
    await open(`text=names&steps=${String(STEPS)}&validation=0.1&view=copied`);
    await train();
    await look();
    await read(
      /Of the 6 texts written at step 150, \d (?:is a whole line|are whole lines) of your text/,
    );
    await read(/95% of the matches have at most \d+ characters/);
    await read(/Your model is (?:not )?better than/);
    await page.fill('textbox', 'Check a text', 'anna');
    await read(/1 line of it is also a whole line of your text/);
    // Marks are not `<button>` elements because they wrap with the text.
    await page.evaluate(() =>
      document.querySelector<HTMLElement>('.tab-copied .text-mark')?.click(),
    );
    await read(/Line \d+ of your text/, '.tab-copied [role=dialog]');
    await open(`text=names&steps=${String(STEPS)}&view=tokens`);
    await train();
    await look();
    await page.click('checkbox', 'Compare with simple counting');
    await read(/The best table, “Last \d tokens”, has a loss of \d/);
    await read(/The table lost \d\.\d{3} here\./);
    expect(await page.problems()).toEqual([]);
  });

  test('model: the diagram follows the settings; a part has words, formula, C code and numbers', async () => {
    await open('text=names&layers=2&channels=16&heads=2&context=12&view=model-parts');
    await look();
    const head = await nameLike(/^Output: score all tokens/);
    expect(head).toContain('432 parameters');
    await clickLike('button', /^MLP: widen/);
    await read(/MLP: widen, layer 1/, '[data-part=part-title]');
    await nameLike(/^Output, 1 × 11 × 64\./);
    const [, least, most] = await read(/Smallest\s+(\S+)\s+Largest\s+(\S+)/);
    expect(Number(least?.replace('−', '-'))).toBeLessThan(Number(most));
    await clickLike('button', /^linear_\w+ \(c\/tape\/ops_\w+\.c, line \d+\)$/);
    await read(/linear_\w+\([^]*for|gemm/, '.part-explanation pre');
    await page.click('checkbox', 'Gradient');
    await nameLike(/^Gradient of: Output/);
    await clickLike('button', /^Compare the presets/);
    await clickLike('button', /^Tied output matrix as in gpt2: yes/);
    await read(/Tied output matrix, now yes\. Parameters: −432\. Memory: −/);
    await nameLike(/^Output: score all tokens.*no parameters/);
    expect(await page.problems()).toEqual([]);
  });

  test('time machine: any step, two of them side by side, embeddings that move, a film and a fork', async () => {
    await open(`text=names&steps=${String(STEPS)}&validation=0.1&view=embeddings`);
    await train();
    const stamp = (): Promise<string> =>
      page.evaluate(() => document.querySelector('#samples li .stamp')?.textContent ?? '');
    await eventually(stamp, (text) => text === `step ${String(STEPS)}`);
    await page.focus('slider', 'Look back');
    for (const step of [149, 148, 147]) {
      await page.press('ArrowLeft');
      await eventually(stamp, (text) => text === `step ${String(step)}`);
    }
    await read(/The whole page shows step 147/, '#past');
    await look();
    await read(/%/, '.tab-embeddings');
    await page.click('tab', 'Then and now');
    await read(/nats per token at A, \d/, '.tab-moments');
    const records = await page.evaluate(
      () =>
        'captureStream' in HTMLCanvasElement.prototype &&
        'MediaRecorder' in globalThis &&
        ['mp4;codecs=avc1.42E01F', 'webm'].find((type) =>
          MediaRecorder.isTypeSupported(`video/${type}`),
        ),
    );
    await page.click('button', 'Save as film');
    if (records !== false && records !== undefined) {
      const ending = `.${records.split(';')[0] ?? ''}`;
      expect((await page.saved(ending)).length).toBeGreaterThan(5000);
    } else await read(/This browser cannot record a film/, '#past');
    await page.click('button', 'Train on from here…');
    await page.fill('textbox', 'Learning rate', '0.02');
    await page.click('button', 'Train on');
    await inState('finished');
    await read(/150 \/ 150/, '#run');
    expect(await page.problems()).toEqual([]);
  });

  test('take away: CSV, pictures, report and checkpoint are saved, and the checkpoint opens by drop', async () => {
    await open('text=names&steps=40&channels=16');
    await train();
    await page.click('button', 'Zoom, units, table, files');
    await page.click('button', 'Save as CSV: the loss');
    const rows = (await page.saved('.csv')).toString().trim().split('\r\n');
    expect(rows).toHaveLength(41);
    expect(rows[40]).toMatch(/^40,\d\.\d{10,},/);
    await page.click('button', 'Save as SVG: the loss');
    const drawing = (await page.saved('.svg')).toString();
    expect(drawing).toContain('<title>Loss over 40 steps</title>');
    await page.click('button', 'Save as PNG: the loss');
    const png = await page.saved('.png');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // Twice the size of the SVG. Its height depends on earlier tests: charts beneath may be
    // included, and the key may have up to two lines for their runs.
    const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(drawing) ?? [];
    expect(Number(width)).toBe(960);
    const keyLines = (Number(height) - (drawing.includes('Gradient norm') ? 732 : 540)) / 20;
    expect([0, 1, 2]).toContain(keyLines);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 2 * Number(height)]);
    await page.click('button', 'Open or save a model');
    await page.click('button', 'Checkpoint');
    const checkpoint = await page.saved('.safetensors');
    await page.click('button', 'Keep and share');
    await page.click('tab', 'Export');
    await page.click('button', 'Save the report');
    const report = (await page.saved('.html')).toString();
    expect(report).toContain('<svg');
    expect(report).toContain('gh1-');

    await open('text=tang');
    await page.evaluate((base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], 'names.safetensors'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    }, checkpoint.toString('base64'));
    await read(/saved at step 40/);
    await read(/40 \/ 40/, '#run');
    expect(await page.problems()).toEqual([]);
  });
};

describe.runIf(isLong)('stories', () => {
  describeInEngines(stories);
});
