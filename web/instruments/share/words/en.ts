/** Lessons to share. */
export const share = {
  'share.page': 'A link to this page',
  'share.page.lead':
    'The link opens this text, these settings and this seed. Start then gives exactly the same run.',
  'share.page.own':
    'The link opens your own text, these settings and this seed. Start then gives exactly the same run. A link holds up to {most}. The address bar alone does not include your text.',
  'share.broken': 'These settings cannot start a run.',
  'share.page.also': 'The link also contains: {list}.',
  'share.page.copy': 'Copy the link',
  'share.page.copy.own': 'Copy the link with my text',
  'share.link': 'The link',
  'share.packed': '{count} packed {count|character|characters}',
  'share.long':
    'Not copied: your text has {size}, and a link holds up to {most}. Shorten it, send it as a file, or make a lesson that loads it from an address (under “{=share.title}”).',
  'share.lesson': 'A lesson',
  'share.lead':
    'Make a lesson for your course from the text, preset, settings and seed of this page. Students get exactly what you choose here. Nothing is sent anywhere.',
  'share.teachers': 'For teachers: ready lessons',
  'share.task': 'Task',
  'share.task.placeholder':
    'What should students do and look at? Plain text; empty lines separate paragraphs.',
  'share.name': 'Name of the text',
  'share.show': 'Show',
  'share.show.closer': '{=tabs.title}',
  'share.lock': 'Lock (read-only for students)',
  'share.hide': 'Hide buttons',
  'share.hide.step': '{=run.step}',
  'share.hide.rewind': '{=run.rewind}',
  'share.hide.seed': '{=run.newSeed}',
  'share.hide.pace': '{=run.pace}',
  'share.autostart': 'Start when scrolled into view',
  'share.stop': 'Train automatically and stop at step',
  'share.stop.wrong': 'The step to stop at must be a whole number above 0, or empty.',
  'share.lang.auto': 'The reader’s own',
  'share.form': 'Paste it as',
  'share.form.link': 'Link',
  'share.form.link.help': 'For messages, slides and learning platforms that take an address.',
  'share.form.frame': 'Frame',
  'share.form.frame.help':
    'To paste HTML into a course: a frame is a window in a page that shows the lesson. It works in Quarto, Moodle, Canvas, reveal.js and most others. Where scripts are removed, it still works, at its written height.',
  'share.form.element': 'Element',
  'share.form.element.help':
    'To write a page of your own: an element is a piece of HTML that stands in the page like a paragraph and shares its layout, colours and scripts.',
  'share.form.notebook': 'Notebook',
  'share.form.notebook.help':
    'To teach in notebooks: Python for Jupyter, Colab, marimo and VS Code, with anywidget.',
  'share.form.myst': 'MyST',
  'share.form.myst.help':
    'To write course books in MyST, the Markdown of Jupyter Book: paste it between two paragraphs.',
  'share.frame.title': 'Glasshouse: train a small GPT',
  'share.snippet': 'What to paste',
  'share.copy': 'Copy',
  'share.copied': 'Copied.',
  'share.copied.own': 'Copied, with your text: {count} {count|character|characters}.',
  'share.copy.by-hand': 'Copying is not allowed here. The text is selected: copy it by hand.',
  'share.preview': 'Preview',
  'share.preview.shown': 'The lesson is shown below.',
  'share.preview.title': 'The lesson as students see it',
  'share.packing': 'Packing the text…',
  'share.file':
    'The text is too long for the link itself. Host the site (the folder that the build makes), save the text as {name} beside embed.html there, and begin the link with your own address. The link contains the SHA-256 of the text: no other text is used.',
  'share.file.save': 'Save {name}',
  'share.also': 'Besides the text it contains: {list}.',
  'share.also.text': 'the text of {name}',
  'share.size': '{length} {length|character|characters}.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly share: typeof share;
  }
}
