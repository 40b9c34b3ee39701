/**
 * Host pages, each with one embedded form; some have restrictive policies or sandboxes. In each,
 * the first lesson's run stops at step 7 and must reach the lesson's documented loss.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../wait.ts';
import { LOADER } from './anywidget-loader.ts';
import type { DrivenPage } from './engines/index.ts';
import { dist, siteUrl } from './harness.ts';
import { html, startHost } from './hosts.ts';
import type { Headers, Host } from './hosts.ts';

const figures = readFileSync(
  join(import.meta.dirname, '../../web/docs/lesson-figures.json'),
  'utf8',
);

/** Loss of step 7 of 200 in full precision; any difference means different arithmetic. */
export const LOSS_OF_SEVEN = Number(
  (JSON.parse(figures) as { readonly 'loss.seven': string })['loss.seven'],
);

/** Status and losses of a run, as reported by an embedded form. */
export interface Told {
  readonly state: string;
  readonly step: number;
  readonly place: string;
  readonly losses: readonly number[];
}

type Teller = { readonly told?: () => Told | null };

/** Scripts of the host page, stored as files because strict policies allow no inline scripts. */
const ELEMENT_TELLS = `window.told = () => {
  const element = document.querySelector('glasshouse-gpt, #cell > *');
  const status = element?.status?.() ?? null;
  return status === null ? null : { ...status, losses: element.losses() };
};`;
const FRAME_TELLS = `let status = null, losses = [];
window.told = () => status === null ? null : { ...status, losses };
addEventListener('message', ({ data, source }) => {
  const ask = (call) => source.postMessage({ glasshouse: 1, id: call, call }, '*');
  if (data.event === 'ready') setInterval(() => { ask('losses'); ask('status'); }, 50);
  if (data.id === 'status') status = data.result;
  if (data.id === 'losses') losses = data.result;
});`;
const loads = (traits: string): string => `import { load } from './loader.js';
const { source, traits } = await (await fetch('./${traits}.json')).json();
await load(source, traits);`;

/** A host page with one embedded form. */
export interface Home {
  readonly body: string;
  readonly tells: 'element' | 'frame';
  readonly module?: string;
  readonly headers?: Headers;
  /** Where the run must train: `page` means time slices on the main thread, without a worker. */
  readonly place: 'worker' | 'page';
  /** The place in an engine that differs, by its name. */
  readonly placeIn?: Readonly<Record<string, 'worker' | 'page'>>;
  /** Pattern of console errors that this host page causes. */
  readonly breaks?: RegExp;
}

const FRAGMENT = 'show=loss&steps=200&stop=7&host=*';
const ELEMENT = '<glasshouse-gpt show="loss" settings="steps=200" stop="7"></glasshouse-gpt>';
const POLICY = "default-src 'none'; connect-src 'self'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'"; // prettier-ignore

interface Places {
  readonly host: Host;
  readonly cdn: Host;
  readonly strict: Host;
}

const frame = (attributes = '', url = siteUrl('embed.html')): string =>
  `<iframe src="${url}#${FRAGMENT.replaceAll('&', '&amp;')}" width="800" height="600" ${attributes}></iframe>`;
const element = { body: ELEMENT, tells: 'element', place: 'worker' } as const;
const inFrame = { body: frame(), tells: 'frame', place: 'worker' } as const;
const widget = { ...element, body: '<div id="cell"></div>', module: '/loads-text.js' } as const;

/** Functions, because the hosts' addresses are known only at run time. */
export const HOMES = {
  'a frame of another site': () => inFrame,
  'a frame in a sandbox that allows nothing but scripts': () => ({
    ...inFrame,
    body: frame('sandbox="allow-scripts"'),
    // WebKit starts no worker in a frame with an opaque origin.
    placeIn: { webkit: 'page' },
  }),
  'a frame in a learning platform’s sandbox': () => ({
    ...inFrame,
    body: frame(
      'sandbox="allow-scripts allow-same-origin allow-forms allow-popups" loading="lazy" allow="clipboard-write"',
    ),
  }),
  'a frame in a page that is isolated': () => ({
    ...inFrame,
    body: frame('allow="cross-origin-isolated"'),
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  }),
  'a frame in a page whose policy allows it and nothing else': () => ({
    ...inFrame,
    headers: { 'Content-Security-Policy': "default-src 'none'; script-src 'self'; frame-src *" },
  }),
  'a frame of a host that sends no headers': (at) => ({
    ...inFrame,
    body: frame('', `${at.host.url}site/embed.html`),
  }),
  'a frame that refuses workers': (at) => ({
    ...inFrame,
    body: frame('', `${at.strict.url}site/embed.html`),
    place: 'page',
    breaks: /worker-src/,
  }),
  'an element': () => element,
  'an element from another origin': (at) => ({
    ...element,
    module: `${at.cdn.url}site/embed/element.mjs`,
  }),
  'an element under a strict policy': () => ({
    ...element,
    headers: { 'Content-Security-Policy': `${POLICY}; worker-src 'self'` },
  }),
  'an element where workers are refused': () => ({
    ...element,
    headers: { 'Content-Security-Policy': `${POLICY}; worker-src 'none'` },
    place: 'page',
    breaks: /Creating a worker from/,
  }),
  'a widget, from another origin': () => ({ ...widget, module: '/loads-address.js' }),
  'a widget, from the text that a kernel sends': () => widget,
  'a widget under a policy that refuses its worker': (at) => ({
    ...widget,
    module: '/loads-address.js',
    headers: {
      'Content-Security-Policy': `script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' ${at.cdn.origin}; worker-src 'self'`,
    },
    place: 'page',
    breaks: /blob:/,
  }),
} as const satisfies Readonly<Record<string, (at: Places) => Home>>;

export type HomeName = keyof typeof HOMES;

/** Host pages whose Chromium coverage duplicates another host page or an example. */
export const REPEATED: readonly string[] = [
  // Tests of training after becoming visible cover the next two.
  'a frame of another site',
  'an element',
  // The example for Moodle and Canvas covers the next two.
  'a frame in a learning platform’s sandbox',
  'a frame in a page whose policy allows it and nothing else',
  // The host page whose policy refuses workers covers the next one.
  'a widget, from another origin',
] satisfies readonly HomeName[];

/** Starts the hosts of all host pages; the result opens any of them in a page. */
export async function startHomes() {
  const host = await startHost();
  const cdn = await startHost({ siteHeaders: { 'Access-Control-Allow-Origin': '*' } });
  const strict = await startHost({
    siteHeaders: { 'Content-Security-Policy': "worker-src 'none'" },
  });
  host.put('/element-tells.js', ELEMENT_TELLS);
  host.put('/frame-tells.js', FRAME_TELLS);
  host.put('/loader.js', LOADER);
  const traits = { show: ['loss'], settings: { steps: 200 }, stop: 7 };
  const sources = {
    address: `${cdn.url}site/embed/widget.mjs`,
    text: readFileSync(join(dist, 'embed/widget.mjs'), 'utf8'),
  };
  for (const [from, source] of Object.entries(sources)) {
    host.put(`/${from}.json`, JSON.stringify({ source, traits }));
    host.put(`/loads-${from}.js`, loads(from));
  }

  return {
    host,
    cdn,
    strict,
    /** Opens a host page under the name localhost, which makes it cross-site to the frames. */
    visit: async (page: DrivenPage, { body, tells, module, headers }: Home): Promise<void> => {
      const script = module ?? (tells === 'element' ? '/site/embed/element.mjs' : undefined);
      const teller = `<script src="/${tells}-tells.js"></script>`;
      const ours = script === undefined ? '' : `<script type="module" src="${script}"></script>`;
      host.put('/lesson.html', html(body, teller + ours), headers);
      await page.goto(`${host.url.replace('127.0.0.1', 'localhost')}lesson.html`);
    },
    close: async (): Promise<void> => {
      for (const each of [host, cdn, strict]) await each.close();
    },
  };
}

export type Homes = Awaited<ReturnType<typeof startHomes>>;

export const told = (page: DrivenPage): Promise<Told | null> =>
  page.evaluate(() => (globalThis as Teller).told?.() ?? null);

/** Waits for step 7; returns its loss and where the run trains. */
export async function lossOfSeven(page: DrivenPage): Promise<{ loss: number; place: string }> {
  // Polled from here, so that a failure names the last status.
  const now = await eventually(
    () => told(page),
    (one) => one !== null && one.step >= 7 && one.losses.length >= 7,
  );
  return { loss: now!.losses[6]!, place: now!.place };
}
