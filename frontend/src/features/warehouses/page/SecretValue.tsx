import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '@/lib/copy-text'
import styles from './panel.module.css'

export const SHOWN_MS = 60_000

/** As many dots for every secret: not even its length is told. */
const mask = '••••••••••••••••'

/** Masked until one asks, and hidden again by itself. */
export function SecretValue({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation('warehouses')
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (!shown) return
    const timer = window.setTimeout(() => setShown(false), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [shown])

  return (
    <span className={styles.secret}>
      {shown ? (
        // Long ones scroll, and a keyboard has to be able to.
        <bdi dir="ltr" className={styles.value} tabIndex={0}>
          {value}
        </bdi>
      ) : (
        <span className={styles.value}>
          <span aria-hidden>{mask}</span>
          <span className="t-hidden">{t('secret.hidden')}</span>
        </span>
      )}
      <span className={styles.tools}>
        <button
          type="button"
          className={styles.tool}
          aria-label={t(shown ? 'secret.hideOf' : 'secret.showOf', { field: label })}
          onClick={() => setShown(!shown)}
        >
          {t(shown ? 'secret.hide' : 'secret.show')}
        </button>
        <button
          type="button"
          className={styles.tool}
          aria-label={t('secret.copyOf', { field: label })}
          onClick={() => void copyText(value, t('secret.copied'), t('secret.copyFailed'))}
        >
          {t('secret.copy')}
        </button>
      </span>
    </span>
  )
}
