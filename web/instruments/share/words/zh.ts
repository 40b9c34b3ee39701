import type { Translation } from '../../../i18n/index.ts';
import type { share as en } from './en.ts';

export const share: Translation<typeof en> = {
  'share.page': '本页的链接',
  'share.page.lead': '打开链接的人会得到同样的文本、设置和种子；按下开始，就是一模一样的训练。',
  'share.page.own':
    '打开链接的人会得到你自己的文本、同样的设置和种子；按下开始，就是一模一样的训练。一个链接最多容纳{most}。只复制地址栏，不会带上你的文本。',
  'share.broken': '这样的设置无法开始训练。',
  'share.page.also': '链接还包含：{list}。',
  'share.page.copy': '复制链接',
  'share.page.copy.own': '复制带有我的文本的链接',
  'share.link': '链接',
  'share.packed': '压缩后 {count} 个字符',
  'share.long':
    '没有复制：你的文本有 {size}，而一个链接最多容纳 {most}。请缩短文本，直接发送文件，或者做一份从网址读取文本的练习（见“{=share.title}”）。',
  'share.lesson': '一份练习',
  'share.lead':
    '把本页的文本、预设、设置和种子做成一份练习。学生看到的正是你在这里选定的内容。制作时不会向任何地方发送数据。',
  'share.teachers': '写给老师：现成的练习',
  'share.task': '任务',
  'share.task.placeholder': '学生要做什么、看什么？纯文本，空一行就是另起一段。',
  'share.name': '文本的名称',
  'share.show': '显示',
  'share.show.closer': '{=tabs.title}',
  'share.lock': '锁定（学生只能看，不能改）',
  'share.hide': '隐藏按钮',
  'share.hide.step': '{=run.step}',
  'share.hide.rewind': '{=run.rewind}',
  'share.hide.seed': '{=run.newSeed}',
  'share.hide.pace': '{=run.pace}',
  'share.autostart': '滚动到可见时自动开始',
  'share.stop': '自动训练，停在第几步',
  'share.stop.wrong': '停下的步数应是大于 0 的整数，或者留空。',
  'share.lang.auto': '跟随读者的浏览器',
  'share.form': '粘贴为',
  'share.form.link': '链接',
  'share.form.link.help': '用于消息、幻灯片，以及只接受网址的教学平台。',
  'share.form.frame': '内嵌框架（iframe）',
  'share.form.frame.help':
    '适合把 HTML 贴进课程的人：框架是网页里的一个小窗口，练习就在里面。可用于 Quarto、Moodle、Canvas、reveal.js 等大多数场合；即使脚本被平台去掉，框架仍按写定的高度工作。',
  'share.form.element': '自定义元素',
  'share.form.element.help':
    '适合自己写网页的人：元素是一段 HTML，像段落一样放在页面里，融入它的版式、配色和脚本。',
  'share.form.notebook': 'Jupyter 笔记本',
  'share.form.notebook.help':
    '适合用笔记本上课的人：Python 代码，借助 anywidget 用于 Jupyter、Colab、marimo 和 VS Code。',
  'share.form.myst': 'MyST',
  'share.form.myst.help':
    '适合编写在线教材的人：MyST 是 Jupyter Book 使用的 Markdown 写法，把它粘贴在两个段落之间即可。',
  'share.frame.title': 'Glasshouse：训练一个小小的 GPT',
  'share.snippet': '要粘贴的内容',
  'share.copy': '复制',
  'share.copied': '已复制。',
  'share.copied.own': '已复制，带有你的文本：共 {count} 个字符。',
  'share.copy.by-hand': '此处不允许复制。内容已选中，请手动复制。',
  'share.preview': '预览',
  'share.preview.shown': '练习显示在下方。',
  'share.preview.title': '学生看到的练习',
  'share.packing': '正在压缩文本…',
  'share.file':
    '文本太长，链接本身放不下。请自己托管网站（构建生成的文件夹），把文本以 {name} 为名保存在那里的 embed.html 旁边，并把链接开头换成你自己的地址。链接里写有文本的 SHA-256：只有这一份文本会被使用。',
  'share.file.save': '保存 {name}',
  'share.also': '除文本外还包含：{list}。',
  'share.also.text': '{name}用的文字',
  'share.size': '共 {length} 个字符。',
};
