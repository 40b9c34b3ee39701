/**
 * The shown text and the reader's own text: which text replaces which, and the state after a
 * reload.
 */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FileStore } from '../web/store/text/file-store.ts';
import { OwnText } from '../web/store/text/own-text.ts';
import type { PageState } from '../web/store/page-state.ts';
import { DEFAULT_SAMPLE } from '../web/engine/sampling.ts';
import { TextController } from '../web/store/text/text-controller.ts';
import { givenText } from '../web/store/text/text-source.ts';
import type { LoadedText } from '../web/store/text/text-source.ts';
import { KeptByTab } from './node/kept-by-tab.ts';

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const fileOf = (text: string, name = 'a.txt'): File => new File([text], name);
/** Longer than the limit for texts kept by the tab, so that only the file store can keep it. */
const LONG = 'x'.repeat(1_000_001);

let tab: KeptByTab;
let files: Map<string, Blob>;
let isFull: boolean;

beforeEach(() => {
  tab = new KeptByTab();
  files = new Map();
  isFull = false;
  vi.stubGlobal('sessionStorage', tab);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const store: FileStore = {
  put: (key, content) => {
    if (isFull) return Promise.reject(new DOMException('no room', 'QuotaExceededError'));
    files.set(key, content);
    return Promise.resolve();
  },
  get: (key) => Promise.resolve(files.get(key) ?? null),
};

/** Opens the reader's own text as a new page in the same tab does. */
function openOwn({ given, keeps = true }: { given?: string | File; keeps?: boolean } = {}) {
  const changed = vi.fn();
  const own = new OwnText({ given, keeps, openStore: () => Promise.resolve(store), changed });
  return { own, changed };
}

/** Creates a text controller whose sample texts arrive when the test resolves them. */
function openController(options?: Parameters<typeof openOwn>[0]) {
  const { own } = openOwn(options);
  const state = {
    ...{
      source: 'names',
      shown: '',
      readOnly: true,
      fileName: '',
      fileSize: 0,
      reading: null,
      version: 0,
    },
    ...{ textError: null, own, ask: DEFAULT_SAMPLE },
  } as unknown as PageState;
  const taken: string[] = [];
  const samples = new Map<string, (bytes: Uint8Array<ArrayBuffer>) => void>();
  const failed = vi.fn();
  const controller = new TextController({
    ...{ state, own, changed: () => undefined, onFailure: failed },
    onText: ({ bytes }) => taken.push(new TextDecoder().decode(bytes)),
    readSample: (file) => new Promise((resolve) => samples.set(file, resolve)),
  });
  return { controller, own, state, taken, samples, failed };
}

async function readOf(own: OwnText): Promise<string> {
  const text = await own.read();
  return typeof text === 'string' ? text : `${text.name}: ${await text.text()}`;
}

/** Waits for all pending promises. */
const settled = (): Promise<void> => setImmediate();

/** Returns the text of an opened run. */
const textOfRun = (text: string, fileName = ''): LoadedText => ({
  ...{ source: 'own', fileName, shown: text, readOnly: false },
  ...{ bytes: bytesOf(text), size: bytesOf(text).length, content: new Blob([text]) },
  ...{ reading: null, useless: null },
});

describe('the reader’s own text', () => {
  test.each([
    ['typed', 'anna', 'anna'],
    ['typed and long', LONG, LONG],
    ['opened', fileOf('anna\r\n'), 'a.txt: anna\r\n'],
    ['opened, of bytes that have no name', fileOf('anna', ''), ': anna'],
  ])('that was %s comes back after a reload', async (_, text, read) => {
    const { own } = openOwn();
    own.set('what was there before');
    own.set(text);
    await settled();
    const { own: later } = openOwn();
    expect(await readOf(later)).toBe(read);
    expect(own.isUnkept || later.isUnkept).toBe(false);
  });

  test.each([
    ['plain', bytesOf('anna\n猫\n'), true],
    ['empty', bytesOf(''), true],
    ['with line ends of Windows', bytesOf('anna\r\n'), false],
    ['with a byte order mark', bytesOf('\uFEFFanna'), false],
    ['with NUL, as UTF-16 has it', bytesOf('a\0n\0n\0a\0'), false],
    ['no UTF-8, of as many bytes as the sign for that', Uint8Array.of(0xf0, 0x9f, 0x98), false],
  ])('given as bytes is as if typed, or else they stay: %s', async (_, bytes, isTyped) => {
    const given = givenText(bytes);
    expect(typeof given).toBe(isTyped ? 'string' : 'object');
    expect(new Uint8Array(await new Blob([given]).arrayBuffer())).toEqual(bytes);
    // A typed text is kept immediately, before the store has written it.
    const { own } = openOwn({ given });
    expect(openOwn().own.typed).toBe(isTyped ? own.typed : null);
  });

  test('is the last one, however long those before take to be written', async () => {
    const { own } = openOwn();
    own.set(fileOf('one'));
    own.set(`${LONG}1`);
    own.set(`${LONG}2`);
    own.set('short');
    await settled();
    expect(await readOf(openOwn().own)).toBe('short');
    own.set(`${LONG}3`);
    own.set(fileOf('two', 'b.txt'));
    await settled();
    expect(await readOf(openOwn().own)).toBe('b.txt: two');
    // Overtaken texts are skipped, not written.
    expect(files.size).toBeLessThanOrEqual(2);
  });

  test('is neither kept nor recalled where nothing is to be', async () => {
    openOwn().own.set('kept');
    const { own } = openOwn({ keeps: false });
    expect(own.typed).toBe('');
    own.set(fileOf('one'));
    own.set('other');
    await settled();
    expect(files.size).toBe(0);
    expect(openOwn().own.typed).toBe('kept');
    expect(openOwn({ given: 'given' }).own.typed).toBe('given');
  });

  test('says when it is not kept, and is said to be gone when it should be there', async () => {
    isFull = true;
    const { own, changed } = openOwn();
    own.set(fileOf('one'));
    expect(own.isUnkept).toBe(false);
    await settled();
    expect(own.isUnkept).toBe(true);
    expect(changed).toHaveBeenCalledTimes(1);
    await expect(openOwn().own.read()).rejects.toMatchObject({ code: 'text-gone' });
    // A text that fits in the tab needs no report.
    own.set('short');
    await settled();
    expect(own.isUnkept).toBe(false);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  test('does not come back as an older one when the tab has no room for it', async () => {
    const { own } = openOwn();
    own.set('older');
    tab.refuses = true;
    isFull = true;
    own.set('newer');
    await settled();
    expect(own.isUnkept).toBe(true);
    expect(openOwn().own.typed).toBe('');
  });

  test('is missing until there was one, be it empty', () => {
    expect(openOwn().own.isMissing).toBe(true);
    openOwn().own.set('');
    expect(openOwn().own.isMissing).toBe(false);
    tab.clear();
    expect(openOwn({ keeps: false }).own.isMissing).toBe(false);
  });
});

describe('the text of an opened run', () => {
  test('takes the place of one that can come back, also after a reload', async () => {
    const { own } = openOwn();
    own.set(fileOf('mine'));
    own.takePlace(textOfRun('of the run'));
    expect([own.typed, own.isInPlaceOfAnother]).toEqual(['of the run', true]);
    await settled();
    const { own: later } = openOwn();
    expect([later.typed, later.isInPlaceOfAnother]).toEqual(['of the run', true]);
    later.bringBack();
    expect(later.isInPlaceOfAnother).toBe(false);
    expect(await readOf(later)).toBe('a.txt: mine');
    const { own: last } = openOwn();
    expect([await readOf(last), last.isInPlaceOfAnother]).toEqual(['a.txt: mine', false]);
  });

  test('takes the place of nothing where that is the same text, or none', async () => {
    const { own } = openOwn();
    own.takePlace(textOfRun('one'));
    expect(own.isInPlaceOfAnother).toBe(false);
    own.takePlace(textOfRun('one'));
    expect(own.isInPlaceOfAnother).toBe(false);
    own.set(fileOf('mine'));
    await settled();
    // The comparison also covers a text in the store.
    const { own: later } = openOwn();
    later.takePlace(textOfRun('mine', 'a.txt'));
    await settled();
    expect(later.isInPlaceOfAnother).toBe(false);
    // Same name and size, other content: the old text can be restored.
    later.takePlace(textOfRun('nine', 'a.txt'));
    await settled();
    expect(later.isInPlaceOfAnother).toBe(true);
    later.bringBack();
    expect(await readOf(later)).toBe('a.txt: mine');
    // A text typed next leaves no replaced text to restore.
    later.takePlace(textOfRun('one'));
    later.set('typed');
    expect(later.isInPlaceOfAnother).toBe(false);
  });
});

describe('a text that began as a sample', () => {
  test('takes the place of one that can come back, through more typing and a reload', async () => {
    const { own } = openOwn();
    own.set(fileOf('mine'));
    await settled();
    own.setAside('names+');
    own.set('names++');
    expect([own.typed, own.isInPlaceOfAnother, own.isOfRun]).toEqual(['names++', true, false]);
    await settled();
    // The file is written once: neither again for each place nor for each keystroke.
    expect(files.size).toBe(1);
    const { own: later } = openOwn();
    expect([later.typed, later.isInPlaceOfAnother, later.isOfRun]).toEqual([
      'names++',
      true,
      false,
    ]);
    // The typed text exists nowhere else, so it can be restored in turn.
    later.bringBack();
    expect(await readOf(later)).toBe('a.txt: mine');
    await settled();
    const { own: last } = openOwn();
    expect(await readOf(last)).toBe('a.txt: mine');
    last.bringBack();
    expect([last.typed, last.isInPlaceOfAnother]).toEqual(['names++', true]);
  });

  test('loses none of those before it when that happens again, or a run is opened', () => {
    const { own } = openOwn();
    own.set('mine');
    own.setAside('names+');
    own.setAside('moby+');
    own.takePlace(textOfRun('of the run'));
    expect([own.typed, own.isOfRun]).toEqual(['of the run', true]);
    own.bringBack();
    expect([own.typed, own.isOfRun]).toEqual(['moby+', false]);
    own.bringBack();
    expect(own.typed).toBe('names+');
    tab.clear();
    const { own: other } = openOwn();
    other.set('mine');
    other.setAside('names+');
    other.setAside('moby+');
    other.set('');
    other.bringBack();
    other.set('');
    other.bringBack();
    expect([other.typed, other.isInPlaceOfAnother]).toEqual(['mine', false]);
  });
});

test('a text that comes with a link takes the place of the reader’s own, which comes back, after a reload too', () => {
  const { own } = openOwn();
  own.set('mine');
  const { own: sent } = openOwn({ given: 'sent' });
  expect([sent.typed, sent.isInPlaceOfAnother]).toEqual(['sent', true]);
  const { own: reloaded } = openOwn();
  expect(reloaded.typed).toBe('sent');
  reloaded.bringBack();
  expect(reloaded.typed).toBe('mine');
  // A page that keeps nothing restores nothing.
  expect(openOwn({ given: 'sent', keeps: false }).own.isInPlaceOfAnother).toBe(false);
});

describe('the text controller', () => {
  test('keeps the reader’s own text when a sample that hid it is typed into, mended, or gives way to a file', async () => {
    const acts: ((controller: TextController) => void)[] = [
      (controller) => {
        controller.type('annax');
      },
      (controller) => controller.mend('annax'),
      (controller) => {
        controller.open(fileOf('annax'));
      },
    ];
    for (const act of acts) {
      tab.clear();
      const { controller, own, state, samples } = openController();
      controller.type('mine');
      expect(own.isInPlaceOfAnother).toBe(false);
      controller.choose('tang');
      await settled();
      samples.get('texts/tang-quatrains-zh.txt')?.(bytesOf('anna'));
      await settled();
      act(controller);
      await settled();
      expect([state.source, state.shown, own.isInPlaceOfAnother]).toEqual(['own', 'annax', true]);
      controller.type('annaxy');
      controller.bringBack();
      await settled();
      expect([state.source, state.shown, own.typed]).toEqual(['own', 'mine', 'mine']);
    }
    tab.clear();
    // While a sample loads, the field still edits the reader's own text.
    const { controller, own } = openController();
    controller.type('mine');
    controller.choose('moby');
    controller.type('mine!');
    expect([own.typed, own.isInPlaceOfAnother]).toEqual(['mine!', false]);
  });

  test('keeps a typed text that another is pasted or opened over, and none that is only edited', async () => {
    const mine = 'a text of some length that somebody has typed';
    const { controller, own, state } = openController();
    controller.type(mine);
    // Appended, cut at either end, changed in the middle, repaired: still the same text.
    const middle = `${mine.slice(0, 5)} of other words ${mine.slice(-5)}`;
    for (const edited of [`${mine} more`, mine.slice(20), mine.slice(0, 30), middle]) {
      controller.type(edited);
      expect(own.isInPlaceOfAnother).toBe(false);
      controller.type(mine);
      expect(own.isInPlaceOfAnother).toBe(false);
    }
    controller.mend(mine.toUpperCase());
    expect(own.isInPlaceOfAnother).toBe(false);
    controller.type('Wholly other words, which were pasted');
    expect([own.isInPlaceOfAnother, own.isOfRun]).toEqual([true, false]);
    controller.bringBack();
    expect(own.typed).toBe(mine.toUpperCase());
    // The pasted text can be restored in turn, and emptying the field first loses no text.
    controller.type('');
    for (const letters of ['n', 'ne', 'new']) controller.type(letters);
    controller.open(fileOf('anna'));
    await settled();
    expect([state.fileName, own.isInPlaceOfAnother]).toEqual(['a.txt', true]);
    controller.bringBack();
    await settled();
    expect(own.typed).toBe('new');
    controller.bringBack();
    expect(own.typed).toBe(mine.toUpperCase());
  });

  test('has each of several texts come back in turn, after a reload, too', async () => {
    const [one, two, three] = ['the first text that was typed', 'a second, unlike it', LONG];
    const { controller, own } = openController();
    controller.type(one);
    controller.type(two.padEnd(30, '!'));
    controller.type(three);
    controller.open(fileOf('anna'));
    await settled();
    const { own: later } = openOwn();
    const all: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      all.push((await readOf(later)).slice(0, 9));
      later.bringBack();
    }
    expect(all).toEqual(['a.txt: an', 'xxxxxxxxx', 'a second,', 'the first', 'a.txt: an']);
    expect(own.isUnkept).toBe(false);
  });

  test('keeps no text twice: what is pasted again is no other', () => {
    const [one, other] = ['the one text that somebody typed', 'another one, quite unlike it'];
    const { controller, own } = openController();
    controller.type(one);
    controller.type(other);
    controller.type(one);
    controller.bringBack();
    expect(own.typed).toBe(other);
    controller.bringBack();
    expect(own.typed).toBe(one);
  });

  test('reads a file once, as its reader chose, also after a reload; its bytes stay beside the text', async () => {
    const { controller, own, state, taken } = openController();
    controller.open(new File([Uint8Array.of(0x65, 0xf5, 13, 0x65)], 'a.txt'));
    await vi.waitFor(() => {
      expect(state.fileName).toBe('a.txt');
    });
    const { reading } = state;
    expect(await controller.readText()).toBe(taken.at(-1));
    controller.readAs({ encoding: 'windows-1250', keepsEnds: true });
    await vi.waitFor(() => {
      expect(taken.at(-1)).toBe('eő\re');
    });
    controller.readAs({ ...reading!, encoding: 'windows-1252' });
    await vi.waitFor(() => {
      expect(taken.at(-1)).toBe('eõ\ne');
    });
    expect(await controller.readText()).toBe('eõ\ne');
    expect([state.shown, state.fileSize, own.isInPlaceOfAnother]).toEqual(['eõ\ne', 4, false]);
    await settled();
    const later = openController();
    later.controller.choose('own');
    await vi.waitFor(() => {
      expect(later.taken).toEqual(['eõ\ne']);
    });
    expect(later.state.reading?.encoding).toBe('windows-1252');
    // The stored bytes equal the file, independent of the chosen encoding.
    const file = await later.own.read();
    const bytes = new Uint8Array(await (file as File).arrayBuffer());
    expect(bytes).toEqual(Uint8Array.of(0x65, 0xf5, 13, 0x65));
  });

  test('takes what was asked for last, in whatever order it comes', async () => {
    const { controller, state, taken, samples } = openController();
    controller.choose('moby');
    controller.choose('tang');
    controller.open(fileOf('from a file'));
    await settled();
    expect([taken, state.source, state.fileName]).toEqual([['from a file'], 'own', 'a.txt']);
    samples.get('texts/tang-quatrains-zh.txt')?.(bytesOf('late'));
    samples.get('texts/moby-dick-en.txt')?.(bytesOf('later'));
    await settled();
    expect(taken).toEqual(['from a file']);
    controller.open(fileOf('slow'));
    controller.type('typed');
    await settled();
    expect([taken.slice(1), state.shown, state.fileName]).toEqual([['typed'], 'typed', '']);
  });

  test('begins with the text that was asked for when it is here, and only with that one', async () => {
    const { controller, state, taken } = openController();
    const begun: string[] = [];
    const begin = (): void => controller.whenHere(() => begun.push(taken.at(-1)!));
    controller.type('anna');
    begin();
    controller.open(fileOf('from a file'));
    begin();
    expect([begun, state.awaitsText]).toEqual([['anna'], true]);
    await vi.waitFor(() => { expect(state.awaitsText).toBe(false); }); // prettier-ignore
    expect(begun).toEqual(['anna', 'from a file']);
    // A newer request, typing, or a file that cannot be trained on cancels the start.
    const others = [
      () => controller.type('typed'),
      () => controller.open(fileOf('another')),
      () => undefined,
    ];
    for (const other of others) {
      controller.open(fileOf(''));
      begin();
      expect(state.awaitsText).toBe(true);
      other();
      expect(state.awaitsText).toBe(other === others.at(-1));
    }
    await vi.waitFor(() => { expect(state.textError).not.toBeNull(); }); // prettier-ignore
    await settled();
    expect([begun.length, state.awaitsText]).toEqual([2, false]);
  });

  test('keeps what there was when a file cannot be taken, and the reader’s own text with it', async () => {
    const { controller, own, state, taken, failed } = openController();
    controller.type('mine');
    controller.open(fileOf(''));
    await settled();
    expect(state.textError).toMatchObject({ code: 'file-empty' });
    expect([state.shown, state.source, own.typed, taken]).toEqual([
      'mine',
      'own',
      'mine',
      ['mine'],
    ]);
    expect(failed).toHaveBeenCalledTimes(1);
    controller.forgetFailure();
    expect(state.textError).toBe(null);
  });

  test('has a field to type into where the first text cannot be had', async () => {
    isFull = true;
    openOwn().own.set(fileOf('gone'));
    await settled();
    const { controller, state } = openController();
    controller.follow('own');
    await settled();
    expect(state.textError).toMatchObject({ code: 'text-gone' });
    expect([state.shown, state.readOnly]).toEqual(['', false]);
    // The message is the only account of the missing text, so later acts do not clear it.
    controller.forgetFailure();
    expect(state.textError).not.toBe(null);
  });

  test('says of an address without its text what it lacks, and not of what one chooses', () => {
    const followed = openController();
    followed.controller.follow('own');
    expect(followed.state.textError).toMatchObject({ code: 'text-unsent' });
    followed.controller.type('here');
    expect(followed.state.textError).toBe(null);
    tab.clear();
    const chosen = openController();
    chosen.controller.choose('own');
    expect(chosen.state.textError).toBe(null);
    chosen.controller.follow('own');
    expect(chosen.state.textError).toBe(null);
  });

  test('mends a text and takes that back, with what that text stands in the place of', async () => {
    const { controller, own, state } = openController();
    controller.type('before');
    controller.showOfRun(textOfRun('of  the run'));
    const undo = controller.mend('of the run');
    expect([own.typed, state.shown, own.isInPlaceOfAnother]).toEqual([
      ...['of the run', 'of the run', false],
    ]);
    undo();
    expect([own.typed, state.shown, own.isInPlaceOfAnother]).toEqual([
      ...['of  the run', 'of  the run', true],
    ]);
    controller.bringBack();
    expect([own.typed, state.shown, own.isInPlaceOfAnother]).toEqual(['before', 'before', false]);
    // Undo also restores a sample text, which is never modified itself.
    const { controller: other, own: others, state: shown, samples } = openController();
    other.choose('names');
    samples.get('texts/first-names-en.txt')?.(bytesOf('the whale  '));
    await settled();
    const back = other.mend('the whale');
    expect([shown.source, others.typed]).toEqual(['own', 'the whale']);
    back();
    await settled();
    expect([shown.source, shown.shown, others.typed]).toEqual(['names', 'the whale  ', 'before']);
  });

  test('looks at a sample and back at a file, which still stands in the place of another', async () => {
    const { controller, own, state, taken } = openController();
    controller.type('before');
    controller.showOfRun(textOfRun('of the run', 'run.txt'));
    controller.choose('names');
    controller.choose('own');
    await settled();
    expect([taken.at(-1), state.fileName]).toEqual(['of the run', 'run.txt']);
    expect(own.isInPlaceOfAnother).toBe(true);
  });
});
