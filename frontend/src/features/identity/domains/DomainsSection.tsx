import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { QueryResult } from '@/components/QueryResult'
import { SectionCard } from '@/components/SectionCard'
import styles from '../identity.module.css'
import { ssoQuery } from '../sso/api'
import { AddDomain } from './AddDomain'
import { domainsQuery, removeDomain } from './api'
import { DomainItem } from './DomainItem'

/** The company's mail domains, each proved by a DNS record. */
export function DomainsSection() {
  const { t } = useTranslation(['identity', 'common', 'auth', 'errors'])
  const [removing, setRemoving] = useState<string | null>(null)
  return (
    <SectionCard title={t('domains.title')}>
      <div className={styles.section}>
        <p className="t-soft">{t('domains.text')}</p>
        <QueryResult
          query={useQuery(domainsQuery)}
          loading={t('domains.loading')}
          heights={[72, 44]}
          failed={t('domains.failed')}
        >
          {({ domains, maxDomains }) => (
            <>
              {domains.length > 0 ? (
                <ul className={styles.list}>
                  {domains.map((domain) => (
                    <DomainItem key={domain.domain} domain={domain} onRemove={() => setRemoving(domain.domain)} />
                  ))}
                </ul>
              ) : (
                <p>{t('domains.empty')}</p>
              )}
              <AddDomain full={domains.length >= maxDomains} maximum={maxDomains} />
            </>
          )}
        </QueryResult>
      </div>
      {removing ? (
        <ConfirmMutation
          destructive
          title={t('domains.removeTitle', { domain: removing })}
          confirmLabel={t('domains.remove')}
          mutate={() => withVerification(() => removeDomain(removing))}
          success={t('domains.removed')}
          failure={t('domains.removeFailed')}
          refresh={[domainsQuery.queryKey, ssoQuery.queryKey]}
          onClose={() => setRemoving(null)}
        >
          {t('domains.removeText')}
        </ConfirmMutation>
      ) : null}
    </SectionCard>
  )
}
