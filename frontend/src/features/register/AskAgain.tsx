import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import buttons from '@/components/button.module.css'
import { toast } from '@/components/toast'
import { useTask } from '@/features/auth/use-task'
import { askForInvitation } from './api/ask-for-invitation'

/** Once is enough: the team leader gets a mail and decides. */
export function AskAgain({ token }: { token: string }) {
  const { t } = useTranslation('register')
  const [asked, setAsked] = useState(false)
  const ask = useTask(async () => {
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
    <button
      type="button"
      className={`${buttons.button} ${buttons.primary}`}
      disabled={ask.pending || asked}
      aria-busy={ask.pending}
      onClick={() => void ask.run()}
    >
      {t(asked ? 'ask.done' : 'ask.action')}
    </button>
  )
}
