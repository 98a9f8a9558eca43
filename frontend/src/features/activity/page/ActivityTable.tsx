import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/components/EmptyState'
import { toListQuery } from '@/components/table/list-query'
import { ServerTable } from '@/components/table/ServerTable'
import type { TableControl } from '@/components/table/use-table-state'
import { activityActions, activityList, type Scope } from '../api'
import { activityColumns, activityFields } from './activity-table'

type Props = { scope: Scope; control: TableControl }

export function ActivityTable({ scope, control }: Props) {
  const { t } = useTranslation('activity')
  const list = useQuery(activityList(scope, toListQuery(control.state)))
  const { data: actions = [] } = useQuery(activityActions())
  const choices = actions.map(({ action, text }) => ({ value: action, label: text }))
  return (
    <ServerTable
      label={t('common:screens.activity')}
      searchLabel={t('search')}
      columns={activityColumns(t, scope)}
      fields={activityFields(t, scope, choices)}
      control={control}
      list={list}
      rowKey={({ id }) => String(id)}
      rowName={({ text }) => text}
      empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
    />
  )
}
