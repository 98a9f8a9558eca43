import { useTranslation } from 'react-i18next'
import styles from './ProtectionCell.module.css'
import type { Protection } from './use-rows'

const MAX_TILES = 4

type Props = { protection: Protection | undefined; isEmpty: boolean }

/** How many pieces of a file or folder are stored, and whether it survives the loss of a cloud. */
export function ProtectionCell({ protection, isEmpty }: Props) {
  const { t } = useTranslation('client')
  if (!protection) return isEmpty ? <span className="t-soft">{t('pieces.nothing')}</span> : null
  const { stored, total, spare } = protection
  const isComplete = stored === total
  const tiles = Math.min(total, MAX_TILES)
  const full = isComplete ? tiles : Math.min(tiles - 1, Math.floor((stored / total) * tiles))
  const state = isComplete ? 'spare' : spare > 0 ? 'repairing' : spare === 0 ? 'notSafe' : 'lost'
  const pieces = t('pieces.stored', { stored, count: total })
  return (
    <span className={styles.cell} title={pieces}>
      <span className={styles.tiles} aria-hidden>
        {Array.from({ length: tiles }, (_, index) => (
          <span key={index} className={styles.tile} data-full={index < full} />
        ))}
      </span>
      <span className={`t-soft t-ellipsis ${styles.state}`} data-state={state}>
        {t(`pieces.${state}`, { count: spare })}
      </span>
      <span className="t-hidden">{pieces}</span>
    </span>
  )
}
