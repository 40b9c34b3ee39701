import type { Translation } from '../index.ts';
import type { embed as en } from '../en/embed.ts';

export const embed: Translation<typeof en> = {
  'embed.home': 'Glasshouse：打开完整页面',
  'embed.task.back': '任务的上一段',
  'embed.task.on': '任务的下一段',
  'embed.unknown': '链接中有未知的参数，已忽略：{params}。',
  'error.text-awaited': '文本由外层页面提供，现在还没有到。',
  'error.text-locked': '这份练习缺少文本，而这里不能另选文本。请联系给你这个网页的人。',
  'error.policy':
    '外层页面禁止了 WebAssembly。它的 Content-Security-Policy 需要在 script-src 中允许 ‘wasm-unsafe-eval’。',
};
