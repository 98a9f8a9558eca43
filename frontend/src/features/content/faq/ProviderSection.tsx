import { useTranslation } from 'react-i18next'
import type { Provider } from '@/features/warehouses'
import styles from './faq.module.css'
import { Marked } from './Marked'
import { Policy } from './Policy'

export function ProviderSection({ provider }: { provider: Provider }) {
  const { t } = useTranslation('faq')
  const { section: id, name, guide, fields } = provider
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-heading`}>
      <header className={styles.top}>
        <h2 id={`${id}-heading`} className={styles.heading}>
          <bdi>{name}</bdi>
        </h2>
        <a href={provider.consoleUrl} target="_blank" rel="noreferrer" className={styles.outside}>
          {t('open', { name: provider.consoleName })}
        </a>
      </header>
      {guide.warning && (
        <p className={styles.warning} role="note">
          <Marked text={guide.warning} />
        </p>
      )}
      <ol className={styles.steps}>
        {guide.steps.map((step) => (
          <li key={step}>
            <Marked text={step} />
          </li>
        ))}
      </ol>
      <h3 className={styles.subheading}>{t(provider.isConnectable ? 'fields' : 'fieldsLater')}</h3>
      <dl className={styles.fields}>
        {fields.map((field) => (
          <div key={field.name}>
            <dt>{field.label}</dt>
            <dd>
              <Marked text={field.help} />
            </dd>
          </div>
        ))}
      </dl>
      <Policy provider={provider} />
    </section>
  )
}
