import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Button } from '@/components/Button'
import { formatDate } from '@/i18n/format'
import { Contents } from './Contents'
import styles from './legal.module.css'
import page from './page.module.css'

const documents = { agreement: '/agreement', privacy: '/privacy', processing: '/data-processing' } as const

type Props = {
  /** Its namespace, which is also its key under `screens` in the common texts. */
  name: keyof typeof documents
  sections: readonly string[]
  version: { number: string; effective: Date }
  /** The most important clause. */
  keyClause: Clause
  /** Whether passages in brackets still wait for a lawyer. */
  draft?: boolean
}

/** A clause by its section and its place there, counted from one as readers cite it. */
type Clause = { section: string; place: number }

/** A legal document: numbered sections of clauses, with its contents beside it. */
export function LegalPage({ name, sections, version, keyClause, draft = false }: Props) {
  const { t, i18n } = useTranslation(name)
  return (
    <div className={`${page.page} ${styles.page}`}>
      <div className="t-ends">
        <h1 className={page.title}>{t('title')}</h1>
        <Button variant="outlined" size="large" onClick={() => window.print()}>
          {t('common:actions.print')}
        </Button>
      </div>
      <p className="t-soft">{t('version', { version: version.number, date: formatDate(version.effective, 'long') })}</p>
      <p className={page.lead}>{t('lead')}</p>
      <div className={styles.notes}>
        {draft && (
          <p className="t-note" role="note">
            <Marked text={t('draftNote')} />
          </p>
        )}
        {i18n.language !== 'en' && (
          <p className="t-note" role="note">
            {t('translationNote')}
          </p>
        )}
        <p className={`t-note ${styles.keyPoint}`}>
          {t('keyPoint')}{' '}
          <a href={`#${clauseId(keyClause)}`}>{t('keyPointLink', { clause: numberOf(sections, keyClause) })}</a>
        </p>
      </div>
      <div className={page.columns}>
        <Contents
          ordered
          title={t('contents')}
          entries={sections.map((section, index) => ({
            id: section,
            label: (
              <>
                <span className={styles.ordinal}>{index + 1}</span> <span>{t(`sections.${section}.title`)}</span>
              </>
            ),
          }))}
        />
        <div className={styles.body}>
          {sections.map((section) => (
            <LegalSection key={section} name={name} section={section} sections={sections} />
          ))}
          <Related name={name} />
        </div>
      </div>
    </div>
  )
}

function numberOf(sections: readonly string[], { section, place }: Clause): string {
  return `${sections.indexOf(section) + 1}.${place}`
}

function clauseId({ section, place }: Clause): string {
  return `${section}-${place}`
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Shows passages in brackets, which a lawyer has to complete, as marked. */
function Marked({ text }: { text: string }) {
  return text
    .split(/(\[[^\]]*\])/)
    .map((part, index) => (part.startsWith('[') ? <mark key={index}>{part}</mark> : part))
}

function LegalSection({ name, section, sections }: Pick<Props, 'name' | 'sections'> & { section: string }) {
  const { t } = useTranslation(name)
  const clauses = texts(t(`sections.${section}.clauses`, { returnObjects: true }))
  const heading = `${section}-heading`
  return (
    <section id={section} className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={page.heading}>
        <span className={styles.ordinal}>{sections.indexOf(section) + 1}</span> {t(`sections.${section}.title`)}
      </h2>
      {clauses.map((clause, index) => {
        const place = { section, place: index + 1 }
        return (
          <p key={clauseId(place)} id={clauseId(place)} className={styles.clause}>
            <span className={styles.number}>{numberOf(sections, place)}</span>{' '}
            <span>
              <Marked text={clause} />
            </span>
          </p>
        )
      })}
    </section>
  )
}

/** The other two documents. */
function Related({ name }: Pick<Props, 'name'>) {
  const { t } = useTranslation()
  return (
    <ul className={`t-line ${styles.related}`}>
      {Object.entries(documents)
        .filter(([other]) => other !== name)
        .map(([other, path]) => (
          <li key={other}>
            <Link to={path}>{t(`screens.${other}`)}</Link>
          </li>
        ))}
    </ul>
  )
}
