import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { QueryResult } from '@/components/QueryResult'
import { SectionCard } from '@/components/SectionCard'
import styles from '../identity.module.css'
import { AddProvider } from './AddProvider'
import { ssoQuery } from './api'
import { LeadingDomains } from './LeadingDomains'
import { ProviderItem } from './ProviderItem'
import { Requirement } from './Requirement'

/** Login with the company's own accounts. */
export function SsoSection() {
  const { t } = useTranslation(['identity', 'common', 'auth', 'errors'])
  return (
    <SectionCard title={t('sso.title')}>
      <div className={styles.section}>
        <p className="t-soft">{t('sso.text')}</p>
        <QueryResult query={useQuery(ssoQuery)} loading={t('sso.loading')} heights={[72, 44]} failed={t('sso.failed')}>
          {(sso) => {
            const { providers, maxProviders } = sso
            const ready = providers.filter(({ issuer }) => issuer !== null)
            return (
              <>
                {providers.length > 0 ? (
                  <ul className={styles.list}>
                    {providers.map((provider) => (
                      <ProviderItem
                        key={provider.uuid}
                        provider={provider}
                        others={ready.filter(({ uuid }) => uuid !== provider.uuid).length}
                        required={sso.required}
                      />
                    ))}
                  </ul>
                ) : (
                  <p>{t('sso.empty')}</p>
                )}
                {ready.length > 1 && sso.domains.length > 0 ? (
                  <LeadingDomains domains={sso.domains} providers={ready} />
                ) : null}
                <AddProvider present={providers.length} maximum={maxProviders} />
                {ready.length > 0 ? <Requirement sso={sso} /> : null}
              </>
            )
          }}
        </QueryResult>
      </div>
    </SectionCard>
  )
}
