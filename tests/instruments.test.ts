/** The build names the file and what to write in it when a folder of an instrument lacks a part. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readInstruments } from '../web/embed/build/instruments.ts';

const root = mkdtempSync(join(tmpdir(), 'instruments-'));
afterAll(() => rmSync(root, { recursive: true }));

const tab = { place: 'play', title: { en: 'Echo', zh: '回声' } };
const whole = {
  'instrument.json': JSON.stringify(tab),
  'echo.tsx': 'export const createEcho = null;',
  'words/en.ts': 'export const echo = {};',
  'words/zh.ts': 'export const echo = {};',
};
const without = (name: string) =>
  Object.fromEntries(Object.entries(whole).filter(([file]) => file !== name));
const described = (members: object) => ({ ...whole, 'instrument.json': JSON.stringify(members) });

let count = 0;
/** Reads a folder of instruments that contains the files of `echo`. */
function read(files: Readonly<Record<string, string>>) {
  const folder = join(root, String(++count));
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, 'echo', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return readInstruments([folder]);
}

test('a whole folder is an instrument', () => {
  expect(read(whole)).toEqual([expect.objectContaining({ ...tab, id: 'echo' })]);
});

test.each([
  [
    'a place',
    described({ title: tab.title }),
    /echo\/instrument\.json: write "place" as one of .*play/,
  ],
  [
    'a known place',
    described({ ...tab, place: 'plai' }),
    /instrument\.json: write "place" as one of/,
  ],
  [
    'a title in Chinese',
    described({ ...tab, title: { en: 'Echo' } }),
    /json: write the title.*"zh"/,
  ],
  ['any title', described({ place: 'keep' }), /instrument\.json: write the title of the tab.*"en"/],
  ['a column for a lesson', described({ ...tab, lesson: {} }), /json: a tab has .* view=echo/],
  ['a component', without('echo.tsx'), /echo\/echo\.tsx is missing: write the component of echo/],
  ['Chinese words', without('words/zh.ts'), /words\/zh\.ts is missing: write the words of echo/],
  ['further words', described({ ...tab, more: { far: [] } }), /words\/en-far\.ts is missing/],
  ['only known members', described({ ...tab, titel: {} }), /no member titel/],
])('an instrument needs %s', (_name, files, message) => {
  expect(() => read(files)).toThrow(message);
});
