import { type i18n as I18n } from 'i18next'
import { visibleValue } from '@/lib/visible'

/** Colleagues choose names of files: these must not reorder or hide the words around them. React escapes HTML. */
export function escapeNames({ services }: I18n): void {
  Object.assign(services.interpolator, { escape: visibleValue, escapeValue: true })
}
