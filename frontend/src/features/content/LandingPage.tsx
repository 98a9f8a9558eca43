import { useRef, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/i18n/format'
import { Hero } from './landing/Hero'
import styles from './landing/landing.module.css'
import { Mosaic } from './landing/Mosaic'
import { Plan } from './landing/Plan'
import { Section } from './landing/Section'
import { Sight } from './landing/Sight'
import { StartLink } from './landing/StartLink'

const questions = ['passphrase', 'ownClouds', 'failure', 'trial', 'unpaid'] as const

const steps = ['encrypt', 'split', 'watch', 'recover'] as const

export default function LandingPage() {
  const how = useRef<HTMLHeadingElement>(null)
  function learnMore() {
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    how.current?.scrollIntoView({ block: 'start', behavior: calm ? 'auto' : 'smooth' })
    how.current?.focus({ preventScroll: true })
  }
  return (
    <div className={styles.page}>
      <Hero onLearnMore={learnMore} />
      <Steps headingRef={how} />
      <Mosaic />
      <Sight />
      <Plan />
      <Questions />
      <Closing />
    </div>
  )
}

function Closing() {
  const { t } = useTranslation('content')
  return (
    <section className={`t-card t-ends ${styles.closing}`}>
      <div>
        <h2 className={styles.heading}>{t('closing.title')}</h2>
        <p className={styles.text}>{t('closing.text')}</p>
      </div>
      <StartLink label={t('closing.start')} />
    </section>
  )
}

function Questions() {
  const { t } = useTranslation('content')
  return (
    <Section title={t('questions.title')}>
      <div className={`t-list ${styles.questions}`}>
        {questions.map((question) => (
          <details key={question}>
            <summary>{t(`questions.${question}.q`)}</summary>
            <p>{t(`questions.${question}.a`)}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}

function Steps({ headingRef }: { headingRef: Ref<HTMLHeadingElement> }) {
  const { t } = useTranslation('content')
  return (
    <Section id="how" title={t('how.title')} lead={t('how.lead')} headingRef={headingRef}>
      <ol className={`${styles.cards} ${styles.tiles}`}>
        {steps.map((step, index) => (
          <li key={step} className={`t-card ${styles.card}`}>
            <span className={styles.number} aria-hidden="true">
              {formatNumber(index + 1)}
            </span>
            <h3>{t(`how.${step}.title`)}</h3>
            <p className={styles.text}>{t(`how.${step}.text`)}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
