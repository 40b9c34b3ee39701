/**
 * English: what the first screen says. The keys of this catalogue are the keys of every catalogue.
 */
import instruments from 'virtual:words/en';
import { LINKS } from '../base/form.ts';
import { app } from './en/app.ts';
import { embed } from './en/embed.ts';
import { errors } from './en/errors.ts';
import { links } from './en/links.ts';

export const en = {
  ...app,
  ...embed,
  ...((LINKS && links) as typeof links),
  ...errors,
  ...instruments,
} as const satisfies Readonly<Record<string, string>>;
