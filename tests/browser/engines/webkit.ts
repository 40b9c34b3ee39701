/**
 * Implements the interface of driven-page.ts for WebKitGTK: its WebDriver starts MiniBrowser on a
 * virtual screen. WebKitGTK has SIMD but no shared memory, so it covers the single-thread path.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { eventually } from '../driver.ts';
import {
  LOOK,
  clickMissed,
  clickUntilItComes,
  elementsThatMayBe,
  keyCodes,
  namesOfRole,
  pointToClick,
  roleSelectors,
} from './driven-page.ts';
import type { BrowserEngine, DrivenPage, InPage, Role } from './driven-page.ts';
import { findProgram } from './find-program.ts';
import { createSavedFiles } from './saved-files.ts';
import type { SavedFiles } from './saved-files.ts';
import { ask, WebDriver } from './webdriver.ts';
import type { ElementId } from './webdriver.ts';

/** Finds WebKit's MiniBrowser, which Debian installs in a library folder. */
function findMiniBrowser(): string | null {
  const folder = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
  const versions = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith('webkit2gtk-'))
    : [];
  return findProgram(...versions.map((version) => join(folder, version, 'MiniBrowser')));
}

const driverProgram = findProgram('WebKitWebDriver');
const browserProgram = findMiniBrowser();
const screenProgram = findProgram('Xvfb');

/** Starts a virtual screen; returns its display name, such as ":7", once it is ready. */
async function startScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn(
    screenProgram!,
    ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const number = await new Promise<string>((resolve, reject) => {
    let text = '';
    (screen.stdio[3] as Readable).on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('\n')) resolve(text.trim());
    });
    screen.on('exit', (code) => reject(new Error(`Xvfb ended with ${String(code)}`)));
    screen.on('error', reject);
  });
  return { screen, display: `:${number}` };
}

/** Finds a free port. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

async function launch(): Promise<DrivenPage> {
  const home = mkdtempSync(join(tmpdir(), 'glasshouse-webkit-'));
  const files = createSavedFiles();
  writeFileSync(join(home, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${files.folder}"\n`);
  const { screen, display } = await startScreen();
  const port = await freePort();
  // The browser stores all its data in a temporary home folder.
  const folders = { HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home };
  const service = spawn(driverProgram!, [`--port=${String(port)}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      ...folders,
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      LC_ALL: 'C.UTF-8', // with the locale C, WebKit's language is "C", which Intl rejects
      NO_AT_BRIDGE: '1',
      // Renders in software: the test machine has no GPU.
      LIBGL_ALWAYS_SOFTWARE: '1',
      MESA_SHADER_CACHE_DISABLE: 'true',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', // root, as in containers, has no sandbox
    },
  });
  const stop = async (): Promise<void> => {
    await end(service);
    await end(screen);
    // Browser processes may still be writing while they exit, hence the retries.
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    files.remove();
  };
  try {
    await eventually(
      () => ask(port, 'GET', '/status').catch(() => service.exitCode),
      (answer) => answer !== null,
    );
    const driver = await WebDriver.create(port, {
      'webkitgtk:browserOptions': {
        binary: browserProgram,
        args: ['--automation'],
      },
    });
    await driver.resize(1280, 900);
    return drive(driver, files, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs in the page. Records later errors, because WebKit's driver has no access to the console. */
function collectProblems(): void {
  const problems: string[] = [];
  Object.assign(globalThis, { collectedProblems: problems });
  const { error } = console;
  console.error = (...words: unknown[]) => {
    problems.push(`console: ${words.map(String).join(' ')}`);
    error.apply(console, words);
  };
  addEventListener('error', (event) => problems.push(`exception: ${event.message}`));
  addEventListener('unhandledrejection', (event) => {
    problems.push(`exception: ${String(event.reason)}`);
  });
  addEventListener('securitypolicyviolation', (event) => {
    problems.push(`policy: ${event.violatedDirective} ${event.blockedURI}`);
  });
}

function drive(driver: WebDriver, files: SavedFiles, stop: () => Promise<void>): DrivenPage {
  const evaluate = <Args extends readonly unknown[], Result>(
    body: InPage<Args, Result>,
    ...args: Args
  ): Promise<Result> => driver.evaluate(body.toString(), args) as Promise<Result>;

  /**
   * Waits for the one visible element with this role and name. Elements may be removed meanwhile.
   */
  async function find(role: Role, name: string, limit?: number): Promise<ElementId> {
    const found = await eventually(
      async () => {
        const matching: ElementId[] = [];
        const source = elementsThatMayBe.toString();
        for (const element of await driver.elements(source, [roleSelectors[role], name])) {
          const fits = async (): Promise<boolean> =>
            (await driver.label(element)) === name &&
            namesOfRole(role).includes(await driver.role(element));
          if (await fits().catch(() => false)) matching.push(element);
        }
        return matching;
      },
      (elements) => elements.length > 0,
      limit,
    );
    if (found.length > 1) throw new Error(`there are ${found.length} of ${role} "${name}"`);
    return found[0]!;
  }

  return {
    problems: () =>
      evaluate(
        () => (globalThis as { collectedProblems?: readonly string[] }).collectedProblems ?? [],
      ),
    evaluate,
    goto: async (url) => {
      await driver.goto(url);
      await evaluate(collectProblems);
    },
    waitFor: (body, ...args) => eventually(() => evaluate(body, ...args), Boolean),
    click: (role, name) =>
      clickUntilItComes({
        name,
        point: async (now) => driver.evaluateOn(await find(role, now, LOOK), pointToClick),
        clickAt: (point) => driver.clickAt(point),
        missed: () => evaluate(clickMissed),
      }),
    fill: async (role, name, text) => {
      const field = await find(role, name);
      await driver.clear(field);
      await driver.type(field, text);
    },
    choose: async (name, option) => {
      for (const one of await driver.elementsBelow(await find('combobox', name), 'option')) {
        if ((await driver.text(one)) === option) return driver.click(one);
      }
      throw new Error(`"${name}" has no option "${option}"`);
    },
    focus: async (role, name) => driver.focus(await find(role, name)),
    press: (key) => driver.press(keyCodes[key]),
    saved: (ending) => files.take(ending),
    screenshot: () => driver.screenshot(),
    close: async () => {
      await driver.close();
      await stop();
    },
  };
}

const lacking = [
  driverProgram === null || browserProgram === null ? 'webkit2gtk-driver' : '',
  screenProgram === null ? 'xvfb' : '',
].filter(Boolean);

export const webkit: BrowserEngine = {
  name: 'webkit',
  missing: lacking.length > 0 ? `there is no WebKitGTK (Debian: ${lacking.join(', ')})` : null,
  launch,
};
