import type { TFunction } from 'i18next'
import type { Choice, Column, FilterField } from '@/components/table/column'
import { formatDateTime } from '@/i18n/format'
import type { Activity, Scope } from '../api'
import { Actor } from './Actor'
import styles from './activity.module.css'

export function activityColumns(t: TFunction<'activity'>, scope: Scope): Column<Activity>[] {
  return [
    {
      id: 'at',
      label: t('columns.at'),
      sortable: true,
      width: 12,
      cell: ({ at }) => (
        <time dateTime={at} className={styles.when}>
          {formatDateTime(at)}
        </time>
      ),
    },
    ...(scope === 'all'
      ? [
          {
            id: 'companyName',
            label: t('columns.companyName'),
            cell: ({ companyName }: Activity) => <bdi>{companyName}</bdi>,
          },
        ]
      : []),
    {
      id: 'actorName',
      label: t('columns.actorName'),
      cell: (activity) => <Actor activity={activity} />,
    },
    {
      id: 'action',
      label: t('columns.action'),
      onCard: 'title',
      width: 24,
      cell: (activity) => (
        <span className={styles.what}>
          {activity.text}
          {activity.target ? <bdi className={styles.soft}>{activity.target}</bdi> : null}
          {activity.changes.map((change) => (
            <span key={change} dir="auto" className={styles.soft}>
              {change}
            </span>
          ))}
        </span>
      ),
    },
    {
      id: 'origin',
      label: t('columns.origin'),
      width: 10,
      cell: ({ origin }) => (
        <bdi dir="ltr" className={styles.origin}>
          {origin || '–'}
        </bdi>
      ),
    },
  ]
}

const own = ['action', 'actorName', 'target', 'origin', 'at']

export function activityFieldNames(scope: Scope): string[] {
  return scope === 'all' ? [...own, 'companyName', 'companyId'] : own
}

export function activityFields(t: TFunction<'activity'>, scope: Scope, actions: Choice[]): FilterField[] {
  return activityFieldNames(scope)
    .filter((name) => name !== 'companyId')
    .map((name) => ({
      name,
      label: t(`columns.${name}`),
      ...(name === 'at' ? { kind: 'date' as const } : {}),
      ...(name === 'action' ? { choices: actions } : {}),
    }))
}
