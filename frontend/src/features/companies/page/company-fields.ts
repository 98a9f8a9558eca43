import type { TFunction } from 'i18next'
import type { FilterField } from '@/components/table/column'

export const companyFieldNames = ['name', 'email', 'phoneNumber', 'city', 'state', 'isEnabled', 'dateCreated']

export function companyFields(t: TFunction<'companies'>): FilterField[] {
  const choices = [
    { value: 'true', label: t('enabled.yes') },
    { value: 'false', label: t('enabled.no') },
  ]
  return companyFieldNames.map((name) => ({
    name,
    label: t(`columns.${name}`),
    ...(name === 'dateCreated' ? { kind: 'date' as const } : {}),
    ...(name === 'isEnabled' ? { choices } : {}),
  }))
}
