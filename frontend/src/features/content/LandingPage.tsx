import { useRef, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/i18n/format'
import closingStyles from './landing/closing.module.css'
import { Hero } from './landing/Hero'
import styles from './landing/landing.module.css'
import { Mosaic } from './landing/Mosaic'
import { Plan } from './landing/Plan'
import questionsStyles from './landing/questions.module.css'
import { Section } from './landing/Section'
import { Sight } from './landing/Sight'
import { StartLink } from './landing/StartLink'
import stepsStyles from './landing/steps.module.css'

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
    <section className={closingStyles.closing}>
      <div>
        <h2 className={closingStyles.title}>{t('closing.title')}</h2>
        <p className={closingStyles.text}>{t('closing.text')}</p>
      </div>
      <StartLink label={t('closing.start')} />
    </section>
  )
}

function Questions() {
  const { t } = useTranslation('content')
  return (
    <Section title={t('questions.title')}>
      <div className={questionsStyles.list}>
        {questions.map((question) => (
          <details key={question} className={questionsStyles.question}>
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
      <ol className={stepsStyles.steps}>
        {steps.map((step, index) => (
          <li key={step} className={stepsStyles.step}>
            <span className={stepsStyles.number} aria-hidden="true">
              {formatNumber(index + 1)}
            </span>
            <h3 className={stepsStyles.title}>{t(`how.${step}.title`)}</h3>
            <p className={stepsStyles.text}>{t(`how.${step}.text`)}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
