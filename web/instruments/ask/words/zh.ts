import type { Translation } from '../../../i18n/index.ts';
import type { ask as en } from './en.ts';

export const ask: Translation<typeof en> = {
  'ask.title': '让模型接着写',
  'ask.prompt': '提示词',
  'ask.placeholder': '可以留空',
  'ask.button': '写',
  'ask.stop': '停',
  'ask.settings': '长度、种子等',
  'ask.temperature': '温度',
  'ask.temperature.help': '0 总是选最可能的词元；越高越大胆。',
  'ask.topK': 'Top-k',
  'ask.topK.help': '只在最可能的 k 个词元里选。0 表示不限。',
  'ask.topP': 'Top-p',
  'ask.topP.help': '只在合起来达到这个比例的最可能词元里选。1 表示不限。',
  'ask.maxTokens': '长度（词元）',
  'ask.maxTokens.help': '最多写多少个词元。',
  'ask.seed': '种子',
  'ask.seed.help': '随机种子。种子、模型、提示词和设置都相同，写出的文字就相同。',
  'ask.done': '写于第 {step} 步，温度 {temperature}，种子 {seed}，共 {tokens} 个词元。',
  'ask.ended':
    '写于第 {step} 步，温度 {temperature}，种子 {seed}，共 {tokens} 个词元（含结尾）。模型结束了这段文字。',
  'ask.full': '上下文已满。',
  'ask.limit': '一段文字最多 65,536 字节。',
  'ask.refills': '上下文满了 {count} 次，每次都从后一半继续写。',
  'ask.again.request':
    '还是同一段文字，因为模型、提示词和种子都没变。“{=ask.another}”会换一个种子。',
  'ask.again.seed': '换了种子还是同一段文字：模型对每个词元都很有把握。温度高一些，就会有变化。',
  'ask.cancelled': '已停止。',
  'ask.empty': '模型什么也没写。',
  'ask.another': '换一段',
  'ask.back': '回到上一段',
};
