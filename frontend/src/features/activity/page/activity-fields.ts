import type { TFunction } from 'i18next'
import type { FilterField } from '@/components/table/column'
import { ACTION_CODES } from '../action-codes'
import type { Scope } from '../api'
import { describeAction } from '../describe-action'

const own = ['action', 'actorName', 'target', 'origin', 'at']

export function activityFieldNames(scope: Scope): string[] {
  return scope === 'own' ? own : [...own, 'companyName', 'companyId']
}

export function activityFields(t: TFunction<'activity'>, scope: Scope): FilterField[] {
  const choices = ACTION_CODES.map((code) => ({ value: code, label: describeAction(t, { action: code, details: {} }) }))
  return activityFieldNames(scope)
    .filter((name) => name !== 'companyId')
    .map((name) => ({
      name,
      label: t(`columns.${name}`),
      ...(name === 'at' ? { kind: 'date' as const } : {}),
      ...(name === 'action' ? { choices } : {}),
    }))
}
