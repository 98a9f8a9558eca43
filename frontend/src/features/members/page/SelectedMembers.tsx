import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import type { Member } from '../api'
import type { BulkChange } from './BulkMembersDialog'

const BulkMembersDialog = lazy(() => import('./BulkMembersDialog'))

type Props = { members: readonly Member[]; onDone: () => void }

/** The actions of the selected members; each counts those whom it would change. */
export function SelectedMembers({ members, onDone }: Props) {
  const { t } = useTranslation('members')
  const [dialog, setDialog] = useState<BulkChange | null>(null)
  const targets = {
    disable: members.filter(({ isActive }) => isActive),
    enable: members.filter(({ isActive }) => !isActive),
    remove: members,
  }
  return (
    <>
      {(['disable', 'enable', 'remove'] as const)
        .filter((kind) => targets[kind].length > 0)
        .map((kind) => (
          <Button
            key={kind}
            variant="outlined"
            danger={kind === 'remove'}
            onClick={() => setDialog({ kind, uuids: targets[kind].map(({ uuid }) => uuid) })}
          >
            {t(`actions.${kind}`)}
          </Button>
        ))}
      <Suspense fallback={null}>
        {dialog ? <BulkMembersDialog {...dialog} onClose={() => setDialog(null)} onDone={onDone} /> : null}
      </Suspense>
    </>
  )
}
