import type { Translation } from '../index.ts';
import type { attention as en } from '../en/attention.ts';

export const attention: Translation<typeof en> = {
  'attention.title': '注意力',
  'attention.lead':
    '为了猜下一个词元，每个词元（一行）都会回看前面的词元（各列）。颜色越鲜明，看得越多。',
  'attention.probe': '看这段文字',
  'attention.empty': '模型一准备好，图就会出现。',
  'attention.grid': '全部注意力头',
  'attention.axis.layer': '层',
  'attention.head': '第 {layer} 层，第 {head} 头',
  'attention.step': '第 {step} 步',
  'attention.scale': '权重',
  'attention.hint': '指向一个格子，或在图中用方向键移动，可读出它的权重。',
  'attention.keys': '方向键在格子间移动。',
  'attention.weight': '{from}（第 {row} 行）看 {to}（第 {column} 列），权重 {weight}。',
  'attention.omitted': '最后 {omitted} 个词元放不下，已略去。',
  'attention.table': '用表格看权重',
  'attention.table.caption': '第 {layer} 层第 {head} 头的权重：行看列',
  'attention.table.from': '从',
};
