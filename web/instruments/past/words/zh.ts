import type { Translation } from '../../../i18n/index.ts';
import type { past as en } from './en.ts';

export const past: Translation<typeof en> = {
  'past.title': '回看',
  'past.shows': '整个页面显示的都是第 {step} 步。',
  'past.missing': '无法显示第 {step} 步：页面的一部分没能加载。网络恢复后，请再选一步。',
  'past.before':
    '这一步无法重新计算，你看到的是离它最近、保存过的文字。从第 {step} 步起才能准确显示。',
  'past.going':
    '正在重新计算到第 {step} 步：{count} 步中已完成 {done} 步，还需 {time}。在此之前，你看到的是离它最近、保存过的一步。',
  'past.way': '正在重新计算到第 {step} 步',
  'past.only': '只能显示一部分步：这个模型的一份快照要占 {size}。',
  'past.stop': '停在第 {step} 步',
  'past.play': '播放训练过程',
  'past.play.short': '播放',
  'past.hold': '停止播放',
  'past.hold.short': '停止',
  'past.film': '存成短片',
  'past.film.short': '短片',
  'error.no-film':
    '这个浏览器不能录制短片。请用新版的 Chrome、Edge 或 Firefox 打开本页，再存成短片。',
  'past.film.making': '停止制作：已有 {done} / {count} 幅',
  'past.film.step': '第 {step} 步',
  'past.film.loss': '损失 {loss}',
  'past.report': '如何成形',
  'past.best': '最好的一步：{step}',
  'past.best.help': '验证损失最低：每个词元 {loss} 纳特',
  'past.best.mark': '验证损失最低',
  'past.best.now': '这一步的验证损失最低。生成文字、保存和导出，用的都是这一步的模型。',
  'past.fork': '从这里继续训练…',
  'past.fork.short': '继续训练',
  'past.fork.title': '从第 {step} 步继续训练，改用',
  'past.fork.go': '继续训练',
  'past.fork.same': '请改动一项：设置不变，得到的就是同一次训练。',
  'past.fork.anew': '学页面上现在的文本；步数从 0 算起',
  'past.fork.other': '想让它从这里改学别的文本，请先选好那份文本。',
  'past.fork.name': '上一次训练的第 {step} 步',
  'past.fork.steps': '{name}必须大于起点 {step}。',
  'error.moment': '这不是这次训练的快照，或者已经损坏（{name}）。请重新训练到那一步。',
  'error.past': '无法重新计算第 {0} 步：这一步和更早的步都没有快照。请选后面的一步。',
};
