/** Text input of the command line: encodings, marks, line ends, and runs of older versions. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { program, run } from './node/command-line.ts';
import { FILE_KINDS } from './node/file-kinds.ts';

const folder = mkdtempSync(join(tmpdir(), 'train-gpt-text-'));
const raw = join(import.meta.dirname, 'fixtures/raw-bytes');
const names = readFileSync(join(raw, 'names-crlf.txt'), 'utf8').replaceAll('\r\n', '\n');

afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const SMALL = ['--preset', 'microgpt', '--dmodel', '4', '--heads', '1', '--layers', '1'];

/** Trains for three steps; returns the receipt and the messages on stderr. */
function receiptOf(path: string, ...more: string[]): { receipt: string; errors: string } {
  const args = ['--data', path, ...SMALL, '--steps', '3', '--samples', '0', ...more];
  const { status, out, errors } = run(...args, '--receipt', join(folder, 'receipt.json'));
  expect(status, errors).toBe(0);
  return { receipt: /receipt (\S+)/.exec(out)?.[1] ?? '', errors };
}

const utf16 = (text: string, mark = true): Buffer =>
  Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le');

describe('one text, however it is encoded', () => {
  const plain = receiptOf(file('plain.txt', names)).receipt;

  test.each([
    ['a byte order mark', '\ufeff' + names, /^$/],
    ['CR LF', names.replaceAll('\n', '\r\n'), /47 line ends/],
    ['one CR', names.replace('\n', '\r'), /1 line end \(.* is read as a line feed/],
    ['CR alone', names.replaceAll('\n', '\r'), /47 line ends/],
    ['NEL', names.replaceAll('\n', '\u0085'), /47 line ends/],
    ['U+2028', names.replaceAll('\n', '\u2028'), /47 line ends/],
    ['UTF-16 with its mark', utf16(names), /read as UTF-16LE/],
    [
      'UTF-16 and one byte too many',
      Buffer.concat([utf16(names), Buffer.of(65)]),
      /1 byte at its end/,
    ],
    [
      'UTF-32 with its mark',
      Buffer.from(new Uint32Array([0xfeff, ...Array.from(names, (c) => c.codePointAt(0)!)]).buffer),
      /read as UTF-32LE/,
    ],
  ])('%s: the run is the same, and what was converted is said', (_, content, said) => {
    const { receipt, errors } = receiptOf(file('other.txt', content));
    expect(receipt).toBe(plain);
    const words = errors.split('\n').filter((line) => !line.includes('parameters'));
    expect(words.join('\n').trim()).toMatch(said);
  });

  test('a text in another encoding is refused before the first step, with the byte and what to do', () => {
    const path = file('latin.txt', Buffer.from('caf\xe9 cr\xe8me\n', 'latin1'));
    const { status, out, errors } = run('--data', path, '--steps', '3');
    expect([status, out]).toEqual([1, '']);
    expect(errors).toMatch(/latin\.txt: byte 4 \(0xE9\) is not UTF-8\. .*--encoding windows-1252/);
  });

  test('--encoding decodes it to the same run as its UTF-8', () => {
    const french = 'café\ncrème\nnaïve\n';
    const { receipt } = receiptOf(file('utf8.txt', french));
    const latin = file('latin.txt', Buffer.from(french, 'latin1'));
    expect(receiptOf(latin, '--encoding', 'windows-1252').receipt).toBe(receipt);
    expect(receiptOf(latin, '--encoding', 'latin1').receipt).toBe(receipt);
    const japanese = Buffer.from([0x82, 0xd9, 0x82, 0xf1, 0x0a]); // ほん in Shift-JIS
    const decoded = receiptOf(file('utf8.txt', 'ほん\n')).receipt;
    expect(receiptOf(file('sjis.txt', japanese), '--encoding', 'shift_jis').receipt).toBe(decoded);
  });

  test('the last letter comes, too, where the decoder waits for what may follow it', () => {
    const { receipt } = receiptOf(file('utf8.txt', 'Ha Noi\nHa Tien'));
    const ended = file('ended.txt', 'Ha Noi\nHa Tien');
    expect(receiptOf(ended, '--encoding', 'windows-1258').receipt).toBe(receipt);
    expect(receiptOf(ended, '--encoding', 'big5').receipt).toBe(receipt);
  });

  test('a byte may become more than four', () => {
    // TSCII decodes 0xAA to two characters and 0x82 to four, one letter each.
    const { errors } = receiptOf(file('tscii.txt', Buffer.of(0x82, 0x82)), '--encoding', 'tscii');
    expect(errors).toContain('read as tscii');
  });

  test('UTF-16 without its mark, and what is no text, are refused with what to do', () => {
    const wide = file('wide.txt', utf16(names, false));
    const numbers = Uint8Array.from({ length: 4000 }, (_, at) => (at * 7) % 32);
    for (const [path, said] of [
      [wide, /utf-16le/],
      [file('numbers.bin', numbers), /more control characters than a text/],
    ] as const) {
      const { status, errors } = run('--data', path, '--steps', '1');
      expect([status, errors]).toEqual([1, expect.stringMatching(said)]);
    }
    const plain = receiptOf(file('plain.txt', names)).receipt;
    expect(receiptOf(wide, '--encoding', 'utf-16le').receipt).toBe(plain);
    // RTF is refused by name, and read as text if `--encoding bytes` asks for it.
    const rtf = file('a.rtf', '{\\rtf1\\ansi anna\\par bea}');
    expect(run('--data', rtf, ...SMALL).errors).toMatch(/this is RTF.*Save it as plain text/);
    receiptOf(rtf, '--encoding', 'bytes');
    // Names separated by NUL bytes count as text.
    receiptOf(file('nuls.txt', 'anna\0bella\0carla\0'.repeat(20)));
  });

  test.each([
    ['Hindi', 'utf-16le', 'यह एक छोटा सा पाठ है। '],
    ['Telugu', 'utf-16le', 'ఇది ఒక చిన్న పాఠం '],
    ['Russian', 'utf-16be', 'Съешь ещё этих булок. '],
    ['English', 'utf-16be', 'a little text '],
    ['Chinese', 'utf-16le', '床前明月光，疑是地上霜。\n'],
    ['Chinese', 'utf-16be', '床前明月光，疑是地上霜。\n'],
    ['English', 'utf-32le', 'a little text '],
    ['English', 'utf-32be', 'a little text '],
  ])('%s in %s without its mark is refused with that name', (_, encoding, text) => {
    const unit = encoding.startsWith('utf-32') ? 4 : 2;
    const codes = Array.from(text.repeat(9), (c) => c.codePointAt(0)!);
    const bytes = Buffer.alloc(codes.length * unit);
    for (const [at, code] of codes.entries()) {
      if (encoding.endsWith('le')) bytes.writeUIntLE(code, at * unit, unit);
      else bytes.writeUIntBE(code, at * unit, unit);
    }
    const { status, errors } = run('--data', file('wide.txt', bytes), '--steps', '1');
    expect([status, errors]).toEqual([1, expect.stringContaining(`--encoding ${encoding},`)]);
    receiptOf(file('wide.txt', bytes), '--encoding', encoding);
  });

  test.each([
    ['model', /: give it with --load, and a text with --data/],
    ['archive', /: unpack it, and give the text in it/],
    ['document', /: save it as plain text \(.txt\) first/],
    ['program', /: choose a text/],
  ])('a file of the kind %s is refused as a text with what to do', (wanted, said) => {
    const [, , start] = FILE_KINDS.find(([kind]) => kind === wanted)!;
    const bytes = Buffer.from(start.padEnd(99, '\0'), 'latin1');
    for (const more of [[], ['--encoding', 'windows-1252']]) {
      const { status, errors } = run('--data', file('model.bin', bytes), ...more, '--steps', '1');
      expect([status, errors]).toEqual([1, expect.stringMatching(said)]);
    }
    receiptOf(file('model.bin', bytes), '--encoding', 'bytes');
    receiptOf(file('words.txt', 'GGUF and PK are words, too\n{}\n'));
  });

  test.each(FILE_KINDS)('%s %s is refused as a text by its name', (kind, format, start) => {
    const path = file('a.bin', Buffer.from(start, 'latin1'));
    const { status, errors } = run('--data', path, '--steps', '1');
    expect(errors).toMatch(new RegExp(`this is (an? )?${kind} \\(${format}\\), not a text: `));
    expect(status).toBe(1);
  });

  test('a text for --trace is read as it says itself, and by --encoding if it says nothing', () => {
    const french = 'café\ncrème\nnaïve\n';
    const latin = file('latin.txt', Buffer.from(french, 'latin1'));
    const data = ['--data', latin, ...SMALL, '--encoding', 'windows-1252', '--trace'];
    for (const written of [french, utf16(french), Buffer.from(french, 'latin1')]) {
      const { out, errors } = run(...data, file('written.txt', written));
      expect(out, errors).toContain('3 whole lines of 3');
    }
  });

  test('a prompt that is not UTF-8 is refused, unless its bytes are asked for', () => {
    const saved = join(folder, 'prompted.safetensors');
    receiptOf(file('plain.txt', names), '--set', 'tokenizer=byte', '--save', saved);
    // Node would write a prompt of its own as UTF-8.
    const prompted = (more: string) => {
      const command = `"$0" --load "$1" --max-tokens 1 --prompt "$(printf 'caf\\351')" ${more}`;
      return spawnSync('sh', ['-c', command, program, saved], { encoding: 'utf8' });
    };
    const { status, stderr } = prompted('');
    expect(stderr).toMatch(/--prompt: byte 4 \(0xE9\) is not UTF-8: .*--encoding bytes/);
    expect(status).toBe(1);
    expect(prompted('--encoding bytes').status).toBe(0);
  });

  test('--encoding bytes learns the bytes as they are, mark and carriage returns included', () => {
    const path = file('bytes.txt', Buffer.from('\ufeffa\xff\r\nb\r\n', 'latin1'));
    const { errors } = receiptOf(path, '--encoding', 'bytes');
    expect(errors).not.toMatch(/line ends|read as/);
    expect(run('--data', path, '--steps', '1').status).toBe(1);
  });

  test('an encoding that there is not, and one without a text, are wrong use', () => {
    const path = file('plain.txt', names);
    expect(run('--data', path, '--encoding', 'klingon').errors).toMatch(/encoding is not known/);
    expect(run('--load', 'x', '--encoding', 'utf-8').status).toBe(2);
  });

  test('a text comes through a pipe, too', () => {
    const path = file('bom.txt', '\ufeff' + names);
    const command = `cat "$1" | "$0" --data /dev/stdin ${SMALL.join(' ')} --steps 3 --samples 0`;
    const { status, stdout } = spawnSync('sh', ['-c', command, program, path], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('step 3/3');
  });
});

describe('runs that hashed the bytes of their text as they lie', () => {
  test.each(['names-crlf', 'names-bom'])('%s: receipt and checkpoint stay valid', (name) => {
    const data = ['--data', join(raw, `${name}.txt`)];
    const verified = run(...data, '--verify', join(raw, `${name}.receipt.json`));
    expect(verified).toMatchObject({ status: 0 });
    expect(verified.out).toContain('"same":true');
    const saved = join(folder, `${name}.safetensors`);
    copyFileSync(join(raw, `${name}.safetensors`), saved);
    const resumed = run(...data, '--load', saved, '--steps', '41', '--samples', '0');
    expect(resumed.status, resumed.errors).toBe(0);
    expect(resumed.errors).toContain('going on after step 40');
  });

  test('a receipt of now verifies on the text in any encoding', () => {
    receiptOf(file('plain.txt', names));
    const receipt = join(folder, 'receipt.json');
    const crlf = file('crlf.txt', utf16(names.replaceAll('\n', '\r\n')));
    const { status, out } = run('--data', crlf, '--verify', receipt);
    expect([status, out]).toEqual([0, expect.stringContaining('"same":true')]);
  });
});
