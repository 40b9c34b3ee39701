/**
 * The page in a frame of somebody else's page: the fragment, the height, the messages, the homes.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finishRun } from '../../web/package/index.ts';
import { DirectTrainer } from '../../web/engine/direct.ts';
import { packText } from '../../web/store/text/packed-text.ts';
import { zh } from '../../web/i18n/zh.ts';
import { canvasContent, eventually } from './driver.ts';
import { siteUrl } from './harness.ts';
import type { WatchedPage } from './harness.ts';
import { engineBytes } from '../node/load-engine.ts';
import { html, startHost } from './hosts.ts';
import type { Headers, Host } from './hosts.ts';
import { usePages } from './sites.ts';

const pages = usePages();
let host: Host;

beforeAll(async () => {
  host = await startHost();
});

afterAll(async () => {
  await host.close();
});

/**
 * Our frame page, which the site serves with its real headers from another origin than the host's.
 */
const frameUrl = (fragment: string): string => siteUrl(`embed.html#${fragment}`);

interface Visit {
  readonly attributes?: string;
  readonly headers?: Headers;
  readonly script?: string;
  readonly src?: string;
  readonly before?: string;
}

/** A page of the host that holds our frame. */
async function visit(
  fragment: string,
  { attributes = '', headers = {}, script = '', src = frameUrl(fragment), before = '' }: Visit = {},
): Promise<WatchedPage & { readonly frame: () => Frame }> {
  const address = src.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  host.put(
    '/lesson.html',
    html(
      `${before}<iframe src="${address}" width="800" height="600" ${attributes}></iframe>`,
      script === '' ? '' : `<script>${script}</script>`,
    ),
    headers,
  );
  const watched = await pages.page();
  await watched.page.goto(`${host.url}lesson.html`);
  return Object.assign(Object.create(watched) as WatchedPage, {
    frame: (): Frame => {
      const found = watched.page.frames().find((one) => one.url().includes('embed.html'));
      if (found === undefined) throw new Error('our frame is not there');
      return found;
    },
  });
}

/** The step that the strip of a frame shows. */
async function stepOf(frame: Frame): Promise<number> {
  const text = await frame.locator('[data-part=step]').textContent({ timeout: 5000 });
  return Number((text ?? '').split('/')[0]?.replaceAll(',', ''));
}

/** Waits until the shown loss has fallen well below guessing. */
async function seeLossFall(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe');
  await eventually(
    async () => Number((await frame.locator('[data-part=loss]').textContent()) ?? 'NaN'),
    (loss) => loss < 2.75,
  );
}

describe('the frame', () => {
  it.each([820, 1024, 1440])('has its task above the panels, %i pixels wide', async (width) => {
    const watched = await pages.page({ viewport: { width, height: 768 } });
    const { page } = watched;
    await page.goto(frameUrl('task=Train+it.&show=text,settings,loss,attention'));
    await page.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
    const task = await page.locator('.task').boundingBox();
    const top = async (id: string): Promise<number> =>
      (await page.locator(`#${id}`).boundingBox())!.y;
    expect(task!.y).toBeLessThan(50);
    for (const id of ['text', 'loss'])
      expect(await top(id)).toBeGreaterThan(task!.y + task!.height - 1);
    // Text and run side by side where there is room for both.
    if (width > 1000) expect(Math.abs((await top('text')) - (await top('run')))).toBeLessThan(40);
  });

  it.each([
    ['loss', [900, 1366]],
    ['loss,attention', [900, 1366]],
    ['text,loss', [900, 1366]],
    ['text,loss,attention', [1366]],
  ] as const)('fills its width with the columns of %s, side by side', async (show, widths) => {
    const { page } = await pages.page();
    await page.goto(frameUrl(`steps=20&show=${show}`));
    await page.getByRole('button', { name: 'Start' }).waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(() =>
          page.evaluate(() => {
            const main = document.querySelector('[data-columns]')!;
            const { paddingLeft, paddingRight, columnGap } = getComputedStyle(main);
            const columns = [...main.querySelectorAll(':scope > .column')];
            const own = columns.map((one) => one.getBoundingClientRect().width);
            const gaps = parseFloat(columnGap) * (columns.length - 1);
            const sides = parseFloat(paddingLeft) + parseFloat(paddingRight);
            const filled = own.reduce((sum, one) => sum + one, gaps + sides);
            return {
              isFilled: Math.abs(main.clientWidth - filled) < 1,
              // A strip that does not fit stands out of its column, over the next one.
              over: columns.flatMap((one) =>
                [...one.querySelectorAll('button, select')].filter(
                  (part) =>
                    part.getBoundingClientRect().right > one.getBoundingClientRect().right + 1,
                ),
              ).length,
            };
          }),
        )
        .toEqual({ isFilled: true, over: 0 });
    }
  });

  it('keeps the run strip in sight on a phone when Start is pressed', async () => {
    const { page } = await pages.page({ viewport: { width: 390, height: 844 } });
    await page.goto(
      frameUrl('steps=60&show=text,settings,plan,loss,samples,attention&task=Press+Start.'),
    );
    await page.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
    await page.waitForTimeout(500);
    const { top, bottom } = await page
      .locator('#run')
      .evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(844);
  });

  it('is what its fragment says: text, preset, panels, locks, task, language, theme', async () => {
    const packed = await packText(new TextEncoder().encode('红豆生南国\n春来发几枝\n'));
    const { page, problems } = await visit(
      `packed=${packed}&layers=1&steps=40&context=8&show=text,loss&lock=text&task=${encodeURIComponent('训练它。')}&lang=zh&theme=dark`,
    );
    const frame = page.frameLocator('iframe');
    await frame.getByText('训练它。').waitFor();
    const field = frame.getByRole('textbox');
    await eventually(
      () => field.first().inputValue(),
      (value) => value === '红豆生南国\n春来发几枝\n',
    );
    await expect.poll(() => field.first().isDisabled()).toBe(true);
    // What cannot be changed says why, and only that.
    await expect.poll(() => frame.getByText('老师已锁定此项，只能查看。').count()).toBe(1);
    await frame.getByRole('button', { name: '开始', exact: true }).click();
    await frame.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
    await expect.poll(() => frame.locator('#attention').count()).toBe(0);
    await expect.poll(() => frame.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(problems).toEqual([]);
  });

  it('leads to the whole page with what its reader has set, and without what is the lesson’s', async () => {
    const { page } = await visit(
      'text=tang&layers=5&show=settings,loss&task=Try&theme=dark&lang=en',
    );
    const frame = page.frameLocator('iframe');
    const home = frame.getByRole('link', { name: 'open the whole page' });
    const words = async (): Promise<string> =>
      decodeURIComponent(new URL((await home.getAttribute('href')) ?? '', siteUrl('')).hash);
    await expect.poll(words).toBe('#text=tang&layers=5&lang=en');
    await frame.getByLabel('Layers', { exact: true }).fill('3');
    await expect.poll(words).toBe('#text=tang&layers=3&lang=en');
    const [whole] = await Promise.all([page.context().waitForEvent('page'), home.click()]);
    await expect
      .poll(() => whole.locator('#settings [data-option=layers] input').inputValue())
      .toBe('3');
    expect(new URL(whole.url()).hash).toContain('text=tang');
  });

  it('leads to the whole page with the text that its link holds, but none that only its host has', async () => {
    const packed = await packText(new TextEncoder().encode('anna\nbob\n'.repeat(9)));
    const { page } = await visit(`packed=${packed}&layers=2&lang=en`);
    const home = page.frameLocator('iframe').getByRole('link', { name: 'open the whole page' });
    await expect.poll(() => home.getAttribute('href')).toContain(`&packed=${packed}`);
    const held = await visit('text=host&layers=2&lang=en');
    const link = held.page
      .frameLocator('iframe')
      .getByRole('link', { name: 'open the whole page' });
    await expect.poll(() => link.getAttribute('href')).toMatch(/index\.html#(layers=2&)?lang=en$/);
  });

  it('takes a text file beside it only when it is the one that the link means', async () => {
    const text = 'anna\nbob\nclara\n';
    host.put('/site/lesson/names.txt', text);
    const hash = createHash('sha256').update(text).digest('hex');
    const beside = (fragment: string): string => `${host.url}site/embed.html#${fragment}`;
    const good = await visit('', { src: beside(`file=lesson/names.txt&sha256=${hash}`) });
    await eventually(
      () => good.frame().getByRole('textbox', { name: 'The text to learn' }).inputValue(),
      (value) => value === text,
    );
    const chinese = await visit('', {
      src: beside(`file=${encodeURIComponent('课文/第3周.txt')}&sha256=${hash}`),
    });
    // It is not there: the message names it.
    await chinese.page
      .frameLocator('iframe')
      .getByText('The text file 课文/第3周.txt could not be loaded')
      .first()
      .waitFor();
    chinese.breaks(/%E8%AF%BE%E6%96%87/);
    host.put('/site/lesson/names.txt', `${text}dora\n`);
    const changed = await visit('', { src: beside(`file=lesson/names.txt&sha256=${hash}`) });
    await changed.page
      .frameLocator('iframe')
      .getByText('not the one that this link was made for')
      .first()
      .waitFor();
    for (const file of ['https://example.com/a.txt', '../secret.txt', '/a.txt', 'a/../b.txt']) {
      const away = await visit('', {
        src: beside(`file=${encodeURIComponent(file)}&sha256=${hash}`),
      });
      await away.page
        .frameLocator('iframe')
        .getByText('in a way that is not allowed')
        .first()
        .waitFor();
      expect(
        away.requests.filter((url) => url.includes('secret') || url.includes('example')).length,
      ).toBe(0);
    }
  });

  it('says what is wrong with a broken link, and still learns a pasted text', async () => {
    const { page, frame } = await visit('packed=AAAA____');
    await page.frameLocator('iframe').getByText('cannot be read').first().waitFor();
    await frame().getByRole('textbox', { name: 'The text to learn' }).fill('anna\nbob\n');
    await frame().getByRole('button', { name: 'One step' }).click();
    await eventually(
      () => stepOf(frame()),
      (step) => step === 1,
    );
  });

  it('says whom to ask where the text is the reader’s own and none can be chosen', async () => {
    const { page } = await visit('text=own&lock=text&steps=30');
    const inside = page.frameLocator('iframe');
    await inside.getByText('Ask the person who gave you this page.').first().waitFor();
    await expect.poll(() => inside.getByText(/Paste (it|some)/).count()).toBe(0);
    const bare = await visit('text=own&show=loss&steps=30&lang=zh');
    await bare.page.frameLocator('iframe').getByText('请联系给你这个网页的人').first().waitFor();
  });

  it('names what a link says that nobody knows, and does the rest', async () => {
    const { page, frame } = await visit('preset=zzz&show=Loss,text&steps=30');
    const inside = page.frameLocator('iframe');
    await inside.getByText('Unknown parameters: preset=zzz, show=Loss,text').waitFor();
    await inside.getByRole('button', { name: 'OK', exact: true }).click();
    await inside.getByText('Unknown parameters').waitFor({ state: 'detached' });
    await frame().getByRole('button', { name: 'Start', exact: true }).click();
    await inside.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
  });

  it('learns the very bytes that its link holds, line ends and marks included', async () => {
    const text = '\ufeffanna\r\nbob\r\n';
    const packed = await packText(new TextEncoder().encode(text));
    const { page, frame } = await visit(`packed=${packed}&show=text,loss,receipt&steps=10`);
    await frame().getByRole('button', { name: 'Start', exact: true }).click();
    await page
      .frameLocator('iframe')
      .locator('#run[data-state=finished]')
      .waitFor({ state: 'attached' });
    // Headless, from the same bytes, it is the same run to the bit.
    const trainer = new DirectTrainer(engineBytes());
    await trainer.setText(text);
    await trainer.prepare({ preset: 'microgpt', changes: { steps: 10 } });
    await finishRun(trainer);
    const { line } = await trainer.receipt();
    trainer.close();
    await eventually(
      () => frame().locator('[data-part=receipt]').textContent(),
      (shown) => shown === line,
    );
  });

  it('says so in the language of the link, whatever the browser speaks', async () => {
    const { page } = await visit('packed=AAAA____&lang=zh');
    const inside = page.frameLocator('iframe');
    await inside.getByRole('button', { name: '开始', exact: true }).waitFor();
    await inside.getByText(zh['error.link-text']).first().waitFor();
  });

  it('starts by itself when the reader gets there', async () => {
    // Out of sight, browsers do not even draw a frame of another origin: ask it how it is.
    const script = `addEventListener('message', ({ data, source }) => {
      if (data.event === 'ready') setInterval(() => source.postMessage({ glasshouse: 1, id: 1, call: 'status' }, '*'), 50);
      if (data.id === 1) window.status_ = data.result;
    });`;
    const { page } = await visit('autostart=1&steps=100000&host=*', {
      before: '<div style="height: 3000px"></div>',
      script,
    });
    interface Asked {
      readonly status_?: { readonly state: string; readonly step: number };
    }
    const status = () => page.evaluate(() => (window as Asked).status_ ?? null);
    const ready = await eventually(status, (now) => now?.state === 'ready');
    expect(ready?.step).toBe(0);
    await page.locator('iframe').scrollIntoViewIfNeeded();
    await seeLossFall(page);
  });

  it('tells its height in three ways, and no two heights in turns for ever', async () => {
    const script = `window.heights = []; window.lti = []; addEventListener('message', ({ data }) => {
      if (data.event === 'height') { heights.push(data.height); document.querySelector('iframe').style.height = data.height + 'px'; }
      if (data.subject === 'lti.frameResize') lti.push(data.height);
      if (typeof data === 'string') { const read = JSON.parse(data); if (read.subject === 'lti.frameResize') lti.push(String(read.height)); }
    });`;
    const { page, frame } = await visit('show=loss,samples&steps=400', { script });
    interface Told {
      readonly heights: number[];
      readonly lti: (number | string)[];
    }
    const told = (): Promise<Told> =>
      page.evaluate(() => {
        const { heights, lti } = window as unknown as Told;
        return { heights, lti };
      });
    await frame().getByRole('button', { name: 'Start', exact: true }).click();
    await frame().locator('#run[data-state=finished]').waitFor({ state: 'attached' });
    const height = await frame().evaluate(
      () => document.getElementById('frame')!.getBoundingClientRect().height,
    );
    const { heights, lti } = await eventually(
      told,
      (now) => now.heights.at(-1) === Math.ceil(height),
    );
    expect(lti.filter((one) => typeof one === 'number')).toEqual(heights);
    expect(lti.filter((one) => typeof one === 'string').map(Number)).toEqual(heights);
    expect(heights.length).toBeLessThan(40);
    // A frame as high as its content has nothing to scroll.
    await eventually(
      () => frame().evaluate(() => document.documentElement.scrollHeight - window.innerHeight),
      (over) => over <= 1,
    );
    // A host that answers each height with another width is not answered for ever.
    await page.evaluate(() => {
      const iframe = document.querySelector('iframe')!;
      addEventListener('message', ({ data }) => {
        if ((data as { event?: string }).event !== 'height') return;
        iframe.style.width = iframe.style.width === '420px' ? '900px' : '420px';
      });
      iframe.style.width = '420px';
    });
    const settled = await eventually(
      async () => {
        const before = (await told()).heights.length;
        // Two frames of the page are time enough for one more turn of the loop.
        for (let frameNumber = 0; frameNumber < 20; frameNumber++) {
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
        }
        return { before, after: (await told()).heights.length };
      },
      ({ before, after }) => before === after,
    );
    expect(settled.after).toBeLessThan(heights.length + 40);
  });

  it('does what an allowed host asks, and nothing for any other', async () => {
    const script = `window.heard = []; addEventListener('message', ({ data, source }) => { if (data.glasshouse === 1) heard.push(data); });
      window.ask = (call, ...args) => document.querySelector('iframe').contentWindow.postMessage({ glasshouse: 1, id: call, call, args }, '*');`;
    const { page, frame } = await visit(`host=${encodeURIComponent(host.origin)}&steps=60`, {
      script,
    });
    interface Heard {
      readonly id?: string;
      readonly event?: string;
      readonly result?: unknown;
      readonly error?: { readonly code: string };
      readonly status?: { readonly state: string; readonly step: number };
    }
    const ask = (call: string, ...args: (string | number)[]): Promise<void> =>
      page.evaluate(
        ([name, ...values]) => {
          (window as unknown as { ask: (...all: unknown[]) => void }).ask(name, ...values);
        },
        [call, ...args],
      );
    const heard = (): Promise<Heard[]> =>
      page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
    const answer = async (id: string): Promise<Heard> =>
      (await eventually(heard, (all) => all.some((one) => one.id === id))).find(
        (one) => one.id === id,
      )!;
    // Once it says that it is ready, no command is lost.
    await eventually(heard, (all) => all.some(({ event }) => event === 'ready'));
    await ask('subscribe');
    await ask('setOption', 'wings', 2);
    expect((await answer('setOption')).error?.code).toBe('host-call');
    await ask('setPreset', 'gpt5');
    expect((await answer('setPreset')).error?.code).toBe('host-call');
    await ask('setText', 'anna\nbob\nclara\n');
    await ask('setOption', 'layers', 1);
    await ask('start');
    await eventually(heard, (all) => all.some(({ status }) => status?.state === 'finished'));
    await ask('losses');
    expect((await answer('losses')).result).toHaveLength(60);
    await ask('status');
    expect((await answer('status')).result).toMatchObject({ state: 'finished', step: 60 });
    await ask('explode');
    expect((await answer('explode')).error?.code).toBe('host-call');
    await ask('toString');
    expect((await answer('toString')).error?.code).toBe('host-call');

    const stranger = await visit(`host=${encodeURIComponent('https://school.example')}&steps=60`, {
      script,
    });
    await stranger.page
      .frameLocator('iframe')
      .locator('#run[data-state=ready]')
      .waitFor({ state: 'attached' });
    await stranger.page.evaluate(() => {
      (window as unknown as { ask: (name: string) => void }).ask('start');
      (window as unknown as { ask: (name: string) => void }).ask('status');
    });
    await stranger.frame().getByRole('button', { name: 'One step' }).click();
    await eventually(
      () => stepOf(stranger.frame()),
      (step) => step >= 1,
    );
    await expect.poll(() => stepOf(stranger.frame())).toBe(1);
    const said = await stranger.page.evaluate(
      () => (window as unknown as { heard: Heard[] }).heard,
    );
    expect(said.filter(({ event }) => event === undefined)).toEqual([]);
    expect(frame().url()).toContain('host=');
  });

  it('waits for the text that its host hands over', async () => {
    const script = `addEventListener('message', ({ data, source, origin }) => {
      if (data.glasshouse === 1 && data.event === 'ready') source.postMessage({ glasshouse: 1, id: 1, call: 'setText', args: ['anna\\nbob\\nclara\\n'] }, origin);
    });`;
    const fragment = `text=host&autostart=1&steps=30&host=${encodeURIComponent(host.origin)}`;
    const silent = await visit(fragment);
    // What is said at `ready` counts, all of it.
    const hasty = `addEventListener('message', ({ data, source, origin }) => {
      if (data.glasshouse !== 1 || data.event !== 'ready') return;
      const say = (call, ...args) => source.postMessage({ glasshouse: 1, id: 1, call, args }, origin);
      say('setText', 'anna\\nbob\\nclara\\n');
      say('setOption', 'steps', 50);
      say('start');
    });`;
    const quick = await visit(fragment.replace('autostart=1&steps=30&', ''), { script: hasty });
    await quick.page
      .frameLocator('iframe')
      .locator('#run[data-state=finished]')
      .waitFor({ state: 'attached' });
    await expect.poll(() => stepOf(quick.frame())).toBe(50);
    await silent.page
      .frameLocator('iframe')
      .getByText('The text comes from the page around this one')
      .first()
      .waitFor();
    const { page } = await visit(fragment, { script });
    await page
      .frameLocator('iframe')
      .locator('#run[data-state=finished]')
      .waitFor({ state: 'attached' });
  });
});

describe('a hostile home', () => {
  const coep = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  };
  const homes: Record<string, Visit> = {
    'a page of another origin': {},
    'a sandbox that allows nothing but scripts': { attributes: 'sandbox="allow-scripts"' },
    'a learning platform’s sandbox': {
      attributes:
        'sandbox="allow-scripts allow-same-origin allow-forms allow-popups" loading="lazy" allow="clipboard-write"',
    },
    'a page with COOP and COEP': { headers: coep, attributes: 'allow="cross-origin-isolated"' },
    'a page whose policy allows our frame and nothing else': {
      headers: { 'Content-Security-Policy': "default-src 'none'; frame-src *" },
    },
  };

  it.each(Object.entries(homes))('is no hindrance: %s', async (_, how) => {
    const { page, problems } = await visit('autostart=1&steps=100000', how);
    await seeLossFall(page);
    expect(problems.filter((problem) => problem.startsWith('exception'))).toEqual([]);
  });

  it('has threads in a page that is not isolated itself, by the policy of our own response', async () => {
    const { page, frame } = await visit('autostart=1&steps=100000');
    await seeLossFall(page);
    await expect.poll(() => frame().evaluate(() => crossOriginIsolated)).toBe(true);
    await expect.poll(() => page.evaluate(() => crossOriginIsolated)).toBe(false);
    // A machine with one core has nothing to tell.
    if (availableParallelism() > 1) {
      await page.frameLocator('iframe').getByText('threads').waitFor();
    }
  });

  it('is no hindrance: a host that sends no headers at all', async () => {
    const { page, problems } = await visit('', {
      src: `${host.url}site/embed.html#autostart=1&steps=100000`,
    });
    await seeLossFall(page);
    expect(problems).toEqual([]);
  });

  it('is no hindrance: a frame that refuses workers', async () => {
    const strict = await startHost({
      siteHeaders: { 'Content-Security-Policy': "worker-src 'none'" },
    });
    pages.closing(strict);
    const { page, breaks } = await visit('', {
      src: `${strict.url}site/embed.html#autostart=1&steps=100000`,
    });
    await seeLossFall(page);
    await page.frameLocator('iframe').getByText('Background workers are not allowed').waitFor();
    breaks(/worker-src/);
  });

  it('is no hindrance: a closed accordion, a page that is printed', async () => {
    const { page } = await visit('autostart=1&steps=100000', {
      attributes: 'style="display: none"',
    });
    await page.evaluate(() => {
      document.querySelector('iframe')!.style.display = '';
    });
    await seeLossFall(page);
    // On paper there is the curve, and nothing to press.
    await page.emulateMedia({ media: 'print' });
    const frame = page.frameLocator('iframe');
    const { colours } = await canvasContent(frame.locator('#loss .loss-plot canvas').first());
    expect(colours).toBeGreaterThan(3);
    await expect.poll(() => frame.locator('#loss .loss-plot').isVisible()).toBe(true);
    await expect.poll(() => frame.locator('#run').isVisible()).toBe(false);
  });
});
