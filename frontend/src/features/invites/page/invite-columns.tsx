import type { TFunction } from 'i18next'
import type { Column } from '@/components/table/column'
import { formatDate } from '@/i18n/format'
import type { Invite } from '../api'
import styles from './invites.module.css'

export function inviteColumns(t: TFunction<'invites'>): Column<Invite>[] {
  return [
    {
      id: 'email_address',
      label: t('columns.email_address'),
      sortable: true,
      onCard: 'title',
      width: 28,
      cell: ({ email_address }) => <bdi dir="ltr">{email_address}</bdi>,
    },
    {
      id: 'dateCreated',
      label: t('columns.dateCreated'),
      sortable: true,
      cell: ({ dateCreated }) => formatDate(dateCreated),
    },
    {
      id: 'expiresAt',
      label: t('columns.expiresAt'),
      sortable: true,
      cell: ({ expiresAt }) => formatDate(expiresAt),
    },
    {
      id: 'state',
      label: t('columns.state'),
      width: 8,
      cell: ({ state }) => (
        <span className={styles.state} data-state={state}>
          {t(`state.${state}`)}
        </span>
      ),
    },
  ]
}
