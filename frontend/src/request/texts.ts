import ar from '@/i18n/locales/ar/request.json'
import en from '@/i18n/locales/en/request.json'
import tr from '@/i18n/locales/tr/request.json'
import { translator } from '@/lib/page-texts'

export const t = translator({ en, tr, ar })
