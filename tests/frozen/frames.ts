/** Conversations of a page with our frame and with our element, and their transcripts. */
import type { Page } from 'playwright-core';
import type { Remote } from '../../web/store/host/host.ts';

/** A server for other people's pages, with the built site below `site/`. */
export interface LessonHost {
  readonly url: string;
  readonly origin: string;
  readonly put: (path: string, content: string) => unknown;
}

const TEXT = 'anna\nbella\nhanna\nalba\nnora\nleonora\n'.repeat(3);
const SMALL = 'preset=microgpt&channels=8&layers=1&heads=2&context=8&steps=20';

interface Message {
  readonly id?: number;
  readonly event?: string;
  readonly status?: { readonly state: string; readonly step: number };
}

/** The host page: records every message, and sends calls. */
const HOST = `<!doctype html><title>Lesson</title><script>
  window.heard = [];
  addEventListener('message', ({ data }) => heard.push(data));
  window.ask = (id, call, args) =>
    document.querySelector('iframe').contentWindow.postMessage({ glasshouse: 1, id, call, args }, '*');
</script><iframe src="SRC" width="800" height="700"></iframe>`;

async function visit(page: Page, host: LessonHost, body: string): Promise<void> {
  host.put('/lesson.html', body);
  await page.goto(`${host.url}lesson.html`);
}

/** Waits until `read` evaluates to true in the page. */
async function until(page: Page, read: string): Promise<void> {
  await page.waitForFunction(read, undefined, { polling: 20, timeout: 30_000 });
}

/** Returns the members of objects with the types of their values. */
function shape(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shape(one)]));
}

/**
 * Records the answers to protocol calls, and the shapes of unsolicited messages; `site` is the
 * address of the built site.
 */
export async function frameTranscript(page: Page, site: string, host: LessonHost) {
  const fragment = `${SMALL}&lang=en&host=${host.origin}`;
  const src = `${site}embed.html#${fragment}`.replaceAll('&', '&amp;');
  await visit(page, host, HOST.replace('SRC', src));
  await until(page, `heard.some(({ event }) => event === 'ready')`);
  const calls: { call: string; args: readonly unknown[]; answer: unknown }[] = [];
  const ask = async (call: string, ...args: unknown[]): Promise<void> => {
    const id = calls.length + 1;
    await page.evaluate(`ask(${String(id)}, ${JSON.stringify(call)}, ${JSON.stringify(args)})`);
    await until(page, `heard.some((one) => one.id === ${String(id)})`);
    const answer = await page.evaluate(`heard.find((one) => one.id === ${String(id)})`);
    // An error's code is stable, its wording is not.
    const { error, ...rest } = answer as { error?: { code: string } };
    calls.push({ call, args, answer: error === undefined ? rest : { ...rest, error: error.code } });
  };
  const reach = (state: string, step: number): Promise<void> =>
    until(
      page,
      `(({ status }) => status?.state === '${state}' && status.step === ${String(step)})
      (heard.findLast(({ event }) => event === 'status') ?? {})`,
    );

  await ask('subscribe');
  await ask('setOption', 'wings', 2);
  await ask('setOption', 'layers', '2');
  await ask('setPreset', 'gpt5');
  await ask('setPreset', 5);
  await ask('setText', 5);
  await ask('explode');
  await ask('toString');
  await ask('setText', TEXT);
  await ask('setOption', 'seed', 7);
  await ask('start');
  await reach('finished', 20);
  await ask('status');
  await ask('losses');
  await ask('rewind');
  await reach('ready', 0);
  await ask('step');
  await reach('paused', 1);
  await ask('losses');
  await ask('pause');
  await ask('status');
  await ask('unsubscribe');
  const heard: unknown = await page.evaluate('heard');
  const unasked = (heard as (Message | string)[]).filter((one) => typeof one === 'string' || one.id === undefined); // prettier-ignore
  const forms = unasked.map(
    (one) =>
    typeof one === 'string' ? `JSON ${JSON.stringify(shape(JSON.parse(one)))}` : JSON.stringify({ ...(shape(one) as object), event: one.event }), // prettier-ignore
  );
  return { calls, forms: [...new Set(forms)].sort() };
}

const ATTRIBUTES = {
  ...{ sample: 'names', preset: 'microgpt', settings: 'channels=8&layers=1&steps=20', seed: '7' },
  ...{ probe: 'hanna', prompt: 'an', pace: '0', view: 'tokens', show: 'text,loss,ask,samples,attention' }, // prettier-ignore
  ...{ lock: 'settings', hide: 'seed', task: 'Read it.', lang: 'en', theme: 'dark', name: 'Mine' },
};

/** Records attributes, properties, methods, events, parts and colours of the element. */
export async function elementTranscript(page: Page, host: LessonHost) {
  const attributes = Object.entries(ATTRIBUTES)
    .map(([name, value]) => `${name}="${value.replaceAll('&', '&amp;')}"`)
    .join(' ');
  const names = JSON.stringify(['ready', 'status', 'error']);
  await visit(
    page,
    host,
    `<!doctype html><style>glasshouse-gpt { --glasshouse-accent: rgb(12, 34, 56); --glasshouse-paper: rgb(1, 2, 3); --glasshouse-ink: rgb(250, 240, 230) }</style>
    <script>
      window.heard = [];
      for (const name of ${names}) addEventListener('glasshouse-' + name, ({ type, detail }) => heard.push({ type, detail }));
    </script>
    <script type="module" src="/site/embed/element.mjs"></script>
    <glasshouse-gpt ${attributes}></glasshouse-gpt>`,
  );
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await until(page, `heard.some(({ type }) => type === 'glasshouse-ready')`);
  const said = await page.evaluate((given) => {
    const element = document.querySelector('glasshouse-gpt')!;
    const own = element as unknown as Record<string, unknown>;
    const root = element.shadowRoot!;
    const start = [...root.querySelectorAll('button')].find((one) => one.textContent === 'Start')!;
    const paper = root.querySelector('.glasshouse')!;
    const parts = [...root.querySelectorAll('[part]')].flatMap((one) => [...one.part]);
    const methods = new Set<string>();
    for (
      let from: object = element;
      from !== HTMLElement.prototype;
      from = Object.getPrototypeOf(from) as object
    ) {
      // prettier-ignore
      for (const name of Object.getOwnPropertyNames(from)) methods.add(name);
    }
    return {
      properties: Object.fromEntries(Object.keys(given).map((name) => [name, own[name]])),
      members: [...methods].filter((name) => !/Callback$|^constructor$/.test(name)).sort(),
      parts: [...new Set(parts)].sort(),
      accent: getComputedStyle(start).backgroundColor,
      paper: getComputedStyle(paper).backgroundColor,
      ink: getComputedStyle(paper).color,
      task: root.textContent.includes('Read it.'),
      lang:
        paper.getAttribute('lang') ?? root.querySelector('[lang]')?.getAttribute('lang') ?? null,
    };
  }, ATTRIBUTES);
  const status = () =>
    page.evaluate(() => {
      const element = document.querySelector<HTMLElement & Remote>('glasshouse-gpt')!;
      return { status: element.status(), losses: [...element.losses()] };
    });
  await page.evaluate((text) => {
    const element = document.querySelector<HTMLElement & Remote>('glasshouse-gpt')!;
    element.setText(text);
    element.start();
  }, TEXT);
  await until(page, `document.querySelector('glasshouse-gpt').status().state === 'finished'`);
  const finished = await status();
  await page.evaluate(() => {
    document.querySelector<HTMLElement & Remote>('glasshouse-gpt')!.rewind();
  });
  await until(page, `document.querySelector('glasshouse-gpt').status().step === 0`);
  await page.evaluate(() => {
    document.querySelector<HTMLElement & Remote>('glasshouse-gpt')!.step();
  });
  await until(page, `document.querySelector('glasshouse-gpt').status().step === 1`);
  const stepped = await status();
  await page.evaluate(() => {
    document
      .querySelector<HTMLElement & Remote>('glasshouse-gpt')!
      .setAttribute('lock', 'Settings');
  });
  await until(page, `heard.some(({ type }) => type === 'glasshouse-error')`);
  const heard: unknown = await page.evaluate('heard');
  const events = (heard as { type: string; detail: unknown }[]).map(({ type, detail }) => `${type} ${JSON.stringify(shape(detail))}`); // prettier-ignore
  return {
    attributes: ATTRIBUTES,
    ...said,
    finished,
    stepped,
    events: [...new Set(events)].sort(),
  };
}
