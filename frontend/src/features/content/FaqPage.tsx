import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { LinkButton } from '@/components/Button'
import { HelpIcon } from '@/components/icons/HelpIcon'
import { PageHeader } from '@/components/PageHeader'
import { WithProviders, type Provider } from '@/features/warehouses'
import { useSession } from '@/hooks/use-session'
import { Contents } from './Contents'
import styles from './faq/faq.module.css'
import { listOf, Marked } from './Marked'
import { ProviderSection } from './faq/ProviderSection'
import page from './page.module.css'

const sides = ['cannot', 'can', 'provider'] as const

/** How to get the credentials for the warehouse form. */
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
      <WithProviders>{(providers) => <Sections providers={providers} />}</WithProviders>
    </>
  )
}

function Sections({ providers }: { providers: readonly Provider[] }) {
  const { t } = useTranslation('faq')
  const { hash } = useLocation()
  const entries = [
    { id: 'three', label: t('three.title') },
    ...providers.map(({ section, name }) => ({ id: section, label: <bdi>{name}</bdi> })),
    { id: 'sight', label: t('sight.title') },
  ]
  // They come after the page, which could not scroll to them yet.
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
  return (
    <div className={`${page.columns} ${styles.page}`}>
      <Contents title={t('contents')} entries={entries} />
      <div className="t-grid">
        <TextSection id="three" />
        {providers.map((provider) => (
          <ProviderSection key={provider.type} provider={provider} />
        ))}
        <TextSection id="sight">
          <SightLists />
        </TextSection>
      </div>
    </div>
  )
}

function SightLists() {
  const { t } = useTranslation('faq')
  return (
    <div className={styles.sides}>
      {sides.map((side) => (
        <div key={side}>
          <h3>{t(`sight.${side}.title`)}</h3>
          <ul>
            {listOf(t(`sight.${side}.list`, { returnObjects: true })).map((entry) => (
              <li key={entry}>
                <Marked text={entry} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

type Props = { id: 'three' | 'sight'; children?: ReactNode }

/** A section of paragraphs, with lists under their own headings where it has some. */
function TextSection({ id, children }: Props) {
  const { t } = useTranslation('faq')
  return (
    <section id={id} className={`t-card ${page.section} ${styles.section}`} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className={page.heading}>
        {t(`${id}.title`)}
      </h2>
      {listOf(t(`${id}.text`, { returnObjects: true })).map((paragraph) => (
        <p key={paragraph}>
          <Marked text={paragraph} />
        </p>
      ))}
      {children}
    </section>
  )
}
