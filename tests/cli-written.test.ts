/** Files that the native command line writes: links, devices, what is refused before training. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lines, namesPath, program, run, useFolder, writeStory } from './node/command-line.ts';

const { folder, here } = useFolder();
const storyPath = writeStory(here('story.txt'));

describe('what is written', () => {
  const short = ['--data', storyPath, '--preset', 'gpt2', '--dmodel', '16', '--layers', '1'];
  const quick = [...short, '--seq', '8', '--steps', '2', '--samples', '0'];
  /** Expects a refusal before training, and so before the count of parameters is printed. */
  const refused = (message: RegExp, ...args: string[]): void => {
    const result = run(...args);
    expect(result.errors).toMatch(message);
    expect(result.errors).not.toContain('parameters');
    expect(result).toMatchObject({ status: 1, out: '' });
  };

  test('a link stays a link, and what it leads to is replaced', () => {
    const kept = mkdtempSync(here('kept-'));
    const target = join(kept, 'target');
    writeFileSync(target, 'before');
    const link = here('link.safetensors');
    symlinkSync(target, link);
    lines(...quick, '--save', link);
    expect(readlinkSync(link)).toBe(target);
    expect(lstatSync(target).isFile()).toBe(true);
    lines('--load', target, '--samples', '1');
    const dangling = here('dangling');
    symlinkSync(here('nowhere'), dangling);
    refused(/leads nowhere/, ...quick, '--save', dangling);
  });

  test('what is no regular file is refused and stays', () => {
    const pipe = here('pipe');
    execFileSync('mkfifo', [pipe]);
    refused(/pipe: is not a regular file/, ...quick, '--save', pipe);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test("another program's .part stays as it was", () => {
    const saved = here('beside.safetensors');
    writeFileSync(`${saved}.part`, 'mine');
    lines(...quick, '--save', saved);
    expect(readFileSync(`${saved}.part`, 'utf8')).toBe('mine');
    expect(existsSync(`${saved}.part1`)).toBe(false);
    lines('--load', saved, '--samples', '1');
  });

  test('a full disk behind standard output is a failure', ({ skip }) => {
    if (!existsSync('/dev/full')) skip();
    for (const args of [quick, ['--help'], ['-h']]) {
      const full = openSync('/dev/full', 'w');
      const stdio = ['ignore', full, 'pipe'] as const;
      const result = spawnSync(program, args, { encoding: 'utf8', stdio: [...stdio] });
      closeSync(full);
      expect(result.stderr).toContain('standard output: cannot be written');
      expect(result.status).toBe(1);
    }
  });

  test('what can be known before the training is said before it', () => {
    refused(/is a directory/, ...quick, '--save', folder);
    refused(/is a directory/, ...quick, '--receipt', folder);
    refused(/No such file/, ...quick, '--receipt', here('missing/receipt.json'));
    refused(/Not a directory/, ...quick, '--export', storyPath);
    const never = here('never');
    for (const preset of ['tinygpt', 'microgpt']) {
      const args = ['--data', namesPath, '--preset', preset, '--steps', '2', '--samples', '0'];
      refused(/this format does not support (head_bias|norm)/, ...args, '--export', never);
    }
    refused(/heads/, ...quick, '--heads', '7', '--export', never);
    expect(existsSync(never)).toBe(false);
    const text = here('text.txt');
    copyFileSync(storyPath, text);
    const own = ['--data', text, ...quick.slice(2)];
    const alias = here('alias.txt');
    symlinkSync(text, alias);
    for (const flag of ['--save', '--receipt']) {
      refused(/two options name this file/, ...own, flag, text);
      refused(/two options name this file/, ...own, flag, alias);
    }
    const into = here('into');
    mkdirSync(into);
    refused(
      /two options name this file/,
      ...quick,
      '--export',
      into,
      '--save',
      join(into, 'model.safetensors'),
    );
    copyFileSync(storyPath, join(into, 'merges.txt'));
    refused(
      /two options name this file/,
      '--data',
      join(into, 'merges.txt'),
      ...quick.slice(2),
      '--export',
      into,
    );
    const coming = here('coming'); // the first of the two would make this folder
    refused(/two options name/, ...quick, '--export', coming, '--export', `onnx=${coming}`);
    const both = here('both');
    refused(/two options name this file/, ...quick, '--save', both, '--receipt', both);
    const given = here('given');
    mkdirSync(join(given, 'config.json'), { recursive: true });
    refused(/config\.json: is a directory/, ...quick, '--export', given);
  });
});
