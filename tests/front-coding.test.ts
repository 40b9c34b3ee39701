import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { frontCoded, frontDecoded } from '../web/embed/front-coding.ts';

const folder = new URL('../public/texts/', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

it('gives every sample text back to the letter', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.txt'));
  expect(files).not.toEqual([]);
  for (const file of files) expect(frontDecoded(frontCoded(textOf(file)))).toBe(textOf(file));
});

it('gives back empty lines, lines that are the same or longer than it counts, and halves of a letter', () => {
  const long = 'x'.repeat(60);
  for (const text of ['', '\n', '\n\na', `${long}\n${long}\n${long}y`, 'same\nsame\r\n', '😀\n😁'])
    expect(frontDecoded(frontCoded(text))).toBe(text);
});

it('makes a sorted list of names a quarter smaller in what is transferred', () => {
  const names = textOf('first-names-en.txt');
  expect(gzipSync(frontCoded(names)).length).toBeLessThan(0.75 * gzipSync(names).length);
});
