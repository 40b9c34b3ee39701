import type { Translation } from '../../../i18n/index.ts';
import type { plan as en } from './en.ts';

export const plan: Translation<typeof en> = {
  'plan.becomes': '{now} → {then}',
  'plan.fold': '{parameters} 个参数，还有内存等',
  'plan.title': '词元与模型的规模',
  'plan.vocab': '词表大小',
  'plan.vocab.help': '模型认识的不同词元的数目',
  'plan.tokens': '文本长度（词元）',
  'plan.tokens.help': '全文的词元数；词元（token）是模型读文本的最小单位',
  'plan.parameters': '参数',
  'plan.parameters.help': '训练要改进的数，一共有多少个',
  'plan.memory': '内存',
  'plan.memory.help': '模型和训练会占用这个标签页多少内存',
  'plan.index': '用到“{=copied.title}”时再加',
  'plan.index.help': '第一次查询时，文本索引最多另外占用多少内存',
  'plan.past': '用来回看时再加',
  'plan.past.help': '为重新算出任何一步而保存的快照，最多另外占用多少内存；0 表示模型太大，做不到',
  'plan.random': '随机猜测',
  'plan.random.help': '把每个词元都猜成同样可能时的损失：ln V 纳特',
};
