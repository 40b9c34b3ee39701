import type { Translation } from '../index.ts';
import type { links as en } from '../en/links.ts';

export const links: Translation<typeof en> = {
  'error.link-size': '这个链接里的内容太长：{0}，最多允许 {1}。',
  'error.share-packed':
    '文本太长，链接里放不下：压缩后有 {0} 个字符，最多 {1} 个。请换一种形式，或者通过 https 打开本页：这样文本就可以作为文件放在页面旁边。',
  'error.share-size':
    '文本太长，这种形式放不下：{0} 字节，最多 {1} 字节。请缩短文本；链接或框架还可以指定一个最多 16,000,000 字节的文件。',
  'error.share-bytes':
    '这个文本不是 UTF-8，或者含有 NUL 字符，用这种形式无法原样保留。请选择链接或框架。',
  'error.link-text':
    '无法读取这个链接里的文本。链接在传送途中可能被截断了：请重新索取链接，或者直接把文本粘贴到这里。',
  'error.link-browser':
    '这个浏览器太旧，无法展开链接里的文本。请用较新的浏览器打开，或者直接把文本粘贴到这里。',
  'error.link-file': '这个链接里的文本文件名不被允许：{name}。请重新索取链接。',
  'error.link-fetch': '没有取到文本文件 {name}。它必须以这个名字放在 embed.html 旁边。',
  'error.link-hash': '文本文件 {name} 在链接制作之后变了。请重新索取链接。',
};
