import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { SelectField } from '@/components/forms/Field'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import styles from '../identity.module.css'
import { setProviderOfDomain, ssoQuery, type Sso, type SsoProvider } from './api'

type Props = { domains: Sso['domains']; providers: SsoProvider[] }

/** Which provider a domain leads to. */
export function LeadingDomains({ domains, providers }: Props) {
  const { t } = useTranslation('identity')
  return (
    <div className={styles.item}>
      <h3>{t('sso.domains')}</h3>
      <p className="t-soft">{t('sso.domainsText')}</p>
      {domains.map((each) => (
        <LeadingDomain key={each.domain} leading={each} providers={providers} />
      ))}
    </div>
  )
}

function LeadingDomain({ leading, providers }: { leading: Sso['domains'][number]; providers: SsoProvider[] }) {
  const { t } = useTranslation('identity')
  const { domain, provider, isLost } = leading
  const change = useToastMutation((uuid: string) => withVerification(() => setProviderOfDomain(domain, uuid || null)), {
    success: t('sso.domainSaved'),
    failure: t('sso.domainFailed'),
    refresh: [ssoQuery.queryKey],
  })
  const chosen = providers.find(({ isDefault }) => isDefault)
  return (
    <div className={styles.form}>
      <SelectField
        label={domain}
        hint={isLost ? t('sso.domainLost') : null}
        value={provider ?? ''}
        disabled={change.isPending}
        onChange={({ target }) => void change.mutate(target.value)}
      >
        <option value="">{t('sso.defaultOption', { name: chosen?.name ?? '' })}</option>
        {providers.map(({ uuid, name }) => (
          <option key={uuid} value={uuid}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
