import type { Translation } from '../../../i18n/index.ts';
import type { card as en } from './en.ts';

export const card: Translation<typeof en> = {
  'card.title': '分享它写的文字',
  'card.lines': '最多选三行',
  'card.lines.none': '请至少选一行。',
  'card.from': '它学的是什么',
  'card.from.names': '英文名字',
  'card.from.moby': '《白鲸》',
  'card.from.tang': '唐诗',
  'card.from.own': '我自己的文本',
  'card.learned': '学自{text}',
  'card.learned.step': '第 {step} 步，学自{text}',
  'card.model': '一个由 {count} 个数组成的模型，在浏览器标签页里从零长成',
  'card.model.opened': '一个由 {count} 个数组成的模型，在浏览器标签页里',
  'card.step': '第 {step} 步',
  'card.picture': '将要分享的卡片。{text}',
  'card.share': '分享',
  'card.save': '保存图片',
  'card.copy': '复制文字',
  'card.copy.by-hand': '此处不允许复制。请改为保存图片。',
  'card.refused': '分享被拒绝，已改为保存图片：{name}',
};
