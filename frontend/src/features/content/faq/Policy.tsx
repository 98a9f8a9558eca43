import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Provider } from '@/features/warehouses'
import { CodeBlock } from '@/components/CodeBlock'
import page from '../page.module.css'
import styles from './faq.module.css'
import { fillIn, type Values } from './fill-in'
import { Marked } from '../Marked'

/** The permissions to copy, filled in with the visitor's own names, which are not sent anywhere. */
export function Policy({ provider }: { provider: Provider }) {
  const { t } = useTranslation('faq')
  const { name, guide, snippet, snippetValues } = provider
  const [typed, setTyped] = useState<Values>(() =>
    Object.fromEntries(snippetValues.map((value) => [value.name, value.initial])),
  )
  const text = fillIn(snippet, typed)
  return (
    <>
      <h3>{t('policy')}</h3>
      <p>
        <Marked text={guide.permissions} />
      </p>
      {snippetValues.length > 0 && (
        <div className={styles.values} role="group" aria-label={t('yourValues')}>
          {snippetValues.map(({ name: value, label }) => (
            <label key={value} className={page.field}>
              {label}
              <input
                dir="ltr"
                value={typed[value] ?? ''}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                onChange={(event) => setTyped({ ...typed, [value]: event.target.value })}
              />
            </label>
          ))}
          <p className="t-soft">{t('valuesHint')}</p>
        </div>
      )}
      <CodeBlock text={text} caption={guide.snippet} copyLabel={t('copySnippet', { label: guide.snippet, name })} />
      {guide.notes.map((sentence) => (
        <p key={sentence} className="t-soft">
          <Marked text={sentence} />
        </p>
      ))}
    </>
  )
}
