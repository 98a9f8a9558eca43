import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/i18n/format'
import { Section } from './Section'
import styles from './steps.module.css'

const steps = ['encrypt', 'split', 'watch', 'recover'] as const

export function Steps({ headingRef }: { headingRef: Ref<HTMLHeadingElement> }) {
  const { t } = useTranslation('content')
  return (
    <Section id="how" title={t('how.title')} lead={t('how.lead')} headingRef={headingRef}>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step} className={styles.step}>
            <span className={styles.number} aria-hidden="true">
              {formatNumber(index + 1)}
            </span>
            <h3 className={styles.title}>{t(`how.${step}.title`)}</h3>
            <p className={styles.text}>{t(`how.${step}.text`)}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
