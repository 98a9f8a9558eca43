import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyIcon } from '@/components/icons/CopyIcon'
import { CheckIcon } from '@/components/icons/CheckIcon'
import styles from './copy.module.css'

type Props = {
  text: string
  /** Names what is copied, for screen readers. */
  label: string
}

const SHOWN_MS = 3000

export function CopyButton({ text, label }: Props) {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)

  useEffect(() => {
    if (!outcome) return
    const timer = window.setTimeout(() => setOutcome(null), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [outcome])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }

  return (
    <span className={styles.copy}>
      <span role="status" className={styles.outcome} data-failed={outcome === 'failed'}>
        {outcome ? t(`copy.${outcome}`) : ''}
      </span>
      <button type="button" className={styles.button} aria-label={label} onClick={() => void copy()}>
        {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
        {t('copy.action')}
      </button>
    </span>
  )
}
