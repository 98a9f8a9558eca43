import { useTranslation } from 'react-i18next'
import styles from './faq.module.css'
import { after, before, providers } from './providers'

export function FaqContents() {
  const { t } = useTranslation('faq')
  const entries: [id: string, words: string][] = [
    ...before.map((id): [string, string] => [id, t(`${id}.title`)]),
    ...providers.map(({ id, name }): [string, string] => [id, name]),
    ...after.map((id): [string, string] => [id, t(`${id}.title`)]),
  ]
  return (
    <nav className={styles.contents} aria-labelledby="faq-contents">
      <h2 id="faq-contents" className={styles.contentsTitle}>
        {t('contents')}
      </h2>
      <ul>
        {entries.map(([id, words]) => (
          <li key={id}>
            <a href={`#${id}`}>
              <bdi>{words}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
