import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import type { Card } from '../api'
import { BrandLogo, brandName } from './BrandLogo'
import styles from './page.module.css'

type Props = {
  card: Card
  isDefault: boolean
  choosing: boolean
  keptBecause: string | null
  onDefault: () => void
  onDelete: () => void
}

export function CardRow({ card, isDefault, choosing, keptBecause, onDefault, onDelete }: Props) {
  const { t } = useTranslation('subscription')
  const name = { brand: brandName(card.brand) ?? t('cards.card'), last4: card.last4 }
  return (
    <li className={styles.cardRow}>
      <BrandLogo brand={card.brand} fallback={t('cards.card')} />
      <div className={styles.digits}>
        <span className="t-hidden">{t('cards.endsWith', name)}</span>
        <bdi dir="ltr" aria-hidden>
          •••• •••• •••• {card.last4}
        </bdi>
        <span className={styles.soft}>
          {t('cards.expires')} <bdi dir="ltr">{`${String(card.expMonth).padStart(2, '0')}/${card.expYear}`}</bdi>
        </span>
      </div>
      <label className={styles.check} title={isDefault ? t('cards.isDefault') : undefined}>
        <input
          type="checkbox"
          checked={isDefault}
          // There is always a default: it is changed by choosing another, not by taking the tick away.
          disabled={isDefault || choosing}
          aria-label={t('cards.setDefaultOf', name)}
          onChange={onDefault}
        />
        <span aria-hidden>{t('cards.setDefault')}</span>
      </label>
      <Button
        variant="text"
        danger
        disabledReason={keptBecause}
        aria-label={t('cards.deleteOf', name)}
        onClick={onDelete}
      >
        {t('cards.delete')}
      </Button>
    </li>
  )
}
