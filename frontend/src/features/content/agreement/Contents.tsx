import { useTranslation } from 'react-i18next'
import styles from './agreement.module.css'
import { sections } from './sections'

export function Contents() {
  const { t } = useTranslation('agreement')
  return (
    <nav className={styles.contents} aria-labelledby="contents-heading">
      <h2 id="contents-heading" className={styles.contentsTitle}>
        {t('contents')}
      </h2>
      <ol>
        {sections.map((section, index) => (
          <li key={section}>
            <a href={`#${section}`}>
              <span className={styles.ordinal}>{index + 1}</span> <span>{t(`sections.${section}.title`)}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
