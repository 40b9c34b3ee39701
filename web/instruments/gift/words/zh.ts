import type { Translation } from '../../../i18n/index.ts';
import type { gift as en } from './en.ts';

export const gift: Translation<typeof en> = {
  'gift.title': '有人把这个发给了你',
  'gift.wrote': '一个学过本页文本的模型写道：',
  'gift.start': '按“{=run.start}”：一个新模型从零开始学这篇文本，{steps} 步之后写出的就是这几行。',
  'gift.same': '一字不差，就是这几行：文本、设置和种子相同，在任何机器上结果都一样。',
  'gift.other': '这次训练写出了别的：文本或设置与链接里的不同。',
};
