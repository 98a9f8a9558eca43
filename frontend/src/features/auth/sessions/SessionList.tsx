import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ApiError, errorMessage } from '@/api/errors'
import { sessionStore } from '@/api/session'
import { Button } from '@/components/Button'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { Actions, Status } from '@/components/forms/layout'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { endAllSessions, endOtherSessions, endOwnSession, ownSessions, type OwnSession } from '../api'
import { SessionRow } from './SessionRow'
import own from './sessions.module.css'

type Props = { sessions: OwnSession[]; onClose: () => void }

export function SessionList({ sessions, onClose }: Props) {
  const { t } = useTranslation('security')
  const [asking, setAsking] = useState<'others' | 'all' | null>(null)
  const { one, others, all } = useSignOuts(() => setAsking(null))
  const alone = sessions.length < 2
  const asked = asking === 'all' ? all : others
  return (
    <>
      <ul className={own.list}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} signOut={one} />
        ))}
      </ul>
      {alone ? <Status>{t('sessions.alone')}</Status> : null}
      <Actions>
        <Button variant="text" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
        <Button variant="text" danger onClick={() => setAsking('all')}>
          {t('sessions.all')}
        </Button>
        {alone ? null : <Button onClick={() => setAsking('others')}>{t('sessions.others')}</Button>}
      </Actions>
      <ConfirmDialog
        open={asking !== null}
        title={t(asking === 'all' ? 'sessions.all' : 'sessions.others')}
        confirmLabel={t('sessions.signOut')}
        destructive
        pending={asked.isPending}
        onConfirm={() => void asked.mutate()}
        onClose={() => setAsking(null)}
      >
        {t(asking === 'all' ? 'sessions.allText' : 'sessions.othersText')}
      </ConfirmDialog>
    </>
  )
}

/** Signs out other sessions. One that has already ended counts as signed out. */
function useSignOuts(onDone: () => void) {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const navigate = useNavigate()

  async function withToast(work: () => Promise<void>, success: string) {
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
    await withToast(() => endOwnSession(id), t('sessions.signedOut'))
    await client.invalidateQueries(ownSessions)
  })
  const others = useSecretMutation(async () => {
    await withToast(endOtherSessions, t('sessions.othersSignedOut'))
    await client.invalidateQueries(ownSessions)
  })
  const all = useSecretMutation(async () => {
    await withToast(endAllSessions, t('sessions.allSignedOut'))
    sessionStore.signOut('loggedOut')
    void navigate('/login', { replace: true })
  })
  return { one, others, all }
}
