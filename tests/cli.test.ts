/** The native command line: the same bits as the module, files, errors, signals. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from './wait.ts';
import { FileEngine } from './node/file-engine.ts';
import {
  lines,
  namesPath,
  printed,
  program,
  root,
  run,
  useFolder,
  writeStory,
} from './node/command-line.ts';

const { folder, here } = useFolder();
const storyPath = writeStory(here('story.txt'));

describe('training', () => {
  test.each([
    ['tinygpt', storyPath, 6],
    ['microgpt', namesPath, 40],
    ['gpt2', storyPath, 3],
  ])('%s prints the losses of the module and saves the same bytes', async (preset, path, steps) => {
    const saved = here(`${preset}.safetensors`);
    const args = ['--data', path, '--preset', preset, '--steps', String(steps), '--batch', '2'];
    const out = lines(...args, '--save', saved, '--samples', '0');
    const engine = await FileEngine.create();
    const config = engine.call('config_create', preset);
    engine.call('config_set', config, 'steps', steps);
    engine.call('config_set', config, 'batch', 2);
    const trainer = engine.train(config, readFileSync(path));
    const losses: string[] = [];
    while (engine.call('step', trainer) === 0) losses.push(engine.call('loss', trainer).toFixed(7));
    expect(printed(out)).toEqual(losses);
    expect(out[0]).toMatch(
      new RegExp(String.raw`^step 1/${steps} loss \d\.\d{7} lr \S+ tokens/s \d+$`),
    );
    expect(Buffer.compare(readFileSync(saved), engine.save(trainer, 'checkpoint'))).toBe(0);
  });

  test('a run that is saved and loaded goes on as if it had never stopped', () => {
    const recipe = ['--preset', 'microgpt', '--set', 'channels=16', '--schedule', 'constant'];
    const files = ['--data', namesPath];
    const half = here('half.safetensors');
    const whole = printed(lines(...files, ...recipe, '--steps', '20', '--samples', '0'));
    const first = lines(...files, ...recipe, '--steps', '10', '--save', half, '--samples', '0');
    const second = lines(...files, '--load', half, '--steps', '20');
    expect([...printed(first), ...printed(second)]).toEqual(whole);
    const samples = lines(...files, ...recipe, '--steps', '10').slice(10);
    expect(samples).toHaveLength(20);
    expect(samples[0]).toMatch(/^sample {2}1: /);
    expect(samples[19]).toMatch(/^sample 20: /);
    // The checkpoint precedes the closing samples, so a loaded run draws the same ones.
    const again = ['--load', half, '--samples', '20', '--temperature', '0.5'];
    expect(lines(...again)).toEqual(samples);
    expect(lines(...again, '--sample-seed', '5')).toEqual(lines(...again, '--sample-seed', '5'));
    expect(run(...files, '--load', half, '--dmodel', '32')).toMatchObject({ status: 1 });
    expect(run('--data', storyPath, '--load', half).errors).toMatch(/--tune/);
  });

  test('a resumed microgpt run ends as one that never stopped, with the samples of its source', () => {
    const half = here('closing.safetensors');
    const recipe = ['--data', namesPath, '--preset', 'microgpt', '--schedule', 'constant'];
    lines(...recipe, '--steps', '5', '--save', half, '--samples', '0');
    const whole = lines(...recipe, '--steps', '10').filter((line) => line.startsWith('sample'));
    const on = ['--data', namesPath, '--load', half, '--steps', '10'];
    expect(whole).toHaveLength(20);
    expect(lines(...on).slice(5)).toEqual(whole);
    expect(lines(...on, '--samples', '2').slice(5)).toEqual(whole.slice(0, 2));
    const hot = lines(...on, '--temperature', '1').slice(5);
    expect(hot).toHaveLength(20);
    expect(hot).not.toEqual(whole);
    // Other presets draw no closing samples.
    const other = ['--data', storyPath, '--dmodel', '16', '--steps', '2', '--save', half];
    expect(lines(...other)).toHaveLength(3);
    expect(lines('--data', storyPath, '--load', half, '--steps', '3')).toHaveLength(2);
  });

  test('a run that has reached its steps says so', () => {
    const done = here('done.safetensors');
    const recipe = ['--preset', 'microgpt', '--dmodel', '16', '--steps', '4', '--samples', '0'];
    lines('--data', namesPath, ...recipe, '--save', done);
    const again = run('--data', namesPath, '--load', done, '--samples', '0');
    expect(again.errors).toMatch(/finished: .* 4 of its 4 steps; --steps with a larger number/);
    expect(again.errors).not.toContain('going on');
    expect(again).toMatchObject({ status: 0, out: '' });
    const more = run('--data', namesPath, '--load', done, '--samples', '0', '--steps', '5');
    expect(more.errors).toContain('going on after step 4');
  });

  test('saved weights generate with the model that they were trained in, or not at all', () => {
    const saved = here('generate.safetensors');
    const recipe = ['--preset', 'microgpt', '--dmodel', '16', '--steps', '4', '--samples', '0'];
    lines('--data', namesPath, ...recipe, '--save', saved);
    const said = lines('--load', saved, '--samples', '2');
    const changes = ['heads=2', 'norm=layernorm', 'activation=gelu', 'embedding_norm=0', 'seed=1'];
    for (const change of changes) {
      const result = run('--load', saved, '--samples', '2', '--set', change);
      expect(result.errors).toContain(`${change.split('=')[0]} cannot change`);
      expect(result).toMatchObject({ status: 1, out: '' });
    }
    // Unchanged options, and options outside of the model, are accepted.
    const same = ['--heads', '4', '--set', 'norm=rmsnorm', '--steps', '9'];
    expect(lines('--load', saved, '--samples', '2', ...same)).toEqual(said);
    const tune = ['--load', saved, '--data', namesPath, '--tune', '--steps', '1', '--samples', '0'];
    expect(run(...tune, '--heads', '2').errors).toContain('heads cannot change');
    expect(lines(...tune, '--seq', '8', '--seed', '1', '--batch', '2')).toHaveLength(1);
    const on = ['--data', namesPath];
    for (const how of [[], on, [...on, '--tune'], [...on, '--fork']]) {
      const { errors } = run('--load', saved, ...how, '--seq', '64');
      expect(errors).toMatch(
        /context \(--seq\) cannot change: the weights were .* context 32\. Leave/,
      );
    }
  });

  test('every N steps a line, and always the first and the last', () => {
    const args = ['--preset', 'microgpt', '--dmodel', '16', '--steps', '25', '--every', '10'];
    const out = lines('--data', namesPath, ...args, '--samples', '0');
    expect(out.map((line) => line.split(' ')[1])).toEqual(['1/25', '10/25', '20/25', '25/25']);
  });

  test('on a terminal there is a bar with loss, tokens a second and time left', ({ skip }) => {
    const has = spawnSync('script', ['--version'], { encoding: 'utf8' });
    if (has.status !== 0 || !has.stdout.includes('util-linux')) skip(); // -c needs util-linux
    // A bare container may lack pseudo-terminals.
    if (spawnSync('script', ['-qec', 'true', '/dev/null']).status !== 0) skip();
    const command = `'${program}' --data '${namesPath}' --preset microgpt --dmodel 16 --steps 30 --samples 1`;
    const out = execFileSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8' });
    expect(out).toMatch(/\r\[#{24}\] 30\/30 loss \d\.\d{7} {2}\d+ tokens\/s {2}0:00 left/);
    expect(out).not.toMatch(/^step /m);
    expect(out).toMatch(/^sample {2}1: /m);
  });

  test('an interrupted run tells what it wrote and what it did not', async () => {
    const args = ['--data', namesPath, '--preset', 'microgpt', '--steps', '1000000'];
    const receipt = ['--receipt', here('interrupted.json')];
    const child = spawn(program, [...args, ...receipt], { stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.stdout.on('data', () => {
      if (!child.killed) child.kill('SIGINT');
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
    expect(existsSync(here('interrupted.json'))).toBe(true);
    expect(errors).not.toContain('nothing was saved');
    expect(errors).toContain('no checkpoint was saved');
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s saves and ends in good order',
    async (signal) => {
      const saved = here(`${signal}.safetensors`);
      const args = ['--data', namesPath, '--preset', 'microgpt', '--steps', '1000000'];
      const child = spawn(program, [...args, '--save', saved], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let out = '';
      let errors = '';
      child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
      child.stdout.on('data', (data: Buffer) => {
        out += data.toString();
        // One signal only: a second would end the program at once.
        if (out.includes('step 20/') && !child.killed) child.kill(signal);
      });
      const status = await new Promise((resolve) => child.on('close', resolve));
      expect(status).toBe(130);
      const step = Number(/interrupted after step (\d+)/.exec(errors)?.[1]);
      expect(step).toBeGreaterThanOrEqual(20);
      expect(errors).toContain(`saved to ${saved}`);
      expect(printed(out.split('\n'))).toHaveLength(step);
      expect(existsSync(`${saved}.part`)).toBe(false);
      const on = run('--load', saved, '--data', namesPath, '--steps', String(step + 3));
      expect(on.errors).toContain(`going on after step ${step}`);
      expect(printed(on.out.split('\n'))).toHaveLength(3);
    },
  );
});

describe('a run whose end goes wrong', () => {
  const small = ['--preset', 'microgpt', '--dmodel', '8', '--heads', '1', '--layers', '1'];
  const names = ['--data', namesPath, ...small];

  test('a prompt that cannot be encoded is refused before the first step', () => {
    const { status, out, errors } = run(...names, '--steps', '9', '--prompt', 'Anna');
    expect(errors).toMatch(/--prompt: .*no token for the character A /);
    expect({ status, out }).toEqual({ status: 1, out: '' });
  });

  test('a run that diverges keeps what it has learned, and says up to which step', () => {
    const saved = here('diverged.safetensors');
    const options = ['--preset', 'tinygpt', '--batch', '1', '--lr', '10', '--steps', '5000'];
    const args = ['--data', storyPath, ...options, '--set', 'weight_decay=10'];
    const { status, errors } = run(...args, '--save', saved, '--receipt', here('diverged.json'));
    const step = Number(/not a finite number at step (\d+)/.exec(errors)?.[1]);
    expect(errors).toContain(`saved to ${saved}, after step ${step - 1}`);
    expect(status).toBe(1);
    // The file loads, but the forward pass overflows with these weights.
    expect(run('--load', saved, '--samples', '1').errors).toContain(
      'computes NaN or infinity, first in',
    );
    lines('--data', storyPath, '--verify', here('diverged.json'));
  });

  test('a file that cannot be put in its place takes none of the others with it, and is kept', async () => {
    const saved = here('large.safetensors');
    const args = [...names, '--steps', '20000', '--every', '20000', '--samples', '2'];
    const child = spawn(program, [...args, '--save', saved, '--receipt', here('small.json')]);
    let [out, errors] = ['', ''];
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
      if (!existsSync(saved)) mkdirSync(saved); // while the run trains
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1);
    expect(errors).toContain('large.safetensors: Is a directory');
    expect(errors).toContain('large.safetensors.part: is the complete file: move it');
    lines('--load', `${saved}.part`, '--samples', '1');
    expect(out).toMatch(/^receipt gh1-/m);
    expect(out).toMatch(/^sample {2}2: /m);
    expect(readdirSync(folder).filter((name) => /small\.json/.test(name))).toEqual(['small.json']);
  });

  test('a file over the limit of its size is told before the first step', () => {
    const command = [program, ...names, '--steps', '2', '--save', here('limited.safetensors')];
    // A limit of 8 kB for each file; the checkpoint has 20 kB.
    const limited = ['-c', 'ulimit -f 16; "$@"', 'sh', ...command];
    const { status, stdout, stderr } = spawnSync('sh', limited, { encoding: 'utf8' });
    expect(stderr).toMatch(/limited\.safetensors: File too large: raise the limit/);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(readdirSync(folder).filter((name) => name.startsWith('limited'))).toEqual([]);
  });

  test('an export over another one is whole, old or new', () => {
    const into = here('twice');
    const gpt2 = [
      '--data',
      storyPath,
      '--preset',
      'gpt2',
      '--seq',
      '8',
      '--layers',
      '1',
      '--samples',
      '0',
    ];
    lines(...gpt2, '--steps', '1', '--dmodel', '8', '--set', 'vocabulary=260', '--export', into);
    const before = readdirSync(into).map((name) => readFileSync(join(into, name)));
    const larger = [...gpt2, '--steps', '1', '--dmodel', '64', '--set', 'vocabulary=300'];
    const command = [program, ...larger, '--export', into];
    const { status } = spawnSync('sh', ['-c', 'ulimit -f 100; "$@"', 'sh', ...command]);
    expect(status).toBe(1);
    expect(readdirSync(into).map((name) => readFileSync(join(into, name)))).toEqual(before);
  });

  /** Calls `use` with a new disk of a size such as "64k". Skips the test if mounting fails. */
  const withDisk = async (
    size: string,
    skip: () => void,
    use: (disk: string) => Promise<void> | void,
  ): Promise<void> => {
    const disk = mkdtempSync(here('disk-'));
    const mount = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk];
    if (spawnSync('mount', mount).status !== 0) skip();
    try {
      await use(disk);
    } finally {
      spawnSync('umount', [disk]);
    }
  };

  test('a disk without room for what was promised is told before the first step', async ({
    skip,
  }) => {
    await withDisk('64k', skip, (disk) => {
      const args = [...names, '--dmodel', '64', '--steps', '3', '--samples', '0'];
      const { status, out, errors } = run(...args, '--save', join(disk, 'a.safetensors'));
      expect(errors).toMatch(/there is room for 0\.1 MB, and up to \d\.\d are needed/);
      expect({ status, out }).toEqual({ status: 1, out: '' });
      expect(readdirSync(disk)).toEqual([]);
    });
  });

  test('a disk that fills up during training costs no file', async ({ skip }) => {
    await withDisk('2m', skip, async (disk) => {
      const at = (name: string) => join(disk, name);
      const outputs = ['--save', at('a'), '--receipt', at('b'), '--export', `onnx=${at('c')}`];
      const args = [...names, '--steps', '20000', '--every', '20000', '--samples', '0'];
      const child = spawn(program, [...args, ...outputs], { stdio: ['ignore', 'pipe', 'ignore'] });
      const closed = once(child, 'close');
      await once(child.stdout, 'data');
      expect(() => {
        writeFileSync(at('other'), Buffer.alloc(1 << 21));
      }).toThrow(/ENOSPC/);
      child.stdout.resume();
      expect(await closed).toEqual([0, null]);
      expect(readdirSync(disk).sort()).toEqual(['a', 'b', 'c', 'other']);
      expect(readdirSync(at('c/onnx')).sort()).toEqual(['model.onnx', 'model_plain.onnx']);
      lines('--load', at('a'), '--samples', '1');
    });
  });

  test('a second signal ends the program at once and leaves no temporary file', async () => {
    const [exported, pipe] = [here('exported'), here('receipt-pipe')];
    execFileSync('mkfifo', [pipe]);
    const outputs = ['--receipt', pipe, '--export', `onnx=${exported}`];
    const args = [...names, '--steps', '1000000000', ...outputs];
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(child, 'close');
    const parts = () =>
      readdirSync(exported, { encoding: 'utf8', recursive: true }).filter((name) =>
        name.endsWith('.part'),
      );
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    await once(child.stdout, 'data');
    child.stdout.resume();
    const during = parts();
    child.kill('SIGINT');
    // The receipt now waits for a reader of the pipe.
    await eventually(
      () => errors,
      (text) => text.includes('interrupted after step'),
    );
    child.kill('SIGINT');
    expect(await closed).toEqual([null, 'SIGINT']);
    expect(during).toHaveLength(8);
    expect(parts()).toEqual([]);
  });

  test('a closed pipe ends a run of which nothing is kept, and no other', async () => {
    const ended = async (...more: string[]): Promise<number | null> => {
      const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
      const child = spawn(program, [...names, '--steps', '20000', ...more], { stdio });
      child.stdout.once('data', () => child.stdout.destroy());
      return new Promise((resolve) => child.on('close', resolve));
    };
    const saved = here('piped.safetensors');
    expect(await ended('--save', saved)).toBe(1);
    lines('--load', saved, '--samples', '1');
    expect(run('--load', saved, ...names.slice(0, 2)).errors).toContain('of its 20000 steps');
    expect(await ended('--steps', '1000000000')).toBe(1);
  });

  test('a text of the greatest length is written, not thrown away', () => {
    const saved = here('long.safetensors');
    const bytes = ['--set', 'tokenizer=byte', '--dmodel', '4', '--seq', '4'];
    const tiny = ['--data', storyPath, '--preset', 'tinygpt', '--layers', '1', ...bytes];
    lines(...tiny, '--steps', '1', '--save', saved, '--samples', '0');
    const written = run('--load', saved, '--samples', '1', '--max-tokens', '65536');
    expect(written.status).toBe(0);
    expect(written.errors).toContain('the longest that a text can be');
    expect(written.out.length).toBeGreaterThan(30_000);
  });

  test('threads change no bit', () => {
    const args = ['--data', storyPath, '--preset', 'gpt2', '--steps', '3', '--samples', '0'];
    const receipt = (threads: string): string | undefined =>
      lines(...args, '--threads', threads, '--receipt', here('threads.json')).find((line) =>
        line.startsWith('receipt'),
      );
    expect(receipt('2')).toBe(receipt('1'));
  });

  test.runIf(process.platform === 'linux')(
    '--verify computes on the threads asked for',
    async () => {
      const args = ['--data', storyPath, '--preset', 'tinygpt', '--steps', '60', '--samples', '0'];
      lines(...args, '--receipt', here('many.json'));
      const verify = ['--verify', here('many.json'), '--data', storyPath, '--threads', '3'];
      const child = spawn(program, verify, { stdio: 'ignore' });
      const ended = once(child, 'exit');
      const threads = () => readdirSync(`/proc/${child.pid}/task`).length;
      await eventually(threads, (count) => count === 3);
      expect(await ended).toEqual([0, null]);
    },
  );
});

describe('wrong use', () => {
  test('an unknown flag is told once', () => {
    const { errors } = run('--nonsense');
    expect(errors.trimEnd().split('\n')).toEqual([
      expect.stringContaining('--nonsense'),
      'Try `train_gpt --help`.',
    ]);
    expect(run('--tempreture', '1').errors).toContain('Did you mean --temperature?\n');
    expect(run('--channels', '1').errors).toContain('Did you mean --set channels?\n');
    const set = run('--data', storyPath, '--set', 'laers=2').errors;
    expect(set).toContain('Did you mean --set layers?\n');
  });

  test('one token is no plural', () => {
    const path = here('one.txt');
    writeFileSync(path, 'a');
    const { status, errors } = run('--data', path, '--preset', 'tinygpt');
    expect(status).toBe(1);
    expect(errors).toMatch(/at least \d+ tokens, but the text has only 1:/);
  });

  test.each([
    ['--samples', '1'],
    ['--export', here('verified')],
    ['--prompt', 'a'],
    ['--every', '2'],
    ['--tune', '--steps'],
  ])('--verify with %s', (...more) => {
    const args = ['--data', namesPath, '--verify', here('none.json'), ...more];
    const result = run(...args.slice(0, more[0] === '--tune' ? -1 : undefined));
    expect(result.errors).toContain('--verify takes --data, --encoding and --threads only');
    expect(result.status).toBe(2);
    expect(existsSync(here('verified'))).toBe(false);
  });

  test('a line that exactly fills the context is a line whose end is not trained', () => {
    const path = here('lines.txt');
    writeFileSync(path, 'abcdefgh\nabcde\nab\n');
    const train = ['--data', path, '--preset', 'microgpt', '--samples', '0', '--steps', '1'];
    const one = '1 line does not fit --seq: its end is not trained\n';
    expect(run(...train, '--seq', '8').errors).toContain(one);
    const two = '2 lines do not fit --seq: their ends are not trained, nor 3 tokens before\n';
    expect(run(...train, '--seq', '5').errors).toContain(two);
  });

  const cases: [string, string[], number, RegExp][] = [
    ['nothing', [], 2, /--data FILE is missing/],
    ['an unknown flag', ['--nonsense'], 2, /nonsense/],
    ['a missing value', ['--data'], 2, /requires an argument/],
    ['a word', ['--data', namesPath, 'word'], 2, /not: word/],
    ['an unknown preset', ['--data', namesPath, '--preset', 'gpt5'], 2, /gpt5/],
    ['an unknown option', ['--data', namesPath, '--set', 'wings=2'], 2, /no option called wings/],
    ['no value', ['--data', namesPath, '--set', 'layers'], 2, /OPTION=VALUE/],
    ['a value out of range', ['--data', namesPath, '--layers', '0'], 2, /layers is 0, .* 1 to 96/],
    ['a fraction', ['--data', namesPath, '--heads', '1.5'], 2, /whole number/],
    ['no number', ['--data', namesPath, '--lr', 'fast'], 2, /lr fast \(from 0 to 10\)/],
    ['no choice', ['--data', namesPath, '--schedule', 'step'], 2, /constant\|cosine/],
    ['a bad temperature', ['--data', namesPath, '--temperature', 'hot'], 2, /from 0 to 100/],
    ['heads', ['--data', namesPath, '--heads', '7'], 1, /64 channels .* 7 heads/],
    ['a file that is not there', ['--data', here('none')], 1, /No such file.*: check the path/],
    ['a folder', ['--data', folder], 1, /directory/],
    ['an empty text', ['--data', '/dev/null'], 1, /empty/],
    [
      'a model that is no file of ours',
      ['--load', namesPath],
      1,
      /not a model file, or its header is damaged/,
    ],
    ['two sources', ['--load', 'a', '--hf', 'b'], 2, /exclude/],
    ['a preset for a file', ['--load', 'a', '--preset', 'gpt2'], 2, /own recipe/],
    ['saving without a text', ['--load', 'a', '--save', 'b'], 2, /--save needs --data/],
    [
      'a place that cannot be written',
      ['--data', storyPath, '--steps', '1', '--save', '/no/x'],
      1,
      /\/no\/x/,
    ],
    ['too much', ['--data', storyPath, '--dmodel', '8192', '--layers', '96'], 1, /bytes/],
  ];
  test.each(cases)('%s', (_, args, status, message) => {
    const result = run(...args);
    expect(result.errors).toMatch(message);
    expect(result.status).toBe(status);
    expect(result.out).toBe('');
  });

  test('--version tells the version of package.json', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(lines('--version')).toEqual([`train_gpt ${version}`]);
  });

  test('--help lists every flag and every option', async () => {
    const out = lines('--help').join('\n');
    const engine = await FileEngine.create();
    const table = JSON.parse(engine.text('options_json')) as { options: { name: string }[] };
    for (const { name } of table.options) expect(out).toContain(`  ${name} `);
    for (const flag of [
      'data',
      'preset',
      'save',
      'load',
      'tune',
      'hf',
      'raw',
      'export',
      'prompt',
    ]) {
      expect(out).toContain(`--${flag} `);
    }
  });
});
