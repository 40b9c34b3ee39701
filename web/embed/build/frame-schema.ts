/** Writes the JSON Schema of the messages between a frame and the page around it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Call, Kind } from '../../engine/interface/call.ts';
import { HOST } from '../../store/host/host.ts';
import type { Status } from '../../store/host/host.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What a call does, by language. */
export type CallWords = Readonly<Record<keyof typeof HOST, Readonly<Record<'en' | 'zh', string>>>>;

/** Reads the words of the calls; throws if a call has none, or if words belong to no call. */
export function readCallWords(root: string): CallWords {
  const words = JSON.parse(
    readFileSync(join(root, 'web/docs/host-calls.json'), 'utf8'),
  ) as CallWords;
  const [told, known] = [Object.keys(words).sort(), Object.keys(HOST).sort()];
  if (told.join() !== known.join()) {
    throw new Error(`docs/host-calls.json has words for ${told.join()}, and not ${known.join()}`);
  }
  return words;
}

/** JSON Schema of each kind of argument; kinds outside of JSON have a description only. */
const KINDS: Readonly<Record<Kind, Schema>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  whole: { type: 'integer', minimum: 0 },
  count: { type: 'integer', minimum: 1 },
  flag: { type: 'boolean' },
  list: { type: 'array' },
  object: { type: 'object' },
  recipe: { type: ['object', 'null'] },
  origin: { type: 'object' },
  request: { type: 'object' },
  pace: { type: ['number', 'object'] },
  watch: { type: 'object' },
  way: { type: 'object' },
  moments: { type: 'array' },
  file: { description: 'a Blob, a File or bytes' },
  bytes: { description: 'a string or bytes in UTF-8, or a list of bytes' },
  progress: { type: 'null', description: 'progress comes in messages of its own' },
};

const STATUS: Readonly<Record<keyof Status, Schema>> = {
  state: { enum: ['loading', 'blocked', 'ready', 'running', 'paused', 'finished', 'diverged'] },
  step: { type: 'integer' },
  steps: { type: 'integer' },
  loss: { type: ['number', 'null'] },
  smoothedLoss: { type: ['number', 'null'] },
  validationLoss: { type: ['number', 'null'] },
  preset: { type: 'string' },
  place: { enum: ['worker', 'page'] },
  error: { type: ['object', 'null'] },
};

const VERSION = { const: 1 };
const ID = { description: 'any value, repeated in the answer' };

function objectOf(properties: Readonly<Record<string, Schema>>, optional: string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

function callOf(name: string, { args, atAnyStep }: Call, description: string): Schema {
  const pairs = args.map((arg) => arg.split(': ') as [string, Kind]);
  const prefixItems = pairs.map(([title, kind]) => ({ title, ...KINDS[kind] }));
  const minItems = pairs.filter(([title]) => !title.endsWith('?')).length;
  const at = atAnyStep === true ? { at: { type: 'integer', minimum: 0 } } : {};
  return {
    title: name,
    description,
    ...objectOf(
      {
        glasshouse: VERSION,
        id: ID,
        call: { const: name },
        args: { type: 'array', prefixItems, minItems },
        ...at,
      },
      ['id', 'at', ...(minItems === 0 ? ['args'] : [])],
    ),
  };
}

/** The schema: `call` of messages to the frame, `answer` and `event` of messages from it. */
export function frameSchema(words: CallWords): Schema {
  const calls = (Object.keys(HOST) as (keyof typeof HOST)[]).map((name) =>
    callOf(name, HOST[name], words[name].en),
  );
  const more: readonly [string, Call, string][] = [
    ['subscribe', { args: [] }, 'asks for an event at every change of the status'],
    ['unsubscribe', { args: [] }, 'ends these events'],
    ['cancel', { args: ['id: number'] }, 'ends a call, which then fails with "cancelled"'],
  ];
  const error = objectOf({ code: { type: 'string' }, message: { type: 'string' } });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Messages between a frame of Glasshouse and the page around it, version 1',
    $defs: {
      call: { oneOf: [...calls, ...more.map((one) => callOf(...one))] },
      answer: {
        oneOf: [
          objectOf({ glasshouse: VERSION, id: ID, result: {} }),
          objectOf({ glasshouse: VERSION, id: ID, error }),
          objectOf({ glasshouse: VERSION, id: ID, progress: {} }),
        ],
      },
      event: {
        oneOf: [
          objectOf({ glasshouse: VERSION, event: { const: 'ready' } }),
          objectOf({ glasshouse: VERSION, event: { const: 'status' }, status: objectOf(STATUS) }),
          objectOf({ glasshouse: VERSION, event: { const: 'height' }, height: { type: 'number' } }),
        ],
      },
    },
    oneOf: ['call', 'answer', 'event'].map((name) => ({ $ref: `#/$defs/${name}` })),
  };
}

/** Adds the schema to the site. */
export function frameSchemaFile(root: string): Plugin {
  return {
    name: 'frame-schema',
    apply: 'build',
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: 'schema/frame.schema.json',
        source: `${JSON.stringify(frameSchema(readCallWords(root)), null, 2)}\n`,
      });
    },
  };
}
