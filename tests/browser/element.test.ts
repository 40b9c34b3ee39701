/** `<glasshouse-gpt>` on pages of other people, in a real Chromium. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './driver.ts';
import type { WatchedPage } from './harness.ts';
import { html, startHost } from './hosts.ts';
import type { Host } from './hosts.ts';
import { usePages } from './sites.ts';

const pages = usePages();
let host: Host;
/** The element's module comes from another origin, as from a CDN. */
let cdn: Host;

beforeAll(async () => {
  host = await startHost();
  cdn = await startHost({
    siteHeaders: {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  });
});

afterAll(async () => {
  await host.close();
  await cdn.close();
});

const MODULE = '<script type="module" src="/site/embed/element.mjs"></script>';

/** A page of the host with this body. */
async function visit(
  body: string,
  { module = MODULE, headers = {} }: { module?: string; headers?: Record<string, string> } = {},
): Promise<WatchedPage> {
  host.put('/lesson.html', html(body, module), headers);
  const watched = await pages.page();
  await watched.page.goto(`${host.url}lesson.html`);
  return watched;
}

/** The status of the first element of the page, as its own property tells it. */
function statusOf(page: Page, selector = 'glasshouse-gpt') {
  return page.evaluate((css) => {
    const element = document.querySelector(css) as unknown as {
      status?: () => { state: string; step: number; loss: number | null; place: string } | null;
      losses?: () => number[];
    } | null;
    const status = element?.status?.() ?? null;
    return status === null ? null : { ...status, losses: element?.losses?.() ?? [] };
  }, selector);
}

/** Waits until the loss has fallen: the mean of the last hundred steps against the first ten. */
async function seeLossFall(page: Page, selector?: string): Promise<void> {
  const status = await eventually(
    () => statusOf(page, selector),
    (now) => (now?.losses.length ?? 0) >= 200,
  );
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean(status!.losses.slice(0, 10))).toBeGreaterThan(2.9);
  expect(mean(status!.losses.slice(-100))).toBeLessThan(2.85);
}

describe('the element', () => {
  it('trains on a page that has nothing but it, in a worker', async () => {
    const { page, problems } = await visit('<glasshouse-gpt></glasshouse-gpt>');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await seeLossFall(page);
    expect((await statusOf(page))?.place).toBe('worker');
    expect(problems).toEqual([]);
  });

  it('shows what the lesson shows, locks what it locks, and says the task', async () => {
    const { page } = await visit(
      '<glasshouse-gpt show="text,loss,samples" lock="text" hide="seed,pace" preset="tinygpt" settings="layers=1&amp;steps=50" task="Find the first name."><p>no</p></glasshouse-gpt>',
    );
    await page.getByText('Find the first name.').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await eventually(
      () => statusOf(page),
      (now) => now?.state === 'finished',
    );
    await expect
      .poll(() => page.getByRole('textbox', { name: 'The text to learn' }).isDisabled())
      .toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'New seed' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'One step' }).count()).toBe(1);
    await expect.poll(() => page.getByRole('heading', { name: 'Attention' }).count()).toBe(0);
    await expect.poll(() => page.getByText('no', { exact: true }).isVisible()).toBe(false);
    expect((await statusOf(page))?.step).toBe(50);
  });

  it('speaks the language of the page around it, whatever region that names', async () => {
    const { page } = await visit(
      '<div lang="zh-CN"><glasshouse-gpt></glasshouse-gpt></div><glasshouse-gpt lang="EN-gb"></glasshouse-gpt>',
    );
    await page.getByRole('button', { name: '开始', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  });

  it('explains its words under Trusted Types, with a policy of its own and where none is allowed', async () => {
    for (const names of ['', "; trusted-types 'none'"]) {
      const { page, problems } = await visit('<glasshouse-gpt></glasshouse-gpt>', {
        headers: { 'Content-Security-Policy': `require-trusted-types-for 'script'${names}` },
      });
      // Some of these words are of lines that show later.
      const help = page.locator('glasshouse-gpt button.term').filter({ visible: true }).first();
      await help.click();
      const note = page.locator('glasshouse-gpt [role=dialog]');
      await expect.poll(async () => (await note.textContent())?.length ?? 0).toBeGreaterThan(40);
      expect(await note.textContent()).not.toContain('<');
      // The page reports the worker that it refused, and a policy that it does not allow, once.
      const refused = (what: string) => problems.filter((one) => one.includes(what)).length;
      expect(refused('TrustedScriptURL')).toBe(problems.length - (names === '' ? 0 : 1));
      expect(refused('TrustedTypePolicy')).toBe(names === '' ? 0 : 1);
      await page.close();
    }
  });

  it('is as large on a page that has another size for rem', async () => {
    const size = async (style: string): Promise<unknown> => {
      const { page } = await visit(
        `<style>html { ${style} }</style><glasshouse-gpt></glasshouse-gpt>`,
      );
      const start = page.getByRole('button', { name: 'Start', exact: true });
      await start.waitFor();
      return start.evaluate((one) => [getComputedStyle(one).fontSize, one.getBoundingClientRect().height]); // prettier-ignore
    };
    expect(await size('font-size: 62.5%')).toEqual(await size(''));
  });

  it('keeps its looks in another document, and follows the look of the page around it', async () => {
    const { page } = await visit(
      '<glasshouse-gpt></glasshouse-gpt><iframe srcdoc="&lt;body&gt;&lt;/body&gt;" width="800" height="600"></iframe>',
    );
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
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
    // That document says nothing of its look: as the system. Without styles it would be
    // transparent.
    await expect.poll(paper).toBe(light);
  });

  it('goes from left to right on a page that goes from right to left', async () => {
    const { page } = await visit('<div dir="rtl"><glasshouse-gpt></glasshouse-gpt></div>');
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await start.waitFor();
    expect(await start.evaluate((one) => getComputedStyle(one).direction)).toBe('ltr');
  });

  it('begins when it is asked before it is ready, and tells its page of words that mean nothing', async () => {
    const { page } = await visit(
      `<script>
        globalThis.told = [];
        document.addEventListener('glasshouse-error', ({ detail }) => told.push(detail.code, detail.subject));
        customElements.whenDefined('glasshouse-gpt').then(() => document.querySelector('glasshouse-gpt').start());
      </script><glasshouse-gpt settings="layerz=3&amp;steps=20"></glasshouse-gpt>`,
    );
    await eventually(
      () => statusOf(page),
      (now) => now?.step === 20,
    );
    expect(await page.evaluate(() => (globalThis as unknown as { told: unknown }).told)).toEqual(['words', 'layerz=3']); // prettier-ignore
  });

  it('offers nothing that its lesson comes to hide, in panels that stay', async () => {
    const { page } = await visit('<glasshouse-gpt></glasshouse-gpt>');
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
      </script><glasshouse-gpt settings="heads=3"></glasshouse-gpt>`,
    );
    const told = (): Promise<{ errors: number; statuses: number }> =>
      page.evaluate(() => (globalThis as unknown as { told: never }).told);
    await expect.poll(async () => (await told()).errors).toBe(1);
    const { statuses } = await told();
    for (const pace of ['30', '100', '30']) {
      await page.locator('glasshouse-gpt').evaluate((one, to) => {
        one.setAttribute('pace', to);
      }, pace);
    }
    await expect.poll(async () => (await told()).statuses).toBeGreaterThan(statuses);
    expect((await told()).errors).toBe(1);
  });

  it('takes a text that was set before it was defined, and another one after', async () => {
    const { page } = await visit(
      "<glasshouse-gpt></glasshouse-gpt><script>document.querySelector('glasshouse-gpt').text = 'anna\\nbob\\n';</script>",
    );
    const field = page.getByRole('textbox', { name: 'The text to learn' });
    const holds = (text: string): Promise<unknown> =>
      eventually(
        () => field.inputValue(),
        (value) => value === text,
      );
    await holds('anna\nbob\n');
    await page.evaluate(() => {
      (document.querySelector('glasshouse-gpt') as unknown as { text: string }).text = 'cat\n';
    });
    await holds('cat\n');
  });

  it('learns a text from its attribute, from inside, and from its property', async () => {
    const { page } = await visit(
      '<glasshouse-gpt id="a" text="anna\nbob\n"></glasshouse-gpt>' +
        '<glasshouse-gpt id="b"><pre slot="text">cat\ndog\n</pre></glasshouse-gpt>',
    );
    const fields = page.getByRole('textbox', { name: 'The text to learn' });
    await eventually(
      async () => [await fields.nth(0).inputValue(), await fields.nth(1).inputValue()],
      (values) => values[0] === 'anna\nbob\n' && values[1] === 'cat\ndog\n',
    );
    await page.evaluate(() => {
      Object.assign(document.querySelector('#a')!, { text: 'one\ntwo\n' });
    });
    await eventually(
      () => fields.nth(0).inputValue(),
      (value) => value === 'one\ntwo\n',
    );
  });

  it('goes on with its run while other things are shown, locked, looked at or to be done', async () => {
    const { page, problems } = await visit(
      '<glasshouse-gpt settings="steps=1000000" task="First this."></glasshouse-gpt>',
    );
    // Before it is ready too.
    await page.waitForFunction(() => document.querySelector('glasshouse-gpt')?.shadowRoot);
    await page.evaluate(() => {
      Object.assign(document.querySelector('glasshouse-gpt')!, { prompt: 'mi', pace: 0 });
    });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await seeLossFall(page);
    await expect
      .poll(() => page.locator('#ask textarea, #ask input[type=text]').first().inputValue())
      .toBe('mi');
    const before = await statusOf(page);
    await page.evaluate(() => {
      Object.assign(document.querySelector('glasshouse-gpt')!, {
        ...{ task: 'Then that.', show: 'loss,ask', lock: 'settings', hide: 'seed', prompt: 'zo' },
        ...{ probe: 'zoe', pace: 30, view: 'write' },
      });
    });
    await page.getByText('Then that.').waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Attention' }).count()).toBe(0);
    await eventually(
      () => page.locator('#ask textarea, #ask input[type=text]').first().inputValue(),
      (prompt) => prompt === 'zo',
    );
    const later = await eventually(
      () => statusOf(page),
      (now) => (now?.step ?? 0) > before!.step + 20,
    );
    expect(later!.losses.slice(0, 100)).toEqual(before!.losses.slice(0, 100));
    await expect
      .poll(() =>
        page.evaluate(() => {
          const element = document.querySelector('glasshouse-gpt') as unknown as Record<
            string,
            unknown
          >;
          return [element['show'], element['pace'], element['theme'], element['autostart']];
        }),
      )
      .toEqual(['loss,ask', '30', null, false]);
    expect(problems).toEqual([]);
  });

  it('keeps a text, what is being typed, and what was taken back, when other things are set', async () => {
    const { page, problems } = await visit(
      '<div style="height: 3000px"></div><glasshouse-gpt></glasshouse-gpt>',
    );
    const set = (values: Record<string, unknown>): Promise<void> =>
      page.evaluate((given) => {
        Object.assign(document.querySelector('glasshouse-gpt')!, given);
      }, values);
    const field = page.getByRole('textbox', { name: 'The text to learn' });
    await eventually(
      () => statusOf(page),
      (now) => now?.state === 'ready',
    );
    // In one breath: the text stays the new one.
    await set({ text: 'xyzzy\nplugh\n', pace: 30 });
    await eventually(
      () => field.inputValue(),
      (value) => value === 'xyzzy\nplugh\n',
    );
    const prompt = page.locator('#ask textarea, #ask input[type=text]').first();
    await prompt.fill('ab');
    await prompt.press('End');
    await set({ pace: 10, task: 'Look.', hide: 'seed' });
    await page.getByText('Look.').waitFor();
    await page.keyboard.type('cd');
    await expect.poll(() => prompt.inputValue()).toBe('abcd');
    await expect.poll(() => field.inputValue()).toBe('xyzzy\nplugh\n');
    // Out of sight: it would start as soon as it is seen.
    await page.evaluate(() => {
      scrollTo(0, 0);
    });
    await page.waitForTimeout(300);
    await set({ autostart: true });
    await page.waitForTimeout(100);
    await set({ autostart: false });
    // A word that nobody knows is named when it comes, and no longer than it is there.
    await set({ lock: 'Settings' });
    await page.getByText('Unknown parameters: lock=Settings').waitFor({ state: 'attached' });
    await set({ lock: 'settings' });
    await page.getByText('Unknown parameters').waitFor({ state: 'detached' });
    await page.evaluate(() => document.querySelector('glasshouse-gpt')!.scrollIntoView());
    await page.waitForTimeout(500);
    expect((await statusOf(page))?.step).toBe(0);
    await set({ text: 4242 });
    await eventually(
      () => field.inputValue(),
      (value) => value === '4242',
    );
    expect(problems).toEqual([]);
  });

  it('keeps nothing of the panels that it showed before', async () => {
    const { page } = await visit('<glasshouse-gpt></glasshouse-gpt>');
    await eventually(
      () => statusOf(page),
      (now) => now?.state === 'ready',
    );
    const tools = await page.context().newCDPSession(page);
    const nodes = async (): Promise<number> => {
      for (let turn = 0; turn < 3; turn++) await tools.send('HeapProfiler.collectGarbage');
      return (await tools.send('Memory.getDOMCounters')).nodes;
    };
    const relay = (times: number): Promise<void> =>
      page.evaluate(async (count) => {
        const element = document.querySelector('glasshouse-gpt')!;
        for (let turn = 0; turn < count; turn++) {
          element.setAttribute('lock', turn % 2 === 0 ? 'text' : '');
          await new Promise((done) => setTimeout(done, 150));
        }
      }, times);
    await relay(2);
    const before = await nodes();
    await relay(12);
    // Each time left some 2,000 of them. What is free is not always collected at once.
    await eventually(nodes, (count) => count - before < 4000, 10_000);
  });

  it('learns the text inside it anew when that changes', async () => {
    const { page } = await visit(
      '<glasshouse-gpt><pre slot="text">cat\ndog\n</pre></glasshouse-gpt>',
    );
    const field = page.getByRole('textbox', { name: 'The text to learn' });
    await eventually(
      () => field.inputValue(),
      (value) => value === 'cat\ndog\n',
    );
    await page.evaluate(() => {
      document.querySelector('[slot=text]')!.textContent = 'owl\nfox\n';
    });
    await eventually(
      () => field.inputValue(),
      (value) => value === 'owl\nfox\n',
    );
  });

  it('tells the page around how the run goes', async () => {
    const { page } = await visit(
      '<script>window.heard = []; for (const name of ["ready", "status"]) addEventListener("glasshouse-" + name, (event) => heard.push([name, event.detail.state]));</script>' +
        '<glasshouse-gpt settings="steps=30"></glasshouse-gpt>',
    );
    await eventually(
      () => statusOf(page),
      (now) => now?.state === 'ready',
    );
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

  it('starts by itself once it is in sight, not before', async () => {
    const { page } = await visit(
      '<div id="fold" hidden><glasshouse-gpt autostart settings="steps=100000"></glasshouse-gpt></div><div id="high"></div>',
    );
    await eventually(
      () => statusOf(page),
      (now) => now?.state === 'ready',
    );
    await page.evaluate(() => {
      document.getElementById('high')!.style.height = '300vh';
    });
    expect((await statusOf(page))?.step).toBe(0);
    await page.evaluate(() => {
      document.getElementById('fold')!.hidden = false;
    });
    await seeLossFall(page);
  });

  it('comes from another origin, in a worker all the same', async () => {
    const { page, problems } = await visit('<glasshouse-gpt autostart></glasshouse-gpt>', {
      module: `<script type="module" src="${cdn.url}site/embed/element.mjs"></script>`,
    });
    await seeLossFall(page);
    expect((await statusOf(page))?.place).toBe('worker');
    expect(problems.filter((problem) => problem.includes('exception'))).toEqual([]);
  });

  it('trains in slices of the page where workers are refused', async () => {
    const { page, problems } = await visit('<glasshouse-gpt autostart></glasshouse-gpt>', {
      headers: { 'Content-Security-Policy': "worker-src 'none'" },
    });
    await seeLossFall(page);
    expect((await statusOf(page))?.place).toBe('page');
    // The page reports what it refused.
    expect(problems.filter((one) => !one.includes('Creating a worker from'))).toEqual([]);
  });

  it('works under a strict policy that names what is needed, and says what is missing', async () => {
    const policy = "default-src 'none'; connect-src 'self'; style-src 'self'; worker-src 'self'";
    const { page } = await visit('<glasshouse-gpt autostart></glasshouse-gpt>', {
      headers: { 'Content-Security-Policy': `${policy}; script-src 'self' 'wasm-unsafe-eval'` },
    });
    await seeLossFall(page);
    expect((await statusOf(page))?.place).toBe('worker');
    const without = await visit('<glasshouse-gpt></glasshouse-gpt>', {
      headers: { 'Content-Security-Policy': `${policy}; script-src 'self'` },
    });
    await without.page.getByText('has to allow ‘wasm-unsafe-eval’').first().waitFor();
  });

  it('goes on training when the page moves, resizes or hides it', async () => {
    const { page, problems } = await visit(
      '<div id="one"><glasshouse-gpt settings="steps=100000" autostart></glasshouse-gpt></div><div id="two"></div>',
    );
    await seeLossFall(page);
    await page.evaluate(() => {
      document.getElementById('two')!.append(document.querySelector('glasshouse-gpt')!);
      document.getElementById('two')!.style.width = '300px';
    });
    const moved = await statusOf(page);
    expect(moved?.step).toBeGreaterThanOrEqual(200);
    await page.evaluate(() => {
      document.getElementById('two')!.style.display = 'none';
    });
    await eventually(
      () => statusOf(page),
      (now) => (now?.step ?? 0) > (moved?.step ?? 0) + 100,
    );
    expect(problems.filter((problem) => problem.includes('exception'))).toEqual([]);
  });

  it('leaves no worker, channel or memory behind when it is taken away, however often', async () => {
    const { page } = await visit('<div id="place"></div>');
    const session = await page.context().newCDPSession(page);
    const workers = () => page.workers().length;
    const memory = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize;
    };
    const comeAndGo = async (): Promise<void> => {
      await page.evaluate(() => {
        document.getElementById('place')!.innerHTML =
          '<glasshouse-gpt autostart></glasshouse-gpt><glasshouse-gpt></glasshouse-gpt>';
      });
      await eventually(
        () => statusOf(page),
        (now) => (now?.step ?? 0) > 20,
      );
      await expect.poll(workers, { timeout: 10_000 }).toBe(2);
      await page.evaluate(() => {
        document.getElementById('place')!.replaceChildren();
      });
      await eventually(
        () => Promise.resolve(workers()),
        (count) => count === 0,
      );
    };
    /** Channels that are open: nothing collects one that listens. */
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
    // The first rounds compile what the later ones use again: about 1.5 MB, once.
    for (let round = 0; round < 8; round++) await comeAndGo();
    const [before, open] = [await memory(), await channels()];
    for (let round = 0; round < 6; round++) await comeAndGo();
    expect(await channels()).toBe(open);
    // What six more rounds leave behind is less than one element holds.
    expect((await memory()) - before).toBeLessThan(1_000_000);
  });

  it('lives beside another version of itself', async () => {
    const { page, problems } = await visit(
      '<glasshouse-gpt id="first" settings="steps=20"></glasshouse-gpt><div id="second"></div>',
    );
    // Another copy of the module is another version as far as the page can tell.
    await page.addScriptTag({
      type: 'module',
      content: `import { createElement } from '${cdn.url}site/embed/element.mjs';
        const element = createElement();
        element.setAttribute('settings', 'steps=20');
        document.getElementById('second').append(element);`,
    });
    const starts = page.getByRole('button', { name: 'Start', exact: true });
    await eventually(
      () => starts.count(),
      (count) => count === 2,
    );
    await eventually(
      () => statusOf(page, '#second > *'),
      (now) => now?.state === 'ready',
    );
    // The last one first: once pressed, a button has another name.
    await starts.nth(1).click();
    await starts.nth(0).click();
    for (const selector of ['#first', '#second > *']) {
      await eventually(
        () => statusOf(page, selector),
        (now) => now?.state === 'finished',
      );
    }
    expect(problems.filter((problem) => problem.includes('exception'))).toEqual([]);
  });

  it('takes its colours and its language from outside', async () => {
    const { page } = await visit(
      '<style>glasshouse-gpt { --glasshouse-accent: rgb(12, 34, 56) }</style><glasshouse-gpt lang="zh" theme="dark"></glasshouse-gpt>',
    );
    const start = page.getByRole('button', { name: '开始', exact: true });
    await start.waitFor();
    const colour = (): Promise<string> =>
      start.evaluate((button) => getComputedStyle(button).backgroundColor);
    await expect.poll(() => colour()).toBe('rgb(12, 34, 56)');
    const paper = (): Promise<string> =>
      start.evaluate((button) => getComputedStyle(button.closest('.glasshouse')!).backgroundColor);
    const dark = await paper();
    await page.evaluate(() => {
      document.querySelector('glasshouse-gpt')!.setAttribute('theme', 'light');
    });
    await expect.poll(() => paper()).not.toBe(dark);
    await page.evaluate(() => {
      document.querySelector('glasshouse-gpt')!.setAttribute('lang', 'en');
    });
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  });

  it.each([360, 700, 1300])('fits a column of %i pixels in a wide window', async (width) => {
    const { page } = await visit(
      `<div style="width: ${String(width)}px"><glasshouse-gpt></glasshouse-gpt></div>`,
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    const wide = await page.evaluate(() => {
      const root = document.querySelector('glasshouse-gpt')!.shadowRoot!;
      const edge = document.querySelector('glasshouse-gpt')!.getBoundingClientRect().right;
      // On narrow screens the first column lets go of its panels: it has no box of its own.
      const lefts = [...root.querySelectorAll('.column')]
        .map((column) => column.getBoundingClientRect())
        .filter(({ width: own }) => own > 0)
        .map(({ left }) => Math.round(left));
      return {
        over: [...root.querySelectorAll('button, input, textarea, select, canvas')]
          .filter((element) => element.getBoundingClientRect().right > edge + 1)
          .filter((element) => !element.classList.contains('visually-hidden'))
          // The row of tabs scrolls by itself where it is wider.
          .filter((element) => element.closest('[role=tablist]') === null).length,
        columns: new Set(lefts).size,
      };
    });
    expect(wide.over).toBe(0);
    expect(wide.columns).toBe(width < 900 ? 1 : 3);
  });
});
