import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { memberKeys, removeMembers, setStatusOfMembers } from '../api'

export type BulkChange = { kind: 'disable' | 'enable' | 'remove'; uuids: string[] }

type Props = BulkChange & { onClose: () => void; onDone: () => void }

/** Changes the selected members in one call: all of them, or none. */
export default function BulkMembersDialog({ kind, uuids, onClose, onDone }: Props) {
  const { t } = useTranslation('members')
  const count = uuids.length
  const change = useToastMutation(
    () =>
      kind === 'remove' ? withVerification(() => removeMembers(uuids)) : setStatusOfMembers(uuids, kind === 'enable'),
    {
      success: t(`bulk.${kind}.done`, { count }),
      failure: t(kind === 'remove' ? 'toasts.removeFailed' : 'toasts.statusFailed'),
      refresh: [memberKeys.all],
      onDone: () => {
        onDone()
        onClose()
      },
    },
  )
  return (
    <ConfirmDialog
      open
      destructive={kind !== 'enable'}
      title={t(`bulk.${kind}.title`, { count })}
      confirmLabel={t(`bulk.${kind}.confirm`, { count })}
      pending={change.isPending}
      onConfirm={() => void change.mutate()}
      onClose={onClose}
    >
      {t(`bulk.${kind}.text`)}
    </ConfirmDialog>
  )
}
