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
  'samples.broken': '� 是开了头却没写完的字符：它由几个字节组成，一个词元可能只是其中一部分。',
  'samples.cut': '末尾的 … 表示这一段不是模型自己收尾的：后面没有地方再写了。',
  'samples.nothing': '（空白的一段）',
  'samples.spoken': '第 {step} 步。它写道：{text}',
};
