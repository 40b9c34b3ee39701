import type { Catalogue } from '../../../../../web/i18n/index.ts';

/** Twenty texts of the first screen. */
export const app: Partial<Catalogue> = {
  'app.title': 'البيت الزجاجي',
  'app.tagline': 'درّب GPT خلف الزجاج',
  'app.skip': 'انتقل إلى التدريب',
  'app.lead': 'اضغط {=run.start}: نموذج لغوي صغير يتعلّم هذا النص.',
  'app.days': '{days} {days|يوم|يومان|أيام}',
  'app.docs': 'كيف يعمل',
  'app.language': 'اللغة',
  'app.teachers': 'للمعلّمين',
  'app.theme': 'الألوان',
  'app.theme.auto': 'تلقائي',
  'app.theme.dark': 'داكن',
  'app.theme.light': 'فاتح',
  'tabs.keep': 'احفظ وشارك',
  'tabs.play': 'العب',
  'tabs.title': 'انظر أقرب',
  'tabs.understand': 'افهم',
  'tour.begin': 'ابدأ جولة',
  'run.start': 'ابدأ',
  'run.step': 'خطوة',
  'text.documents': 'يُقرأ سطرًا سطرًا: {count} {count|سطر|سطران|أسطر}.',
};
