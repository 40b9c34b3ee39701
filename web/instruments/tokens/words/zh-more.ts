import type { Translation } from '../../../i18n/index.ts';
import type { tokensMore as en } from './en-more.ts';

export const tokensMore: Translation<typeof en> = {
  'tokens.compare': '和简单的计数比一比',
  'tokens.compare.wait': '正在计数…',
  'tokens.beside':
    '最好的表是“{table}”：在这里每个词元损失 {loss} 纳特，模型是 {own}。绿色：模型知道得更多；紫色：表知道得更多。表已数过你的全部文本，所以只有用“{=tokens.source.heldOut}”来比才公平。',
  'tokens.scale.gain': '比表好多少',
  'tokens.number.gain': '数字是模型比表好多少纳特。',
  'tokens.cell.table': '{name}，损失 {loss}，表的损失 {table}',
  'tokens.chosen.table': '表在这里的损失是 {loss}。',
  'tokens.col.table': '表的损失',
};
