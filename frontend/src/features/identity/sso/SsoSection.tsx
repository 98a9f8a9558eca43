import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { CodeBlock } from '@/components/CodeBlock'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { QueryResult } from '@/components/QueryResult'
import { SectionCard } from '@/components/SectionCard'
import styles from '../identity.module.css'
import { removeProvider, ssoQuery } from './api'
import { ProviderForm } from './ProviderForm'
import { Requirement } from './Requirement'

/** Login with the company's own accounts. */
export function SsoSection() {
  const { t } = useTranslation(['identity', 'common', 'auth', 'errors'])
  const [removing, setRemoving] = useState(false)
  return (
    <SectionCard title={t('sso.title')}>
      <div className={styles.section}>
        <p className="t-soft">{t('sso.text')}</p>
        <QueryResult query={useQuery(ssoQuery)} loading={t('sso.loading')} heights={[72, 44]} failed={t('sso.failed')}>
          {(sso) => {
            const { provider, redirectUri, backchannelLogoutUri } = sso
            return (
              <>
                <CodeBlock text={redirectUri} caption={t('sso.redirect')} copyLabel={t('sso.copyRedirect')} />
                <CodeBlock text={backchannelLogoutUri} caption={t('sso.logout')} copyLabel={t('sso.copyLogout')} />
                {provider ? <p>{t('sso.members', { count: provider.linkedMembers })}</p> : null}
                <ProviderForm key={provider?.savedAt ?? ''} provider={provider} />
                {provider ? (
                  <div className={styles.actions}>
                    <Button
                      variant="text"
                      danger
                      disabledReason={sso.required ? t('sso.removeFirst') : null}
                      onClick={() => setRemoving(true)}
                    >
                      {t('sso.remove')}
                    </Button>
                  </div>
                ) : null}
                {provider ? <Requirement sso={sso} /> : null}
              </>
            )
          }}
        </QueryResult>
      </div>
      {removing ? (
        <ConfirmMutation
          destructive
          title={t('sso.removeTitle')}
          confirmLabel={t('sso.remove')}
          mutate={() => withVerification(removeProvider)}
          success={t('sso.removed')}
          failure={t('sso.removeFailed')}
          refresh={[ssoQuery.queryKey]}
          onClose={() => setRemoving(false)}
        >
          {t('sso.removeText')}
        </ConfirmMutation>
      ) : null}
    </SectionCard>
  )
}
