import type { TFunction } from 'i18next'
import type { Activity } from './api'

/** `warehouse.keyRotated` → `warehouse key rotated`: for a code that is newer than these texts. */
export function readable(code: string): string {
  return code
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[._-]+/g, ' ')
    .toLowerCase()
    .trim()
}

/** What happened, in words. */
export function describeAction(
  t: TFunction<'activity'>,
  { action, details }: Pick<Activity, 'action' | 'details'>,
): string {
  const [thing = '', verb = ''] = action.split('.')
  const count = typeof details.count === 'number' ? details.count : 1
  const words = t(`actions.${thing}.${verb}`, { defaultValue: '', count })
  return words || readable(action)
}
