import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../CopyButton'
import code from '../code.module.css'
import styles from './faq.module.css'
import { Marked } from './Marked'
import type { Provider } from '@/features/warehouses'
import { fillIn, type Values } from './fill-in'

/** The permissions to copy, filled in with the visitor's own names, which are not sent anywhere. */
export function Policy({ provider }: { provider: Provider }) {
  const { t } = useTranslation('faq')
  const { name, guide, snippet, snippetValues } = provider
  const [typed, setTyped] = useState<Values>(() =>
    Object.fromEntries(snippetValues.map((value) => [value.name, value.initial])),
  )
  const form = useId()
  const text = fillIn(snippet, typed)
  return (
    <>
      <h3 className={styles.subheading}>{t('policy')}</h3>
      <p>
        <Marked text={guide.permissions} />
      </p>
      {snippetValues.length > 0 && (
        <div className={styles.values} role="group" aria-label={t('yourValues')}>
          {snippetValues.map(({ name: value, label }) => (
            <div key={value} className={styles.value}>
              <label htmlFor={`${form}-${value}`}>{label}</label>
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
          <span>{guide.snippet}</span>
          <CopyButton text={text} label={t('copySnippet', { label: guide.snippet, name })} />
        </figcaption>
        {/* Reachable by keyboard: long lines scroll inside. */}
        <pre dir="ltr" tabIndex={0} aria-label={guide.snippet} role="region">
          {text}
        </pre>
      </figure>
      {guide.notes.map((sentence) => (
        <p key={sentence} className={styles.after}>
          <Marked text={sentence} />
        </p>
      ))}
    </>
  )
}
