/**
 * Writes tests/fixtures/frozen from the built package, command line and site: once, at ca373f4f.
 *
 *     node tests/generate/frozen.mjs [node] [page]
 *
 * Refuses to replace a file: tests compare later versions with what this one made.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createServer } from 'vite';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'tests/fixtures/frozen');
const parts = process.argv.slice(2);
const does = (part) => parts.length === 0 || parts.includes(part);
const modules = await createServer({
  ...{ root, configFile: false, optimizeDeps: { noDiscovery: true }, appType: 'custom', logLevel: 'error' },
  server: { middlewareMode: true, ws: false, watch: null },
});
const load = (name) => modules.ssrLoadModule(join(root, 'tests/frozen', name));

function write(name, content) {
  const path = join(folder, name);
  if (existsSync(path)) throw new Error(`${name} is frozen: it is never written again`);
  mkdirSync(dirname(path), { recursive: true });
  const isBytes = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, isBytes ? content : `${inLines(content)}\n`);
  console.log(name);
}

/** JSON with a line for each member, and for each item of a member that is a list. */
function inLines(members) {
  const lines = Object.entries(members).map(([name, member]) => {
    const items = Array.isArray(member) ? member.map((item) => JSON.stringify(item)) : null;
    const text = items === null ? JSON.stringify(member) : `[\n${items.join(',\n')}\n]`;
    return `${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

/** The first bytes of a sample text, up to the end of a line. */
function beginning(text, bytes) {
  const whole = readFileSync(join(root, 'public/texts', text));
  return whole.subarray(0, whole.lastIndexOf(10, bytes) + 1);
}

async function writeNode() {
  write('texts/names.txt', beginning('first-names-en.txt', 600));
  const names = readFileSync(join(root, 'public/texts/first-names-en.txt'), 'utf8').split('\n');
  const letters = new Set(readFileSync(join(folder, 'texts/names.txt'), 'utf8'));
  const known = names.slice(200).filter((name) => [...name].every((one) => letters.has(one)));
  write('texts/other-names.txt', `${known.slice(0, 40).join('\n')}\n`);
  write('texts/story.txt', beginning('moby-dick-en.txt', 2500));
  write('texts/poems.txt', beginning('tang-quatrains-zh.txt', 900));
  const odd = [0xef, 0xbb, 0xbf, ...Buffer.from('anna\r\nbea\r\nélise\r\n'.repeat(8)), 0, 255, 254];
  write('texts/raw.txt', Uint8Array.from(odd));

  const { beginRun, openPackage, RUNS, tellEnd, train } = await load('runs.ts');
  const library = await openPackage();
  const ends = {};
  for (const run of RUNS) {
    const trainer = await beginRun(library, run);
    await train(library, trainer, run, 0);
    const file = await trainer.save('checkpoint', '{"text":"own"}');
    write(`runs/${run.name}.safetensors`, new Uint8Array(await file.arrayBuffer()));
    await train(library, trainer, run, run.half);
    const { json, ...end } = await tellEnd(trainer);
    write(`runs/${run.name}.json`, json);
    ends[run.name] = end;
    trainer.close();
  }
  write('runs.json', ends);

  const { callPackage, describePackage } = await load('package-calls.ts');
  write('library.json', { ...(await describePackage(library)), calls: await callPackage(library) });

  const { EXPORTED, exportAll } = await load('exports.ts');
  const { sha256 } = await load('plain.ts');
  const sums = {};
  for (const name of EXPORTED) {
    const files = await exportAll(library, name);
    sums[name] = {};
    for (const [form, made] of Object.entries(files)) {
      const isError = typeof made === 'string';
      sums[name][form] = isError ? made : { bytes: made.length, sha256: sha256(made) };
      // To see what differs, should one ever differ.
      if (!isError && name === 'microgpt' && made.length < 6000) write(`exports/${form}`, made);
    }
  }
  write('exports.json', sums);

  const { addresses, fragments, hosts, meaningOf, PACKED_TEXTS, snippets, VOCABULARY } =
    await load('addresses.ts');
  const trainer = await library.createTrainer();
  const table = await trainer.options();
  trainer.close();
  const meanings = [];
  for (const address of await addresses(table)) meanings.push(await meaningOf(address, table));
  const rest = { fragments: fragments(), hosts: hosts(), snippets: await snippets() };
  write('addresses.json', { vocabulary: VOCABULARY, packedTexts: PACKED_TEXTS, meanings, ...rest });

  const { runCommands } = await load('command-line.ts');
  write('command-line.json', runCommands());
}

console.log(execFileSync('git', ['log', '-1', '--format=at %h'], { encoding: 'utf8' }).trim());
if (does('node')) await writeNode();
await modules.close();
