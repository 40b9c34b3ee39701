/**
 * Backward compatibility: files and promises of version ca373f4f (fixtures/frozen/README.md), read
 * by the current code. browser/frozen.test.ts tests the page.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addresses, fragments, hosts, meaningOf, PACKED_TEXTS, snippets, VOCABULARY } from './frozen/addresses.ts'; // prettier-ignore
import { runCommands } from './frozen/command-line.ts';
import { exportAll, EXPORTED } from './frozen/exports.ts';
import { callPackage, describePackage } from './frozen/package-calls.ts';
import type { Call } from './frozen/package-calls.ts';
import { sha256 } from './frozen/plain.ts';
import { checkpointOf, folder, openPackage, RUNS, tellEnd, textOf, train } from './frozen/runs.ts';
import { readRunFile } from '../web/store/runs/run-file.ts';
import type { RunRecord } from '../web/store/runs/run-record.ts';
import { unpackText } from '../web/store/text/packed-text.ts';

const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const library = await openPackage();

type End = Awaited<ReturnType<typeof tellEnd>>;
const ends = read('runs.json') as Record<string, Omit<End, 'json'>>;
const receiptOf = (name: string): string => readFileSync(join(folder, `runs/${name}.json`), 'utf8');

describe('a frozen run', () => {
  test.each(RUNS)('trains on from its checkpoint to the same bits: $name', async (run) => {
    const trainer = await library.createTrainer();
    await trainer.setText(textOf(run.text), { read: 'as-is' });
    const files = { weights: checkpointOf(run.name) };
    await trainer.prepare(null, { files, purpose: 'resume' });
    await train(library, trainer, run, run.half);
    const { json, losses, ...end } = await tellEnd(trainer);
    const { losses: frozen, ...rest } = ends[run.name]!;
    expect(end).toEqual(rest);
    // A weights file contains no losses of earlier steps.
    expect(losses.slice(run.half)).toEqual(frozen.slice(run.half));
    expect(json).toBe(receiptOf(run.name));
    trainer.close();
  });

  test.each(RUNS)('has a receipt that its texts verify: $name', async (run) => {
    const parent = RUNS.find(({ name }) => name === run.parent);
    const texts = [run, ...(parent === undefined ? [] : [parent])].map(({ text }) => textOf(text));
    const finding = await library.verifyReceipt(receiptOf(run.name), texts);
    const steps = ends[run.name]!.step + (parent === undefined ? 0 : parent.half);
    expect(finding).toMatchObject({ same: true, done: steps, steps });
  });
});

/** Frozen calls, each after its name. Answers may gain members of objects, not items of lists. */
const transcript = (calls: readonly Call[]) => calls.map((call) => [call.call, call] as const);

describe('the package', () => {
  const frozen = read('library.json') as Awaited<ReturnType<typeof describePackage>> & {
    readonly calls: readonly Call[];
  };

  test('has every export and method', async () => {
    const { trainer, ...rest } = await describePackage(library);
    const { trainer: methods, exports, error } = frozen;
    expect(rest).toMatchObject({ exports, error });
    expect(trainer).toEqual(expect.arrayContaining(methods));
  });

  test('answers every call of a script as before', async () => {
    const calls = await callPackage(library);
    expect(calls.map(({ call }) => call)).toEqual(frozen.calls.map(({ call }) => call));
    for (const [index, [name, call]] of transcript(frozen.calls).entries()) {
      expect(calls[index], `call ${index}, ${name}`).toMatchObject(call);
    }
  });
});

test.each(EXPORTED)('files of a checkpoint have the same bytes: %s', async (name) => {
  const frozen = read('exports.json') as Record<string, Record<string, unknown>>;
  const files = await exportAll(library, name);
  if (name === 'microgpt') {
    for (const path of readdirSync(join(folder, 'exports'), {
      recursive: true,
      encoding: 'utf8',
    })) {
      if (!(path in files)) continue;
      const text = readFileSync(join(folder, 'exports', path), 'latin1');
      expect(Buffer.from(files[path] as Uint8Array).toString('latin1'), path).toBe(text);
    }
  }
  const sums = Object.entries(files).map(([form, made]) => [
    form,
    typeof made === 'string' ? made : { bytes: made.length, sha256: sha256(made) },
  ]);
  expect(Object.fromEntries(sums)).toMatchObject(frozen[name]!);
});

describe('a run file', () => {
  const store = read('store.json') as {
    readonly text: string;
    readonly losses: string;
    readonly receipts: Readonly<Record<string, string>>;
    readonly databases: { readonly glasshouse: { readonly runs: readonly RunRecord[] } };
  };
  const open = (name: string) =>
    readRunFile(new Blob([readFileSync(join(folder, `run-files/${name}.glasshouse`))]), name);

  test.each([
    ['paused', 20],
    ['forked', 60],
    ['finished', 60],
  ])('gives back the record of its run: %s', async (name, step) => {
    const { facts, save, text } = await open(name);
    const records = store.databases.glasshouse.runs;
    const record = records.find(({ created }) => created === facts.created)!;
    const { recipe, steps, loss } = record;
    expect(facts).toMatchObject({
      name: record.name,
      recipe,
      step,
      steps,
      loss,
      text: record.text,
    });
    // The reader left the text out of the download.
    expect(await text?.text()).toBe(name === 'finished' ? undefined : store.text);
    const { losses } = save.history;
    expect(losses).toHaveLength(step);
    if (name !== 'paused') return;
    const rows = store.losses.trim().split('\r\n').slice(1);
    expect([...losses].map(String)).toEqual(rows.map((row) => row.split(',')[1]));
  });

  test('trains on to the receipt of the run that the page trained', async () => {
    const { save } = await open('paused');
    const trainer = await library.createTrainer();
    await trainer.setText(store.text);
    const origin = { purpose: 'resume', history: save.history } as const;
    await trainer.prepare(null, { ...origin, files: { weights: save.file } });
    expect((await trainer.receipt()).line).toBe(store.receipts['paused']);
    await library.finishRun(trainer);
    expect((await trainer.receipt()).line).toBe(store.receipts['end']);
    trainer.close();
  });
});

describe('an address', async () => {
  const frozen = read('addresses.json') as {
    readonly vocabulary: Readonly<Record<string, readonly unknown[]>>;
    readonly packedTexts: readonly string[];
    readonly meanings: readonly Awaited<ReturnType<typeof meaningOf>>[];
    readonly fragments: unknown;
    readonly hosts: unknown;
    readonly snippets: unknown;
  };
  const trainer = await library.createTrainer();
  const table = await trainer.options();
  trainer.close();

  test.each(Object.entries(frozen.vocabulary))('may contain all of these: %s', (kind, names) => {
    expect(VOCABULARY[kind as keyof typeof VOCABULARY]).toEqual(expect.arrayContaining([...names]));
  });

  test('means the same, and is written with the same words, beside text and preset', async () => {
    for (const { written, ...meaning } of frozen.meanings) {
      const now = await meaningOf(meaning.address, table);
      expect(now, `#${meaning.address}`).toMatchObject(meaning);
      const [before, after] = [written, now.written].map((hash) => hash.slice(1));
      const named = [...new URLSearchParams(after)].filter(
        ([name]) => !['text', 'preset'].includes(name) || new URLSearchParams(before).has(name),
      );
      expect(named).toEqual([...new URLSearchParams(before)]);
    }
    // Current options and tabs are in the frozen table, or are new.
    const known = new Set(frozen.meanings.map(({ address }) => address));
    expect((await addresses(table)).filter((one) => known.has(one)).length).toBeGreaterThan(200);
  });

  test('that holds a packed text unpacks to its bytes', async () => {
    const packed = frozen.meanings.filter(({ address }) => /^packed=[^&]*$/.test(address));
    for (const [index, text] of frozen.packedTexts.entries()) {
      const bytes = await unpackText(packed[index]!.address.slice('packed='.length));
      expect(bytes).toEqual(new TextEncoder().encode(text));
    }
    expect(PACKED_TEXTS).toEqual(frozen.packedTexts);
  });

  test('is what the attributes of an element stand for', () => {
    expect(fragments()).toEqual(frozen.fragments);
  });

  test('names the hosts that a frame obeys', () => {
    expect(hosts()).toEqual(frozen.hosts);
  });

  test('is in the snippets for teachers, with the same words', async () => {
    expect(await unpacked(await snippets())).toEqual(
      await unpacked(frozen.snippets as Record<string, string>),
    );
  });

  /** Replaces packed texts by their plain text, because the packing may change. */
  async function unpacked(made: Readonly<Record<string, string>>): Promise<[string, string][]> {
    const texts = Object.entries(made).map(async ([form, snippet]): Promise<[string, string]> => {
      const [all, packed] = /packed=([\w-]+)/.exec(snippet) ?? [];
      if (all === undefined || packed === undefined) return [form, snippet];
      const text = new TextDecoder().decode(await unpackText(packed));
      return [form, snippet.replace(all, `packed=${text}`)];
    });
    return Promise.all(texts);
  }
});

/** A row of the table of options with numbers for values that are names: the help has had both. */
function withNumbers(row: string): string {
  const words = row.trim().split(/ +/);
  const type = words.at(-1) === 'bool' ? 'false|true' : words.at(-1)!;
  const numbers = words.slice(0, -1).map((word) => {
    const number = type.includes('|') ? type.split('|').indexOf(word) : -1;
    return number < 0 ? word : String(number);
  });
  return [...numbers, words.at(-1)].join(' ');
}

describe('the command line', () => {
  const frozen = read('command-line.json') as ReturnType<typeof runCommands>;
  const now = runCommands();

  test.each(frozen.commands.map((one, index) => [one.command, one, now.commands[index]!] as const))(
    'exits and prints as before: %s',
    (command, before, today) => {
      expect(today.command).toBe(command);
      expect(today.status).toBe(before.status);
      // Messages may change their wording; an empty message stays empty.
      expect(today.errors === '').toBe(before.errors === '');
      if (command === '--help') {
        const flags = (help: string) =>
          help.match(/(?<!\w)--[a-z-]+|^ {2}[a-z_0-9]+ {2,}.*$/gm)!.map(withNumbers);
        expect(flags(today.out)).toEqual(expect.arrayContaining(flags(before.out)));
      } else if (command.includes('--yardsticks') || command.includes('--trace')) {
        const numbers = (out: string) => out.match(/\d+\.\d+/g);
        expect(numbers(today.out)).toEqual(numbers(before.out));
      } else if (command !== '--version') {
        expect(today.out).toBe(before.out);
      }
    },
  );

  test('writes the same files', () => {
    expect(now.files).toEqual(frozen.files);
  });
});
