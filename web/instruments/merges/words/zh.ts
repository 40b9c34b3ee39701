import type { Translation } from '../../../i18n/index.ts';
import type { merges as en } from './en.ts';

export const merges: Translation<typeof en> = {
  'merges.finding':
    '{left}和{right}并排出现得最多，共 {count} 次，于是成了第一个子词。最长的子词是{piece}。',
  'merges.lead':
    '这个词表不是人写的：在训练文本里，最常挨在一起的两个词元合并成一个，如此反复。按同样的顺序做同样的合并，任何文本都能变成词元。',
  'merges.none':
    '这个模型读的是字节或字符。把词元选为子词（BPE），或选预设 gpt2，这里就会列出合并。',
  'merges.none.locked': '这个模型读的是字节或字符，没有合并。',
  'merges.use': '改用子词作词元',
  'merges.use.back': '换回原来的词元',
  'merges.chosen.now': '现在的词元是子词。',
  'merges.chosen.next': '下一次训练会用子词：按上方的“{=run.restart}”就会开始，合并随后列在这里。',
  'merges.loading': '正在读取合并：已有 {count} 条…',
  'merges.count': '共 {count} 条合并，按学到的先后排列。',
  'merges.list': '全部合并',
  'merges.caption': '按学到的先后排列的合并',
  'merges.rank': '次序',
  'merges.left': '左',
  'merges.right': '右',
  'merges.result': '合并为',
  'merges.occurrences': '出现次数',
  'merges.earlier': '往前',
  'merges.later': '往后',
  'merges.rank.go': '跳到次序',
  'merges.place': '第 {from} 到 {to} 条，共 {count} 条',
  'merges.walk': '看一段文字怎样合并',
  'merges.text': '文字',
  'merges.first': '字节',
  'merges.back': '上一步',
  'merges.next': '下一次合并',
  'merges.last': '词元',
  'merges.slider': '合并次数',
  'merges.pieces': '合并到此的文字',
  'merges.bytes': '这段文字是 {count} 个字节，分成一个个词，词与词之间从不合并。',
  'merges.step':
    '第 {step} 次合并，共 {steps} 次：{left} 和 {right} 合成一个（次序 {rank}）。文字现在有 {count} 个词元。',
  'merges.done': '没有可以合并的相邻对了。',
  'merges.fresh': '{token}，新合成',
};
