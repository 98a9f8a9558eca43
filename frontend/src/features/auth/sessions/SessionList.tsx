import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import styles from '@/components/forms/form.module.css'
import type { OwnSession } from '../api'
import { SessionRow } from './SessionRow'
import own from './sessions.module.css'
import { useSignOuts } from './use-sign-outs'

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
      {alone ? <p className={styles.status}>{t('sessions.alone')}</p> : null}
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose}>
          {t('close')}
        </Button>
        <Button variant="text" danger onClick={() => setAsking('all')}>
          {t('sessions.all')}
        </Button>
        {alone ? null : <Button onClick={() => setAsking('others')}>{t('sessions.others')}</Button>}
      </div>
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
