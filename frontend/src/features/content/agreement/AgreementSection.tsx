import { useTranslation } from 'react-i18next'
import styles from './agreement.module.css'
import { clauseId, numberOf, sections, type SectionId } from './sections'

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

export function AgreementSection({ section }: { section: SectionId }) {
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
