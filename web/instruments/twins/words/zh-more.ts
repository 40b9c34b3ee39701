import type { Translation } from '../../../i18n/index.ts';
import type { twinMore as en } from './en-more.ts';

export const twinMore: Translation<typeof en> = {
  'twin.control': '对照：把这篇文本打乱后再训练，打乱',
  'twin.control.letters': '字母',
  'twin.control.words': '单词',
  'twin.control.lines': '行',
  'twin.control.back': '换回原来的文本',
  'twin.control.long': '这里只打乱不超过 {most} 个字符的文本。',
  'twin.control.said.letters':
    '字母的顺序是随机的：能知道的只有每个字母出现得多频繁。在没见过的文本上，除非碰巧，任何模型都低不过 {best} {unit}。',
  'twin.control.said.words':
    '单词的顺序是随机的：能知道的只有每个单词出现得多频繁。在没见过的文本上，除非碰巧，任何模型都低不过 {best} {unit}。',
  'twin.control.said.lines': '行的顺序是随机的：上一行对下一行的提示没有了，别的都还在。',
  'twin.control.said.documents':
    '行的顺序换了。对一行一行地学的模型来说，这还是同一篇文本：除了碰巧的差别，曲线该停在原来的地方。',
  'twin.control.level': '打乱后的极限',
  'twin.without': '不学某些行：行号',
  'twin.without.go': '训练一个没读过它们的对照',
  'twin.without.numbers': '请写文本里非空行的行号，例如 3, 8–10。',
  'twin.without.early': '请先把这次训练做完：对照会走完全部步数。',
  'twin.without.one': '一对训练的差别也可能是碰巧：换一个种子再做一次。',
  'twin.without.many': '最多 {most} 行，每一行都要单独测量。',
  'twin.without.more':
    '读过这 {count} 行的模型，在上面每个词元损失 {seen} 纳特；没读过的对照是 {unseen}：其中 {gap} 纳特是背下来的。',
  'twin.without.less':
    '读过这 {count} 行的模型，在上面每个词元损失 {seen} 纳特；没读过的对照是 {unseen}：没有背下什么。',
  'twin.without.table': '没有学的行',
  'twin.without.caption': '损失，单位为纳特 / 词元；以及每行前半之后最可能的文字',
  'twin.without.line': '行',
  'twin.without.seen': '损失（读过）',
  'twin.without.unseen': '损失（没读过）',
  'twin.without.writes.seen': '接着写（读过）',
  'twin.without.writes.unseen': '接着写（没读过）',
};
