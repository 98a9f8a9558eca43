import { useTranslation } from 'react-i18next'
import { Button } from './Button'
import styles from './state.module.css'
import { TileArt } from './TileArt'

type Props = {
  /** What happened. */
  title?: string | undefined
  text?: string | undefined
  onRetry?: (() => void) | undefined
  retryLabel?: string | undefined
  /** Names the failed request in the server's log. */
  requestId?: string | undefined
  heading?: 'h1' | 'h2' | 'h3'
}

export function ErrorState({ title, text, onRetry, retryLabel, requestId, heading: Heading = 'h2' }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles.state} role="alert">
      <TileArt name="error" />
      <Heading className={styles.title}>{title ?? t('error.title')}</Heading>
      <p className={styles.text}>{text ?? t('error.text')}</p>
      {requestId ? (
        <p className={styles.detail}>
          {t('error.requestId')} <code dir="ltr">{requestId}</code>
        </p>
      ) : null}
      {onRetry ? (
        <div className={styles.actions}>
          <Button variant="outlined" size="large" onClick={onRetry}>
            {retryLabel ?? t('actions.retry')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
