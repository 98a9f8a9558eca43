import type { TFunction } from 'i18next'
import type { FilterField } from '@/components/table/column'

export const memberFieldNames = ['firstName', 'lastName', 'email_address', 'phoneNumber', 'dateCreated', 'isActive']

export function memberFields(t: TFunction<'members'>): FilterField[] {
  const choices = [
    { value: 'true', label: t('state.enabled') },
    { value: 'false', label: t('state.disabled') },
  ]
  return memberFieldNames.map((name) => ({
    name,
    label: t(`columns.${name}`),
    ...(name === 'dateCreated' ? { kind: 'date' as const } : {}),
    ...(name === 'isActive' ? { choices } : {}),
  }))
}
