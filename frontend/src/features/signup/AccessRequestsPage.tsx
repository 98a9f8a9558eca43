import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/components/EmptyState'
import { GroupIcon } from '@/components/icons/GroupIcon'
import { PageHeader } from '@/components/PageHeader'
import { ServerTable } from '@/components/table/ServerTable'
import { useList } from '@/components/table/use-list'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { accessRequestKeys, accessRequestsList, decideAccessRequest } from './access-requests/api'
import { requestActions, requestColumns } from './access-requests/request-table'

/** The platform admin's list of people who asked for access to the sign-up. */
export default function AccessRequestsPage() {
  const { t } = useTranslation('companies', { keyPrefix: 'requests' })
  const { table } = useList({
    columns: requestColumns(t),
    others: [{ name: 'emailAddress', label: t('columns.emailAddress') }],
    load: accessRequestsList,
  })
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
        {...table}
        label={t('title')}
        searchLabel={t('search')}
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
