import { useTranslation } from 'react-i18next'
import { ShieldIcon } from '@/components/icons/ShieldIcon'
import { PageHeader } from '@/components/PageHeader'
import { DomainsSection } from './domains/DomainsSection'
import styles from './identity.module.css'
import { ProvisioningSection } from './provisioning/ProvisioningSection'
import { SsoSection } from './sso/SsoSection'

/** Each section is a folder of its own. */
export default function IdentityPage() {
  const { t } = useTranslation('identity')
  return (
    <>
      <PageHeader title={t('title')} sub={t('sub')} icon={<ShieldIcon />} />
      <div className={styles.page}>
        <DomainsSection />
        <SsoSection />
        <ProvisioningSection />
      </div>
    </>
  )
}
