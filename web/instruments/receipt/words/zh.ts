import type { Translation } from '../../../i18n/index.ts';
import type { receipt as en } from './en.ts';

export const receipt: Translation<typeof en> = {
  'receipt.title': '训练凭据',
  'receipt.lead':
    '凭据写明一次训练由什么构成（引擎、配方、种子、文本、途中的改动），又得到了什么：损失和权重，一位不差。有同样文本的人，在任何机器上都能重现。',
  'receipt.none': '训练暂停后，这里就有它的凭据。',
  'receipt.line': '这次训练的短凭据',
  'receipt.copy': '复制',
  'receipt.copied': '已复制。',
  'receipt.download': '下载完整凭据',
  'receipt.check': '核对',
  'receipt.check.own': '核对这次训练',
  'receipt.cancel': '取消',
  'receipt.other': '核对另一份凭据：粘贴短凭据或完整的 JSON',
  'receipt.other.none': '粘贴短凭据可作比较，粘贴完整凭据可以核对。',
  'receipt.other.json': '这是完整凭据，可以用上面的文本核对。',
  'receipt.other.running': '这里的训练一暂停，就会与它比较。',
  'receipt.other.alone':
    '这里还没有可以与它比较的训练。请用同样的文本、设置和种子训练到第 {step} 步，或者粘贴完整凭据来核对。',
  'receipt.other.unknown':
    '这不是凭据，或者不止一份。短凭据形如 gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5。',
  'receipt.same': '相同：是同一次训练，一位不差。',
  'receipt.differs.engine': '出自另一版本的引擎，两者无法比较。',
  'receipt.differs.preset': '预设不同：那份是 {other}，这里是 {own}。',
  'receipt.differs.seed': '种子不同：那份是 {other}，这里是 {own}。',
  'receipt.differs.step': '步数不同：那份是第 {other} 步，这里是第 {own} 步。',
  'receipt.differs.horizon':
    '配方也不同：可能只是设定的总步数不一样，也可能其他设置、文本或途中的改动不一样。要比较，请用同样的设置训练到同一步。',
  'receipt.differs.recipe': '配方不同：设置（包括总步数）、文本或途中的改动不一样。',
  'receipt.differs.sameStep': '配方相同，步数不同：那份是 {other} 步，这里是 {own} 步。',
  'receipt.differs.losses': '配方和步数相同，损失却不同：其中一份与事实不符。',
  'receipt.differs.weights': '损失相同，权重却不同：其中一份与事实不符。',
  'receipt.wrong.line': '短凭据与其余内容不符',
  'receipt.wrong.JSON': '内容有缺失，或有多余的部分',
  'receipt.wrong.part': '其中的“{part}”不对',
  'receipt.progress': '正在重现：第 {done} 步，共 {steps} 步',
  'receipt.true': '属实：{steps} 步的损失和最后的权重全部相同，一位不差。',
  'receipt.false.loss': '不符：最先在第 {at} 步损失不同（那份是 {expected}，这里是 {found}）。',
  'receipt.false.weights': '不符：损失都对，但第 {at} 步之后的权重不同。',
  'receipt.false.diverged': '不符：重现时在第 {at} 步发散。',
  'error.receipt': '这份凭据被改过，或者没有复制完整：{name}。请重新复制。',
  'error.receipt-engine':
    '这份凭据由第 {0} 版引擎生成，而这里是第 {1} 版：两者的数值不同，无法在此核对。',
  'error.receipt-origin': '这份凭据对应的训练以文件中的权重开始，仅凭文本无法重现。',
  'error.receipt-text':
    '这是一次接续训练的凭据，还缺一份文本（{0} 字节，哈希值 {name}）。请在这里打开那份文本，再核对一次。',
  'error.fork': '只有初始权重已知的训练，才能从它的检查点继续训练。请改为用新文本训练这些权重。',
  'error.fork-depth':
    '一次训练之前最多可以有 {0} 次训练，它们的凭据也不能太长。请改为用新文本训练这些权重。',
  'error.receipt-steps': '这份凭据有 {0} 步，而这里最多重现 {1} 步。',
};
