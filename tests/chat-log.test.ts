/** Chat exports: dates and times of messages are found in the formats of many programs. */
import { describe, expect, test } from 'vitest';
import { removeStamps } from '../web/instruments/text/text-check/chat-log.ts';
import { findingsOf } from './node/findings-of.ts';

const ada = (one: string): string => `Ada: ${one}`;
const minsu = (one: string): string => `민수: ${one}`;
/** The format, a line with the stamp of a minute, and the same line without its stamp. */
const FORMS: [string, (one: string, minute: string) => string, (one: string) => string][] = [
  ['WhatsApp on an iPhone', (one, at) => `[12.03.24, 18:${at}:11] Ada: ${one}`, ada],
  ['the same in Chinese', (one, at) => `[2024/3/12 下午6:${at}:11] Ada: ${one}`, ada],
  ['WhatsApp in America', (one, at) => `3/12/24, 6:${at}\u202fPM - Ada: ${one}`, ada],
  ['in Spanish', (one, at) => `12/3/2024 6:${at} p.\u00a0m. - Ada: ${one}`, ada],
  ['in Indonesian', (one, at) => `12/03/24 18.${at} - Ada: ${one}`, ada],
  ['in Finnish', (one, at) => `12.3.2024 klo 18.${at} - Ada: ${one}`, ada],
  ['in Hungarian', (one, at) => `2024. 03. 12. 18:${at} - Ada: ${one}`, ada],
  ['in Bulgarian', (one, at) => `12.03.24 г., 18:${at} - Ada: ${one}`, ada],
  ['in Dutch', (one, at) => `12-03-2024 18:${at} - Ada: ${one}`, ada],
  ['in Korean', (one, at) => `2024. 3. 12. 오후 6:${at} - Ada: ${one}`, ada],
  ['in Arabic', (one, at) => `١٢\u200f/٣\u200f/٢٠٢٤، ٦:${at} م - Ada: ${one}`, ada],
  ['copied from the web', (one, at) => `[6:${at} PM, 3/12/2024] Ada: ${one}`, ada],
  ['of a number', (one, at) => `12.03.24, 18:${at} - +49 170: ${one}`, (one) => `+49 170: ${one}`],
  ['Signal', (one, at) => `[2024-03-12, 18:${at}] Ada: ${one}`, ada],
  ['IRC', (one, at) => `[18:${at}] <ada> ${one}`, (one) => `<ada> ${one}`],
  ['IRC without brackets', (one, at) => `18:${at} < ada> ${one}`, (one) => `< ada> ${one}`],
  ['Telegram', (one, at) => `Ada, [12.03.2024 18:${at}]\n${one}\n`, (one) => `Ada: ${one}\n`],
  ['Discord', (one, at) => `Ada — Today at 6:${at} PM\n${one}`, ada],
  ['QQ', (one, at) => `2024/3/12 18:${at}:11 小明(12)\n${one}`, (one) => `小明(12): ${one}`],
  ['WeChat', (one, at) => `小明 2024年3月12日 18:${at}\n${one}`, (one) => `小明：${one}`],
  ['WeChat of today', (one, at) => `小明 下午6:${at}\n${one}\n`, (one) => `小明：${one}\n`],
  ['KakaoTalk', (one, at) => `2024년 3월 12일 오후 6:${at}, 민수 : ${one}`, minsu],
  ['KakaoTalk on a computer', (one, at) => `[민수] [오후 6:${at}] ${one}`, minsu],
];
const MESSAGES = ['hi', 'how are you', 'fine', 'see you at 8', '好的，明天见', '3:16 is it'];

describe('dates and times beside messages', () => {
  test.each(FORMS)('of %s are removed; names and messages stay', (_, write, left) => {
    const text = MESSAGES.map((one, at) => write(one, `0${at + 2}`)).join('\n');
    expect(findingsOf(text).stamps?.count).toBe(MESSAGES.length);
    expect(removeStamps(text)).toBe(MESSAGES.map((one) => left(one)).join('\n'));
    expect(findingsOf(removeStamps(text)).stamps).toBeNull();
  });

  test('leave more lines of a message, and what it quotes, as they are', () => {
    const chat = (...messages: string[]) =>
      messages.map((one, at) => `12.03.24, 18:0${at + 1} - ${one}`).join('\n');
    const text = chat(
      'Messages are encrypted',
      ...['Ada: one\ntwo', 'Ben: see\nCy, [10.07.16 18:01]\nhi', 'Ada: 3', 'Ben: 4', 'Ada: 5'],
    );
    expect(removeStamps(text)).toBe(
      'Messages are encrypted\nAda: one\ntwo\nBen: see\nCy, [10.07.16 18:01]\nhi\nAda: 3\nBen: 4\nAda: 5',
    );
  });

  test.each([
    ['a phone', '2024년 3월 11일 월요일', (at: string) => `2024년 3월 11일 오전 8:${at}, `, ' :'],
    ['a computer', '--------------- 2024년 3월 11일 월요일 ---------------', null, ''],
  ])('of KakaoTalk go with its lines of days: %s', (_, day, stamp, colon) => {
    const said = (name: string, at: string, one: string): string =>
      stamp === null ? `[${name}] [오전 8:${at}] ${one}` : `${stamp(at)}${name}${colon} ${one}`;
    const first = [
      said('민수', '31', '안녕'),
      said('지영', '32', '응'),
      '두 번째 줄',
      `${stamp?.('33') ?? ''}지영님이 나갔습니다.`,
    ];
    const second = ['36', '37', '38', '41'].map((at) => said('민수', at, '2024년 3월 11일에 봐'));
    const text = [day, '', ...first, day.replaceAll('11', '12'), ...second].join('\n');
    expect(findingsOf(text).stamps?.count).toBe(stamp === null ? 6 : 7);
    const left = ['', '민수: 안녕', '지영: 응', '두 번째 줄', '지영님이 나갔습니다.'];
    const rest = second.map(() => '민수: 2024년 3월 11일에 봐');
    expect(removeStamps(text)).toBe([...left, ...rest].join('\n'));
  });

  test('go from a message without text too', () => {
    const text = MESSAGES.map((one, at) => `Ada, [12.03.2024 18:0${at + 2}]\n${one}\n`).join('');
    const photo = 'Ben, [12.03.2024 18:09]\n';
    expect(removeStamps(photo + text)).toBe(`Ben:\n${removeStamps(text)}`);
  });

  test('are shown as they are and as they will be', () => {
    const text = 'Ada, [12.03.2024 18:04]\nhi\n'.repeat(6);
    expect(findingsOf(text).stamps?.change).toEqual({
      before: 'Ada, [12.03.2024 18:04]\nhi',
      after: 'Ada: hi',
    });
  });

  test.each([
    ['names', 'anna\nbea\nclara\n'.repeat(9)],
    ['a timetable in prose', 'The first train leaves at 6:04, the last one later.\n'.repeat(9)],
    ['addresses', 'see https://example.org/12:34/a\n'.repeat(9)],
    ['years', '1848 was a year of revolutions, and so was 1989.\n'.repeat(9)],
    [
      'a few messages in a long text',
      `[12.03.24, 18:04] Ada: hi\n${'word\n'.repeat(30)}`.repeat(9),
    ],
    ['many names, once each', [1, 2, 3, 4, 6, 7].map((at) => `[18:0${at}] N${at}: a\n`).join('')],
    [
      'parts of a programme with seconds',
      '[18:00:07] Ada: opening\n[18:30:08] Ben: dinner\n'.repeat(9),
    ],
    ['parts of a programme', '[18:00] Ada: opening\n[18:30] Ben: dinner\n'.repeat(9)],
  ])('are not taken for such in %s', (_, text) => {
    expect(findingsOf(text).stamps).toBeNull();
    expect(removeStamps(text)).toBe(text);
  });
});
