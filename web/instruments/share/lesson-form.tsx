/** The form for a lesson: shown, locked and hidden parts, task, and the form of the snippet. */
import type { ComponentChildren } from 'preact';
import { languageOf, LANGS } from '../../i18n/index.ts';
import { Segments } from '../../kit/segments.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { CONTROLS, LOCKS, PANELS, TASK_LIMIT } from '../../store/address/lesson.ts';
import { NAME_LENGTH } from '../../store/text/text-source.ts';
import { useInstrument } from '../component.tsx';
import { LANG_CHOICES, THEMES } from './lesson-choice.ts';
import type { LessonChoice } from './lesson-choice.ts';
import { SNIPPETS } from './snippets.ts';

interface FormProps {
  readonly choice: LessonChoice;
  readonly onChange: (change: Partial<LessonChoice>) => void;
}

/** Names of the checkboxes, by group. */
const GROUPS = {
  show: PANELS.filter((name) => name !== 'run'),
  lock: LOCKS,
  hide: CONTROLS,
} as const;

/** All fields except the form of the snippet. */
export function LessonForm({ choice, onChange }: FormProps) {
  const { words, state } = useInstrument();
  const { t } = words;
  const taskId = useFreshId('task');
  return (
    <div class="share-choices">
      <div>
        <label class="field-label" for={taskId}>
          {t('share.task')}
        </label>
        <textarea
          id={taskId}
          rows={3}
          maxLength={TASK_LIMIT}
          placeholder={t('share.task.placeholder')}
          value={choice.task}
          onInput={({ currentTarget }) => onChange({ task: currentTarget.value })}
        />
      </div>
      {state.source === 'own' ? (
        <Pick title={t('share.name')}>
          <input
            type="text"
            maxLength={NAME_LENGTH}
            value={choice.name}
            onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
          />
        </Pick>
      ) : null}
      <Checks group="show" choice={choice} onChange={onChange} />
      <Checks group="lock" choice={choice} onChange={onChange} />
      <Checks group="hide" choice={choice} onChange={onChange} />
      <Check
        text={t('share.autostart')}
        checked={choice.autostart}
        onChange={(autostart) => onChange({ autostart })}
      />
      <Pick title={t('share.stop')}>
        <input
          type="text"
          inputMode="numeric"
          size={6}
          value={choice.stop}
          onInput={({ currentTarget }) => onChange({ stop: currentTarget.value.trim() })}
        />
      </Pick>
      <div class="share-picks">
        <Select
          title={t('app.language')}
          names={LANG_CHOICES}
          texts={[t('share.lang.auto'), ...LANGS.map((lang) => languageOf(lang).name)]}
          chosen={choice.lang}
          onChange={(lang) => onChange({ lang })}
        />
        <Select
          title={t('app.theme')}
          names={THEMES}
          texts={THEMES.map((theme) => t(`app.theme.${theme}`))}
          chosen={choice.theme}
          onChange={(theme) => onChange({ theme })}
        />
      </div>
    </div>
  );
}

/** Radio buttons for the form of the snippet, and the purpose of the chosen one. */
export function SnippetForms({ choice, onChange }: FormProps) {
  const { t } = useInstrument().words;
  return (
    <>
      <fieldset>
        <legend class="field-label">{t('share.form')}</legend>
        <Segments
          values={SNIPPETS}
          value={choice.form}
          textOf={(form) => t(`share.form.${form}`)}
          onValue={(form) => onChange({ form })}
        />
      </fieldset>
      <p class="note">{t(`share.form.${choice.form}.help`)}</p>
    </>
  );
}

function Checks({ group, choice, onChange }: FormProps & { readonly group: keyof typeof GROUPS }) {
  const { t, find } = useInstrument().words;
  const names: readonly string[] = GROUPS[group];
  const checked = choice[group];
  return (
    <fieldset class="checks">
      <legend class="field-label">{t(`share.${group}`)}</legend>
      {names.map((name) => (
        <Check
          key={name}
          text={find(`share.${group}.${name}`) ?? find(`${name}.title`) ?? name}
          checked={checked.includes(name)}
          onChange={(isChecked) => {
            const now = names.filter((one) => (one === name ? isChecked : checked.includes(one)));
            onChange({ [group]: now });
          }}
        />
      ))}
    </fieldset>
  );
}

interface CheckProps {
  readonly text: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function Check({ text, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{text}</span>
    </label>
  );
}

function Pick({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <label class="pick">
      <span>{title}</span>
      {children}
    </label>
  );
}

interface SelectProps<Name extends string> {
  readonly title: string;
  readonly names: readonly Name[];
  readonly texts: readonly string[];
  readonly chosen: Name;
  readonly onChange: (name: Name) => void;
}

function Select<Name extends string>({ title, names, texts, chosen, onChange }: SelectProps<Name>) {
  return (
    <Pick title={title}>
      <select
        value={chosen}
        onChange={({ currentTarget }) => onChange(names[currentTarget.selectedIndex]!)}
      >
        {names.map((name, at) => (
          <option key={name} value={name}>
            {texts[at]}
          </option>
        ))}
      </select>
    </Pick>
  );
}
