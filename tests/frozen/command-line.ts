/** Commands of the native command line, with their exit codes and output. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from './plain.ts';
import { folder } from './runs.ts';

const program = join(import.meta.dirname, '../../build/train_gpt');
const SMALL = '--set channels=8 --layers 1 --heads 2 --seq 8 --batch 2 --steps 6 --threads 1';

/** `TEXTS` and `RUNS` are replaced with the fixture folders, `OUT` with the output folder. */
const COMMANDS: readonly string[] = [
  '--help',
  '--version',
  '',
  '--wings',
  '--data TEXTS/none.txt',
  '--data TEXTS/names.txt --preset gpt5',
  `--data TEXTS/names.txt --preset microgpt ${SMALL} --set wings=2`,
  `--data TEXTS/names.txt --preset microgpt ${SMALL} --heads 3`,
  `--data TEXTS/names.txt --preset microgpt ${SMALL} --samples 2 --save OUT/a.safetensors --receipt OUT/a.json`,
  `--data TEXTS/story.txt --preset gpt2 ${SMALL} --set vocabulary=300 --samples 1 --every 3 --seed 7 --lr 0.01 --schedule cosine --save OUT/b.safetensors`,
  `--data TEXTS/poems.txt --preset tinygpt ${SMALL} --samples 0 --left-out 0:30`,
  `--data TEXTS/raw.txt --encoding bytes --preset tinygpt ${SMALL} --samples 0`,
  '--verify OUT/a.json TEXTS/names.txt',
  '--verify OUT/a.json TEXTS/story.txt',
  '--verify RUNS/fork.json TEXTS/names.txt TEXTS/other-names.txt',
  '--verify RUNS/fork.json TEXTS/names.txt',
  '--load OUT/a.safetensors --prompt an --samples 2 --max-tokens 12 --temperature 0 --threads 1',
  '--load OUT/a.safetensors --samples 1 --top-k 3 --top-p 0.9 --sample-seed 5 --threads 1',
  '--load RUNS/changed.safetensors --data TEXTS/names.txt --steps 15 --samples 0 --threads 1',
  '--load RUNS/changed.safetensors --data TEXTS/other-names.txt --fork --steps 3 --samples 0 --receipt OUT/fork.json --threads 1',
  '--load RUNS/changed.safetensors --data TEXTS/other-names.txt --tune --steps 3 --samples 0 --threads 1',
  '--load OUT/a.safetensors --export gguf=OUT/none.gguf --samples 0 --threads 1',
  '--load OUT/b.safetensors --export OUT/hf --export gguf=OUT/model.gguf --export onnx=OUT/onnx --samples 0 --threads 1',
  '--load OUT/model.gguf --prompt the --samples 1 --max-tokens 8 --temperature 0 --threads 1',
  '--data TEXTS/names.txt --yardsticks --preset microgpt --set validation=0.2',
  '--data TEXTS/names.txt --trace TEXTS/other-names.txt --preset microgpt',
];

/** Files that the commands write. */
const WRITTEN = ['a.safetensors', 'a.json', 'b.safetensors', 'fork.json', 'model.gguf'];

export function runCommands() {
  const out = mkdtempSync(join(tmpdir(), 'glasshouse-frozen-'));
  const places = { TEXTS: join(folder, 'texts'), RUNS: join(folder, 'runs'), OUT: out };
  const withPlaces = (arg: string): string =>
    arg.replace(/\b(TEXTS|RUNS|OUT)\b/, (name) => places[name as keyof typeof places]);
  /** Masks paths, and speeds and memory, which depend on the machine and the build. */
  const withoutPlaces = (text: string): string =>
    Object.entries(places)
      .reduce((said, [name, place]) => said.replaceAll(place, name), text)
      .replaceAll(program, 'train_gpt')
      .replaceAll(/tokens\/s \d+/g, 'tokens/s N')
      .replaceAll(/[\d.]+ MB of memory/g, 'N MB of memory');
  try {
    const commands = COMMANDS.map((command) => {
      const args = command.split(' ').filter(Boolean).map(withPlaces);
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
      return { command, status, out: withoutPlaces(stdout), errors: withoutPlaces(stderr) };
    });
    const files = WRITTEN.map((name) => {
      const path = join(out, name);
      return { name, bytes: statSync(path).size, sha256: sha256(readFileSync(path)) };
    });
    return { commands, files };
  } finally {
    rmSync(out, { recursive: true });
  }
}
