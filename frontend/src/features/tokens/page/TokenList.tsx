import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { SectionCard } from '@/components/SectionCard'
import { StateBadge } from '@/components/StateBadge'
import { formatDate, formatRelative } from '@/i18n/format'
import { revokeToken, tokensQuery, type ApiToken } from '../api'
import { scopeText } from '../scopes'
import styles from './tokens.module.css'

const tones = { active: 'success', expired: 'muted', revoked: 'muted' } as const

export function TokenList({ tokens }: { tokens: ApiToken[] }) {
  const { t } = useTranslation('tokens')
  const [revoking, setRevoking] = useState<ApiToken | null>(null)
  return (
    <SectionCard title={t('list.title')} kind="flush">
      <ul className={styles.list}>
        {tokens.map((token) => (
          <Token key={token.id} token={token} onRevoke={() => setRevoking(token)} />
        ))}
      </ul>
      {revoking ? (
        <ConfirmMutation
          destructive
          title={t('revoke.title', { name: revoking.name })}
          confirmLabel={t('revoke.confirm')}
          mutate={() => withVerification(() => revokeToken(revoking.id))}
          success={t('revoke.done')}
          failure={t('revoke.failed')}
          refresh={[tokensQuery.queryKey]}
          onClose={() => setRevoking(null)}
        >
          {t('revoke.text')}
        </ConfirmMutation>
      ) : null}
    </SectionCard>
  )
}

type TokenProps = { token: ApiToken; onRevoke: () => void }

function Token({ token, onRevoke }: TokenProps) {
  const { t } = useTranslation('tokens')
  const { name, state, scopes, networks } = token
  return (
    <li className={styles.token} data-state={state}>
      <div className={styles.head}>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <StateBadge tone={tones[state]}>{t(`states.${state}`)}</StateBadge>
      </div>
      <ul className={styles.scopes} aria-label={t('list.scopes')}>
        {scopes.map((scope) => (
          <li key={scope} className="t-tag" title={scope}>
            {nameOf(scope, t)}
          </li>
        ))}
      </ul>
      <dl className={styles.facts}>
        <div>
          <dt>{t('list.used')}</dt>
          <dd>
            <LastUse token={token} />
          </dd>
        </div>
        <div>
          <dt>{t(state === 'active' ? 'list.expires' : 'list.expired')}</dt>
          <dd>{formatDate(token.expiresAt, 'long')}</dd>
        </div>
        <div>
          <dt>{t('list.networks')}</dt>
          <dd>{networks.length > 0 ? <bdi dir="ltr">{networks.map(short).join(', ')}</bdi> : t('list.anywhere')}</dd>
        </div>
        <div>
          <dt>{t('list.created')}</dt>
          <dd>{t('list.by', { date: formatDate(token.createdAt, 'long'), name: token.createdBy })}</dd>
        </div>
      </dl>
      {state === 'active' ? (
        <Button variant="outlined" danger aria-label={t('revoke.of', { name })} onClick={onRevoke}>
          {t('revoke.open')}
        </Button>
      ) : null}
    </li>
  )
}

function LastUse({ token: { lastUsedAt, lastOrigin } }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  if (!lastUsedAt) return t('list.never')
  return (
    <>
      {formatRelative(lastUsedAt)} · <bdi dir="ltr">{lastOrigin}</bdi>
    </>
  )
}

function nameOf(scope: string, t: TFunction<'tokens'>): string {
  const key = scopeText(scope)
  return key ? t(key) : scope
}

/** A network of one address is shown as the address. */
function short(network: string): string {
  return network.replace(/\/(32|128)$/, (end) => (network.includes(':') === (end === '/128') ? '' : end))
}
