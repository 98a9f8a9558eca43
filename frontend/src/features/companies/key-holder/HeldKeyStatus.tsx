import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { ErrorState } from '@/components/ErrorState'
import styles from '@/components/forms/form.module.css'
import { FormError, MutationError } from '@/components/forms/FormError'
import { Skeleton } from '@/components/Skeleton'
import { EnvelopeError } from '@/crypto/errors'
import { formatDate } from '@/i18n/format'
import { heldKeyQuery, keyState, type HeldKey } from './api'
import own from './key-holder.module.css'
import type { HeldKeyFlow } from './use-held-key'

type Props = { held: HeldKeyFlow; onClose: () => void }

export function HeldKeyStatus({ held, onClose }: Props) {
  const { t } = useTranslation('company')
  const { data, isPending, isError, error, refetch } = useQuery(heldKeyQuery)
  const { show } = held
  return (
    <div className={styles.dialogForm}>
      {isPending ? <Skeleton label={t('heldKey.loading')} heights={[96]} /> : null}
      {isError ? <ErrorState heading="h3" text={loadErrorMessage(error)} onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : (
        <>
          <p className={styles.lead}>{t(`heldKey.${keyState(data)}`)}</p>
          {data ? (
            <p className={styles.status}>{t('keyHolder.since', { date: formatDate(data.since, 'long') })}</p>
          ) : null}
        </>
      )}
      {show.error instanceof EnvelopeError ? (
        <FormError key={show.failedAt}>{t('heldKey.cannotOpen')}</FormError>
      ) : (
        <MutationError mutation={show} fallback={t('passphrase.revealFailed')} />
      )}
      {data?.isCurrent && data.leaderNeedsKey ? <LeaderNeedsKey held={data} onHandOver={held.handOver} /> : null}
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
        {data?.isCurrent ? (
          <Button autoFocus pending={show.isPending} onClick={() => void show.mutate()}>
            {t('heldKey.show')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

function LeaderNeedsKey({ held, onHandOver }: { held: HeldKey; onHandOver: HeldKeyFlow['handOver'] }) {
  const { t } = useTranslation('company')
  const { leaderUuid: uuid, leaderName: name, leaderPublicKeys: publicKeys, handedOver } = held
  if (!uuid || !name) return null
  const text = handedOver ? 'waits' : publicKeys ? 'needed' : 'leaderNoKeys'
  return (
    <section className={`${styles.panel} ${own.needed}`} aria-label={t('heldKey.needed', { name })}>
      <p>{t(`heldKey.${text}`, { name })}</p>
      {publicKeys ? (
        <div className={styles.actions}>
          <Button variant="outlined" onClick={() => onHandOver({ uuid, name, publicKeys })}>
            {t(handedOver ? 'heldKey.handOverAgain' : 'heldKey.handOver')}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
