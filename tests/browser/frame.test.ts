/**
 * Tests embed.html in an iframe of a host page: URL fragment, height and messages. Training under
 * host policies and sandboxes is tested in homes-engines.test.ts.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { finishRun } from '../../web/package/index.ts';
import { DirectTrainer } from '../../web/engine/direct.ts';
import { packText } from '../../web/store/text/packed-text.ts';
import { links as zh } from '../../web/i18n/zh/links.ts';
import { atRest, canvasContent, eventually } from './driver.ts';
import { siteUrl } from './harness.ts';
import type { WatchedPage } from './harness.ts';
import { engineBytes } from '../node/load-engine.ts';
import { startHost, useVisits } from './hosts.ts';

const visits = useVisits();

/** URL of embed.html on the site's server: real headers, another origin than the host's. */
const frameUrl = (fragment: string): string => siteUrl(`embed.html#${fragment}`);

/** Opens a host page with the frame. */
async function visit(
  fragment: string,
  { script = '', src = frameUrl(fragment), before = '', attributes = '' } = {},
): Promise<WatchedPage & { readonly frame: () => Frame }> {
  const address = src.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const watched = await visits.visit(
    `${before}<iframe src="${address}" width="800" height="600" ${attributes}></iframe>`,
    { head: script === '' ? '' : `<script>${script}</script>` },
  );
  return Object.assign(Object.create(watched) as WatchedPage, {
    frame: (): Frame => {
      const found = watched.page.frames().find((one) => one.url().includes('embed.html'));
      if (found === undefined) throw new Error('our frame is not there');
      return found;
    },
  });
}

/** Reads the step in the frame's run bar. */
async function stepOf(frame: Frame): Promise<number> {
  const text = await frame.locator('[data-part=step]').textContent({ timeout: 5000 });
  return Number((text ?? '').split('/')[0]?.replaceAll(',', ''));
}

/** Waits until the run in the frame is in this state. */
const reach = (page: Page, state: string): Promise<void> =>
  page.frameLocator('iframe').locator(`#run[data-state=${state}]`).waitFor({ state: 'attached' });

it('has its task above the panels, 820, 1024 and 1440 pixels wide', async () => {
  const { page } = await visits.goto(frameUrl('task=Train+it.&show=text,settings,loss,attention'));
  await atRest(page);
  const box = async (selector: string) => (await page.locator(selector).boundingBox())!;
  for (const width of [820, 1024, 1440]) {
    await page.setViewportSize({ width, height: 768 });
    await atRest(page);
    const task = await box('.task');
    expect(task.y).toBeLessThan(50);
    for (const id of ['#text', '#loss'])
      expect((await box(id)).y).toBeGreaterThan(task.y + task.height - 1);
    // Wide windows show text and run in columns.
    if (width > 1000)
      expect(Math.abs((await box('#text')).y - (await box('#run')).y)).toBeLessThan(40);
  }
});

it('keeps the run bar in sight on a phone when Start is pressed', async () => {
  const { page } = await visits.goto(
    frameUrl('steps=20&show=text,settings,plan,loss,samples,attention&task=Press+Start.'),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await atRest(page);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
  await atRest(page);
  const { top, bottom } = await page
    .locator('#run')
    .evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(bottom).toBeLessThanOrEqual(844);
});

it('is what its fragment says: text, preset, panels, locks, task, language, theme', async () => {
  const packed = await packText(new TextEncoder().encode('红豆生南国\n春来发几枝\n'));
  const { page } = await visit(
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
  // The reason for the locked fields appears once.
  await expect.poll(() => frame.getByText('老师已锁定此项，只能查看。').count()).toBe(1);
  await frame.getByRole('button', { name: '开始', exact: true }).waitFor();
  await expect.poll(() => frame.locator('[data-part=step]').textContent()).toBe('0 / 40');
  await expect.poll(() => frame.locator('#attention').count()).toBe(0);
  await expect.poll(() => frame.locator('html').getAttribute('data-theme')).toBe('dark');
});

it('leads to the whole page with what its reader has set, and without what is the lesson’s', async () => {
  const { page } = await visit('text=tang&layers=5&show=settings,loss&task=Try&theme=dark&lang=en');
  const frame = page.frameLocator('iframe');
  const home = frame.getByRole('link', { name: 'open the whole page' });
  const words = async (): Promise<string> =>
    decodeURIComponent(new URL((await home.getAttribute('href')) ?? '', siteUrl('')).hash);
  await expect.poll(words).toBe('#text=tang&preset=microgpt&layers=5&lang=en');
  await frame.getByLabel('Layers', { exact: true }).fill('3');
  await expect.poll(words).toBe('#text=tang&preset=microgpt&layers=3&lang=en');
  const [whole] = await Promise.all([page.context().waitForEvent('page'), home.click()]);
  await whole.locator('.all-settings > .fold').click();
  await expect
    .poll(() => whole.locator('#settings [data-option=layers] input').inputValue())
    .toBe('3');
  expect(new URL(whole.url()).hash).toContain('text=tang');
  await whole.close();
});

it('leads to the whole page with the text that its link holds, but none that only its host has', async () => {
  const packed = await packText(new TextEncoder().encode('anna\nbob\n'.repeat(9)));
  const { page } = await visit(`packed=${packed}&layers=2&lang=en&show=text`);
  const home = page.frameLocator('iframe').getByRole('link', { name: 'open the whole page' });
  await expect.poll(() => home.getAttribute('href')).toContain(`&packed=${packed}`);
  const held = await visit('text=host&layers=2&lang=en&show=text');
  const link = held.page.frameLocator('iframe').getByRole('link', { name: 'open the whole page' });
  await expect
    .poll(() => link.getAttribute('href'))
    .toMatch(/index\.html#preset=microgpt&(layers=2&)?lang=en$/);
});

it('takes a text file beside it only when it is the one that the link means', async () => {
  const text = 'anna\nbob\nclara\n';
  const sha256 = createHash('sha256').update(text).digest('hex');
  const beside = (file: string) =>
    visit('', {
      src: `${visits.host.url}site/embed.html#show=text&file=${encodeURIComponent(file)}&sha256=${sha256}`,
    });
  visits.host.put('/site/lesson/names.txt', text);
  const { page, frame, requests, breaks } = await beside('lesson/names.txt');
  await expect
    .poll(() => frame().getByRole('textbox', { name: 'The text to learn' }).inputValue())
    .toBe(text);
  const isSaid = (words: string): Promise<void> =>
    page.frameLocator('iframe').getByText(words).first().waitFor();
  // The file is missing, and the message names it.
  breaks(/%E8%AF%BE%E6%96%87/);
  await beside('课文/第3周.txt');
  await isSaid('The text file 课文/第3周.txt could not be loaded');
  visits.host.put('/site/lesson/names.txt', `${text}dora\n`);
  await beside('lesson/names.txt');
  await isSaid('has changed since this link was made');
  for (const file of ['https://example.com/a.txt', '../secret.txt']) {
    await beside(file);
    await isSaid('has a name that is not allowed');
  }
  expect(requests.filter((url) => /secret|example/.test(new URL(url).pathname))).toEqual([]);
});

it('says what is wrong with a broken link, and still learns a pasted text', async () => {
  const { page, frame } = await visit('packed=AAAA____&show=text');
  await page.frameLocator('iframe').getByText('cannot be read').first().waitFor();
  await frame().getByRole('textbox', { name: 'The text to learn' }).fill('anna\nbob\n');
  await frame().getByRole('button', { name: 'One step' }).click();
  await eventually(
    () => stepOf(frame()),
    (step) => step === 1,
  );
});

it('names what a link says that nobody knows, and does the rest', async () => {
  const { page } = await visit('preset=zzz&show=Loss,text&steps=30');
  const inside = page.frameLocator('iframe');
  await inside.getByText('Unknown parameters: preset=zzz, show=Loss,text').waitFor();
  await inside.getByRole('button', { name: 'OK', exact: true }).click();
  await inside.getByText('Unknown parameters').waitFor({ state: 'detached' });
  await reach(page, 'ready');
  await expect.poll(() => inside.locator('[data-part=step]').textContent()).toBe('0 / 30');
});

it('learns the very bytes that its link holds, line ends and marks included', async () => {
  const text = '\ufeffanna\r\nbob\r\n';
  const packed = await packText(new TextEncoder().encode(text));
  const { page, frame } = await visit(`packed=${packed}&show=text,loss,receipt&steps=10`);
  await frame().getByRole('button', { name: 'Start', exact: true }).click();
  await reach(page, 'finished');
  // A headless run on the same bytes gives an identical receipt.
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
  const { page } = await visit('packed=AAAA____&lang=zh&show=text');
  const inside = page.frameLocator('iframe');
  await inside.getByRole('button', { name: '开始', exact: true }).waitFor();
  await inside.getByText(zh['error.link-text']).first().waitFor();
});

it('starts by itself when the reader gets there', async () => {
  // Browsers do not render offscreen cross-origin frames, so the test polls the run's status.
  const script = `addEventListener('message', ({ data, source }) => {
      if (data.event === 'ready') setInterval(() => source.postMessage({ glasshouse: 1, id: 1, call: 'status' }, '*'), 50);
      if (data.id === 1) window.status_ = data.result;
    });`;
  const { page } = await visit('show=loss&autostart=1&steps=20&host=*', {
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
  await reach(page, 'finished');
});

it('tells its height in three ways, and no two heights in turns for ever', async () => {
  const script = `window.heights = []; window.lti = []; addEventListener('message', ({ data }) => {
      if (data.event === 'height') { heights.push(data.height); document.querySelector('iframe').style.height = data.height + 'px'; }
      if (data.subject === 'lti.frameResize') lti.push(data.height);
      if (typeof data === 'string') { const read = JSON.parse(data); if (read.subject === 'lti.frameResize') lti.push(String(read.height)); }
    });`;
  const { page, frame } = await visit('show=loss,samples&steps=60', { script });
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
  // A frame as tall as its content does not scroll.
  await eventually(
    () => frame().evaluate(() => document.documentElement.scrollHeight - window.innerHeight),
    (over) => over <= 1,
  );
  // Height messages must stop even if the host changes the width after each message.
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
      // Twenty frames allow several more turns of the loop.
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
  const { page } = await visit(
    `show=loss&host=${encodeURIComponent(visits.host.origin)}&steps=20`,
    {
      script,
    },
  );
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
  // Commands sent after the ready event are never lost.
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
  expect((await answer('losses')).result).toHaveLength(20);
  await ask('status');
  expect((await answer('status')).result).toMatchObject({ state: 'finished', step: 20 });
  await ask('explode');
  expect((await answer('explode')).error?.code).toBe('host-call');
  await ask('toString');
  expect((await answer('toString')).error?.code).toBe('host-call');

  const stranger = await visit(
    `host=${encodeURIComponent('https://school.example')}&show=loss&steps=20`,
    {
      script,
    },
  );
  await reach(page, 'ready');
  await page.evaluate(() => {
    (window as unknown as { ask: (name: string) => void }).ask('start');
    (window as unknown as { ask: (name: string) => void }).ask('status');
  });
  await stranger.frame().getByRole('button', { name: 'One step' }).click();
  await expect.poll(() => stepOf(stranger.frame())).toBe(1);
  const said = await page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
  expect(said.filter(({ event }) => event === undefined)).toEqual([]);
});

it('waits for the text that its host hands over, and begins with it', async () => {
  const origin = encodeURIComponent(visits.host.origin);
  const { page } = await visit(`text=host&autostart=1&steps=20&show=text&host=${origin}`);
  const awaited = 'The text comes from the page around this one';
  await page.frameLocator('iframe').getByText(awaited).first().waitFor();
  await page.evaluate(() => {
    const { contentWindow } = document.querySelector('iframe')!;
    contentWindow!.postMessage({ glasshouse: 1, id: 1, call: 'setText', args: ['anna\nbob\n'] }, '*'); // prettier-ignore
  });
  await reach(page, 'finished');
});

it('does all that its host says at once when it is ready', async () => {
  const script = `addEventListener('message', ({ data, source, origin }) => {
      if (data.glasshouse !== 1 || data.event !== 'ready') return;
      const say = (call, ...args) => source.postMessage({ glasshouse: 1, id: 1, call, args }, origin);
      say('setText', 'anna\\nbob\\nclara\\n');
      say('setOption', 'steps', 25);
      say('start');
    });`;
  const origin = encodeURIComponent(visits.host.origin);
  const { page, frame } = await visit(`text=host&show=text&host=${origin}`, { script });
  await reach(page, 'finished');
  await expect.poll(() => stepOf(frame())).toBe(25);
});

it('has threads in a page that is not isolated itself, by the policy of our own response', async () => {
  // Threads start with training.
  const { page, frame } = await visit('show=loss&autostart=1&steps=100000');
  await reach(page, 'running');
  expect(await frame().evaluate(() => crossOriginIsolated)).toBe(true);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  // The thread note appears only with several cores.
  if (availableParallelism() > 1) await page.frameLocator('iframe').getByText('threads').waitFor();
});

/** Looks at a step that has no saved text. */
async function lookBack(page: Page): Promise<FrameLocator> {
  await reach(page, 'finished');
  const frame = page.frameLocator('iframe');
  await frame.getByRole('slider', { name: 'Look back' }).fill('7');
  return frame;
}

it('looks back in a sandbox that allows nothing but scripts', async () => {
  const { page } = await visit('show=past,samples&autostart=1&steps=20', {
    attributes: 'sandbox="allow-scripts"',
  });
  const frame = await lookBack(page);
  const stamp = frame.locator('#samples li .stamp').first();
  await expect.poll(() => stamp.textContent()).toBe('step 7');
  expect(await frame.locator('#past [role=alert]').textContent()).toBe('');
});

it('says that background workers are refused where they are, and that looking back needs one', async () => {
  const strict = await startHost({
    siteHeaders: { 'Content-Security-Policy': "worker-src 'none'" },
  });
  try {
    const fragment = 'show=past,samples&autostart=1&steps=20';
    const { page, breaks } = await visit('', { src: `${strict.url}site/embed.html#${fragment}` });
    await page.frameLocator('iframe').getByText('Background workers are not allowed').waitFor();
    await (await lookBack(page)).getByText('This needs a background worker').waitFor();
    breaks(/worker-src/);
    // Leaving the page cancels pending requests, whose errors would count for the next test.
    await page.goto('about:blank');
  } finally {
    await strict.close();
  }
});

it('prints the curve, and nothing to press', async () => {
  const { page } = await visit('show=loss&autostart=1&steps=20');
  await reach(page, 'finished');
  const frame = page.frameLocator('iframe');
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => frame.locator('#loss .loss-plot').isVisible()).toBe(true);
  const curve = frame.locator('#loss .loss-plot canvas').first();
  await expect.poll(async () => (await canvasContent(curve)).colours).toBeGreaterThan(3);
  await expect.poll(() => frame.locator('#run').isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
});
