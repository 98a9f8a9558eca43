import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ServerTable } from '@/components/table/ServerTable'
import { useList } from '@/components/table/use-list'
import { invitesList, type Invite } from './api'
import { inviteActions, inviteColumns } from './page/invite-table'
import type { InviteRowDialog } from './page/InviteDialogs'

const InviteDialogs = lazy(() => import('./page/InviteDialogs'))

const inviteName = ({ email_address }: Invite) => email_address

type Props = { company: number | null; manages: boolean; invite: ReactNode }

export default function InvitedMembers({ company, manages, invite }: Props) {
  const { t } = useTranslation('invites')
  const columns = useMemo(() => inviteColumns(t), [t])
  const { table } = useList({ name: 'invites', columns, load: (query) => invitesList(company, query) })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<InviteRowDialog | null>(null)
  const actions = useCallback((invite: Invite) => inviteActions(t, invite, setDialog), [t])
  const chosen = (table.list.data?.item1 ?? []).map(({ key }) => key).filter((key) => selected.has(key))
  return (
    <>
      <ServerTable
        {...table}
        label={t('title')}
        searchLabel={t('search')}
        rowKey={({ key }) => key}
        rowName={inviteName}
        actions={manages ? actions : undefined}
        selection={
          manages
            ? {
                selected,
                isSelectable: () => true,
                onChange: setSelected,
                actions: (
                  <Button variant="outlined" onClick={() => setDialog({ kind: 'bulkResend', keys: chosen })}>
                    {t('actions.bulkResend')}
                  </Button>
                ),
              }
            : undefined
        }
        empty={
          <EmptyState title={t('empty.title')} text={t(manages ? 'empty.text' : 'empty.textOf')} actions={invite} />
        }
      />
      <Suspense fallback={null}>
        {dialog ? (
          <InviteDialogs dialog={dialog} onClose={() => setDialog(null)} onDone={() => setSelected(new Set())} />
        ) : null}
      </Suspense>
    </>
  )
}
