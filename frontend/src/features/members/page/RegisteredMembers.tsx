import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/components/EmptyState'
import { ExportButton } from '@/components/table/ExportButton'
import { toListQuery } from '@/components/table/list-query'
import { ServerTable } from '@/components/table/ServerTable'
import { filterFields, useTableState } from '@/components/table/use-table-state'
import { useCsvExport } from '@/hooks/use-csv-export'
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
  const fields = filterFields(columns, [statusField(t)])
  const control = useTableState(
    fields.map(({ name }) => name),
    'members',
  )
  const query = toListQuery(control.state)
  const list = useQuery(membersList(company, query))
  const save = useCsvExport({
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
  const members = list.data?.item1
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
        label={t('tabs.registered')}
        searchLabel={t('search')}
        columns={columns}
        fields={fields}
        control={control}
        list={list}
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
