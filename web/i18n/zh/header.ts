/** 页眉和页脚的文字。 */
import type { Translation } from '../index.ts';
import type { header as en } from '../en/header.ts';

export const header: Translation<typeof en> = {
  'app.tagline': '玻璃房里养一个 GPT',
  'app.skip': '跳到训练',
  'app.lead':
    '按“{=run.start}”：一个小小的语言模型开始学习这段文本，乱码渐渐变成词句。你粘贴的内容不会离开这个标签页。',
  'app.language': '语言',
  'app.theme': '配色',
  'app.theme.auto': '跟随系统',
  'app.theme.light': '浅色',
  'app.theme.dark': '深色',
  'app.footer': '用 C 语言从零写成。文本、设置和种子相同，损失就一位不差。',
  'app.docs': '原理',
  'app.teachers': '写给老师',
  'tour.begin': '带我看看',
};
