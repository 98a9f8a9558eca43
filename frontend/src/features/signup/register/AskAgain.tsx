import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { askForInvitation } from '../api'

/** Once is enough: the team leader gets a mail and decides. */
export function AskAgain({ token }: { token: string }) {
  const { t } = useTranslation('register')
  const [asked, setAsked] = useState(false)
  const ask = useSecretMutation(async () => {
    try {
      await askForInvitation(token)
    } catch (error) {
      toast.error(errorMessage(error, t('ask.failed')))
      throw error
    }
    setAsked(true)
    toast.success(t('ask.done'))
  })
  return (
    <Button size="large" disabled={ask.isPending || asked} aria-busy={ask.isPending} onClick={() => void ask.mutate()}>
      {t(asked ? 'ask.done' : 'ask.action')}
    </Button>
  )
}
