import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LinkButton } from '@/components/Button'
import { useSession } from '@/hooks/use-session'
import { HeroDrawing } from './HeroDrawing'
import styles from './landing.module.css'
import { StartLink } from './StartLink'

const facts = ['clouds', 'readers', 'upload'] as const

export function Hero({ onLearnMore }: { onLearnMore: () => void }) {
  const { t } = useTranslation('content')
  const session = useSession()
  function learnMore(event: MouseEvent) {
    event.preventDefault()
    onLearnMore()
  }
  return (
    <section className={styles.hero}>
      <div>
        <h1 className={styles.title} tabIndex={-1}>
          {t('hero.title')}
        </h1>
        <p className={styles.lead}>{t('hero.lead')}</p>
        <div className="t-line">
          <StartLink label={t('hero.start')} />
          <LinkButton variant="outlined" size="xlarge" href="#how" onClick={learnMore}>
            {t('hero.learnMore')}
          </LinkButton>
        </div>
        {session.status === 'signedIn' ? null : (
          <p className={`t-soft ${styles.access}`}>
            {t('hero.noPassword')} <Link to="/signup#request-access">{t('hero.requestAccess')}</Link>
          </p>
        )}
        <dl className={`${styles.facts} ${styles.tiles}`} aria-label={t('facts.label')}>
          {facts.map((fact) => (
            <div key={fact} className={styles.fact}>
              <dt className="t-soft">{t(`facts.${fact}.text`)}</dt>
              <dd>
                <bdi>{t(`facts.${fact}.value`)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <HeroDrawing />
    </section>
  )
}
