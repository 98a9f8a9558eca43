import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { causeOf } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { secondFactor, type StartedAuthenticator } from '../api/second-factor'
import styles from '../auth.module.css'
import { Skeletons } from '../Skeletons'
import { Methods } from './Methods'

type Props = { onStarted: (started: StartedAuthenticator) => void; onCodes: (codes: string[]) => void; onClose: () => void }

/** How the second step is done now, and what else it could be. */
export function Chosen({ onStarted, onCodes, onClose }: Props) {
  const { t } = useTranslation('security')
  const factor = useQuery(secondFactor)
  return (
    <div className={styles.dialogForm}>
      <p className={styles.lead}>{t('step.text')}</p>
      {factor.isPending ? <Skeletons label={t('step.loading')} heights={[92, 92]} /> : null}
      {factor.isError ? (
        <ErrorState heading="h3" text={causeOf(factor.error)} onRetry={() => void factor.refetch()} />
      ) : null}
      {factor.data ? <Methods factor={factor.data} onStarted={onStarted} onCodes={onCodes} /> : null}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('close')}</Button>
      </div>
    </div>
  )
}
