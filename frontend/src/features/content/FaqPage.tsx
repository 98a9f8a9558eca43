import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '@/components/Button'
import { HelpIcon } from '@/components/icons'
import { PageHeader } from '@/components/PageHeader'
import { useSession } from '@/hooks/use-session'
import styles from './faq/faq.module.css'
import contentsStyles from './contents.module.css'
import { listOf, Marked } from './faq/Marked'
import { after, before, providers } from './faq/providers'
import { ProviderSection } from './faq/ProviderSection'

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

function FaqContents() {
  const { t } = useTranslation('faq')
  const entries: [id: string, words: string][] = [
    ...before.map((id): [string, string] => [id, t(`${id}.title`)]),
    ...providers.map(({ id, name }): [string, string] => [id, name]),
    ...after.map((id): [string, string] => [id, t(`${id}.title`)]),
  ]
  return (
    <nav className={`${styles.contents} ${contentsStyles.contents}`} aria-labelledby="faq-contents">
      <h2 id="faq-contents" className={contentsStyles.title}>
        {t('contents')}
      </h2>
      <ul>
        {entries.map(([id, words]) => (
          <li key={id}>
            <a href={`#${id}`}>
              <bdi>{words}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function SightLists() {
  const { t } = useTranslation('faq')
  return (
    <div className={styles.sides}>
      {sides.map((side) => (
        <div key={side}>
          <h3 className={styles.subheading}>{t(`sight.${side}.title`)}</h3>
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
    <section id={id} className={styles.section} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className={styles.heading}>
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
