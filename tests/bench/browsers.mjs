// The browsers that are installed, started without a driver.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The first of these programs that there is. */
function find(...names) {
  const folders = (process.env.PATH ?? '').split(':');
  return names
    .flatMap((name) =>
      name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name)),
    )
    .find((path) => path !== '' && existsSync(path));
}

/** Debian keeps WebKit's little browser among the libraries. */
function findMiniBrowser() {
  const folder = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
  const versions = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith('webkit2gtk-'))
    : [];
  return find(...versions.map((version) => join(folder, version, 'MiniBrowser')));
}

/** How each browser is started on an address with an empty profile of its own. */
export const BROWSERS = {
  chromium: {
    program:
      process.env.CHROMIUM ??
      find('chromium', 'chromium-browser', 'google-chrome', 'chromium-headless-shell'),
    start: (program, url, profile) => [
      program,
      '--headless=new',
      '--no-sandbox', // root, as in containers, cannot have the sandbox
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

// An interrupted run takes its browsers along.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/**
 * Starts the browser `name` on `url`; `failed` hears of an end that nobody asked for. Its processes
 * are a group of their own, `group`, which end with ours.
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
      return false; // it has ended already
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
