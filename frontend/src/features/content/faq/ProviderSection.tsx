import { useTranslation } from 'react-i18next'
import styles from './faq.module.css'
import { listOf, Marked } from './Marked'
import { Policy } from './Policy'
import type { Provider } from './providers'

export function ProviderSection({ provider }: { provider: Provider }) {
  const { t } = useTranslation('faq')
  const { id, name, console: place, fields, warns } = provider
  const steps = listOf(t(`providers.${id}.steps`, { returnObjects: true }))
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-heading`}>
      <header className={styles.top}>
        <h2 id={`${id}-heading`} className={styles.heading}>
          <bdi>{name}</bdi>
        </h2>
        <a href={place.url} target="_blank" rel="noreferrer" className={styles.outside}>
          {t('open', { name: place.name })}
        </a>
      </header>
      {warns && (
        <p className={styles.warning} role="note">
          <Marked text={t(`providers.${id}.warning`)} />
        </p>
      )}
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>
            <Marked text={step} />
          </li>
        ))}
      </ol>
      <h3 className={styles.subheading}>{t(warns && id === 'google-drive' ? 'fieldsLater' : 'fields')}</h3>
      <dl className={styles.fields}>
        {fields.map((field) => (
          <div key={field}>
            <dt>{t(`labels.${field}`)}</dt>
            <dd>
              <Marked text={t(`providers.${id}.fields.${field}`)} />
            </dd>
          </div>
        ))}
      </dl>
      <Policy provider={provider} />
    </section>
  )
}
