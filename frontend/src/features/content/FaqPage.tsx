import { useTranslation } from 'react-i18next'
import { LinkButton } from '@/components/Button'
import { HelpIcon } from '@/components/icons'
import { PageHeader } from '@/components/PageHeader'
import { useSession } from '@/hooks/use-session'
import styles from './faq/faq.module.css'
import { FaqContents } from './faq/FaqContents'
import { providers } from './faq/providers'
import { ProviderSection } from './faq/ProviderSection'
import { SightLists } from './faq/SightLists'
import { TextSection } from './faq/TextSection'

/** How to come by the credentials that the warehouse form asks for. */
export default function FaqPage() {
  const { t } = useTranslation('faq')
  const session = useSession()
  const connects = session.status === 'signedIn' && session.user.canViewWarehouse
  return (
    <>
      <PageHeader
        title={t('title')}
        sub={t('lead')}
        icon={<HelpIcon />}
        actions={
          <LinkButton variant="outlined" size="large" to={connects ? '/warehouses' : '/subscription'}>
            {t(connects ? 'toWarehouses' : 'toSubscription')}
          </LinkButton>
        }
      />
      <div className={styles.page}>
        <FaqContents />
        <div className={styles.body}>
          <TextSection id="three" />
          {providers.map((provider) => (
            <ProviderSection key={provider.id} provider={provider} />
          ))}
          <TextSection id="sight">
            <SightLists />
          </TextSection>
        </div>
      </div>
    </>
  )
}
