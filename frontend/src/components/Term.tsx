import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { TERM_MARK } from '@/i18n/i18n'
import { HelpIcon } from './icons/HelpIcon'
import styles from './Term.module.css'
import { Tip } from './Tip'

export const TERMS = ['pack', 'piece', 'spare', 'healthFile', 'sixWords', 'keyHolder'] as const

type Props = {
  name: (typeof TERMS)[number]
  /** The text that uses the word. The question mark stands where it says `{{term}}`, or at its end. */
  children?: string
}

/** A question mark behind one of the product's own words, which opens a sentence that explains it. */
export function Term({ name, children = '' }: Props) {
  const [before, after] = children.split(TERM_MARK)
  return (
    <>
      {before}
      <span className={styles.term}>
        {/* The page need not wait for these texts. */}
        <Suspense fallback={null}>
          <Mark name={name} />
        </Suspense>
      </span>
      {after}
    </>
  )
}

function Mark({ name }: Pick<Props, 'name'>) {
  const { t } = useTranslation('terms')
  const sentence = t(`${name}.sentence`)
  return (
    <Tip text={sentence} onTap>
      <button type="button" className={styles.mark} aria-label={t(`${name}.question`)} aria-description={sentence}>
        <HelpIcon />
      </button>
    </Tip>
  )
}
