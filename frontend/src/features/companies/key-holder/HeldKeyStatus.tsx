import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Actions, FormError, Lead, Panel, Stack, Status } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { QueryResult } from '@/components/QueryResult'
import { Term } from '@/components/Term'
import { EnvelopeError } from '@/crypto/errors'
import { formatDate } from '@/i18n/format'
import { heldKeyQuery, keyState, type HeldKey } from './api'
import own from './key-holder.module.css'
import type { HeldKeyFlow } from './use-held-key'

type Props = { held: HeldKeyFlow; onClose: () => void }

export function HeldKeyStatus({ held, onClose }: Props) {
  const { t } = useTranslation('company')
  const query = useQuery(heldKeyQuery)
  const { data } = query
  const { show } = held
  return (
    <Stack>
      <QueryResult query={query} loading={t('heldKey.loading')} heights={[96]}>
        {(key) => (
          <>
            <Lead>
              <Term name="keyHolder">{t(`heldKey.${keyState(key)}`)}</Term>
            </Lead>
            {key ? <Status>{t('keyHolder.since', { date: formatDate(key.since, 'long') })}</Status> : null}
          </>
        )}
      </QueryResult>
      {show.error instanceof EnvelopeError ? (
        <FormError key={show.failedAt}>{t('heldKey.cannotOpen')}</FormError>
      ) : (
        <MutationError mutation={show} fallback={t('passphrase.revealFailed')} />
      )}
      {data?.isCurrent && data.leaderNeedsKey ? <LeaderNeedsKey held={data} onHandOver={held.handOver} /> : null}
      <Actions>
        <Button variant="text" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
        {data?.isCurrent ? (
          <Button autoFocus pending={show.isPending} onClick={() => void show.mutate()}>
            {t('heldKey.show')}
          </Button>
        ) : null}
      </Actions>
    </Stack>
  )
}

function LeaderNeedsKey({ held, onHandOver }: { held: HeldKey; onHandOver: HeldKeyFlow['handOver'] }) {
  const { t } = useTranslation('company')
  const { leaderUuid: uuid, leaderName: name, leaderPublicKeys: publicKeys, handedOver } = held
  if (!uuid || !name) return null
  const text = handedOver ? 'waits' : publicKeys ? 'needed' : 'leaderNoKeys'
  return (
    <Panel className={own.needed} aria-label={t('heldKey.needed', { name })}>
      <p>{t(`heldKey.${text}`, { name })}</p>
      {publicKeys ? (
        <Actions>
          <Button variant="outlined" onClick={() => onHandOver({ uuid, name, publicKeys })}>
            {t(handedOver ? 'heldKey.handOverAgain' : 'heldKey.titles.handOver')}
          </Button>
        </Actions>
      ) : null}
    </Panel>
  )
}
