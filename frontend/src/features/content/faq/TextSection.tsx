import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './faq.module.css'
import { Marked } from './Marked'
import { listOf } from './texts'

type Props = { id: 'three' | 'sight'; children?: ReactNode }

/** A section of paragraphs, with lists under their own headings where it has some. */
export function TextSection({ id, children }: Props) {
  const { t } = useTranslation('faq')
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className={styles.heading}>
        {t(`${id}.title`)}
      </h2>
      {listOf(t(`${id}.text`, { returnObjects: true })).map((paragraph) => (
        <p key={paragraph}>
          <Marked text={paragraph} />
        </p>
      ))}
      {children}
    </section>
  )
}
