import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../CopyButton'
import code from '../code.module.css'
import styles from './faq.module.css'
import { listOf, Marked } from './Marked'
import type { Provider } from './providers'

/** The permissions to copy, filled in with the visitor's own names, which are not sent anywhere. */
export function Policy({ provider }: { provider: Provider }) {
  const { t } = useTranslation('faq')
  const { id, name } = provider
  const [typed, setTyped] = useState(provider.values)
  const form = useId()
  const names = Object.keys(provider.values)
  const text = provider.snippet(typed)
  const label = t(`providers.${id}.policy.label`)
  return (
    <>
      <h3 className={styles.subheading}>{t('policy')}</h3>
      <p>
        <Marked text={t(`providers.${id}.policy.text`)} />
      </p>
      {names.length > 0 && (
        <div className={styles.values} role="group" aria-label={t('yourValues')}>
          {names.map((value) => (
            <div key={value} className={styles.value}>
              <label htmlFor={`${form}-${value}`}>{t(`values.${value}`)}</label>
              <input
                id={`${form}-${value}`}
                dir="ltr"
                value={typed[value] ?? ''}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                onChange={(event) => setTyped({ ...typed, [value]: event.target.value })}
              />
            </div>
          ))}
          <p className={styles.hint}>{t('valuesHint')}</p>
        </div>
      )}
      <figure className={`${code.code} ${styles.snippet}`}>
        <figcaption className={styles.caption}>
          <span>{label}</span>
          <CopyButton text={text} label={t('copySnippet', { label, name })} />
        </figcaption>
        {/* Reachable by keyboard: long lines scroll inside. */}
        <pre dir="ltr" tabIndex={0} aria-label={label} role="region">
          {text}
        </pre>
      </figure>
      {listOf(t(`providers.${id}.policy.after`, { returnObjects: true })).map((sentence) => (
        <p key={sentence} className={styles.after}>
          <Marked text={sentence} />
        </p>
      ))}
    </>
  )
}
