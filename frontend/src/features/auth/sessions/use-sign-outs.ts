import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ApiError, errorMessage } from '@/api/errors'
import { sessionStore } from '@/api/session'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { endAllSessions, endOtherSessions, endOwnSession, ownSessions } from '../api'

/** Signing out elsewhere, there and here. What has ended meanwhile is as good as signed out. */
export function useSignOuts(onDone: () => void) {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const navigate = useNavigate()

  async function told(work: () => Promise<void>, success: string) {
    try {
      await work()
    } catch (error) {
      const goneAlready = error instanceof ApiError && error.code === 'session_not_found'
      if (!goneAlready) {
        toast.error(errorMessage(error, t('sessions.failed')))
        throw error
      }
    }
    toast.success(success)
    onDone()
  }

  const one = useSecretMutation(async (id: number) => {
    await told(() => endOwnSession(id), t('sessions.signedOut'))
    await client.invalidateQueries(ownSessions)
  })
  const others = useSecretMutation(async () => {
    await told(endOtherSessions, t('sessions.othersSignedOut'))
    await client.invalidateQueries(ownSessions)
  })
  const all = useSecretMutation(async () => {
    await told(endAllSessions, t('sessions.allSignedOut'))
    sessionStore.signOut('loggedOut')
    void navigate('/login', { replace: true })
  })
  return { one, others, all }
}
