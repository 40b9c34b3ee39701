import type { Translation } from '../../../../i18n/index.ts';
import type { fit as en } from './en.ts';

export const fit: Translation<typeof en> = {
  'fit.title': '适合这篇文本的设置',
  'fit.applied': '已按这篇文本设置：{what}',
  'fit.offered': '另一组设置更适合这篇文本：{what}',
  'fit.same': '现在的设置适合这篇文本：{what}',
  'fit.undo': '撤销',
  'fit.use': '采用',
  'fit.keep': '保留我的设置',
  'fit.why': '为什么这样设置',
  'fit.kind.chat': '{lines} 行的聊天记录，连同说话人的名字作为一段连续文本来学。',
  'fit.kind.code': '程序代码，连同换行作为一段连续文本来学。',
  'fit.kind.records': '{lines} 行的表格，逐行学习。',
  'fit.kind.list': '{lines} 行的列表，逐行学习。',
  'fit.kind.sentences': '{lines} 行各自独立的句子，逐行学习。',
  'fit.kind.verse': '{lines} 个短行，作为一段连续文本来学。',
  'fit.kind.prose': '{characters} 个字符的连续文字，作为一段连续文本来学。',
  'fit.little': '文本太短，从中学不到多少东西。',
  'fit.byHeart': '文本很短，模型会把它背下来。',
  'fit.reason.lines':
    '共 {first} 行，每行是一篇独立的文档；{second} 个词元的上下文装得下其中至少 99 %。',
  'fit.reason.stream': '各行前后相连，所以训练时从全文中随机截取 {first} 个词元的片段。',
  'fit.reason.bytes': '几乎全是基本拉丁字母：每个字节是一个词元。',
  'fit.reason.characters': '文本有 {first} 种不同的字符：每个字符是一个词元。',
  'fit.reason.character-bytes': '文本有 {first} 种不同的字符，逐个学太多了：改为按字节来读。',
  'fit.reason.held-out': '留出 {first} % 的文本，用没见过的文字检验模型。',
  'fit.reason.all-new': '不留出文本：每行最多读 {first} 遍，几乎每次算的都是新内容的损失。',
  'fit.reason.too-short':
    '不留出文本：这类文本至少要有 {second} 行或字符才够用，而这里只有 {first}。',
  'fit.reason.stamps': '有些行带日期和时间，模型也会学它们；可以去掉。',
  'fit.reason.by-heart':
    '{first} 步把文本读约 {second} 遍，直到模型背下来。学习率逐渐降到零，最后的小错也随之消失。',
  'fit.reason.readings': '{first} 步把文本读 {second} 遍。',
};
