/**
 * Kills page, worker and browser at random moments, including during saves, then inspects the
 * store: the last complete save must be present, match an uninterrupted run bit for bit, and
 * resume. KILLS sets the number of kills (`make test-kill` runs 200).
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from './driver.ts';
import { chromiumArguments, needChromium, siteUrl } from './harness.ts';
import { storedSaves, UnbrokenRun } from './saved-runs.ts';

const KILLS = Number(process.env['KILLS'] ?? '4');
/** Time limit per kill, including the browser's start; generous for busy machines. */
const LIMIT = 60_000;
const names = readFileSync(join(import.meta.dirname, '../../public/texts/first-names-en.txt'));
const recipe = { preset: 'microgpt', changes: { channels: 32, steps: 10_000_000 } };
const HASH = '#channels=32&steps=10000000&pace=100';

type Victim = 'page' | 'worker' | 'browser';
/** Time of the kill: shortly after a save begins, or at a random moment of training. */
type KillTime = 'save' | 'any';

interface Running {
  readonly process: ChildProcess;
  readonly browser: Browser;
}

/** Launches a browser, with retries: some do not respond on a profile whose browser was killed. */
async function launch(profile: string): Promise<Running> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchOnce(profile);
    } catch (thrown) {
      if (attempt === 3) throw thrown;
    }
  }
}

/** Starts a browser in its own process group, so that one signal kills all its processes. */
async function launchOnce(profile: string): Promise<Running> {
  const child = spawn(
    needChromium(),
    [...chromiumArguments, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const address = await new Promise<string>((resolve, reject) => {
    let told = '';
    child.stderr.on('data', (piece: Buffer) => {
      told += piece.toString();
      const found = /DevTools listening on (ws:\S+)/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the browser ended: ${told}`)));
  });
  try {
    return { process: child, browser: await chromium.connectOverCDP(address, { timeout: 20_000 }) };
  } catch (thrown) {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    throw thrown;
  }
}

/** Kills all processes of the browser and waits until they are gone. */
async function killBrowser({ process: child, browser }: Running): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await gone;
  await browser.close().catch(() => undefined);
}

/** A seeded pseudorandom generator, which makes failures reproducible. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function openRun({ browser }: Running, saving: () => void): Promise<Page> {
  const page = await browser.contexts()[0]!.newPage();
  page.on('console', (message) => {
    if (message.text() === 'a save begins') saving();
  });
  // Logs a message when the worker sends a checkpoint to write; the transaction is then open.
  await page.addInitScript(() => {
    const workers: Worker[] = [];
    globalThis.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        workers.push(this);
      }
    };
    Object.assign(globalThis, { workers });
    IDBObjectStore.prototype.put = new Proxy(Reflect.get(IDBObjectStore.prototype, 'put'), {
      apply(put, store: IDBObjectStore, args) {
        if (store.name === 'saves') console.log('a save begins');
        return Reflect.apply(put, store, args) as IDBRequest;
      },
    });
  });
  await page.goto(siteUrl(HASH));
  await page.locator('#run[data-state="ready"]').waitFor({ state: 'attached' });
  return page;
}

describe(`a run that is killed ${KILLS} times`, () => {
  const profile = mkdtempSync(join(tmpdir(), 'glasshouse-kills-'));
  const alive: Running[] = [];

  afterAll(async () => {
    for (const running of alive) await killBrowser(running).catch(() => undefined);
    rmSync(profile, { recursive: true, force: true });
  });

  it(
    'always has its last complete save, with the bits of one that never stopped',
    { timeout: KILLS * LIMIT },
    async () => {
      const random = dice(2);
      const unbroken = await UnbrokenRun.begin(names, recipe);
      let running = await launch(profile);
      alive.push(running);
      let reached = 0;
      let during = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const victim: Victim = (['page', 'worker', 'browser'] as const)[kill % 3]!;
        const time: KillTime = kill % 2 === 0 ? 'save' : 'any';
        let begun = 0;
        let onSave: () => void = () => undefined;
        const page = await openRun(running, () => {
          begun += 1;
          onSave();
        });
        if (kill === 0) await page.getByRole('button', { name: 'Start', exact: true }).click();
        else await page.getByRole('button', { name: 'Continue the run', exact: true }).click();
        await page.locator('#run[data-state="running"]').waitFor({ state: 'attached' });
        // Waits for one complete save after each restart, so that every kill can lose new steps.
        await eventually(
          () => storedSaves(page),
          (saves) => saves.some(({ newest, step }) => newest && step > reached),
          LIMIT,
        );
        const wait = random() * (time === 'save' ? 12 : 1000);
        if (time === 'save') {
          const before = begun;
          await new Promise<void>((resolve) => {
            onSave = resolve;
            if (begun > before) resolve();
          });
          during += 1;
        }
        await page.waitForTimeout(wait);
        if (victim === 'browser') {
          await killBrowser(running);
          alive.pop();
          running = await launch(profile);
          alive.push(running);
        } else if (victim === 'worker') {
          // Terminates the worker abruptly; its page lives a little longer.
          await page.evaluate(() => {
            const { workers } = globalThis as unknown as { workers: Worker[] };
            for (const worker of workers) worker.terminate();
          });
          await page.close();
        } else {
          const crashed = page.waitForEvent('crash');
          const session = await page.context().newCDPSession(page);
          session.send('Page.crash').catch(() => undefined);
          await crashed;
          await page.close().catch(() => undefined);
        }
        // A text file of the site gives access to the store without running the app.
        const looking = await running.browser.contexts()[0]!.newPage();
        await looking.goto(siteUrl('texts/first-names-en.txt'));
        const saves = await storedSaves(looking);
        await looking.close();
        const newest = saves.filter((save) => save.newest);
        expect(newest.length, `kill ${kill} of the ${victim}`).toBe(1);
        // Both stored saves must be complete: the older one is the fallback for a damaged newest.
        for (const save of saves.sort((a, b) => a.step - b.step)) {
          if (save.step <= reached && !save.newest) continue;
          const wanted = await unbroken.digestAt(save.step, 'names');
          expect(save.digest, `kill ${kill} of the ${victim}, step ${save.step}`).toBe(wanted);
        }
        expect(newest[0]!.step).toBeGreaterThan(reached);
        reached = newest[0]!.step;
        if ((kill + 1) % 10 === 0) console.log(`${kill + 1} kills, ${reached} steps, nothing lost`);
      }
      unbroken.close();
      console.log(
        `${KILLS} kills, ${during} of them during a save, ${reached} steps: none was lost`,
      );
    },
  );
});
