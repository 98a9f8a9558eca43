import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog/Dialog'
import { toast } from '@/components/toast'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { inviteKeys, inviteMembers, type InviteResult } from './api'
import { InviteForm } from './dialog/InviteForm'
import { InviteResults } from './dialog/InviteResults'

type Props = { onClose: () => void; onInvited: () => void }

/** Asks for addresses, then shows a result for each. A single successful invitation closes the dialog. */
export default function InviteDialog({ onClose, onInvited }: Props) {
  const { t } = useTranslation('invites')
  const client = useQueryClient()
  const [results, setResults] = useState<InviteResult[] | null>(null)

  function tell(answers: InviteResult[]) {
    const invited = answers.filter(({ state }) => state === 'invited')
    const [first] = invited
    if (first) {
      toast.success(invited.length === 1 ? t('toasts.invitedOne', { email: first.email_address }) : t('toasts.invited'))
      void client.invalidateQueries({ queryKey: inviteKeys.all })
      onInvited()
    }
    if (answers.length === 1 && first) onClose()
    else setResults(answers)
  }

  const invite = useToastMutation(async (addresses: string[]) => tell(await inviteMembers(addresses)), {
    failure: t('toasts.inviteFailed'),
  })

  return (
    <Dialog
      open
      onClose={invite.isPending ? undefined : onClose}
      size="medium"
      title={t(results ? 'results.title' : 'dialog.title')}
    >
      {results ? (
        <InviteResults results={results} onClose={onClose} />
      ) : (
        <InviteForm
          pending={invite.isPending}
          onInvite={(addresses) => void invite.mutate(addresses)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}
