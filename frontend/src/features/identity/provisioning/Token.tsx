import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { CodeBlock } from '@/components/CodeBlock'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { Panel } from '@/components/forms/layout'
import { StateBadge } from '@/components/StateBadge'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatDate, formatDateTime, formatRelative } from '@/i18n/format'
import { createToken, provisioningQuery, revokeTokens, type Provisioning, type ScimToken } from './api'
import styles from './provisioning.module.css'

export function Token({ provisioning: { tokens } }: { provisioning: Provisioning }) {
  const { t } = useTranslation('provisioning')
  const client = useQueryClient()
  const [secret, setSecret] = useState<string | null>(null)
  const [asking, setAsking] = useState<'rotate' | 'revoke' | null>(null)
  async function create() {
    const made = await withVerification(createToken)
    client.setQueryData(provisioningQuery.queryKey, made.provisioning)
    setSecret(made.token)
  }
  const first = useToastMutation(create, { failure: t('token.createFailed') })
  return (
    <div className={styles.section}>
      {tokens.length > 0 ? (
        <ul className={styles.list}>
          {tokens.map((token) => (
            <TokenItem key={token.createdAt} token={token} />
          ))}
        </ul>
      ) : null}
      <div className={styles.actions}>
        {tokens.length > 0 ? (
          <>
            <Button variant="outlined" onClick={() => setAsking('rotate')}>
              {t('token.rotate')}
            </Button>
            <Button variant="text" danger onClick={() => setAsking('revoke')}>
              {t('token.revoke')}
            </Button>
          </>
        ) : (
          <Button pending={first.isPending} onClick={() => void first.mutate()}>
            {t('token.create')}
          </Button>
        )}
      </div>
      {asking === 'rotate' ? (
        <ConfirmMutation
          title={t('token.rotateTitle')}
          confirmLabel={t('token.rotate')}
          mutate={create}
          failure={t('token.createFailed')}
          onClose={() => setAsking(null)}
        >
          {t('token.rotateText')}
        </ConfirmMutation>
      ) : null}
      {asking === 'revoke' ? (
        <ConfirmMutation
          destructive
          title={t('token.revokeTitle')}
          confirmLabel={t('token.revoke')}
          mutate={() => withVerification(revokeTokens)}
          success={t('token.revoked')}
          failure={t('token.revokeFailed')}
          refresh={[provisioningQuery.queryKey]}
          onClose={() => setAsking(null)}
        >
          {t('token.revokeText')}
        </ConfirmMutation>
      ) : null}
      {secret ? <ShowToken secret={secret} onClose={() => setSecret(null)} /> : null}
    </div>
  )
}

function TokenItem({ token }: { token: ScimToken }) {
  const { t } = useTranslation('provisioning')
  const { createdAt, createdBy, expiresAt, lastUsedAt, lastOrigin } = token
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <h3>{t(expiresAt ? 'token.former' : 'token.current')}</h3>
        {expiresAt ? (
          <StateBadge tone="warning">{t('token.until', { time: formatDateTime(expiresAt) })}</StateBadge>
        ) : (
          <StateBadge tone="success">{t('token.works')}</StateBadge>
        )}
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{t('token.used')}</dt>
          <dd>
            {lastUsedAt ? (
              <>
                {formatRelative(lastUsedAt)} · <bdi dir="ltr">{lastOrigin}</bdi>
              </>
            ) : (
              t('token.never')
            )}
          </dd>
        </div>
        <div>
          <dt>{t('token.made')}</dt>
          <dd>{t('token.by', { date: formatDate(createdAt, 'long'), name: createdBy })}</dd>
        </div>
      </dl>
    </li>
  )
}

/** Stays until it is closed on purpose: nobody can see the token again. */
function ShowToken({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('provisioning')
  return (
    <Dialog size="medium" title={t('show.title')} closesOnOutsideClick={false} onClose={onClose}>
      <DialogContent className={styles.show}>
        <Panel role="note">{t('show.text')}</Panel>
        <CodeBlock text={secret} caption={t('show.caption')} copyLabel={t('show.copy')} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('show.done')}</Button>
      </DialogActions>
    </Dialog>
  )
}
