import type { Translation } from '../../../i18n/index.ts';
import type { twinMore as en } from './en-more.ts';

export const twinMore: Translation<typeof en> = {
  'twin.control': '对照：把这篇文本打乱后再训练，打乱',
  'twin.control.letters': '字',
  'twin.control.words': '单词',
  'twin.control.lines': '行',
  'twin.control.back': '换回原来的文本',
  'twin.control.long': '这里只打乱不超过 {most} 个字符的文本。',
  'twin.control.no-words': '没有哪一行含有几个用空格隔开的词：请打乱字或行。',
  'twin.control.said.letters':
    '字的顺序是随机的：能学到的只有每个字有多常见。在留出文本上，除非碰巧，任何模型的损失都不会低于 {best} {unit}。',
  'twin.control.said.words':
    '单词的顺序是随机的：能学到的只有每个单词有多常见。在留出文本上，除非碰巧，任何模型的损失都不会低于 {best} {unit}。',
  'twin.control.said.lines': '行的顺序是随机的：失去的只有上一行对下一行的提示。',
  'twin.control.said.documents':
    '行的顺序换了。对一行一行地学的模型来说，这还是同一篇文本：除了碰巧的差别，曲线该停在原来的地方。',
  'twin.control.level': '打乱后的极限',
  'twin.seeds': '是碰巧吗？两次训练各换 {count} 个种子再做',
  'twin.seeds.stop': '停止这些训练',
  'twin.seeds.progress': '第 {run} 次，共 {runs} 次：第 {step} 步，共 {steps} 步',
  'twin.seeds.table': '同样的两次训练，换了种子',
  'twin.seeds.caption': '同样的两次训练，换了种子，单位为{unit}',
  'twin.seeds.seed': '种子',
  'twin.seeds.of': '种子 {seed}',
  'twin.seeds.gap': '差',
  'twin.seeds.mean':
    '{count} 个种子平均，“{best}”比“{other}”低 {mean} {unit}；差的标准差是 {deviation}。',
  'twin.seeds.real': '按 5% 水平的配对 t 检验，这不只是碰巧。',
  'twin.seeds.chance': '按 5% 水平的配对 t 检验，这可能是碰巧。',
  'twin.seeds.diverged': '其中一次训练发散了，没有平均值。',
  'twin.left-out.with': '读过这些行',
  'twin.left-out.without': '没读过这些行',
  'twin.left-out': '要剔除的行（行号）',
  'twin.left-out.go': '训练一个没读过它们的双胞胎',
  'twin.left-out.numbers': '请写文本里非空行的行号，例如 3, 8–10。',
  'twin.left-out.early': '请先把这次训练做完：双胞胎会走完全部步数。',
  'twin.left-out.many': '最多 {most} 行，每一行都要单独测量。',
  'twin.left-out.more':
    '在这 {count} 行上，读过它们的模型每个词元损失 {seen} 纳特，没读过的是 {unseen}：其中 {gap} 纳特是背下来的。',
  'twin.left-out.less':
    '在这 {count} 行上，读过它们的模型每个词元损失 {seen} 纳特，没读过的是 {unseen}：没有背下什么。',
  'twin.left-out.same':
    '两个模型在这 {count} 行上的损失完全相同：这次训练的步数里根本没轮到它们。请多训练几步。',
  'twin.left-out.part': '这次训练的步数里只读到了 {all} 行中的 {read} 行：上面有些行可能不在其中。',
  'twin.left-out.unread': '这次训练本身就剔除了几行，不能当作读过全部的那一个。',
  'twin.left-out.whole': '用全部行训练一次',
  'twin.left-out.table': '剔除的行',
  'twin.left-out.caption': '损失，单位为纳特/词元；以及每行前半之后最可能的文字',
  'twin.left-out.line': '行',
  'twin.left-out.seen': '损失（读过）',
  'twin.left-out.unseen': '损失（没读过）',
  'twin.left-out.writes.seen': '接着写（读过）',
  'twin.left-out.writes.unseen': '接着写（没读过）',
};
