import type { Translation } from '../../../i18n/index.ts';
import type { glossary as en } from './en.ts';

export const glossary: Translation<typeof en> = {
  'glossary.close': '关闭',
  'glossary.formula': '公式',
  'glossary.entry': '看代码：',
  'glossary.all': '全部术语',
  'glossary.more': '详细解释',
};
