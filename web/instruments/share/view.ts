/** A lesson to share: what it shows and locks, its task, what to paste where, and a look at it. */
import type { AnyKey, AllWords } from '../../i18n/index.ts';
import { createCopyLink } from '../../kit/copy-link.ts';
import type { CopyLinkOptions } from '../../kit/copy-link.ts';
import { el, freshId, scrollBehavior, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';

/** What the teacher chose. */
export interface ShareChoice {
  readonly form: string;
  readonly show: readonly string[];
  readonly lock: readonly string[];
  readonly hide: readonly string[];
  readonly task: string;
  /** What students see the text called; empty for no name. */
  readonly name: string;
  readonly autostart: boolean;
  /** Empty for what the reader's browser says. */
  readonly lang: string;
  readonly theme: string;
}

export interface SharePanelOptions {
  readonly words: AllWords;
  /** Where teachers read on; null where there is no documentation. */
  readonly teachersPage: string | null;
  readonly forms: readonly string[];
  readonly panels: readonly string[];
  /** What is chosen at first. */
  readonly chosen: ShareChoice;
  readonly locks: readonly string[];
  readonly controls: readonly string[];
  readonly taskLimit: number;
  readonly nameLimit: number;
  readonly onChange: (choice: ShareChoice) => void;
  /** Copies a text; answers whether that was possible. */
  readonly onCopy: (text: string) => Promise<boolean>;
  /** The link to this page as it is now, or why it cannot be made. */
  readonly onLink: CopyLinkOptions['onLink'];
  /** Saves the file that the snippet names. */
  readonly onFile: () => void;
}

export interface SharePanelData {
  readonly snippet: string;
  /** Its size, or why it cannot be made. */
  readonly note: string;
  readonly error: boolean;
  /** Address to look at; empty for none. */
  readonly preview: string;
  /** Name of the file that has to lie beside the page; empty for none. */
  readonly file: string;
  /** What the link to this page brings along, and what not. */
  readonly page: string;
  /** Whether the text is the reader's own, which can have a name. */
  readonly isOwn: boolean;
}

/** Creates the panel in `container`; asks for a first snippet at once. */
export function createSharePanel(
  container: HTMLElement,
  options: SharePanelOptions,
): View<SharePanelData> {
  const { words } = options;
  const { t } = words;
  const changed = (): void => {
    options.onChange(choice());
  };

  const boxes = (
    group: string,
    names: readonly string[],
    checked: readonly string[],
  ): { root: HTMLElement; chosen: () => string[] } => {
    const made = names.map((name) => {
      const input = el('input', { type: 'checkbox', value: name, checked: checked.includes(name) });
      input.addEventListener('change', changed);
      const key: AnyKey = `share.${group}.${name}` as AnyKey;
      return { name, input, label: el('label', { class: 'check' }, input, el('span', {}, t(key))) };
    });
    const legend = el('legend', { class: 'field-label' }, t(`share.${group}` as AnyKey));
    return {
      root: el('fieldset', { class: 'checks' }, legend, ...made.map(({ label }) => label)),
      chosen: () => made.filter(({ input }) => input.checked).map(({ name }) => name),
    };
  };
  const { chosen } = options;
  const show = boxes('show', options.panels, chosen.show);
  const lock = boxes('lock', options.locks, chosen.lock);
  const hide = boxes('hide', options.controls, chosen.hide);

  const task = el('textarea', {
    id: freshId('task'),
    rows: 3,
    maxlength: options.taskLimit,
    placeholder: t('share.task.placeholder'),
  });
  task.value = chosen.task;
  task.addEventListener('input', changed);
  const name = el('input', { type: 'text', maxlength: options.nameLimit, value: chosen.name });
  name.addEventListener('input', changed);
  const nameLine = el('label', { class: 'pick' }, el('span', {}, t('share.name')), name);
  const auto = el('input', { type: 'checkbox', checked: chosen.autostart });
  auto.addEventListener('change', changed);

  const select = (
    title: AnyKey,
    chosenValue: string,
    choices: readonly (readonly [string, string])[],
  ): { root: HTMLElement; input: HTMLSelectElement } => {
    const input = el(
      'select',
      {},
      ...choices.map(([value, text]) => el('option', { value }, text)),
    );
    // A value that is no choice leaves the first.
    if (choices.some(([value]) => value === chosenValue)) input.value = chosenValue;
    input.addEventListener('change', changed);
    return { root: el('label', { class: 'pick' }, el('span', {}, t(title)), input), input };
  };
  const lang = select('app.language', chosen.lang, [
    ['', t('share.lang.auto')],
    ['en', 'English'],
    ['zh', '中文'],
  ]);
  const theme = select('app.theme', chosen.theme, [
    ['auto', t('app.theme.auto')],
    ['light', t('app.theme.light')],
    ['dark', t('app.theme.dark')],
  ]);

  const group = freshId('form');
  const first = options.forms.includes(chosen.form) ? chosen.form : options.forms[0];
  const forms = options.forms.map((name) => {
    const checked = name === first;
    const input = el('input', { type: 'radio', name: group, value: name, checked });
    input.addEventListener('change', changed);
    const text = el('span', {}, t(`share.form.${name}` as AnyKey));
    return { name, input, label: el('label', { class: 'choice' }, input, text) };
  });
  const formHelp = el('p', { class: 'note' });
  const snippet = el('textarea', {
    id: freshId('snippet'),
    rows: 7,
    readonly: true,
    spellcheck: 'false',
    class: 'snippet',
  });
  const copy = el('button', { type: 'button', class: 'primary' }, t('share.copy'));
  const copied = el('span', { class: 'note', role: 'status' });
  const note = el('p', { class: 'note' });
  const look = el('button', { type: 'button', class: 'secondary' }, t('share.preview'));
  const file = el('button', { type: 'button', class: 'secondary', hidden: true });
  file.addEventListener('click', options.onFile);
  const frameBox = el('div', { class: 'share-preview' });
  copy.addEventListener('click', () => {
    void options.onCopy(snippet.value).then((done) => {
      setText(copied, done ? t('share.copied') : t('share.copy.by-hand'));
      if (!done) snippet.select();
    });
  });
  const pageNote = el('span', {});
  const page = createCopyLink({ words, look: 'secondary', onLink: options.onLink });
  let address = '';
  look.addEventListener('click', () => {
    // Made anew each time: a frame whose fragment alone changes would not load again by itself.
    const frame = el('iframe', { src: address, title: t('share.preview.title') });
    frameBox.replaceChildren(frame);
    frameBox.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
    setText(copied, t('share.preview.shown'));
  });

  const { teachersPage } = options;
  const teachers =
    teachersPage === null
      ? []
      : [
          ' ',
          el('a', { href: teachersPage, target: '_blank', rel: 'noopener' }, t('share.teachers')),
        ];
  container.append(
    el('h3', {}, t('share.page')),
    el('p', { class: 'note' }, pageNote),
    page.root,
    el('h3', {}, t('share.lesson')),
    el('p', { class: 'note' }, t('share.lead'), ...teachers),
    el(
      'div',
      { class: 'lesson-maker' },
      el(
        'div',
        { class: 'share-choices' },
        el('div', {}, el('label', { class: 'field-label', for: task.id }, t('share.task')), task),
        nameLine,
        show.root,
        lock.root,
        hide.root,
        el('label', { class: 'check' }, auto, el('span', {}, t('share.autostart'))),
        el('div', { class: 'share-picks' }, lang.root, theme.root),
      ),
      el(
        'div',
        { class: 'share-result' },
        el(
          'fieldset',
          {},
          el('legend', { class: 'field-label' }, t('share.form')),
          el('div', { class: 'segments' }, ...forms.map(({ label }) => label)),
        ),
        formHelp,
        el('label', { class: 'visually-hidden', for: snippet.id }, t('share.snippet')),
        snippet,
        el('div', { class: 'share-buttons' }, copy, file, look, copied),
        note,
        frameBox,
      ),
    ),
  );

  function choice(): ShareChoice {
    const form = forms.find(({ input }) => input.checked)?.name ?? '';
    setText(formHelp, t(`share.form.${form}.help` as AnyKey));
    return {
      form,
      show: show.chosen(),
      lock: lock.chosen(),
      hide: hide.chosen(),
      task: task.value,
      name: name.value,
      autostart: auto.checked,
      lang: lang.input.value,
      theme: theme.input.value,
    };
  }

  changed();
  return {
    update(data) {
      if (snippet.value !== data.snippet) {
        snippet.value = data.snippet;
        setText(copied, '');
      }
      setText(note, data.note);
      note.classList.toggle('error', data.error);
      setText(pageNote, data.page);
      page.update(data.isOwn);
      nameLine.hidden = !data.isOwn;
      copy.disabled = data.snippet === '';
      look.disabled = data.preview === '';
      address = data.preview;
      file.hidden = data.file === '';
      setText(file, data.file === '' ? '' : t('share.file.save', { name: data.file }));
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
