/**
 * Tests `<glasshouse-gpt>` in host pages in Chromium. Training under host policies and sandboxes is
 * tested in homes-engines.test.ts.
 */
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLong } from '../long.ts';
import { eventually } from './driver.ts';
import type { WatchedPage } from './harness.ts';
import { startHost, useVisits } from './hosts.ts';
import type { Headers, Host } from './hosts.ts';

const visits = useVisits();
/** Serves a second copy of the module from another origin, like a CDN. */
let cdn: Host;

beforeAll(async () => {
  cdn = await startHost({ siteHeaders: { 'Access-Control-Allow-Origin': '*' } });
});

afterAll(() => cdn.close());

const head = '<script type="module" src="/site/embed/element.mjs"></script>';

/** Opens a host page with this body, parsed before the element is defined. */
const visit = (body: string, headers: Headers = {}): Promise<WatchedPage> =>
  visits.visit(body, { head, headers });

/** Replaces the body of a page in which the element is already defined. */
const place = (body: string): Promise<WatchedPage> => visits.place(body, { head });

interface Element {
  readonly status?: () => { state: string; step: number; steps: number; place: string } | null;
  readonly losses?: () => number[];
}

/** Reads the status and losses of the selected element. */
function statusOf(page: Page, selector = 'glasshouse-gpt') {
  return page.evaluate((css) => {
    const element = document.querySelector(css) as Element | null;
    const status = element?.status?.() ?? null;
    return status === null ? null : { ...status, losses: element?.losses?.() ?? [] };
  }, selector);
}

const reach = (page: Page, state: string, selector?: string): Promise<unknown> =>
  expect.poll(async () => (await statusOf(page, selector))?.state).toBe(state);

const trainsTo = (page: Page, step: number): Promise<unknown> =>
  eventually(
    () => statusOf(page),
    (now) => (now?.step ?? 0) >= step,
  );

/** Sets properties of the first element. */
const set = (page: Page, values: Record<string, unknown>): Promise<void> =>
  page.evaluate((given) => {
    Object.assign(document.querySelector('glasshouse-gpt')!, given);
  }, values);

const textField = (page: Page) => page.getByRole('textbox', { name: 'The text to learn' });
const startOf = (page: Page | FrameLocator) =>
  page.getByRole('button', { name: 'Start', exact: true });

it('shows what the lesson shows, locks what it locks, and says the task', async () => {
  const { page } = await place(
    '<glasshouse-gpt show="text,loss,samples" lock="text" hide="seed,pace" preset="tinygpt" settings="layers=1&amp;steps=50" task="Find the first name."><p>no</p></glasshouse-gpt>',
  );
  await page.getByText('Find the first name.').waitFor();
  await reach(page, 'ready');
  await expect.poll(() => textField(page).isDisabled()).toBe(true);
  await expect.poll(() => page.getByRole('button', { name: 'One step' }).count()).toBe(1);
  await expect.poll(() => page.locator('#samples').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'New seed' }).count()).toBe(0);
  expect(await page.locator('#attention').count()).toBe(0);
  expect(await page.getByText('no', { exact: true }).isVisible()).toBe(false);
  await expect.poll(async () => (await statusOf(page))?.steps).toBe(50);
});

it('speaks the language of the page around it, whatever region that names', async () => {
  const { page } = await place(
    '<div lang="zh-CN"><glasshouse-gpt show="loss"></glasshouse-gpt></div><glasshouse-gpt show="loss" lang="EN-gb"></glasshouse-gpt>',
  );
  await page.getByRole('button', { name: '开始', exact: true }).waitFor();
  await startOf(page).waitFor();
});

it.each([
  ['with a policy of its own', '', 0],
  ['where none is allowed', "; trusted-types 'none'", 1],
])('explains its words under Trusted Types, %s', async (_, names, policies) => {
  const { page, problems } = await visit('<glasshouse-gpt show="loss"></glasshouse-gpt>', {
    'Content-Security-Policy': `require-trusted-types-for 'script'${names}`,
  });
  // Some glossary buttons are in lines that are still hidden.
  await page.locator('glasshouse-gpt button.term').filter({ visible: true }).first().click();
  const note = page.locator('glasshouse-gpt [role=dialog]');
  await expect.poll(async () => (await note.textContent())?.length ?? 0).toBeGreaterThan(40);
  expect(await note.textContent()).not.toContain('<');
  // The page reports the refused worker once and a disallowed policy once.
  const refused = (what: string) => problems.filter((one) => one.includes(what)).length;
  expect(refused('TrustedScriptURL')).toBe(problems.length - policies);
  expect(refused('TrustedTypePolicy')).toBe(policies);
});

it('is as large on a page that has another size for rem', async () => {
  const { page } = await place('<glasshouse-gpt show="loss"></glasshouse-gpt>');
  await reach(page, 'ready');
  const size = (): Promise<unknown> =>
    startOf(page).evaluate((one) => [getComputedStyle(one).fontSize, one.getBoundingClientRect().height]); // prettier-ignore
  const plain = await size();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '62.5%';
  });
  expect(await size()).toEqual(plain);
});

it('keeps its looks in another document, trains there, and follows the look of the page around it', async () => {
  const { page } = await place(
    '<glasshouse-gpt show="loss,samples" settings="steps=40"></glasshouse-gpt><iframe srcdoc="&lt;body&gt;&lt;/body&gt;" width="800" height="600"></iframe>',
  );
  await startOf(page).waitFor();
  const paper = (): Promise<string> =>
    page.evaluate(() => {
      const frame = document.querySelector('iframe')!.contentDocument!;
      const element = document.querySelector('glasshouse-gpt') ?? frame.querySelector('glasshouse-gpt')!; // prettier-ignore
      return getComputedStyle(element.shadowRoot!.querySelector('.glasshouse')!).backgroundColor;
    });
  const light = await paper();
  expect(light).not.toBe('rgba(0, 0, 0, 0)');
  await page.evaluate(() => {
    document.body.style.colorScheme = 'dark';
  });
  await expect.poll(paper).not.toBe(light);
  expect(await paper()).not.toBe('rgba(0, 0, 0, 0)');
  await page.evaluate(() => {
    const frame = document.querySelector('iframe')!.contentDocument!;
    frame.body.append(frame.adoptNode(document.querySelector('glasshouse-gpt')!));
  });
  // The frame's document has no colour scheme, so the system's applies. Without styles the
  // background would be transparent.
  await expect.poll(paper).toBe(light);
  const rows = page.frameLocator('iframe').locator('#samples li');
  const before = await rows.count();
  await startOf(page.frameLocator('iframe')).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
});

it('goes from left to right on a page that goes from right to left', async () => {
  const { page } = await place(
    '<div dir="rtl"><glasshouse-gpt show="loss"></glasshouse-gpt></div>',
  );
  await startOf(page).waitFor();
  expect(await startOf(page).evaluate((one) => getComputedStyle(one).direction)).toBe('ltr');
});

it('begins when it is asked before it is ready, and tells its page of words that mean nothing', async () => {
  const { page } = await visit(
    `<script>
      globalThis.told = [];
      document.addEventListener('glasshouse-error', ({ detail }) => told.push(detail.code, detail.subject));
      customElements.whenDefined('glasshouse-gpt').then(() => document.querySelector('glasshouse-gpt').start());
    </script><glasshouse-gpt show="loss" settings="layerz=3&amp;steps=20"></glasshouse-gpt>`,
  );
  await trainsTo(page, 20);
  expect(await page.evaluate(() => (globalThis as unknown as { told: unknown }).told)).toEqual(['words', 'layerz=3']); // prettier-ignore
});

it('offers nothing that its lesson comes to hide, in panels that stay', async () => {
  const { page } = await place('<glasshouse-gpt show="loss"></glasshouse-gpt>');
  const speed = page.getByRole('combobox', { name: 'Speed' });
  await speed.waitFor();
  await page.locator('glasshouse-gpt').evaluate((one) => {
    one.setAttribute('hide', 'pace');
  });
  await speed.waitFor({ state: 'hidden' });
});

it('tells an error once, however many statuses follow', async () => {
  const { page } = await visit(
    `<script>
      globalThis.told = { errors: 0, statuses: 0 };
      document.addEventListener('glasshouse-error', () => told.errors++);
      document.addEventListener('glasshouse-status', () => told.statuses++);
    </script><glasshouse-gpt show="loss" settings="heads=3"></glasshouse-gpt>`,
  );
  const told = (): Promise<{ errors: number; statuses: number }> =>
    page.evaluate(() => (globalThis as unknown as { told: never }).told);
  await expect.poll(async () => (await told()).errors).toBe(1);
  const { statuses } = await told();
  for (const pace of ['30', '100', '30']) await set(page, { pace });
  await expect.poll(async () => (await told()).statuses).toBeGreaterThan(statuses);
  expect((await told()).errors).toBe(1);
});

it('takes a text that was set before it was defined', async () => {
  const { page } = await visit(
    "<glasshouse-gpt show='text'></glasshouse-gpt><script>document.querySelector('glasshouse-gpt').text = 'anna\\nbob\\n';</script>",
  );
  await expect.poll(() => textField(page).inputValue()).toBe('anna\nbob\n');
});

it('learns a text from its attribute, from inside, and from its property, and anew when it changes', async () => {
  const { page } = await place(
    '<glasshouse-gpt show="text" text="anna\nbob\n"></glasshouse-gpt>' +
      '<glasshouse-gpt show="text"><pre slot="text">\ncat\ndog\n</pre></glasshouse-gpt>',
  );
  const texts = (): Promise<string[]> =>
    textField(page).evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
  await expect.poll(texts).toEqual(['anna\nbob\n', 'cat\ndog\n']);
  await page.evaluate(() => {
    document.querySelector('[slot=text]')!.textContent = 'owl\nfox\n';
  });
  await set(page, { text: 'one\ntwo\n' });
  await expect.poll(texts).toEqual(['one\ntwo\n', 'owl\nfox\n']);
});

it('goes on with its run while other things are shown, locked, looked at or to be done', async () => {
  const { page } = await place(
    '<glasshouse-gpt settings="steps=1000000" task="First this."></glasshouse-gpt>',
  );
  const prompt = page.locator('#ask textarea, #ask input[type=text]').first();
  // Properties may be set before the element is ready.
  await set(page, { prompt: 'mi', pace: 0 });
  await startOf(page).click();
  await trainsTo(page, 20);
  await expect.poll(() => prompt.inputValue()).toBe('mi');
  const before = await statusOf(page);
  await set(page, {
    ...{ task: 'Then that.', show: 'loss,ask', lock: 'settings', hide: 'seed', prompt: 'zo' },
    ...{ probe: 'zoe', pace: 30, view: 'write' },
  });
  await page.getByText('Then that.').waitFor();
  await expect.poll(() => page.getByRole('heading', { name: 'Attention' }).count()).toBe(0);
  await expect.poll(() => prompt.inputValue()).toBe('zo');
  const at = (await statusOf(page))!.step;
  await trainsTo(page, at + 5);
  expect((await statusOf(page))!.losses.slice(0, 20)).toEqual(before!.losses.slice(0, 20));
  const properties = ['show', 'pace', 'theme', 'autostart'];
  const values = await page.evaluate((names) => {
    const element = document.querySelector('glasshouse-gpt') as unknown as Record<string, unknown>;
    return names.map((name) => element[name]);
  }, properties);
  expect(values).toEqual(['loss,ask', '30', null, false]);
});

it('keeps a text and what is being typed when other things are set', async () => {
  const { page } = await place('<glasshouse-gpt show="text,ask"></glasshouse-gpt>');
  await reach(page, 'ready');
  // Text and pace in one assignment: the pace must not restore the old text.
  await set(page, { text: 'xyzzy\nplugh\n', pace: 30 });
  await expect.poll(() => textField(page).inputValue()).toBe('xyzzy\nplugh\n');
  const prompt = page.locator('#ask textarea, #ask input[type=text]').first();
  await prompt.fill('ab');
  await prompt.press('End');
  await set(page, { pace: 10, task: 'Look.', hide: 'seed' });
  await page.getByText('Look.').waitFor();
  await page.keyboard.type('cd');
  await expect.poll(() => prompt.inputValue()).toBe('abcd');
  await expect.poll(() => textField(page).inputValue()).toBe('xyzzy\nplugh\n');
  await set(page, { text: 4242 });
  await expect.poll(() => textField(page).inputValue()).toBe('4242');
});

it('names a word that nobody knows no longer than it is there', async () => {
  const { page } = await place('<glasshouse-gpt show="loss"></glasshouse-gpt>');
  await reach(page, 'ready');
  await set(page, { lock: 'Settings' });
  await page.getByText('Unknown parameters: lock=Settings').waitFor({ state: 'attached' });
  await set(page, { lock: 'settings' });
  await page.getByText('Unknown parameters').waitFor({ state: 'detached' });
});

it('does not begin in sight when its autostart was taken back before', async () => {
  const { page } = await place(
    '<div style="height: 3000px"></div><glasshouse-gpt show="text"></glasshouse-gpt>',
  );
  await reach(page, 'ready');
  /** Waits two frames, after which an IntersectionObserver has reported visibility changes. */
  const nextFrame = (): Promise<unknown> =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // prettier-ignore
  await nextFrame();
  await set(page, { autostart: true });
  await nextFrame();
  await set(page, { autostart: false });
  await page.evaluate(() => document.querySelector('glasshouse-gpt')!.scrollIntoView());
  await nextFrame();
  // A pending autostart would take effect before this later text is applied.
  await set(page, { text: 'anna\nbob\n' });
  await expect.poll(() => textField(page).inputValue()).toBe('anna\nbob\n');
  await reach(page, 'ready');
  expect((await statusOf(page))?.step).toBe(0);
});

it('keeps nothing of the panels that it showed before', async () => {
  const { page } = await place('<glasshouse-gpt></glasshouse-gpt>');
  await reach(page, 'ready');
  const tools = await page.context().newCDPSession(page);
  const nodes = async (): Promise<number> => {
    for (let turn = 0; turn < 3; turn++) await tools.send('HeapProfiler.collectGarbage');
    return (await tools.send('Memory.getDOMCounters')).nodes;
  };
  const relay = async (times: number): Promise<void> => {
    for (let turn = 0; turn < times; turn++) {
      const lock = turn % 2 === 0 ? 'text' : '';
      await set(page, { lock });
      await expect.poll(() => textField(page).isDisabled()).toBe(lock === 'text');
    }
  };
  await relay(2);
  const before = await nodes();
  await relay(6);
  // A leak would add about 2,000 nodes per move. Collection may lag, so the check polls.
  await eventually(nodes, (count) => count - before < 4000, 10_000);
});

it('tells the page around how the run goes', async () => {
  const { page } = await visit(
    '<script>window.heard = []; for (const name of ["ready", "status"]) addEventListener("glasshouse-" + name, (event) => heard.push([name, event.detail.state]));</script>' +
      '<glasshouse-gpt show="loss" settings="steps=30"></glasshouse-gpt>',
  );
  await reach(page, 'ready');
  await page.evaluate(() => {
    (document.querySelector('glasshouse-gpt') as unknown as { start(): void }).start();
  });
  const heard = await eventually(
    () => page.evaluate(() => (window as unknown as { heard: [string, string][] }).heard),
    (all) => all.some(([, state]) => state === 'finished'),
  );
  expect(heard.filter(([name]) => name === 'ready')).toHaveLength(1);
  expect(heard.some(([, state]) => state === 'running')).toBe(true);
});

it('stops at the step that its lesson names, and looks back from there', async () => {
  const { page } = await place('<glasshouse-gpt settings="steps=60" stop="10"></glasshouse-gpt>');
  await expect.poll(() => page.locator('#run [data-part=step]').textContent()).toBe('10 / 60');
  await reach(page, 'paused');
  await page.locator('#run .timeline input').fill('3');
  await page.locator('#past').getByText('The whole page shows step 3').waitFor();
  await expect.poll(() => page.locator('#samples li .stamp').first().textContent()).toBe('step 3');
});

it('says which permission a policy lacks', async () => {
  const { page } = await visit('<glasshouse-gpt show="loss"></glasshouse-gpt>', {
    'Content-Security-Policy':
      "default-src 'none'; connect-src 'self'; style-src 'self'; worker-src 'self'; script-src 'self'",
  });
  await page.getByText('must allow ‘wasm-unsafe-eval’').first().waitFor();
});

it('goes on training when the page moves, resizes or hides it', async () => {
  const { page } = await place(
    '<div id="one"><glasshouse-gpt show="loss" pace="100" settings="steps=100000" autostart></glasshouse-gpt></div><div id="two"></div>',
  );
  await trainsTo(page, 10);
  const before = (await statusOf(page))!;
  await page.evaluate(() => {
    document.getElementById('two')!.append(document.querySelector('glasshouse-gpt')!);
    document.getElementById('two')!.style.width = '300px';
  });
  const moved = (await statusOf(page))!;
  expect(moved.step).toBeGreaterThanOrEqual(before.step);
  await page.evaluate(() => {
    document.getElementById('two')!.style.display = 'none';
  });
  await trainsTo(page, moved.step + 20);
  expect((await statusOf(page))!.losses.slice(0, 10)).toEqual(before.losses.slice(0, 10));
});

// The first rounds compile code that later rounds reuse: about 1.5 MB, once.
const [WARM, ROUNDS] = isLong ? [8, 6] : [1, 2];
const SHOWN = isLong ? '' : 'show="loss"';

it('leaves no worker, channel or memory behind when it is taken away, however often', async () => {
  const { page } = await place('<div id="place"></div>');
  const session = await page.context().newCDPSession(page);
  const workers = () => page.workers().length;
  const memory = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize;
  };
  const comeAndGo = async (): Promise<void> => {
    await page.evaluate((shown) => {
      document.getElementById('place')!.innerHTML =
        `<glasshouse-gpt autostart ${shown}></glasshouse-gpt><glasshouse-gpt ${shown}></glasshouse-gpt>`;
    }, SHOWN);
    await trainsTo(page, 20);
    await expect.poll(workers).toBe(2);
    await page.evaluate(() => {
      document.getElementById('place')!.replaceChildren();
    });
    await expect.poll(workers).toBe(0);
  };
  /** Counts open channels. `yieldTask` opens one at its first use and keeps it. */
  const channels = async (): Promise<number> => {
    const { result } = await session.send('Runtime.evaluate', {
      expression: 'MessageChannel.prototype',
    });
    const { objects } = await session.send('Runtime.queryObjects', {
      prototypeObjectId: result.objectId!,
    });
    const { result: count } = await session.send('Runtime.callFunctionOn', {
      objectId: objects.objectId!,
      functionDeclaration: 'function () { return this.length; }',
    });
    return count.value as number;
  };
  for (let round = 0; round < WARM; round++) await comeAndGo();
  const before = await memory();
  for (let round = 0; round < ROUNDS; round++) await comeAndGo();
  expect(await channels()).toBeLessThanOrEqual(1);
  // Six rounds must leave less memory than one element uses.
  if (isLong) expect((await memory()) - before).toBeLessThan(1_000_000);
});

it('lives beside another version of itself', async () => {
  const { page } = await place(
    '<glasshouse-gpt id="first" show="loss" settings="steps=20"></glasshouse-gpt><div id="second"></div>',
  );
  // The page treats a second copy of the module as another version.
  await page.addScriptTag({
    type: 'module',
    content: `import { createElement } from '${cdn.url}site/embed/element.mjs';
      const element = createElement();
      element.setAttribute('show', 'loss');
      element.setAttribute('settings', 'steps=20');
      document.getElementById('second').append(element);`,
  });
  await expect.poll(() => startOf(page).count()).toBe(2);
  await reach(page, 'ready', '#second > *');
  // Last first: a pressed button changes its name, which shifts the index of later matches.
  await startOf(page).nth(1).click();
  await startOf(page).nth(0).click();
  for (const selector of ['#first', '#second > *']) await reach(page, 'finished', selector);
});

it('takes its colours and its language from outside', async () => {
  const { page } = await place(
    '<style>glasshouse-gpt { --glasshouse-accent: rgb(12, 34, 56) }</style><glasshouse-gpt show="loss" lang="zh" theme="dark"></glasshouse-gpt>',
  );
  const start = page.getByRole('button', { name: '开始', exact: true });
  await start.waitFor();
  const colour = (): Promise<string> =>
    start.evaluate((button) => getComputedStyle(button).backgroundColor);
  await expect.poll(colour).toBe('rgb(12, 34, 56)');
  const paper = (): Promise<string> =>
    start.evaluate((button) => getComputedStyle(button.closest('.glasshouse')!).backgroundColor);
  const dark = await paper();
  await set(page, { theme: 'light' });
  await expect.poll(paper).not.toBe(dark);
  await set(page, { lang: 'en' });
  await startOf(page).waitFor();
});

it('fits columns of 360, 700 and 1300 pixels in a wide window', async () => {
  const { page } = await place('<div id="column"><glasshouse-gpt></glasshouse-gpt></div>');
  await page.setViewportSize({ width: 1440, height: 900 });
  await reach(page, 'ready');
  for (const width of [360, 700, 1300]) {
    await page.evaluate((pixels) => {
      document.getElementById('column')!.style.width = `${String(pixels)}px`;
    }, width);
    const fit = () =>
      page.evaluate(() => {
        const root = document.querySelector('glasshouse-gpt')!.shadowRoot!;
        const edge = document.querySelector('glasshouse-gpt')!.getBoundingClientRect().right;
        // On narrow screens the first column has `display: contents` and therefore no box.
        const lefts = [...root.querySelectorAll('.column')]
          .map((column) => column.getBoundingClientRect())
          .filter(({ width: own }) => own > 0)
          .map(({ left }) => Math.round(left));
        return {
          over: [...root.querySelectorAll('button, input, textarea, select, canvas')]
            .filter((element) => element.getBoundingClientRect().right > edge + 1)
            .filter((element) => !element.classList.contains('visually-hidden'))
            // The tab list scrolls horizontally if it is too wide.
            .filter((element) => element.closest('[role=tablist]') === null).length,
          columns: new Set(lefts).size,
        };
      });
    await expect.poll(fit).toEqual({ over: 0, columns: width < 900 ? 1 : 3 });
  }
});
