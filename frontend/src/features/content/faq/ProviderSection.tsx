import { useTranslation } from 'react-i18next'
import { CodeBlock } from '@/components/CodeBlock'
import type { Provider } from '@/features/warehouses'
import page from '../page.module.css'
import styles from './faq.module.css'
import { Marked } from '../Marked'
import { Policy } from './Policy'

export function ProviderSection({ provider }: { provider: Provider }) {
  const { t } = useTranslation('faq')
  const { section: id, name, guide, fields } = provider
  return (
    <section id={id} className={`t-card ${page.section} ${styles.section}`} aria-labelledby={`${id}-heading`}>
      <header className="t-ends">
        <h2 id={`${id}-heading`} className={page.heading}>
          <bdi>{name}</bdi>
        </h2>
        <a href={provider.consoleUrl} target="_blank" rel="noreferrer" className={styles.outside}>
          {t('open', { name: provider.consoleName })}
        </a>
      </header>
      {guide.warning && (
        <p className="t-note" role="note">
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
      <h3>{t(provider.isConnectable ? 'fields' : 'fieldsLater')}</h3>
      <dl className={`t-list ${styles.fields}`}>
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
      {provider.isConnectable ? (
        <>
          <h3>{t('browsers.title')}</h3>
          <p>{t('browsers.text')}</p>
          <p>
            <Marked text={provider.browsers} />
          </p>
          {provider.corsRules ? (
            <CodeBlock
              text={provider.corsRules}
              caption={t('browsers.rules')}
              label={`${provider.name}: ${t('browsers.rules')}`}
              copyLabel={t('browsers.copy', { name: provider.name })}
            />
          ) : null}
        </>
      ) : null}
    </section>
  )
}
