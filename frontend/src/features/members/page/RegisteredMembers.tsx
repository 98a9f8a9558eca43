import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/components/EmptyState'
import { ExportButton } from '@/components/table/ExportButton'
import { ServerTable } from '@/components/table/ServerTable'
import { useList } from '@/components/table/use-list'
import { useExport } from '@/hooks/use-export'
import { useUser } from '@/hooks/use-session'
import { exportMembers, membersList, useTeamLeaderId, type CompanyRef, type Member } from '../api'
import { memberActions, memberColumns, statusField } from './member-table'
import type { MemberDialog, MemberDialogKind } from './MemberDialogs'
import { SelectedMembers } from './SelectedMembers'

const MemberDialogs = lazy(() => import('./MemberDialogs'))

const memberKey = ({ uuid }: Member) => uuid
const memberName = ({ firstName, lastName }: Member) => `${firstName} ${lastName}`

type Props = { company: CompanyRef; manages: boolean; invite: ReactNode }

export function RegisteredMembers({ company, manages, invite }: Props) {
  const { t } = useTranslation('members')
  const columns = useMemo(() => memberColumns(t), [t])
  const { table, query } = useList({
    name: 'members',
    columns,
    others: [statusField(t)],
    load: (query) => membersList(company, query),
  })
  const save = useExport({
    file: t('file'),
    load: () => exportMembers(company, query),
    failure: t('exportFailed'),
  })
  const leaderId = useTeamLeaderId(company)
  const leads = useUser()?.permissions.includes('leadership:reassign') ?? false
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<MemberDialog | null>(null)
  const actions = useCallback(
    (member: Member) => {
      const onOpenDialog = (kind: MemberDialogKind) => setDialog({ kind, member, company })
      return memberActions(t, member, { manages, leads, leaderId, onOpenDialog })
    },
    [t, company, manages, leads, leaderId],
  )
  const members = table.list.data?.item1
  const selection = useMemo(
    () => ({
      selected,
      isSelectable: ({ role }: Member) => role !== 'teamLeader',
      onChange: setSelected,
      actions: (
        <SelectedMembers
          members={(members ?? []).filter(({ uuid }) => selected.has(uuid))}
          onDone={() => setSelected(new Set())}
        />
      ),
    }),
    [selected, members],
  )
  return (
    <>
      <ServerTable
        {...table}
        label={t('tabs.registered')}
        searchLabel={t('search')}
        rowKey={memberKey}
        rowName={memberName}
        actions={actions}
        selection={manages ? selection : undefined}
        tools={<ExportButton save={save} />}
        empty={
          <EmptyState title={t('empty.title')} text={t(manages ? 'empty.text' : 'empty.textOf')} actions={invite} />
        }
      />
      <Suspense fallback={null}>
        {dialog ? <MemberDialogs {...dialog} onClose={() => setDialog(null)} /> : null}
      </Suspense>
    </>
  )
}
