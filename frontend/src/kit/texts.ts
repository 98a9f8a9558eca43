import ar from '@/i18n/locales/ar/kit.json'
import en from '@/i18n/locales/en/kit.json'
import tr from '@/i18n/locales/tr/kit.json'
import { translator } from '@/lib/page-texts'

export const t = translator({ en, tr, ar })
