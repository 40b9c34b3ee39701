// Contenders as processes that train on request; child.mjs defines the messages.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CONFIGS } from '../configs.mjs';
import { tokensOf } from './batches.mjs';

const folder = import.meta.dirname;

/** Starts a process and waits for its "ready". */
async function start(facts, command, args, env = {}) {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true, // a process group with measurable CPU time; it ends when our pipe closes
    env: { ...process.env, ...env },
  });
  child.stdin.on('error', () => {}); // the process has ended: the next read reports it
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('it ended without an answer');
    return value;
  };
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  while ((await next()) !== 'ready');
  return {
    ...facts,
    group: child.pid,
    /** Trains for this many seconds; returns steps per second, last loss and threads in use. */
    async train(seconds) {
      child.stdin.write(`${seconds}\n`);
      return JSON.parse(await next());
    },
    end() {
      child.kill();
    },
  };
}

/** Starts our engine or a JavaScript peer in Node. */
export const inNode = (peer, name, threads) =>
  start({ peer, engine: 'node', threads }, process.execPath, [
    join(folder, 'child.mjs'),
    peer,
    name,
    String(threads),
  ]);

/** Starts PyTorch with the system's Python. */
export function torch(root, name, threads) {
  const tokens = join(root, 'build/peers', `${name}.tokens`);
  mkdirSync(join(tokens, '..'), { recursive: true });
  writeFileSync(tokens, Uint8Array.from(tokensOf(name)));
  return start(
    { peer: 'torch', engine: 'native', threads },
    '/usr/bin/python3',
    [join(folder, 'torch_step.py'), JSON.stringify(CONFIGS[name]), tokens, String(threads)],
    { OMP_NUM_THREADS: String(threads) },
  );
}
