/** Tests of the messages between a frame and its host. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { elementManifest } from '../web/embed/build/element-manifest.ts';
import { frameSchema, readCallWords } from '../web/embed/build/frame-schema.ts';
import { serveHost } from '../web/embed/host-messages.ts';
import type { HostWire } from '../web/embed/host-messages.ts';
import { failure } from '../web/engine/errors.ts';
import { COMMANDS, HOST } from '../web/store/host/host.ts';
import type { Asked, Host, Status } from '../web/store/host/host.ts';

const SCHOOL = 'https://school.example';
const STATUS: Status = {
  ...{ state: 'ready', step: 0, steps: 60, loss: null, smoothedLoss: null, validationLoss: null },
  ...{ preset: 'microgpt', place: 'worker', error: null },
};

interface Conversation {
  readonly sent: { readonly message: Record<string, unknown>; readonly to: string }[];
  readonly host: Host;
  readonly hear: (data: unknown, origin?: string) => void;
  readonly stop: () => void;
}

/** A frame that allows calls of SCHOOL; `ask` answers questions. */
function converse(ask: Host['ask'] = () => Promise.resolve(null)): Conversation {
  const sent: Conversation['sent'] = [];
  let listener: Parameters<HostWire['listen']>[0] = () => undefined;
  const wire: HostWire = {
    send: (message, to) => sent.push({ message: message as Record<string, unknown>, to }),
    listen: (hear) => {
      listener = hear;
      return () => {
        listener = () => undefined;
      };
    },
  };
  const host: Host = {
    status: () => STATUS,
    losses: () => [3, 2],
    ...{ start: vi.fn(), pause: vi.fn(), step: vi.fn(), rewind: vi.fn() },
    ...{ setText: vi.fn(), setPreset: vi.fn(), setOption: vi.fn(), setView: vi.fn() },
    subscribe: () => () => undefined,
    ask,
  };
  const stop = serveHost(wire, host, (origin) => origin === SCHOOL);
  return { sent, host, stop, hear: (data, origin = SCHOOL) => listener(data, origin) };
}

/** The answer to one message of SCHOOL. */
async function answerTo(message: object, ask?: Host['ask']): Promise<Record<string, unknown>> {
  const { sent, hear } = converse(ask);
  hear(message);
  await vi.waitUntil(() => sent.length > 1);
  return sent[1]!.message;
}

const codeOf = (answer: Record<string, unknown>) =>
  (answer['error'] as { readonly code: string } | undefined)?.code;

test('answers a call with its id, to the page that made it', async () => {
  const { sent, hear } = converse();
  expect(sent).toEqual([{ message: { glasshouse: 1, event: 'ready' }, to: '*' }]);
  hear({ glasshouse: 1, id: 'a', call: 'losses' });
  await vi.waitUntil(() => sent.length > 1);
  expect(sent[1]).toEqual({ message: { glasshouse: 1, id: 'a', result: [3, 2] }, to: SCHOOL });
});

test('passes arguments on, and the step that is asked', async () => {
  const asked: unknown[] = [];
  const ask: Host['ask'] = (name, args, { at } = {}) => {
    asked.push(name, args, at);
    return Promise.resolve('text');
  };
  const message = { glasshouse: 1, id: 1, call: 'sample', args: [{ prompt: 'a' }], at: 20 };
  expect(await answerTo(message, ask)).toEqual({ glasshouse: 1, id: 1, result: 'text' });
  expect(asked).toEqual(['sample', [{ prompt: 'a' }], 20]);
});

test.each([
  ['another version', { glasshouse: 2, id: 1, call: 'status' }, 'host-version'],
  ['no call', { glasshouse: 1, id: 1 }, 'host-call'],
  ['arguments that are no list', { glasshouse: 1, call: 'start', args: 'now' }, 'host-call'],
  ['a wrong argument', { glasshouse: 1, call: 'start', args: [-1] }, 'host-call'],
  ['a text that is too long', { glasshouse: 1, call: 'setText', args: ['a'.repeat(16e6 + 1)] }, 'host-call'], // prettier-ignore
])('refuses %s', async (_, message, code) => {
  expect(codeOf(await answerTo(message))).toBe(code);
});

test('checks the arguments of every command', async () => {
  for (const [call, { args }] of Object.entries(COMMANDS)) {
    if (args.length === 0) continue;
    const wrong = args.map(() => ({}));
    expect(codeOf(await answerTo({ glasshouse: 1, call, args: wrong })), call).toBe('host-call');
  }
});

test('passes the code of a failed question on', async () => {
  const ask = () => Promise.reject(failure('paused', 'the run was paused'));
  expect(codeOf(await answerTo({ glasshouse: 1, call: 'train' }, ask))).toBe('paused');
});

test('is silent towards strangers, other messages, and its own that come back', async () => {
  const { sent, hear, host } = converse();
  hear({ glasshouse: 1, id: 1, call: 'start' }, 'https://elsewhere.example');
  for (const data of [null, 5, 'text', {}, { call: 'start' }]) hear(data);
  for (const part of ['event', 'result', 'error', 'progress']) hear({ glasshouse: 1, [part]: 1 });
  hear({ glasshouse: 1, id: 2, call: 'status' });
  await vi.waitUntil(() => sent.length > 1);
  expect(sent).toHaveLength(2);
  expect(host.start).not.toHaveBeenCalled();
});

test('tells of progress, and ends a call that is cancelled or left', async () => {
  const signals: AbortSignal[] = [];
  const ask: Host['ask'] = (_name, _args, { signal, onProgress }: Asked = {}) => {
    signals.push(signal!);
    onProgress?.('a');
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(failure('cancelled', 'the call was cancelled'));
      });
    });
  };
  const { sent, hear, stop } = converse(ask);
  hear({ glasshouse: 1, id: 7, call: 'sample', args: [{}] });
  hear({ glasshouse: 1, id: 8, call: 'train' });
  expect(sent[1]!.message).toEqual({ glasshouse: 1, id: 7, progress: 'a' });
  hear({ glasshouse: 1, id: 9, call: 'cancel', args: [7] });
  await vi.waitUntil(() => sent.length > 4);
  const ended = sent.find(({ message }) => message['id'] === 7 && 'error' in message)!;
  expect(codeOf(ended.message)).toBe('cancelled');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  stop();
  expect(signals[1]!.aborted).toBe(true);
});

test('the manifest of the element names what it has', () => {
  const words = readCallWords(join(import.meta.dirname, '..'));
  const { modules } = elementManifest(words) as {
    modules: {
      declarations: { attributes: { name: string }[]; members: { kind: string; name: string }[] }[];
    }[];
  };
  const { attributes, members } = modules[0]!.declarations[0]!;
  expect(attributes.map(({ name }) => name)).toContain('settings');
  const methods = members.filter(({ kind }) => kind === 'method').map(({ name }) => name);
  expect(methods).toContain('train');
  // Properties of these names have precedence.
  for (const name of ['sample', 'probe', 'fit']) expect(methods).not.toContain(name);
});

test('the schema has every call with its arguments', () => {
  const words = readCallWords(join(import.meta.dirname, '..'));
  const { $defs } = frameSchema(words) as {
    $defs: { call: { oneOf: { title: string; properties: Record<string, unknown> }[] } };
  };
  const calls = new Map($defs.call.oneOf.map((one) => [one.title, one.properties]));
  expect([...calls.keys()].slice(0, -3)).toEqual(Object.keys(HOST));
  const { args, at } = calls.get('sample')!;
  expect(args).toMatchObject({ minItems: 1, prefixItems: [{ title: 'request', type: 'object' }, { title: 'onText?' }] }); // prettier-ignore
  expect(at).toEqual({ type: 'integer', minimum: 0 });
});
