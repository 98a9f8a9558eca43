import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { formatDate } from '@/i18n/format'
import styles from './agreement/agreement.module.css'

export const sections = [
  'terms',
  'legal',
  'general',
  'communications',
  'account',
  'use',
  'liability',
  'export',
  'ip',
  'payments',
] as const

/** The clause nobody may miss. */
const passphraseClause: Clause = { section: 'account', place: 3 }

const agreementVersion = { version: '1.0', effective: new Date(2026, 10, 16) }

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

type SectionId = (typeof sections)[number]

/** A clause by its section and its place there, counted from one as readers cite it. */
type Clause = { section: SectionId; place: number }

function numberOf({ section, place }: Clause): string {
  return `${sections.indexOf(section) + 1}.${place}`
}

function clauseId({ section, place }: Clause): string {
  return `${section}-${place}`
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function AgreementSection({ section }: { section: SectionId }) {
  const { t } = useTranslation('agreement')
  const clauses = texts(t(`sections.${section}.clauses`, { returnObjects: true }))
  const heading = `${section}-heading`
  return (
    <section id={section} className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        <span className={styles.ordinal}>{sections.indexOf(section) + 1}</span> {t(`sections.${section}.title`)}
      </h2>
      {clauses.map((clause, index) => {
        const place = { section, place: index + 1 }
        return (
          <p key={clauseId(place)} id={clauseId(place)} className={styles.clause}>
            <span className={styles.number}>{numberOf(place)}</span> <span>{clause}</span>
          </p>
        )
      })}
    </section>
  )
}

function Contents() {
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
