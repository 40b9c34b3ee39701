/** Logs of chats: the dates and times beside messages are found in the forms that programs write. */
import { describe, expect, test } from 'vitest';
import { removeStamps } from '../web/app/check-up/chat-log.ts';
import { suitablePreset } from '../web/app/check-up/corpus-doctor.ts';
import { findingsOf } from './node/findings-of.ts';

/** Form, what it looks like, and what is left of it. */
const FORMS: [string, (message: string) => string, (message: string) => string][] = [
  ['WhatsApp on a phone', (one) => `[12.03.24, 18:04:11] Anna: ${one}`, (one) => `Anna: ${one}`],
  ['WhatsApp elsewhere', (one) => `3/12/24, 6:04\u202fPM - Anna: ${one}`, (one) => `Anna: ${one}`],
  ['IRC', (one) => `[18:04] <anna> ${one}`, (one) => `<anna> ${one}`],
  ['Telegram', (one) => `Anna Bell, [12.03.2024 18:04]\n${one}\n`, (one) => `Anna Bell: ${one}\n`],
  ['Messenger', (one) => `Anna\n${one}\nMar 12, 2024, 6:04 PM`, (one) => `Anna\n${one}`],
  ['Discord', (one) => `anna — Today at 6:04 PM\n${one}`, (one) => `anna: ${one}`],
  ['QQ', (one) => `2024/3/12 18:04:11 小明(12345)\n${one}`, (one) => `小明(12345): ${one}`],
  ['WeChat', (one) => `小明 2024年3月12日 18:04\n${one}`, (one) => `小明：${one}`],
  ['WeChat of today', (one) => `小明 下午6:04\n${one}\n`, (one) => `小明：${one}\n`],
];
const MESSAGES = ['hi', 'how are you', 'fine', 'see you at 8', '好的，明天见', '3:16 is it'];

describe('dates and times beside messages', () => {
  test.each(FORMS)(
    'of %s are found, and go without who speaks or what is said',
    (_, write, left) => {
      const text = MESSAGES.map(write).join('\n');
      const found = findingsOf(text);
      expect(found.stamps?.count).toBe(MESSAGES.length);
      expect(found.stamps?.example).toMatch(/\d:04/);
      expect(found.conversation).toBe(true);
      // Where a stamp was all of the last line, that goes.
      expect(removeStamps(text).replace(/\n$/, '')).toBe(
        MESSAGES.map(left).join('\n').replace(/\n$/, ''),
      );
      expect(findingsOf(removeStamps(text)).stamps).toBeNull();
    },
  );

  test('keep the line ends of the rest, and lines that belong to a message', () => {
    const text = '[18:04] Anna: one\r\ntwo\r\n[18:05] Bea: three\r\n';
    expect(removeStamps(text)).toBe('Anna: one\r\ntwo\r\nBea: three\r\n');
  });

  test.each([
    ['verses', '3:16 For God so loved the world\n3:17 For God sent not his Son\n'],
    ['names', 'anna\nbea\nclara\n'],
    ['a timetable in prose', 'The first train leaves at 6:04 and the last one long after that.\n'],
    ['addresses', 'see https://example.org/12:30/a\n'],
    ['years', '1848 was a year of revolutions, and so was 1989.\n'],
  ])('are not taken for such in %s', (_, line) => {
    const text = line.repeat(12);
    expect(findingsOf(text).stamps).toBeNull();
    expect(removeStamps(text)).toBe(text);
  });
});

describe('a conversation', () => {
  test('is known by who speaks, and is read as one stream', () => {
    const talk = 'Anna: hi\nBea: how are you\nAnna: fine\n'.repeat(10);
    const play = 'ROMEO:\nIs the day so young?\nBENVOLIO:\nBut new struck nine.\n'.repeat(10);
    const chinese = '小明：你好\n小红：你好啊\n'.repeat(12);
    for (const text of [talk, play, chinese]) {
      expect([findingsOf(text).conversation, suitablePreset(findingsOf(text))]).toEqual([
        true,
        'tinygpt',
      ]);
    }
  });

  test('is no list of words with what they mean, and no list of names', () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${'abcdefgh'[at % 8]}${at}: sense\n`);
    for (const text of [words.join(''), 'anna\nbea\nclara\n'.repeat(10)]) {
      expect([findingsOf(text).conversation, suitablePreset(findingsOf(text))]).toEqual([
        false,
        'microgpt',
      ]);
    }
  });
});
