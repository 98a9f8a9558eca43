import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { ErrorState } from '@/components/ErrorState'
import styles from '@/components/forms/form.module.css'
import { Skeleton } from '@/components/Skeleton'
import { twoFactorQuery, type StartedAuthenticator } from '../api'
import { Methods } from './Methods'

type Props = {
  onStarted: (started: StartedAuthenticator) => void
  onCodes: (codes: string[]) => void
  onClose: () => void
}

/** How the second step is done now, and what else it could be. */
export function TwoFactorOverview({ onStarted, onCodes, onClose }: Props) {
  const { t } = useTranslation('security')
  const factor = useQuery(twoFactorQuery)
  return (
    <div className={styles.dialogForm}>
      <p className={styles.lead}>{t('step.text')}</p>
      {factor.isPending ? <Skeleton label={t('step.loading')} heights={[92, 92]} /> : null}
      {factor.isError ? (
        <ErrorState heading="h3" text={loadErrorMessage(factor.error)} onRetry={() => void factor.refetch()} />
      ) : null}
      {factor.data ? <Methods factor={factor.data} onStarted={onStarted} onCodes={onCodes} /> : null}
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </div>
  )
}
