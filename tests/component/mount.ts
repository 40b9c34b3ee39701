/**
 * Mounts instruments on a recording, in a real browser without engine or network. Each test file
 * has one page; each test mounts a new app. A test refers only to ids of instruments, the recording
 * and the document.
 */
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import './storage.ts';
import { atRest, controlsOf, openFolds } from '../browser/driver.ts';
import type { Controls } from '../browser/driver.ts';
import { openPage, sharedChromium } from '../browser/harness.ts';
import type { WatchedPage } from '../browser/harness.ts';
import { Recorder } from '../recordings/recorder.ts';

const root = join(import.meta.dirname, '../..');
const ORIGIN = 'https://component.test/';

/** Recordings by name, each with the address parameters of its runs. */
export const RECORDINGS = {
  /** The default page: names, 60 steps. */
  names: 'steps=60',
  /** Default settings; no test trains to the end. */
  untouched: '',
  /** Two blocks with few numbers, so that tests can check each. */
  small: 'steps=60&layers=2&channels=16&heads=2&context=12',
  /** Byte tokens: characters of several tokens, and every text is readable. */
  moby: 'text=moby&steps=60&layers=1&channels=16',
  /** Over a thousand different characters, each a token. */
  tang: 'text=tang&steps=20&layers=1&channels=16',
  /** BPE tokens learned from the names. */
  pieces: 'preset=gpt2&text=names&vocabulary=300&layers=1&channels=16&heads=1&context=16&steps=20',
  /** A tiny model with held-out text. */
  held: 'steps=60&validation=0.1&layers=1&channels=8&heads=1&lr=0.01',
  /** The tiny model of `held`, without held-out text. */
  whole: 'steps=60&validation=0&layers=1&channels=8&heads=1&lr=0.01',
  /** A run that diverges. */
  diverged: 'steps=60&layers=1&channels=16&lr=10&schedule=constant&weight_decay=10',
  /** A few lines as the reader's own text, soon memorised. */
  lines:
    'preset=microgpt&steps=60&validation=0&layers=1&channels=16&heads=1&context=16&batch=8&lr=0.02',
  /** The reader's own text and shuffled copies of it, quickly learned. */
  control: 'preset=microgpt&steps=60&layers=1&channels=32&heads=2&batch=8&lr=0.02',
  /** Two lines that the model copies letter by letter at the end. */
  heart:
    'preset=tinygpt&tokenizer=char&steps=100&validation=0&layers=1&channels=16&heads=2&context=16&batch=16&lr=0.02',
  /** A continuous text, after only four steps. */
  stream:
    'preset=tinygpt&tokenizer=char&steps=4&validation=0&layers=1&channels=8&heads=1&context=8&batch=2',
  /** A rhyme as the reader's own text, soon memorised, with or without held-out text. */
  rhyme: 'preset=tinygpt&layers=1&channels=32&context=16&batch=8&steps=60&lr=0.01',
  /** Random letters: the validation loss soon rises. */
  chance:
    'preset=gpt2&tokenizer=char&steps=100&validation=0.2&layers=1&channels=32&heads=2&context=8&batch=8&lr=0.02&warmup=0',
  /** Too many steps for a dot each, and one step with a high loss. */
  spike: 'steps=1502&layers=1&channels=4&heads=1&context=8&lr=0.05&seed=5',
} as const;

export type RecordingName = keyof typeof RECORDINGS;

/** A mounted component, with the controls of the page around it. */
export interface Component extends Controls, WatchedPage {
  /** Trains to this step, or to the end of the run. */
  readonly train: (step?: number) => Promise<void>;
  /** Advances the training run to this step (with `stepwise`), without pausing it. */
  readonly advance: (step: number) => Promise<void>;
  /** Holds back answers of this Trainer method until `release`. */
  readonly hold: (method: string) => Promise<void>;
  readonly release: (method: string) => Promise<void>;
  /** Makes this Trainer method fail with this error code; null: removes the failure. */
  readonly fail: (method: string, code: string | null) => Promise<void>;
  /** Waits until all panels exist, all questions are answered and no frame is pending. */
  readonly rest: () => Promise<void>;
  /** Reloads the page, with its address and storage, and waits for this state of the run. */
  readonly reload: (state?: string) => Promise<void>;
}

export interface MountOptions {
  /** The step to train to first; 0 by default. */
  readonly step?: number;
  /** Address parameters added to the recording's. */
  readonly hash?: string;
  /** Parameters of a lesson: `lock=text&task=…`. */
  readonly lesson?: string;
  /** The reader's own text, instead of the sample. */
  readonly text?: string;
  readonly textName?: string;
  /** Whether the page may store data in this browser. */
  readonly keeps?: boolean;
  /** Whether runs stay at their step until `advance`. */
  readonly stepwise?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
  readonly forcedColors?: 'active' | 'none';
  /** Options that need a browser context of their own, such as touch; slower to open. */
  readonly context?: BrowserContextOptions;
  /** Called with the page before the component is mounted. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** Whether to unfold settings, model files and a head's figures; false: the page's default. */
  readonly unfold?: boolean;
  /** The state of the run to wait for; `ready` by default, empty for no wait. */
  readonly state?: string;
}

/** Mounts panels or tabs by their ids (`page`: all panels) on a recording. */
export type Mount = (
  ids: string | readonly string[],
  recording: RecordingName,
  options?: MountOptions,
) => Promise<Component>;

/** Whether `make recordings` runs, which adds missing answers to the recordings. */
const isRecording = process.env['RECORD'] === '1';

/**
 * Limit for questions of a file that its recordings may lack: questions asked during an animation
 * depend on the machine. Above the limit, the tests would spend their time on training.
 */
const MOST_MISSING = 60;

const VIEWPORT = { width: 1280, height: 720 };

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * The path of the file for an address of the stage: the built page, a recording or a sample text;
 * null if the file is missing.
 */
function fileAt(path: string): string | null {
  const name = path === '' ? 'index.html' : path;
  const folders = ['build/component', 'public', 'build/recordings'];
  const places = folders.map((folder) => join(root, folder, name.replace(/^recordings\//, '')));
  return places.find((place) => existsSync(place)) ?? null;
}

/** Serves the stage to a context without a server. */
async function serveStage(page: Page): Promise<void> {
  await page.context().route(`${ORIGIN}**`, async (route) => {
    const file = fileAt(new URL(route.request().url()).pathname.slice(1));
    if (file === null && isRecording) await route.fulfill({ body: gzipSync('{"answers":[]}') });
    else if (file === null) await route.fulfill({ status: 404, body: 'not found' });
    else await route.fulfill({ body: readFileSync(file), contentType: TYPES[extname(file)] ?? '' });
  });
}

/**
 * Deletes the page's databases after pending writes; clearing them would make these writes fail.
 */
const deleteDatabases = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    window.allowStorage?.();
    const deleted = (await indexedDB.databases()).map(
      ({ name = '' }) =>
        new Promise((resolve) => {
          const request = indexedDB.deleteDatabase(name);
          request.addEventListener('success', resolve);
          request.addEventListener('error', resolve);
        }),
    );
    const late = new Promise((resolve) => {
      AbortSignal.timeout(5000).addEventListener('abort', resolve);
    });
    await Promise.race([Promise.all(deleted), late]);
  });

/** Opens one page for the tests of a file. */
export function useComponents(): Mount {
  let browser: Browser;
  const stages = new Map<string, WatchedPage>();
  const recorder = new Recorder();
  let mounted: WatchedPage | null = null;
  let hasKept = false;

  const open = async (context: BrowserContextOptions): Promise<WatchedPage> => {
    const key = JSON.stringify(context);
    const known = stages.get(key);
    if (known !== undefined) return known;
    const options = { locale: 'en-US', viewport: VIEWPORT, acceptDownloads: true, ...context };
    const stage = await openPage(browser, options);
    stages.set(key, stage);
    await serveStage(stage.page);
    await recorder.expose(stage.page);
    // No core beyond that of training: what is looked up while a run trains depends on timing, and
    // would not be in the recordings.
    await stage.page.addInitScript(() => {
      Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });
    });
    await stage.page.goto(ORIGIN);
    await stage.page.waitForFunction(() => 'stage' in window);
    return stage;
  };

  beforeAll(async () => {
    browser = await sharedChromium();
  });
  afterEach(async () => {
    const { page } = mounted ?? {};
    mounted = null;
    if (page === undefined) return;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.mouse.move(0, 0);
    await page.evaluate(() => {
      window.stage.unmount();
    });
    if (!hasKept) return;
    hasKept = false;
    await deleteDatabases(page);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.clearDataForOrigin', { origin: ORIGIN, storageTypes: 'all' });
    await devtools.detach();
  });
  afterAll(async () => {
    recorder.close();
    if (isRecording) recorder.save();
    for (const { page } of stages.values()) await page.context().close();
    const { missing } = recorder;
    if (isRecording || missing === 0) return;
    const said = `${String(missing)} questions are not in the recordings: make recordings`;
    if (missing > MOST_MISSING) throw new Error(said);
    console.log(said);
  });

  return async (ids, recording, options = {}) => {
    const { context = {}, viewport = VIEWPORT } = options;
    const stage = await open(context);
    mounted = stage;
    hasKept = options.keeps === true;
    const { page } = stage;
    if (context.viewport === undefined) await page.setViewportSize(viewport);
    const { colorScheme = 'light', reducedMotion = 'no-preference' } = options;
    await page.emulateMedia({
      colorScheme,
      reducedMotion,
      forcedColors: options.forcedColors ?? null,
    });
    await options.before?.(page);
    const words = [RECORDINGS[recording], options.hash ?? ''].filter((some) => some !== '');
    // Selects the reader's own text; by default the page would show the sample.
    if (options.text !== undefined && !/\btext=/.test(words.join('&'))) words.push('text=own');
    const how = {
      recording,
      ids: typeof ids === 'string' ? [ids] : ids,
      hash: words.join('&'),
      lesson: options.lesson ?? null,
      text: options.text ?? null,
      textName: options.textName ?? null,
      keeps: options.keeps === true,
      stepwise: options.stepwise === true,
    };
    const show = async (
      wanted: Parameters<Window['stage']['mount']>[0],
      state = 'ready',
      step?: number,
    ): Promise<void> => {
      await page.evaluate((one) => window.stage.mount(one), wanted);
      if (state !== '') await component.reach(state);
      if (step !== undefined) await component.train(step);
      if (state === '') return;
      await component.rest();
      if (options.unfold !== false && (await openFolds(page))) await component.rest();
    };
    const reload = async (state?: string): Promise<void> => {
      await page.reload();
      await page.waitForFunction(() => 'stage' in window);
      // A link or an element supplies its text once; later loads read the browser's copy.
      await show({ ...how, hash: null, text: null, textName: null }, state);
    };
    const component = Object.assign(
      Object.create(stage) as WatchedPage,
      controlsOf(page),
      drivesOf(page),
      { reload },
    );
    await show(how, options.state, options.step);
    return component;
  };
}

type Drives = Omit<Component, 'reload' | keyof Controls | keyof WatchedPage>;

function drivesOf(page: Page): Drives {
  const rest = (): Promise<void> => atRest(page);
  return {
    rest,
    train: async (step) => {
      await page.evaluate(async (until) => {
        const { trainers, app } = window.stage;
        if (until === undefined) {
          app!.start();
          return;
        }
        const before = trainers!.control.stepwise;
        trainers!.control.stepwise = true;
        app!.start();
        await new Promise<void>((resolve) => {
          const stop = app!.subscribe(({ state }) => {
            if (state !== 'running') return;
            stop();
            resolve();
          });
        });
        await trainers!.advance(until);
        if (app!.status().state === 'running') app!.pause();
        trainers!.control.stepwise = before;
      }, step);
      await page
        .locator('#run:is([data-state=paused], [data-state=finished], [data-state=diverged])')
        .waitFor({ state: 'attached' });
      await rest();
    },
    advance: async (step) => {
      await page.evaluate((until) => window.stage.trainers!.advance(until), step);
      await rest();
    },
    hold: async (method) => {
      await page.evaluate((name) => {
        window.stage.trainers!.control.held.add(name);
      }, method);
    },
    release: async (method) => {
      await page.evaluate((name) => {
        window.stage.trainers!.control.release(name);
      }, method);
    },
    fail: async (method, code) => {
      await page.evaluate(
        ([name, one]) => {
          const { failing } = window.stage.trainers!.control;
          if (one === null) failing.delete(name);
          else failing.set(name, one);
        },
        [method, code] as const,
      );
    },
  };
}
