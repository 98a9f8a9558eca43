import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { CodeBlock } from '@/components/CodeBlock'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { StateBadge } from '@/components/StateBadge'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import styles from '../identity.module.css'
import { removeProvider, setDefault, ssoQuery, type SsoProvider } from './api'
import { ProviderForm } from './ProviderForm'

type Props = {
  provider: SsoProvider
  /** How many other providers are set up. */
  others: number
  required: boolean
}

/** One that is not set up yet shows its form at once. */
export function ProviderItem({ provider, others, required }: Props) {
  const { uuid, name, issuer, isDefault, isNeeded, linkedMembers } = provider
  const { t } = useTranslation('identity')
  const [editing, setEditing] = useState(false)
  const [removing, setRemoving] = useState(false)
  const isReady = issuer !== null
  const choose = useToastMutation(() => withVerification(() => setDefault(uuid)), {
    success: t('sso.defaultSaved'),
    failure: t('sso.defaultFailed'),
    refresh: [ssoQuery.queryKey],
  })
  const reason =
    required && isNeeded ? t('sso.stillNeeded') : isDefault && others > 0 ? t('sso.chooseDefaultFirst') : null
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        {!isReady ? <StateBadge tone="warning">{t('sso.notSetUp')}</StateBadge> : null}
        {isDefault && others > 0 ? <StateBadge tone="success">{t('sso.default')}</StateBadge> : null}
      </div>
      {isReady ? (
        <>
          <p className={styles.address}>
            <bdi dir="ltr">{issuer}</bdi>
          </p>
          <p className="t-soft">{t('sso.members', { count: linkedMembers })}</p>
        </>
      ) : (
        <p className="t-soft">{t('sso.setUp')}</p>
      )}
      {editing || !isReady ? (
        <>
          <CodeBlock
            text={provider.redirectUri}
            caption={t('sso.redirect')}
            label={t('sso.redirectOf', { name })}
            copyLabel={t('sso.copyRedirect', { name })}
          />
          <CodeBlock
            text={provider.backchannelLogoutUri}
            caption={t('sso.logout')}
            label={t('sso.logoutOf', { name })}
            copyLabel={t('sso.copyLogout', { name })}
          />
          <ProviderForm key={provider.savedAt} provider={provider} onSaved={() => setEditing(false)} />
        </>
      ) : null}
      <div className={styles.actions}>
        {isReady ? (
          <Button
            variant="outlined"
            aria-expanded={editing}
            aria-label={t(editing ? 'sso.closeOf' : 'sso.editOf', { name })}
            onClick={() => setEditing(!editing)}
          >
            {t(editing ? 'sso.close' : 'sso.edit')}
          </Button>
        ) : null}
        {isReady && !isDefault ? (
          <Button
            variant="text"
            aria-label={t('sso.makeDefaultOf', { name })}
            pending={choose.isPending}
            onClick={() => void choose.mutate()}
          >
            {t('sso.makeDefault')}
          </Button>
        ) : null}
        <Button
          variant="text"
          danger
          aria-label={t('sso.removeOf', { name })}
          disabledReason={reason}
          onClick={() => setRemoving(true)}
        >
          {t('sso.remove')}
        </Button>
      </div>
      {removing ? (
        <ConfirmMutation
          destructive
          title={t('sso.removeTitle', { name })}
          confirmLabel={t('sso.remove')}
          mutate={() => withVerification(() => removeProvider(uuid))}
          success={t('sso.removed')}
          failure={t('sso.removeFailed')}
          refresh={[ssoQuery.queryKey]}
          onClose={() => setRemoving(false)}
        >
          {t(!isReady ? 'sso.removeUnused' : others > 0 ? 'sso.removeOne' : 'sso.removeText')}
        </ConfirmMutation>
      ) : null}
    </li>
  )
}
