import type { Translation } from '../../../i18n/index.ts';
import type { samples as en } from './en.ts';

export const samples: Translation<typeof en> = {
  'samples.title': '它写出的文字',
  'samples.lead': '每次都掷同样的骰子，温度 0.8：变化的只有模型。',
  'samples.empty': '按“{=run.start}”。模型写的文字会出现在这里，起初只是乱码。',
  'samples.step': '第 {step} 步',
  'samples.all': '显示全部 {count} 条',
  'samples.fewer': '收起',
  'samples.share': '分享',
  'samples.unreadable': '是模型写出的字节，拼不成能读的字。',
  'samples.cut': '末尾的 … 表示没有地方再写了，模型自己还没有写完。',
  'samples.nothing': '（空白的一段）',
  'samples.spoken': '第 {step} 步。它写道：{text}',
};
