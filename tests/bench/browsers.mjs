// Finds installed browsers and starts them without a driver.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of the first of these programs that is installed. */
function find(...names) {
  const folders = (process.env.PATH ?? '').split(':');
  return names
    .flatMap((name) =>
      name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name)),
    )
    .find((path) => path !== '' && existsSync(path));
}

/** Debian installs WebKit's MiniBrowser in its library folder. */
function findMiniBrowser() {
  const folder = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
  const versions = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith('webkit2gtk-'))
    : [];
  return find(...versions.map((version) => join(folder, version, 'MiniBrowser')));
}

/** The command line of each browser, for an address and an empty profile. */
export const BROWSERS = {
  chromium: {
    program:
      process.env.CHROMIUM ??
      find('chromium', 'chromium-browser', 'google-chrome', 'chromium-headless-shell'),
    start: (program, url, profile) => [
      program,
      '--headless=new',
      '--no-sandbox', // Chromium's sandbox does not run as root, the usual user in containers
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      `--user-data-dir=${profile}`,
      url,
    ],
  },
  firefox: {
    program: find('firefox-esr', 'firefox'),
    start: (program, url, profile) => [program, '--headless', '--profile', profile, url],
  },
  webkit: {
    program: find('xvfb-run') && findMiniBrowser(),
    start: (program, url) => ['xvfb-run', '--auto-servernum', program, '--private', url],
  },
};

// An interrupted benchmark also ends its browsers.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/**
 * Starts the browser `name` on `url`. Calls `failed` if the browser exits before `close`. The
 * browser's processes form the process group `group` and end with this process.
 */
export function openBrowser(name, url, failed) {
  const { program, start } = BROWSERS[name];
  const profile = mkdtempSync(join(tmpdir(), 'glasshouse-bench-'));
  const [command, ...args] = start(program, url, profile);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', failed);
  child.on('exit', (code) => failed(new Error(`${name} ended with ${code}`)));
  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGTERM');
      return true;
    } catch {
      return false; // the process has already ended
    }
  };
  process.on('exit', kill);
  return {
    group: child.pid,
    async close() {
      process.off('exit', kill);
      child.removeAllListeners('exit');
      const gone = new Promise((resolve) => child.once('exit', resolve));
      const runs = child.exitCode === null && child.signalCode === null;
      if (kill() && runs) await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
