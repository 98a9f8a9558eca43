import ar from '@/i18n/locales/ar/share.json'
import en from '@/i18n/locales/en/share.json'
import tr from '@/i18n/locales/tr/share.json'
import { translator } from '@/lib/page-texts'

export const t = translator({ en, tr, ar })
