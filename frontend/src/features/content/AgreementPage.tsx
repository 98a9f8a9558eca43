import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { formatDate } from '@/i18n/format'
import styles from './agreement/agreement.module.css'
import { AgreementSection } from './agreement/AgreementSection'
import { Contents } from './agreement/Contents'
import { agreementVersion, clauseId, numberOf, passphraseClause, sections } from './agreement/sections'

export default function AgreementPage() {
  const { t, i18n } = useTranslation('agreement')
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.top}>
          <h1 className={styles.title}>{t('title')}</h1>
          <Button variant="outlined" size="large" className={styles.print} onClick={() => window.print()}>
            {t('print')}
          </Button>
        </div>
        <p className={styles.version}>
          {t('version', { version: agreementVersion.version, date: formatDate(agreementVersion.effective, 'long') })}
        </p>
        <p className={styles.lead}>{t('lead')}</p>
        {i18n.language !== 'en' && (
          <p className={styles.review} role="note">
            {t('translationNote')}
          </p>
        )}
        <p className={styles.keyPoint}>
          {t('keyPoint')}{' '}
          <a href={`#${clauseId(passphraseClause)}`}>{t('keyPointLink', { clause: numberOf(passphraseClause) })}</a>
        </p>
      </div>
      <Contents />
      <div className={styles.body}>
        {sections.map((section) => (
          <AgreementSection key={section} section={section} />
        ))}
      </div>
    </div>
  )
}
