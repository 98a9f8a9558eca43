import type { TFunction } from 'i18next'
import type { FilterField } from '@/components/table/column'

export const inviteFieldNames = ['email_address', 'dateCreated', 'expiresAt', 'state']

export function inviteFields(t: TFunction<'invites'>): FilterField[] {
  const choices = [
    { value: 'open', label: t('state.open') },
    { value: 'expired', label: t('state.expired') },
  ]
  return inviteFieldNames.map((name) => ({
    name,
    label: t(`columns.${name}`),
    ...(name === 'dateCreated' || name === 'expiresAt' ? { kind: 'date' as const } : {}),
    ...(name === 'state' ? { choices } : {}),
  }))
}
