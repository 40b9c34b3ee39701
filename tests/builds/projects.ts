/** Projects that use the package: its tarball, the snippets of its README, and a bundler. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, createServer, preview } from 'vite';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A page served until `close`. */
export interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The tools that build a project; `packages` come from npm, empty for tools installed here. */
export interface Bundler {
  readonly packages: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly serve: (folder: string) => Promise<Served>;
}

/** The README's JavaScript snippets and its HTML snippet of the element. */
async function snippets(): Promise<{ library: string; element: string }> {
  const readme = await readFile(join(root, 'web/package/README.md'), 'utf8');
  const blocks = (language: string): string[] =>
    [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code!); // prettier-ignore
  const [first = '', second = ''] = blocks('js');
  // The bundle already contains the element's script.
  const element = blocks('html')[0]!.replace(/<script.*?<\/script>\n/, '');
  return { library: first.replace('trainer.close();', '') + second, element };
}

/** Creates a project in `folder` with the package and the bundler's packages installed. */
export async function makeProject(
  folder: string,
  { packages, files = {} }: Bundler,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { library, element } = await snippets();
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>course</title>
<body>${element}<script type="module" src="/main.js"></script></body></html>`;
  const all: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ name: 'course', private: true, type: 'module' }),
    'index.html': page,
    'library.js': `${library}\nglobalThis.library = { losses, name, same, at };\n`,
    'main.js': `import 'glasshouse/element';\nimport './library.js';\n`,
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const { stdout } = await run('npm', ['pack', join(root, 'build/package'), '--json', '--pack-destination', folder]); // prettier-ignore
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const offline = packages.length === 0 ? ['--offline'] : [];
  await run('npm', ['install', ...quiet, ...offline, `./${filename}`, ...packages], {
    cwd: folder,
  });
}

/** Runs a script of the project with Node. */
async function node(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, NODE_ENV: 'production' } as const;
  return (await run(process.execPath, args, { cwd: folder, env })).stdout;
}

/** Serves a folder of files as a site. */
async function site(folder: string): Promise<Served> {
  const server = await preview({
    ...{ root: folder, configFile: false, logLevel: 'silent', build: { outDir: '.' } },
    preview: { host: '127.0.0.1', port: 0 },
  });
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() };
}

async function dist(folder: string): Promise<Served> {
  await cp(join(folder, 'index.html'), join(folder, 'dist/index.html'));
  return site(join(folder, 'dist'));
}

/** Copies the files that the README names for bundlers that leave files behind. */
async function copyFiles(folder: string): Promise<void> {
  for (const name of ['glasshouse.wasm', 'glasshouse-threads.wasm', 'worker.mjs', 'texts']) {
    const from = join(folder, 'node_modules/glasshouse', name);
    await cp(from, join(folder, 'dist', name), { recursive: true });
  }
}

const quietly = { configFile: false, logLevel: 'silent' } as const;

/** Bundlers among this project's own dependencies. */
export const OURS: Readonly<Record<string, Bundler>> = {
  'Vite, development server': {
    packages: [],
    serve: async (folder) => {
      const server = await createServer({ ...quietly, root: folder, server: { host: '127.0.0.1', port: 0 } }); // prettier-ignore
      await server.listen();
      return { url: server.resolvedUrls!.local[0]!, close: () => server.close() };
    },
  },
  'Vite, build': {
    packages: [],
    serve: async (folder) => {
      await build({ ...quietly, root: folder, build: { target: 'esnext' } });
      return site(join(folder, 'dist'));
    },
  },
};

/** Starts a Node script that starts a server and prints its address. */
function served(folder: string, script: string): Promise<Served> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
    });
    let said = '';
    const hear = (text: string): void => {
      said += text;
      const url = /http:\/\/[\w.]+:\d+\/?/.exec(said)?.[0];
      const close = async (): Promise<void> => {
        const ended = new Promise((done) => child.once('exit', done));
        child.kill();
        await ended;
      };
      if (url !== undefined) resolve({ url, close });
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('exit', () => {
      reject(new Error(said));
    });
  });
}

/** Bundlers installed from npm for `make test-builds`. */
export const OTHERS: Readonly<Record<string, Bundler>> = {
  'Vite 7, development server': {
    packages: ['vite@7'],
    serve: (folder) =>
      served(
        folder,
        `import { createServer } from 'vite';
        const server = await createServer({ server: { host: '127.0.0.1', port: 0 } });
        await server.listen();
        console.log(server.resolvedUrls.local[0]);`,
      ),
  },
  'Vite 7, build': {
    packages: ['vite@7'],
    serve: async (folder) => {
      await node(folder, 'node_modules/vite/bin/vite.js', 'build', '--target', 'esnext');
      return site(join(folder, 'dist'));
    },
  },
  webpack: {
    packages: ['webpack@5', 'webpack-cli@6'],
    files: {
      'webpack.config.js': `export default { mode: 'production', entry: './main.js', target: 'web',
        experiments: { outputModule: true, topLevelAwait: true },
        output: { filename: 'main.js', module: true, publicPath: '/' } };`,
    },
    serve: async (folder) => {
      const cli = 'node_modules/webpack-cli/bin/cli.js';
      const said = await node(folder, cli, '--stats', 'errors-warnings');
      // webpack's warning that it cannot follow a computed folder or file name.
      if (/critical dependency/i.test(said)) throw new Error(said);
      return dist(folder);
    },
  },
  esbuild: {
    packages: ['esbuild@0.25'],
    serve: async (folder) => {
      const flags = ['--bundle', '--format=esm', '--splitting', '--outdir=dist', '--target=es2022'];
      await run(join(folder, 'node_modules/.bin/esbuild'), ['main.js', ...flags], { cwd: folder });
      await copyFiles(folder);
      return dist(folder);
    },
  },
  Rollup: {
    packages: ['rollup@4', '@rollup/plugin-node-resolve@16'],
    files: {
      'rollup.config.js': `import resolve from '@rollup/plugin-node-resolve';
        export default { input: 'main.js', output: { dir: 'dist', format: 'es' }, plugins: [resolve({ browser: true })] };`,
    },
    serve: async (folder) => {
      await node(folder, 'node_modules/rollup/dist/bin/rollup', '--config', '--silent');
      await copyFiles(folder);
      return dist(folder);
    },
  },
  Next: {
    packages: ['next@15', 'react@19', 'react-dom@19'],
    files: {
      'app/layout.jsx': `export default function Layout({ children }) {
        return <html lang="en"><body>{children}</body></html>; }`,
      'app/page.jsx': `'use client';
        import { useEffect } from 'react';
        export default function Page() {
          useEffect(() => { import('../main.js'); }, []);
          return <glasshouse-gpt sample="names" lock="settings" />; }`,
      'next.config.js': `export default { output: 'export', eslint: { ignoreDuringBuilds: true } };`,
    },
    serve: async (folder) => {
      await node(folder, 'node_modules/next/dist/bin/next', 'build');
      return site(join(folder, 'out'));
    },
  },
};
