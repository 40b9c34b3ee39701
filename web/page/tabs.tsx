/**
 * Tab groups, large buttons of which at most one is open, and the tabs of the open group after the
 * ARIA pattern: one stop of the Tab key, arrow keys from tab to tab. The bodies of the tabs stay on
 * the page; the section fills them with panels.
 */
import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { TAB_GROUPS } from '../base/instrument.ts';
import type { Words } from '../i18n/index.ts';
import { LockedPart } from '../kit/locked-part.tsx';
import { useFreshId } from '../kit/use-id.ts';
import type { TabPanel } from './panels.ts';

/** Width of the end of the row of tabs that fades out on a phone, in CSS pixels. */
const FADES = 32;

export interface TabsProps {
  readonly words: Words;
  readonly tabs: readonly TabPanel[];
  /** Id of the open tab; empty if all groups are closed. */
  readonly shown: string;
  /** Ids of tabs that failed to load. */
  readonly missing: ReadonlySet<string>;
  readonly isLocked: (tab: TabPanel) => boolean;
  /** Called to open a group, which closes the others, or to close it. */
  readonly onToggle: (group: string, open: boolean) => void;
  readonly onChoose: (id: string) => void;
  /** Called to return from the end of a panel to its tab. */
  readonly onReturn: () => void;
}

export function Tabs(props: TabsProps) {
  const { words, tabs, shown, missing, isLocked, onToggle, onChoose, onReturn } = props;
  const { t } = words;
  const stem = useFreshId('tab');
  const open = tabs.find(({ id }) => id === shown)?.place ?? null;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // On a phone the tabs are in one row, which scrolls sideways and fades out at its ends.
    const row = list.current!;
    const tab = row.querySelector<HTMLElement>('[aria-selected=true]');
    if (tab === null) return;
    const end = tab.offsetLeft + tab.offsetWidth + FADES - row.clientWidth;
    row.scrollLeft = Math.max(Math.min(row.scrollLeft, tab.offsetLeft - FADES), end);
  }, [shown, words]);
  const groups = TAB_GROUPS.filter((group) => tabs.some(({ place }) => place === group));
  return (
    <>
      {/* Lessons and the documentation refer to this heading. */}
      <h2>{t('tabs.title')}</h2>
      <div class="tab-groups">
        {groups.map((group) => (
          <div key={group} class="tab-group">
            <button
              type="button"
              class="tab-group-button"
              aria-expanded={group === open}
              aria-describedby={`${stem}-about-${group}`}
              aria-controls={`${stem}-list`}
              onClick={() => onToggle(group, group !== open)}
            >
              <strong>{t(`tabs.${group}`)}</strong>
            </button>
            <span class="tab-group-about" id={`${stem}-about-${group}`}>
              {t(`tabs.${group}.about`)}
            </span>
          </div>
        ))}
      </div>
      <div
        ref={list}
        role="tablist"
        id={`${stem}-list`}
        class="tabs"
        aria-label={t('tabs.title')}
        hidden={open === null}
        onKeyDown={walk}
      >
        {tabs.map(({ id, place }) => {
          const title = words.find(`${id}.title`) ?? id;
          return (
            <button
              key={id}
              type="button"
              role="tab"
              id={`${stem}-${id}`}
              class="tab"
              aria-controls={`${stem}-${id}-body`}
              aria-selected={id === shown}
              data-title={title}
              hidden={place !== open}
              tabIndex={id === shown ? 0 : -1}
              onClick={() => onChoose(id)}
            >
              {title}
            </button>
          );
        })}
      </div>
      {tabs.map((tab) => {
        const { id } = tab;
        const isHidden = id !== shown;
        return (
          // Styles may keep a hidden body laid out: hides it from keys and screen readers, too.
          <div
            key={id}
            role="tabpanel"
            id={`${stem}-${id}-body`}
            class={`tab-body tab-${id}`}
            aria-labelledby={`${stem}-${id}`}
            hidden={isHidden}
            tabIndex={isHidden ? -1 : 0}
            aria-hidden={isHidden ? 'true' : undefined}
          >
            <LockedPart text={isLocked(tab) ? t('app.locked') : ''}>{null}</LockedPart>
            {missing.has(id) ? (
              <p class="error" role="alert">
                {t('tabs.missing')}
              </p>
            ) : null}
          </div>
        );
      })}
      {/* On a phone a panel is many screens long. */}
      <button type="button" class="link to-tabs" hidden={open === null} onClick={onReturn}>
        {t('tabs.up')}
      </button>
    </>
  );
}

/** Moves to another tab by arrow keys, Home or End. */
function walk(event: TargetedKeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]:not([hidden])')];
  const at = tabs.findIndex((tab) => tab === event.target);
  const last = tabs.length - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: at === last ? 0 : at + 1,
    ArrowLeft: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  const next = tabs[moves[event.key] ?? -1];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
  next.click();
}
