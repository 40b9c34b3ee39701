/** Chinese: what the first screen says. */
import instruments from 'virtual:words/zh';
import { LINKS } from '../base/form.ts';
import type { Catalogue } from './index.ts';
import { app } from './zh/app.ts';
import { embed } from './zh/embed.ts';
import { errors } from './zh/errors.ts';
import { links } from './zh/links.ts';

export const zh: Catalogue = {
  ...app,
  ...embed,
  ...((LINKS && links) as typeof links),
  ...errors,
  ...instruments,
};
