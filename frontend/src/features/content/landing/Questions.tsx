import { useTranslation } from 'react-i18next'
import styles from './questions.module.css'
import { Section } from './Section'

const questions = ['passphrase', 'ownClouds', 'failure', 'trial', 'unpaid'] as const

export function Questions() {
  const { t } = useTranslation('content')
  return (
    <Section title={t('questions.title')}>
      <div className={styles.list}>
        {questions.map((question) => (
          <details key={question} className={styles.question}>
            <summary>{t(`questions.${question}.q`)}</summary>
            <p>{t(`questions.${question}.a`)}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}
