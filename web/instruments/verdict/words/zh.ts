import type { Translation } from '../../../i18n/index.ts';
import type { verdict as en } from './en.ts';

export const verdict: Translation<typeof en> = {
  'verdict.checking': '正在查哪些是新写的……',
  'verdict.new': '{count} 条全是新写的。',
  'verdict.new.one': '这一条是新写的。',
  'verdict.new.stream': '全是新写的：没有照抄你的文本。',
  'verdict.some': '{fresh} 条是新的，{copied} 条出自你的文本：{place}。',
  'verdict.mostly': '大部分出自你的文本：连续 {characters} 个字，见{place}。',
  'verdict.part': '有一部分出自你的文本：连续 {characters} 个字，见{place}。',
  'verdict.copied': '一字不差地出自你的文本：{place}。',
  'verdict.line': '第 {line} 行',
  'verdict.chance': '这么短的行也会碰巧相同。',
  'verdict.half': '{place}时，有一半还是新写的。',
  'verdict.step': '第 {step} 步',
};
