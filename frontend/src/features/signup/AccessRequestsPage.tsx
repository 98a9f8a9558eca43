import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/components/EmptyState'
import { GroupIcon } from '@/components/icons/GroupIcon'
import { PageHeader } from '@/components/PageHeader'
import { toListQuery } from '@/components/table/list-query'
import { ServerTable } from '@/components/table/ServerTable'
import { filterFields, useTableState } from '@/components/table/use-table-state'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { accessRequestKeys, accessRequestsList, decideAccessRequest } from './access-requests/api'
import { requestActions, requestColumns } from './access-requests/request-table'

/** The platform admin's list of people who asked for access to the sign-up. */
export default function AccessRequestsPage() {
  const { t } = useTranslation('companies', { keyPrefix: 'requests' })
  const columns = requestColumns(t)
  const fields = filterFields(columns, [{ name: 'emailAddress', label: t('columns.emailAddress') }])
  const control = useTableState(fields.map(({ name }) => name))
  const list = useQuery(accessRequestsList(toListQuery(control.state)))
  const outcome = { failure: t('toasts.failed'), refresh: [accessRequestKeys.all] }
  const approve = useToastMutation((id: number) => decideAccessRequest(id, 'approve'), {
    ...outcome,
    success: t('toasts.approved'),
  })
  const decline = useToastMutation((id: number) => decideAccessRequest(id, 'decline'), {
    ...outcome,
    success: t('toasts.declined'),
  })
  return (
    <>
      <PageHeader title={t('title')} sub={t('sub')} icon={<GroupIcon />} />
      <ServerTable
        label={t('title')}
        searchLabel={t('search')}
        columns={columns}
        fields={fields}
        control={control}
        list={list}
        rowKey={({ id }) => String(id)}
        rowName={({ emailAddress }) => emailAddress}
        actions={(request) =>
          requestActions(t, request, {
            onApprove: () => void approve.mutate(request.id),
            onDecline: () => void decline.mutate(request.id),
          })
        }
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
      />
    </>
  )
}
