import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { memberKeys, removeMembers, setStatusOfMembers } from '../api'

export type BulkChange = { kind: 'disable' | 'enable' | 'remove'; uuids: string[] }

type Props = BulkChange & { onClose: () => void; onDone: () => void }

/** Changes the selected members in one call: all of them, or none. */
export default function BulkMembersDialog({ kind, uuids, onClose, onDone }: Props) {
  const { t } = useTranslation('members')
  const count = uuids.length
  return (
    <ConfirmMutation
      destructive={kind !== 'enable'}
      title={t(`bulk.${kind}.title`, { count })}
      confirmLabel={t(`bulk.${kind}.confirm`, { count })}
      mutate={() =>
        withVerification(() =>
          kind === 'remove' ? removeMembers(uuids) : setStatusOfMembers(uuids, kind === 'enable'),
        )
      }
      success={t(`bulk.${kind}.done`, { count })}
      failure={t(kind === 'remove' ? 'toasts.removeFailed' : 'toasts.statusFailed')}
      refresh={[memberKeys.all]}
      onDone={onDone}
      onClose={onClose}
    >
      {t(`bulk.${kind}.text`)}
    </ConfirmMutation>
  )
}
