import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { copyText } from '@/lib/copy-text'
import { getWarehouse } from '../api'
import { valueOf } from '../form/warehouse-form'
import styles from './panel.module.css'

export const SHOWN_MS = 60_000

/** The same number of dots for every secret, which hides its length. */
const mask = '••••••••••••••••'

type Props = { label: string; warehouseId: number; field: string }

/** Fetched only to be shown or copied, which is recorded, and hidden again after a while. */
export function SecretValue({ label, warehouseId, field }: Props) {
  const { t } = useTranslation('warehouses')
  const [shown, setShown] = useState<string | null>(null)
  const reveal = useToastMutation(
    async (then: (value: string) => void) => {
      const details = await withVerification(() => getWarehouse(warehouseId, 'full'))
      then(valueOf(details, field))
    },
    { failure: t('toasts.openFailed') },
  )
  useEffect(() => {
    if (shown === null) return
    const timer = window.setTimeout(() => setShown(null), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [shown])
  const copy = (value: string) => void copyText(value, t('secret.copied'), t('secret.copyFailed'))

  return (
    <span className={styles.secret}>
      {shown !== null ? (
        // Focusable, so that the keyboard can scroll long values.
        <bdi dir="ltr" className={styles.value} tabIndex={0}>
          {shown}
        </bdi>
      ) : (
        <span className={styles.value}>
          <span aria-hidden>{mask}</span>
          <span className="t-hidden">{t('secret.hidden')}</span>
        </span>
      )}
      <span className="t-line">
        <Button
          variant="text"
          size="small"
          aria-label={t(shown === null ? 'secret.showOf' : 'secret.hideOf', { field: label })}
          onClick={() => (shown === null ? void reveal.mutate(setShown) : setShown(null))}
        >
          {t(shown === null ? 'secret.show' : 'secret.hide')}
        </Button>
        <Button
          variant="text"
          size="small"
          aria-label={t('secret.copyOf', { field: label })}
          onClick={() => (shown === null ? void reveal.mutate(copy) : copy(shown))}
        >
          {t('secret.copy')}
        </Button>
      </span>
    </span>
  )
}
